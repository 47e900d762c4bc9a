/* A model written to PIO's documentation: a static field, a field of frames, a time per frame.
 *   mpirun -n 4 model FOLDER IOTYPE FAULT   FAULT: none, or what it does wrong, to see what is said
 *   mpirun -n 2 model FOLDER IOTYPE more    a restart: two more frames; "area": writes the static
 *     field again, "other": as something else, "again": writes a frame that is there, "late": the
 *     static field behind a frame
 */
#include <pio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X = 8, Y = 6, FRAMES = 3, HOLE = 5 };
static const int whole[] = {PIO_UNLIMITED, X, Y};
static int rank, size;

static void must(int code, const char *what) {
  char text[PIO_MAX_NAME];
  if (code == PIO_NOERR) return;
  PIOc_strerror(code, text);
  fprintf(stderr, "model: %s: %d %s\n", what, code, text);
  MPI_Abort(MPI_COMM_WORLD, 4);
}

/* Ranks own every size-th cell; the first of rank 0 is nowhere, and so is what lies there. */
static int decompose(int system, PIO_Offset *cells) {
  int count = 0, made;
  for (int cell = rank; cell < X * Y; cell += size) cells[count++] = cell == HOLE ? 0 : cell + 1;
  must(PIOc_InitDecomp(system, PIO_DOUBLE, 2, &whole[1], count, cells, &made, NULL, NULL, NULL),
       "decomp");
  return made;
}

static double value(PIO_Offset cell, int frame) { return 1000.0 * frame + (double)cell; }

static void define(int file, int *vars) {
  static const char *names[] = {"time", "x", "y"};
  static const double none = -9.0;
  int dims[3];
  for (int d = 0; d < 3; ++d) must(PIOc_def_dim(file, names[d], whole[d], &dims[d]), "def_dim");
  must(PIOc_def_var(file, "time", PIO_INT, 1, dims, &vars[0]), "def_var");
  must(PIOc_def_var(file, "area", PIO_DOUBLE, 2, &dims[1], &vars[1]), "def_var");
  must(PIOc_def_var(file, "foo", PIO_DOUBLE, 3, dims, &vars[2]), "def_var");
  must(PIOc_put_att(file, vars[2], "_FillValue", PIO_DOUBLE, 1, &none), "put_att");
  must(PIOc_put_att_text(file, vars[2], "units", 1, "K"), "put_att");
  must(PIOc_put_att_text(file, PIO_GLOBAL, "title", 5, "model"), "put_att");
  must(PIOc_enddef(file), "enddef");
}

static void write_frame(int file, const int *vars, int ioid, int frame, const PIO_Offset *cells,
                        int count) {
  double values[X * Y];
  const PIO_Offset start = frame, one = 1;
  const int hours = 6 * frame;
  for (int i = 0; i < count; ++i) values[i] = value(cells[i], frame);
  must(PIOc_put_vara(file, vars[0], &start, &one, &hours), "put_vara");
  must(PIOc_setframe(file, vars[2], frame), "setframe");
  must(PIOc_write_darray(file, vars[2], ioid, count, values, NULL), "write_darray");
  /* Values belong to the model again. */
  memset(values, 0, sizeof values);
}

static void read_frames(int file, int ioid, int frames, const PIO_Offset *cells, int count) {
  int foo;
  double values[X * Y];
  must(PIOc_inq_varid(file, "foo", &foo), "inq_varid");
  for (int frame = frames - 1; frame >= 0; --frame) {
    for (int i = 0; i < count; ++i) values[i] = -1.0;
    must(PIOc_setframe(file, foo, frame), "setframe");
    must(PIOc_read_darray(file, foo, ioid, count, values), "read_darray");
    for (int i = 0; i < count; ++i) {
      if (values[i] != (cells[i] == 0 ? -1.0 : value(cells[i], frame)))
        must(-1, "other values were read");
    }
  }
}

static void expect(int holds, const char *what) { must(holds ? PIO_NOERR : -1, what); }

