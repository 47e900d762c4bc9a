/* Every verb of the C interface once; verbs.cpp, verbs.f90 and verbs.py write the same.
 *   verbs_c FOLDER BACKEND */
#include <bundleio/bundleio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4, LAT = 5, LON = 6, CELLS = LAT * LON, RANKS = 5, TYPES_CELLS = 12 };

static bio_context *context;
static bio_run *run;
static int rank, size, by_rows, by_cells, by_counted;
static int64_t first, rows, cell_count, cells[CELLS], counted[CELLS + 1];

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "verbs_c: %s: %s\n", what, bio_message(context));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void refused(int got, int status, const char *text) {
  require(got == status && strstr(bio_message(run == NULL ? NULL : context), text) != NULL, text);
}

/* One variable of each rank and of most types, on rank 0; values count up as memory lies. */
static void define_types(int bundle, int *variables) {
  static const int types[] = {BIO_FLOAT64, BIO_INT8, BIO_INT16, BIO_INT32, BIO_INT64, BIO_FLOAT32};
  static const int64_t lengths[RANKS] = {2, 1, 3, 1, 2};
  int dims[RANKS];
  for (int i = 0; i < RANKS; ++i) {
    char name[] = "d0";
    name[1] = (char)('0' + i);
    require(bio_def_dim(run, bundle, name, lengths[i], &dims[i]) == BIO_OK, "dimension");
  }
  for (int i = 0; i <= RANKS; ++i) {
    char name[] = "rank 0";
    name[5] = (char)('0' + i);
    require(bio_def_var(run, bundle, name, types[i], i, dims, BIO_ON_ROOT, &variables[i]) == BIO_OK,
            "variable");
  }
  const int8_t one[] = {1, 2};
  const int16_t two[] = {1, 2};
  const int32_t three[] = {1, 2};
  const int64_t four[] = {1, 2};
  const float five[] = {1, 2.5F};
  const double six[] = {1, 2.5};
  const void *values[] = {six, one, two, three, four, five};
  for (int i = 0; i <= RANKS; ++i) {
    bio_put_att(run, bundle, variables[i], "two", types[i], 2, values[i]);
    require(bio_put_att(run, bundle, variables[i], "one", types[i], 1, values[i]) == BIO_OK,
            "attribute");
  }
}

static void put_types(const int *variables) {
  static double zero = 7;
  static int8_t one[TYPES_CELLS];
  static int16_t two[TYPES_CELLS];
  static int32_t three[TYPES_CELLS];
  static int64_t four[TYPES_CELLS];
  static float five[TYPES_CELLS];
  for (int i = 0; i < TYPES_CELLS; ++i) {
    one[i] = (int8_t)i;
    two[i] = (int16_t)i;
    three[i] = i;
    four[i] = i;
    five[i] = (float)i;
  }
  void *values[] = {&zero, one, two, three, four, five};
  for (int i = 0; i <= RANKS; ++i) {
    require(bio_put(run, variables[i], values[i]) == BIO_OK, "put of types");
  }
}

static const char *const units = "hours since 1999-12-31 18:00:00 -06:00";

/* A time with bounds, as CF has it: the first of March at noon and the day around it. */
static void define_time(int *time, int *bounds) {
  int bundle = 0, dimension = 0;
  require(bio_bundle(run, "times", &bundle) == BIO_OK, "bundle");
  require(bio_def_dim(run, bundle, "time", BIO_UNLIMITED, &dimension) == BIO_OK, "dimension");
  require(bio_def_time(run, bundle, dimension, units, "noleap", time, bounds) == BIO_OK,
          "def_time");
}

static void put_time(int step, int time, int bounds) {
  static double value, both[2];
  const bio_date noon = {2000 + step, 3, 1, 12, 0, 0};
  bio_date back;
  require(bio_time_value(context, units, "noleap", &noon, &value) == BIO_OK, "time_value");
  require(value == 24 * (365 * step + 59) + 12, "hours of a noon");
  require(bio_time_date(context, units, "noleap", value, &back) == BIO_OK, "time_date");
  require(back.year == 2000 + step && back.month == 3 && back.day == 1 && back.hour == 12 &&
              back.minute == 0 && back.second == 0,
          "the date of a value");
  both[0] = value - 12;
  both[1] = value + 12;
  require(bio_put(run, time, &value) == BIO_OK && bio_put(run, bounds, both) == BIO_OK, "put");
}

