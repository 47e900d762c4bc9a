/* What becomes of a file of PIO after a call that failed, where errors are returned.
 *   mpirun -n 4 cases FOLDER IOTYPE CASE   CASE: one of those in main
 */
#include <pio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 12 };
static int rank, size, count, file, steady, moving, ioid;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "cases: rank %d: not so: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 4);
}

static void must(int code, const char *what) { expect(code == PIO_NOERR, what); }

static void define(int system, const char *path, int type) {
  int dims[2];
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]), "def_dim");
  must(PIOc_def_dim(file, "cell", CELLS, &dims[1]), "def_dim");
  must(PIOc_def_var(file, "steady", PIO_DOUBLE, 1, &dims[1], &steady), "def_var");
  must(PIOc_def_var(file, "moving", PIO_DOUBLE, 2, dims, &moving), "def_var");
  must(PIOc_enddef(file), "enddef");
}

static int write_to(int variable, int frame, int length, const double *fill) {
  double values[CELLS], none = fill == NULL ? 0 : *fill;
  for (int i = 0; i < count; ++i) values[i] = 100.0 * frame + rank + size * i;
  if (variable == moving) must(PIOc_setframe(file, moving, frame), "setframe");
  return PIOc_write_darray(file, variable, ioid, length, values, fill == NULL ? NULL : &none);
}

static void write_frames(int first, int end) {
  for (int frame = first; frame < end; ++frame)
    must(write_to(moving, frame, count, NULL), "a frame");
}

static void frames_are(int wanted) {
  PIO_Offset length;
  must(PIOc_inq_dimlen(file, 0, &length), "inq_dimlen");
  expect(length == wanted, "frames on the disk");
}

/* All are told, also those who made no mistake; the file goes on as if the call had not been. */
static void mistakes(void) {
  const double fill = 5;
  must(write_to(steady, 0, count, NULL), "steady");
  write_frames(0, 2);
  frames_are(2);
  expect(write_to(moving, 0, count, NULL) == PIO_EPERM, "a frame that is there");
  expect(write_to(moving, rank == size - 1 ? 0 : 2, count, NULL) == PIO_EPERM, "one rank's frame");
  frames_are(2);
  expect(write_to(moving, 2, count, &fill) == PIO_EINVAL, "another fill value");
  expect(write_to(moving, 2, rank == size - 1 ? 1 : count, NULL) == PIO_EINVAL, "one rank short");
  expect(PIOc_write_darray(file, rank == 0 ? 9 : moving, ioid, count, NULL, NULL) == PIO_ENOTVAR,
         "one rank's variable");
  expect(PIOc_write_darray(file, moving, rank == 0 ? 9 : ioid, count, NULL, NULL) == PIO_EBADID,
         "one rank's decomposition");
  frames_are(2);
  write_frames(2, 4);
  frames_are(4);
  must(PIOc_closefile(file), "closefile");
}

/* Somebody takes the folder away. */
static void purged(const char *path) {
  char folder[4200], elsewhere[4200];
  must(write_to(steady, 0, count, NULL), "steady");
  write_frames(0, 1);
  snprintf(folder, sizeof folder, "%s.steps", path);
  snprintf(elsewhere, sizeof elsewhere, "%s.purged", path);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) expect(rename(folder, elsewhere) == 0, "rename");
  MPI_Barrier(MPI_COMM_WORLD);
  expect(write_to(moving, 1, count, NULL) == PIO_EIO, "a frame without a folder");
  expect(PIOc_closefile(file) != PIO_NOERR, "closefile");
}

/* The last cell, a corner of land, has no owner; behind other cells of its rank its place says so.
 * Counted from 0 a map is taken as it is, in any order. */
static void one_cell_of_land(int system) {
  PIO_Offset cells[CELLS];
  double back[CELLS];
  int many = 0, reversed;
  const int whole = CELLS;
  for (int cell = rank; cell < CELLS; cell += size) cells[many++] = cell == CELLS - 1 ? -1 : cell;
  must(PIOc_init_decomp(system, PIO_DOUBLE, 1, &whole, many, cells, &ioid, 0, NULL, NULL),
       "cells in their order, from 0");
  must(PIOc_freedecomp(system, ioid), "freedecomp");
  for (int i = 0; i < many; ++i) ++cells[i];
  must(PIOc_InitDecomp(system, PIO_DOUBLE, 1, &whole, many, cells, &ioid, NULL, NULL, NULL),
       "cells in their order, from 1");
  must(write_to(steady, 0, count, NULL), "steady");
  write_frames(0, 1);
  frames_are(1);
  must(PIOc_setframe(file, moving, 0), "setframe");
  for (int i = 0; i < many; ++i) back[i] = -5;
  must(PIOc_read_darray(file, moving, ioid, many, back), "read_darray");
  for (int i = 0; i < many; ++i)
    expect(back[i] == (cells[i] == 0 ? -5 : rank + size * i), "values but that of the land");
  for (int i = 0; i < many; ++i) {
    const int cell = rank + size * (many - 1 - i);
    cells[i] = cell == CELLS - 1 ? -1 : cell;
  }
  must(PIOc_init_decomp(system, PIO_DOUBLE, 1, &whole, many, cells, &reversed, 0, NULL, NULL),
       "cells in another order, from 0");
  for (int i = 0; i < many; ++i) ++cells[i];
  expect(PIOc_InitDecomp(system, PIO_DOUBLE, 1, &whole, many, cells, &reversed, NULL, NULL, NULL) ==
             PIO_EINVAL,
         "in another order nobody knows what is meant");
  for (int i = 0; i < many; ++i) cells[i] = rank + size * i;
  expect(PIOc_InitDecomp(system, PIO_DOUBLE, 1, &whole, many, cells, &reversed, NULL, NULL, NULL) ==
             PIO_EINVAL,
         "cells from 0 in the call for those from 1");
  must(PIOc_closefile(file), "closefile");
}

int main(int argc, char **argv) {
  int system;
  PIO_Offset cells[CELLS];
  char path[4096];
  const int whole = CELLS;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  expect(argc == 4, "three arguments");
  snprintf(path, sizeof path, "%s/out.nc", argv[1]);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, size, 1, 0, PIO_REARR_BOX, &system), "init");
  PIOc_Set_IOSystem_Error_Handling(system, PIO_RETURN_ERROR);
  for (int cell = rank; cell < CELLS; cell += size) cells[count++] = cell + 1;
  must(PIOc_InitDecomp(system, PIO_DOUBLE, 1, &whole, count, cells, &ioid, NULL, NULL, NULL),
       "decomp");
  define(system, path, atoi(argv[2]));
  if (strcmp(argv[3], "mistakes") == 0) mistakes();
  if (strcmp(argv[3], "purged") == 0) purged(path);
  if (strcmp(argv[3], "land") == 0) one_cell_of_land(system);
  if (strcmp(argv[3], "synced") == 0) {
    must(write_to(steady, 0, count, NULL), "steady");
    write_frames(0, 2);
    must(PIOc_sync(file), "sync");
    must(PIOc_closefile(file), "closefile");
  }
  if (strcmp(argv[3], "empty") == 0) must(PIOc_closefile(file), "closefile");
  if (strcmp(argv[3], "steady") == 0) {
    must(write_to(steady, 0, count, NULL), "steady");
    expect(PIOc_closefile(file) == PIO_EINVAL, "values without a frame");
  }
  must(PIOc_free_iosystem(system), "free_iosystem");
  if (rank == 0) printf("cases: as expected\n");
  MPI_Finalize();
  return 0;
}