static void ask_attributes(int system, int file, int foo) {
  char text[PIO_MAX_NAME + 1] = "";
  double none = 0;
  int whole_number, type, before;
  PIO_Offset length;
  must(PIOc_inq_att(file, foo, "units", &type, &length), "inq_att");
  expect(type == PIO_CHAR && length == 1, "units");
  must(PIOc_get_att_text(file, foo, "units", text), "get_att_text");
  must(PIOc_get_att(file, PIO_GLOBAL, "title", text + 1), "get_att");
  expect(strcmp(text, "Kmodel") == 0, "texts");
  must(PIOc_get_att_double(file, foo, "_FillValue", &none), "get_att_double");
  expect(none == -9.0, "_FillValue");
  must(PIOc_inq_attname(file, PIO_GLOBAL, 0, text), "inq_attname");
  expect(strcmp(text, "title") == 0, "title");
  must(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, &before), "handler");
  expect(PIOc_inq_varid(file, "none", &type) == PIO_ENOTVAR, "no variable");
  expect(PIOc_inq_att(file, foo, "none", &type, NULL) == PIO_ENOTATT, "no attribute");
  expect(PIOc_inq_dimid(file, "none", &type) == PIO_EBADDIM, "no dimension");
  expect(PIOc_inq_varname(file, 3, text) == PIO_ENOTVAR, "no fourth variable");
  expect(PIOc_get_att_int(file, foo, "_FillValue", &whole_number) == PIO_EBADTYPE, "no integer");
  must(PIOc_set_iosystem_error_handling(system, before, NULL), "handler");
}

static void ask(int system, int file, int frames) {
  char name[PIO_MAX_NAME + 1];
  int dims, vars, atts, unlimited, x, foo, type, dimids[3];
  PIO_Offset length;
  must(PIOc_inq(file, &dims, &vars, &atts, &unlimited), "inq");
  expect(dims == 3 && vars == 3 && atts == 1 && unlimited == 0, "counts");
  must(PIOc_inq_dim(file, unlimited, name, &length), "inq_dim");
  expect(strcmp(name, "time") == 0 && length == frames, "time");
  must(PIOc_inq_dimid(file, "x", &x), "inq_dimid");
  must(PIOc_inq_dimlen(file, x, &length), "inq_dimlen");
  expect(x == 1 && length == X, "x");
  must(PIOc_inq_varid(file, "foo", &foo), "inq_varid");
  must(PIOc_inq_var(file, foo, name, &type, &dims, dimids, &atts), "inq_var");
  expect(strcmp(name, "foo") == 0 && type == PIO_DOUBLE && dims == 3 && atts == 2, "foo");
  expect(dimids[0] == 0 && dimids[1] == 1 && dimids[2] == 2, "dimensions of foo");
  ask_attributes(system, file, foo);
}

/* A restarted model asks the file itself. */
static void go_on(int system, int ioid, const char *path, int type, const char *how,
                  const PIO_Offset *cells, int count) {
  int file, vars[3], time;
  double area[X * Y];
  PIO_Offset length;
  must(PIOc_openfile(system, &file, &type, path, PIO_WRITE), "openfile");
  must(PIOc_inq_unlimdim(file, &time), "inq_unlimdim");
  must(PIOc_inq_dimlen(file, time, &length), "inq_dimlen");
  must(PIOc_inq_varid(file, "time", &vars[0]), "inq_varid");
  must(PIOc_inq_varid(file, "area", &vars[1]), "inq_varid");
  must(PIOc_inq_varid(file, "foo", &vars[2]), "inq_varid");
  const int first = (int)length;
  if (strcmp(how, "again") == 0) write_frame(file, vars, ioid, 0, cells, count);
  for (int i = 0; i < count; ++i) area[i] = value(cells[i], strcmp(how, "other") == 0) / 2;
  if (strcmp(how, "more") != 0)
    must(PIOc_write_darray(file, vars[1], ioid, count, area, NULL), "write_darray");
  for (int frame = first; frame < first + 2; ++frame) {
    write_frame(file, vars, ioid, frame, cells, count);
    if (strcmp(how, "late") == 0)
      must(PIOc_write_darray(file, vars[1], ioid, count, area, NULL), "write_darray");
  }
  ask(system, file, first + 2);
  read_frames(file, ioid, first + 2, cells, count);
  must(PIOc_closefile(file), "closefile");
  if (rank == 0) printf("model: went on to %d frames\n", first + 2);
}