static void refuse_times(void) {
  double value = 0;
  const bio_date leap = {2000, 2, 29, 0, 0, 0};
  refused(bio_time_value(context, units, "noleap", &leap, &value), BIO_BAD_ARGUMENT,
          "there is no 2000-02-29 00:00:0 in this calendar");
  refused(bio_time_value(context, "months since 2000-01-01", "noleap", &leap, &value),
          BIO_BAD_ARGUMENT, "use days, hours, minutes or seconds");
  refused(bio_time_value(context, units, "lunar", &leap, &value), BIO_BAD_ARGUMENT,
          "calendar 'lunar': use standard, proleptic_gregorian, noleap or 360_day");
}

/* This bundle is due in the first of the two steps only. */
static void define_rare(int *rare) {
  static const char *const names[] = {"once", "second"};
  int bundle = 0;
  require(bio_bundle(run, "rare", &bundle) == BIO_OK, "bundle");
  for (int i = 0; i < 2; ++i) {
    bio_def_var(run, bundle, names[i], BIO_FLOAT64, 0, NULL, BIO_ON_ROOT, &rare[i]);
    require(bio_def_every(run, rare[i], i == 0 ? BIO_ONCE : 2) == BIO_OK, "def_every");
  }
}

static void put_rare(int step, const int *rare) {
  static const double value = 5;
  for (int i = 0; i < 2; ++i) {
    int due = -1;
    require(bio_due(run, rare[i], &due) == BIO_OK && due == (step == 0), "due");
    if (due) require(bio_put(run, rare[i], &value) == BIO_OK, "put of what is due");
  }
}

static void write_step(int step) {
  int bundle = 0, types = 0, dims[3], field = 0, mapped = 0, from_one = 0, variables[RANKS + 1],
      done = 0, time = 0, bounds = 0, rare[2];
  const float range[] = {1, 2.5F};
  static float values[LEVELS * CELLS];
  static int64_t moved[CELLS + 1];
  bio_bundle(run, "verbs", &bundle);
  bio_def_dim(run, bundle, "lev", LEVELS, &dims[0]);
  bio_def_dim(run, bundle, "lat", LAT, &dims[1]);
  bio_def_dim(run, bundle, "lon", LON, &dims[2]);
  bio_def_var(run, bundle, "by rows", BIO_FLOAT32, 3, dims, by_rows, &field);
  bio_def_var(run, bundle, "mapped", BIO_INT64, 2, dims + 1, by_cells, &mapped);
  bio_def_var(run, bundle, "counted", BIO_INT64, 2, dims + 1, by_counted, &from_one);
  bio_put_att(run, bundle, BIO_GLOBAL, "Conventions", BIO_TEXT, 6, "CF-1.8");
  bio_put_att(run, bundle, field, "range", BIO_FLOAT32, 2, range);
  bio_bundle(run, "types", &types);
  define_types(types, variables);
  define_time(&time, &bounds);
  define_rare(rare);
  refuse_times();
  for (int64_t level = 0, next = 0; level < LEVELS; ++level) {
    for (int64_t cell = first * LON; cell < (first + rows) * LON; ++cell, ++next) {
      values[next] = (float)(1000 * step + 100 * level + 10 * (cell / LON) + cell % LON);
    }
  }
  for (int64_t i = 0; i < cell_count; ++i) moved[i] = cells[i] + step;
  refused(bio_put(run, field, values), BIO_STATE, "put outside a step");
  refused(bio_step_end(run), BIO_STATE, "rank 0: put outside a step");
  require(bio_step_begin(run) == BIO_OK, "step_begin");
  require(bio_check_put(run, field, BIO_ANY, BIO_FLOAT32, LEVELS * rows * LON) == BIO_OK, "check");
  bio_put_levels(run, field, 3, LEVELS - 3, values + 3 * rows * LON);
  bio_put_levels(run, field, 0, 3, values);
  bio_put(run, mapped, moved);
  bio_put(run, from_one, moved);
  put_types(variables);
  put_time(step, time, bounds);
  put_rare(step, rare);
  require(bio_step_end(run) == BIO_OK, "step_end");
  require(bio_wait(run) == BIO_OK && bio_test(run, &done) == BIO_OK && done == 1, "wait");
  const char *json = NULL;
  require(bio_report(run, &json) == BIO_OK && (rank == 0) == (json[0] == '{'), "report");
}

