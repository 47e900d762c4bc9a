/* Variables that no decomposition divides, put in parts: rows, boxes of several frames, values one
 * by one. mpirun -n N parts FOLDER IOTYPE
 */
#include <pio.h>
#include <stdio.h>
#include <stdlib.h>

enum { Y = 3, X = 4 };
static int rank, size, file, dims[3], grid, table, field;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "parts: rank %d: not so: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 4);
}

static void must(int code, const char *what) { expect(code == PIO_NOERR, what); }

static void frames_are(int wanted) {
  PIO_Offset length;
  must(PIOc_inq_dimlen(file, dims[0], &length), "inq_dimlen");
  expect(length == wanted, "frames on the disk");
}

/* `number` and those that follow it, on rank 0, whose values count. */
static int put(int variable, const PIO_Offset *start, const PIO_Offset *count, int number) {
  int values[2 * Y * X];
  for (int i = 0; i < 2 * Y * X; ++i) values[i] = rank == 0 ? number + i : -1;
  return PIOc_put_vara(file, variable, start, count, values);
}

static int put_rows(int frame, int frames, int row, int rows, int number) {
  const PIO_Offset start[] = {frame, row, 0}, count[] = {frames, rows, X};
  return put(field, start, count, number);
}

static int put_cell(int variable, int y, int x, int number) {
  const PIO_Offset start[] = {y, x}, one[] = {1, 1};
  return put(variable, start, one, number);
}

static void define(int system, const char *path, int type) {
  const int none = -9;
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]), "def_dim");
  must(PIOc_def_dim(file, "y", Y, &dims[1]), "def_dim");
  must(PIOc_def_dim(file, "x", X, &dims[2]), "def_dim");
  must(PIOc_def_var(file, "grid", PIO_INT, 2, &dims[1], &grid), "def_var");
  must(PIOc_def_var(file, "table", PIO_INT, 2, &dims[1], &table), "def_var");
  must(PIOc_def_var(file, "field", PIO_INT, 3, dims, &field), "def_var");
  must(PIOc_put_att_int(file, field, "_FillValue", PIO_INT, 1, &none), "_FillValue");
  must(PIOc_enddef(file), "enddef");
}

/* All ranks are told, and nothing is changed. */
static void refuse(void) {
  const PIO_Offset start[] = {0, 0}, other[] = {1, rank == 1 ? 1 : 2}, less[] = {-1, 1};
  expect(put_rows(0, 1, 2, 2, 0) == PIO_EINVAL, "rows that are not there");
  expect(put(grid, start, less, 0) == PIO_EINVAL, "a negative count");
  expect(put(grid, start, other, 0) == (size > 1 ? PIO_EINVAL : PIO_NOERR),
         "one rank's other part");
}

/* A frame is on the disk when all of its cells were put, as are the fields without frames. */
static void write(void) {
  const PIO_Offset start[] = {0, 1, 1}, box[] = {2, 2, 2}, nothing[] = {1, 0, 2};
  refuse();
  must(put_rows(0, 2, 0, 1, 0), "the first row of two frames");
  must(put_rows(0, 2, 1, 2, 100), "the others");
  must(put(field, start, box, 500), "a box again, whose last values count");
  for (int cell = 0; cell < Y * X; ++cell)
    must(put_cell(grid, cell / X, cell % X, 10 * cell), "the grid's cells");
  must(put_cell(table, 1, 2, 7), "one cell of the table");
  frames_are(0);
  for (int row = 0; row < Y; ++row) {
    const PIO_Offset left[] = {row, 0}, first[] = {1, 2}, right[] = {row, 2};
    must(put(table, left, first, row), "the table's left half");
    frames_are(0);
    must(put(table, right, first, 40 + row), "the table's right half");
  }
  frames_are(2);
  expect(put_rows(1, 1, 0, 1, 0) == PIO_EPERM, "a part of a frame that is there");
  expect(put_cell(grid, 0, 0, 0) == PIO_EPERM, "a part of a field that is there");
  must(put_rows(2, 1, 0, 1, 70), "a row of the last frame");
  must(put(field, start, nothing, 0), "nothing");
  frames_are(2);
  must(PIOc_closefile(file), "closefile");
}

/* Fields without frames stay as they are. */
static void go_on(int system, const char *path, int type) {
  must(PIOc_openfile(system, &file, &type, path, PIO_WRITE), "openfile");
  must(put_cell(grid, 2, 1, 90), "the cell as it is");
  expect(put_cell(grid, 2, 1, 91) == PIO_EPERM, "another value of it");
  must(put_rows(3, 1, 0, 2, 80), "two rows");
  frames_are(3);
  must(put_rows(3, 1, 2, 1, 60), "and the last one");
  frames_are(4);
  must(PIOc_closefile(file), "closefile");
}

int main(int argc, char **argv) {
  int system;
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  expect(argc == 3, "two arguments");
  snprintf(path, sizeof path, "%s/out.nc", argv[1]);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, size, 1, 0, PIO_REARR_BOX, &system), "init");
  PIOc_Set_IOSystem_Error_Handling(system, PIO_RETURN_ERROR);
  define(system, path, atoi(argv[2]));
  write();
  go_on(system, path, atoi(argv[2]));
  must(PIOc_free_iosystem(system), "free_iosystem");
  if (rank == 0) printf("parts: as put\n");
  MPI_Finalize();
  return 0;
}