static int is_restart(const char *how) {
  return strcmp(how, "more") == 0 || strcmp(how, "area") == 0 || strcmp(how, "other") == 0 ||
         strcmp(how, "again") == 0 || strcmp(how, "late") == 0;
}

static void faults(int system, int file, const int *vars, int ioid, const char *fault) {
  double values[X * Y] = {0};
  int other = PIO_IOTYPE_NETCDF;
  PIO_Offset some[] = {1}, start[] = {0};
  if (strcmp(fault, "short") == 0) PIOc_write_darray(file, vars[1], ioid, 1, values, NULL);
  if (strcmp(fault, "type") == 0) {
    PIOc_InitDecomp(system, PIO_INT, 2, &whole[1], rank == 0, some, &ioid, NULL, NULL, NULL);
    PIOc_write_darray(file, vars[1], ioid, X * Y, values, NULL);
  }
  if (strcmp(fault, "frame") == 0) PIOc_write_darray(file, vars[2], ioid, X * Y, values, NULL);
  if (strcmp(fault, "fill") == 0) PIOc_write_darray(file, vars[1], ioid, X * Y, values, values);
  if (strcmp(fault, "iostart") == 0)
    PIOc_InitDecomp(system, PIO_INT, 1, whole, 0, some, &ioid, NULL, start, some);
  if (strcmp(fault, "char") == 0 && PIOc_redef(file) == PIO_NOERR)
    PIOc_def_var(file, "text", PIO_CHAR, 0, NULL, &other);
  if (strcmp(fault, "write") == 0) PIOc_openfile(system, &file, &other, "out.nc", PIO_WRITE);
  if (strcmp(fault, "handle") == 0) must(PIOc_sync(7), "sync");
  if (strcmp(fault, "moved") == 0) {
    /* As many cells for each rank, but others. */
    PIO_Offset cells[X * Y];
    int count = 0, moved;
    for (int cell = (rank + 1) % size; cell < X * Y; cell += size) cells[count++] = cell + 1;
    PIOc_InitDecomp(system, PIO_DOUBLE, 2, &whole[1], count, cells, &moved, NULL, NULL, NULL);
    PIOc_setframe(file, vars[2], 0);
    PIOc_write_darray(file, vars[2], ioid, X * Y, values, NULL);
    PIOc_setframe(file, vars[2], 1);
    PIOc_write_darray(file, vars[2], moved, X * Y, values, NULL);
  }
}

int main(int argc, char **argv) {
  int system, file, vars[3], type = argc > 2 ? atoi(argv[2]) : PIO_IOTYPE_PNETCDF;
  const char *fault = argc > 3 ? argv[3] : "none";
  PIO_Offset cells[X * Y];
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(path, sizeof path, "%s/out.nc", argv[1]);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 2, 1, 0, PIO_REARR_BOX, &system), "init");
  const int ioid = decompose(system, cells), count = X * Y / size;
  if (is_restart(fault)) {
    go_on(system, ioid, path, type, fault, cells, count);
    must(PIOc_freedecomp(system, ioid), "freedecomp");
    must(PIOc_free_iosystem(system), "free_iosystem");
    MPI_Finalize();
    return 0;
  }
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  define(file, vars);
  faults(system, file, vars, ioid, fault);
  double area[X * Y];
  for (int i = 0; i < count; ++i) area[i] = value(cells[i], 0) / 2;
  must(PIOc_write_darray(file, vars[1], ioid, count, area, NULL), "write_darray");
  for (int frame = 0; frame < FRAMES; ++frame) write_frame(file, vars, ioid, frame, cells, count);
  must(PIOc_sync(file), "sync");
  ask(system, file, FRAMES);
  read_frames(file, ioid, FRAMES, cells, count);
  must(PIOc_closefile(file), "closefile");
  must(PIOc_openfile(system, &file, &type, path, PIO_NOWRITE), "openfile");
  ask(system, file, FRAMES);
  read_frames(file, ioid, FRAMES, cells, count);
  must(PIOc_closefile(file), "closefile");
  must(PIOc_freedecomp(system, ioid), "freedecomp");
  must(PIOc_free_iosystem(system), "free_iosystem");
  if (rank == 0) printf("model: %d frames as written\n", FRAMES);
  MPI_Finalize();
  return 0;
}