/* Mistakes of the last rank reach all, with their status and text. */
static void fail_steps(void) {
  int bundle = 0, number = 0;
  const double value = 1;
  bio_bundle(run, "errors", &bundle);
  bio_def_var(run, bundle, "number", BIO_FLOAT64, 0, NULL, BIO_ON_ROOT, &number);
  for (int status = BIO_BAD_ARGUMENT; status <= BIO_DRAIN; ++status) {
    char text[64], everyones[96];
    snprintf(text, sizeof text, "status %d is told", status);
    snprintf(everyones, sizeof everyones, "rank %d: %s", size - 1, text);
    bio_step_begin(run);
    bio_put(run, number, &value);
    if (rank == size - 1) refused(bio_fail(run, status, text), status, text);
    refused(bio_step_end(run), status, everyones);
  }
  refused(bio_fail(run, BIO_OK, ""), BIO_BAD_ARGUMENT, "status 0 is no error");
  refused(bio_check_put(run, number, BIO_ANY, BIO_INT8, 1), BIO_BAD_ARGUMENT,
          "variable 'number': values of type int8, but it is of type float64");
  if (rank == 0) {
    refused(bio_check_put(run, number, 1, BIO_ANY, 2), BIO_BAD_ARGUMENT,
            "variable 'number': 2 values, but this rank holds 1");
  }
}

static void open_run(const char *folder, int mode, const char *backend) {
  require(bio_open(context, folder, mode, backend, NULL, &run) == BIO_OK, "open");
}

static void close_run(int status) {
  require(bio_close(run) == status, "close");
  run = NULL;
  refused(bio_step_begin(run), BIO_BAD_ARGUMENT, "no run: it was never opened");
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int64_t lengths[] = {LAT, LON};
  first = LAT * rank / size;
  rows = LAT * (rank + 1) / size - first;
  for (int64_t cell = CELLS - 1 - rank; cell >= 0; cell -= size) cells[cell_count++] = cell;
  require(bio_init(MPI_COMM_WORLD, &context) == BIO_OK && bio_finish(context) == BIO_OK, "init");
  require(bio_init_f(MPI_Comm_c2f(MPI_COMM_WORLD), &context) == BIO_OK, "init_f");
  const int64_t start[] = {first, 0}, count[] = {rows, LON};
  require(bio_decomp_block(context, 2, lengths, start, count, &by_rows) == BIO_OK, "block");
  require(bio_decomp_map(context, 2, lengths, cell_count, cells, &by_cells) == BIO_OK, "map");
  for (int64_t i = 0; i < cell_count; ++i) counted[i] = cells[i] + 1;
  require(
      bio_decomp_map_one_based(context, 2, lengths, cell_count + 1, counted, &by_counted) == BIO_OK,
      "map_one_based");
  int unused = 0;
  const int64_t negative = -3;
  require(
      bio_decomp_map_one_based(context, 2, lengths, 1, &negative, &unused) == BIO_BAD_ARGUMENT &&
          strstr(bio_message(context), "rank 0: cell -3, entry 0 of the map") != NULL,
      "a negative cell");
  require(bio_decomp_map_one_based(context, 2, lengths, cell_count, cells, &unused) ==
                  BIO_BAD_ARGUMENT &&
              strstr(bio_message(context), "it seems to count from 0") != NULL,
          "a map that counts from 0");
  for (int step = 0; step < 2; ++step) {
    open_run(argv[1], step == 0 ? BIO_CREATE : BIO_APPEND, argv[2]);
    write_step(step);
    close_run(BIO_OK);
  }
  open_run(argv[1], BIO_APPEND, argv[2]);
  fail_steps();
  close_run(BIO_BAD_ARGUMENT);
  require(bio_finish(context) == BIO_OK, "finish");
  MPI_Finalize();
  return 0;
}
