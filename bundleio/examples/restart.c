/* A model that goes on where its last complete step left it, on any number of ranks.
 *   mpirun -n 4 example_restart FOLDER STEPS [BACKEND [DIE_IN]]
 * Its last rank is killed in step DIE_IN, before that step is written, as a failing node would. */
#include <bundleio/bundleio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 3, LAT = 12, LON = 24 };

static double q[LEVELS * LAT * LON];
static double hour;

/* The state after the last step, or, without one, that of the start: 0 steps are done then. */
static int restore(bio_context *context, const char *folder, int decomposition, int64_t cells,
                   int64_t *done) {
  bio_reader *reader = NULL;
  int status = bio_read_open(context, folder, BIO_LAST_STEP, NULL, &reader);
  if (status == BIO_NOT_FOUND) return BIO_OK;
  if (status != BIO_OK) return status;
  status = bio_get(reader, "Moist", "Q", BIO_FLOAT64, decomposition, LEVELS * cells, q);
  /* On rank 0, as it was put. */
  if (status == BIO_OK) {
    status = bio_get(reader, "Moist", "time", BIO_FLOAT64, BIO_ON_ROOT, 1, &hour);
  }
  bio_read_step(reader, done);
  *done += 1;
  const int closed = bio_read_close(reader);
  return status == BIO_OK ? closed : status;
}

static int go_on(bio_context *context, const char *folder, int64_t steps, const char *backend,
                 int64_t die_in) {
  int rank = 0, size = 1, by_rows = 0, bundle = 0, hours = 0, moist = 0, dims[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int64_t lengths[] = {LAT, LON}, start[] = {(int64_t)LAT * rank / size, 0};
  const int64_t count[] = {(int64_t)LAT * (rank + 1) / size - start[0], LON};
  const int64_t cells = count[0] * LON;
  for (int64_t i = 0; i < LEVELS * cells; ++i) {
    q[i] = 0.1 + 0.001 * (double)(start[0] * LON + i % cells) + 0.2 * (double)(i / cells);
  }
  int64_t done = 0;
  bio_run *run = NULL;
  int status = bio_decomp_block(context, 2, lengths, start, count, &by_rows);
  if (status == BIO_OK) status = restore(context, folder, by_rows, cells, &done);
  if (status == BIO_OK) status = bio_open(context, folder, BIO_APPEND, backend, NULL, &run);
  if (status != BIO_OK) return status;
  if (rank == 0) printf("goes on with step %d\n", (int)done);
  bio_bundle(run, "Moist", &bundle);
  bio_def_dim(run, bundle, "time", BIO_UNLIMITED, &dims[0]);
  bio_def_dim(run, bundle, "lev", LEVELS, &dims[1]);
  bio_def_dim(run, bundle, "lat", LAT, &dims[2]);
  bio_def_dim(run, bundle, "lon", LON, &dims[3]);
  bio_def_var(run, bundle, "time", BIO_FLOAT64, 1, dims, BIO_ON_ROOT, &hours);
  bio_def_var(run, bundle, "Q", BIO_FLOAT64, 4, dims, by_rows, &moist);
  for (int64_t step = done; step < steps && status == BIO_OK; ++step) {
    /* Chaotic, so that a bit that was lost would show. */
    for (int64_t i = 0; i < LEVELS * cells; ++i) q[i] = 3.9 * q[i] * (1.0 - q[i]);
    hour += 6.0;
    bio_step_begin(run);
    bio_put(run, hours, &hour);
    bio_put(run, moist, q);
    if (step == die_in && rank == size - 1) raise(SIGKILL);
    status = bio_step_end(run);
  }
  const int closed = bio_close(run);
  return status == BIO_OK ? closed : status;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  bio_context *context = NULL;
  int status = bio_init(MPI_COMM_WORLD, &context);
  if (status == BIO_OK) {
    status = go_on(context, argc > 1 ? argv[1] : "restart-run", argc > 2 ? atoll(argv[2]) : 4,
                   argc > 3 ? argv[3] : "pnetcdf", argc > 4 ? atoll(argv[4]) : -1);
  }
  if (status != BIO_OK) fprintf(stderr, "restart: %s\n", bio_message(context));
  bio_finish(context);
  MPI_Finalize();
  return status == BIO_OK ? 0 : 3;
}
