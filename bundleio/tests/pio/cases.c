/* What becomes of a file of PIO after a call that failed, where errors are returned.
 *   mpirun -n 4 cases FOLDER IOTYPE CASE   CASE: one of those in main
 */
#include <pio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A file of fields without frames, as a grid is, has no unlimited dimension. */
static void write_grid(int system, const char *path, int type, int grows) {
  const double two = 2, several[CELLS] = {0};
  int dims[2], scalar, moves = 0;
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  if (grows) must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]), "def_dim");
  must(PIOc_def_dim(file, "cell", CELLS, &dims[1]), "def_dim");
  must(PIOc_def_var(file, "steady", PIO_DOUBLE, 1, &dims[1], &steady), "def_var");
  must(PIOc_def_var(file, "scalar", PIO_DOUBLE, 0, NULL, &scalar), "def_var");
  if (grows) must(PIOc_def_var(file, "moving", PIO_DOUBLE, 2, dims, &moves), "def_var");
  must(PIOc_enddef(file), "enddef");
  moving = grows ? moves : -1;
  expect(PIOc_put_var(file, rank == 1 ? scalar : steady, several) == PIO_EINVAL,
         "one rank puts another variable");
  must(PIOc_put_var(file, scalar, &two), "scalar");
  must(write_to(steady, 0, count, NULL), "steady");
  if (grows) write_frames(0, 2);
  must(PIOc_closefile(file), "closefile");
}

/* All are told, also those who made no mistake; the file goes on as if the call had not been. */
static void mistakes(void) {
  const double fill = 5;
  const PIO_Offset start[] = {0, 0}, frames[] = {rank == 1 ? 1 : 2, CELLS};
  const double two_frames[2 * CELLS] = {0};
  double few[CELLS];
  expect(PIOc_put_vara(file, moving, start, frames, two_frames) == PIO_EINVAL,
         "one rank puts fewer frames");
  must(write_to(steady, 0, count, NULL), "steady");
  write_frames(0, 2);
  frames_are(2);
  expect(write_to(moving, 0, count, NULL) == PIO_EPERM, "a frame that is there");
  expect(write_to(moving, rank == size - 1 ? 0 : 2, count, NULL) == PIO_EPERM, "one rank's frame");
  frames_are(2);
  expect(write_to(moving, 2, count, &fill) == PIO_EINVAL, "another fill value");
  expect(write_to(moving, 2, rank == size - 1 ? 1 : count, NULL) == PIO_EINVAL, "one rank short");
  expect(write_to(moving, rank == size - 1 ? 3 : 2, count, NULL) == PIO_EINVAL,
         "one rank's next frame");
  expect(PIOc_write_darray(file, rank == 0 ? 9 : moving, ioid, count, NULL, NULL) == PIO_ENOTVAR,
         "one rank's variable");
  expect(PIOc_write_darray(file, moving, rank == 0 ? 9 : ioid, count, NULL, NULL) == PIO_EBADID,
         "one rank's decomposition");
  frames_are(2);
  write_frames(2, 4);
  frames_are(4);
  must(PIOc_setframe(file, moving, 1 + (rank == 1)), "setframe");
  expect(PIOc_read_darray(file, moving, ioid, count, few) == PIO_EINVAL, "one rank reads another");
  must(PIOc_setframe(file, moving, 1), "setframe");
  expect(PIOc_read_darray(file, moving, ioid, rank == 1 ? 1 : count, few) == PIO_EINVAL,
         "room for too few values");
  must(PIOc_closefile(file), "closefile");
}

/* What a file holds once is written again when it is gone on with: the same is taken, anything else
 * refused at once, whether a frame follows or not. */
static void write_again(int system, const char *path, int type, double change, int wanted) {
  double values[CELLS];
  int scalar;
  const double two = 2 + change;
  must(PIOc_openfile(system, &file, &type, path, PIO_WRITE), "openfile");
  must(PIOc_inq_varid(file, "steady", &steady), "inq_varid");
  must(PIOc_inq_varid(file, "scalar", &scalar), "inq_varid");
  for (int i = 0; i < count; ++i) values[i] = rank + size * i + (rank == 1 ? change : 0);
  expect(PIOc_write_darray(file, steady, ioid, count, values, NULL) == wanted, "steady again");
  for (int i = 0; i < CELLS; ++i) values[i] = i + (i == 5 ? change : 0);
  expect(PIOc_put_var(file, steady, values) == (wanted == PIO_NOERR ? PIO_EINVAL : wanted),
         "steady again by rank 0: taken by one decomposition only");
  expect(PIOc_put_var(file, scalar, &two) == wanted, "the scalar again");
  must(PIOc_sync(file), "sync");
  must(PIOc_closefile(file), "closefile");
}

static void rewritten(int system, const char *path, int type) {
  double back[CELLS];
  write_again(system, path, type, 0, PIO_NOERR);
  write_again(system, path, type, 1, PIO_EPERM);
  must(PIOc_openfile(system, &file, &type, path, PIO_NOWRITE), "openfile");
  must(PIOc_sync(file), "a sync of what is read");
  must(PIOc_read_darray(file, steady, ioid, count, back), "read_darray");
  for (int i = 0; i < count; ++i) expect(back[i] == rank + size * i, "values as they were");
  must(PIOc_closefile(file), "closefile");
}

/* A definition that is wrong is an error of the call that makes it, and leaves no trace. */
static void definitions(int system, const char *path, int type) {
  const int wrong = 3;
  const double none = -1;
  int dims[2], made;
  double back[CELLS];
  PIO_Offset length;
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  expect(PIOc_def_dim(file, "less", -1, &made) == PIO_EINVAL, "a negative length");
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]), "def_dim");
  expect(PIOc_def_dim(file, "more", PIO_UNLIMITED, &made) == PIO_EINVAL, "a second unlimited one");
  expect(PIOc_def_dim(file, "a/b", 3, &made) == PIO_EINVAL, "a name with a slash");
  must(PIOc_def_dim(file, "cell", CELLS, &dims[1]), "def_dim");
  must(PIOc_def_var(file, "moving", PIO_DOUBLE, 2, dims, &moving), "def_var");
  expect(PIOc_def_var(file, "moving", PIO_DOUBLE, 2, dims, &made) == PIO_EINVAL, "a name taken");
  expect(PIOc_put_att(file, moving, "_FillValue", PIO_INT, 1, &wrong) == PIO_EINVAL, "its type");
  must(PIOc_put_att_text(file, moving, "units", 1, "m"), "units");
  must(PIOc_put_att_text(file, moving, "units", 2, "km"), "units again: the last one counts");
  must(PIOc_put_att(file, moving, "_FillValue", PIO_DOUBLE, 1, &none), "_FillValue");
  expect(PIOc_put_att(file, moving, "_FillValue", PIO_INT, 1, &wrong) == PIO_EINVAL, "its type");
  must(PIOc_enddef(file), "enddef");
  must(PIOc_inq_varnatts(file, moving, &made), "inq_varnatts");
  must(PIOc_inq_attlen(file, moving, "units", &length), "inq_attlen");
  expect(made == 2 && length == 2, "attributes");
  write_frames(0, 2);
  frames_are(2);
  must(PIOc_setframe(file, moving, 1), "setframe");
  must(PIOc_read_darray(file, moving, ioid, count, back), "read_darray");
  expect(back[0] == 100 + rank, "values");
  must(PIOc_closefile(file), "closefile");
}

/* A decomposition that has the unlimited dimension, too, says nothing of the frame. */
static void read_by_all_dimensions(int wide) {
  double back[CELLS];
  must(PIOc_setframe(file, moving, 0), "setframe");
  expect(PIOc_read_darray(file, moving, wide, count, back) == PIO_EINVAL, "all dimensions");
  must(PIOc_read_darray(file, moving, ioid, count, back), "those that are divided");
  for (int i = 0; i < count; ++i) expect(back[i] == rank + size * i, "values of frame 0");
}

static void read_whole(void) {
  const PIO_Offset start[] = {1, 2}, parts[] = {2, 3}, other[] = {1 + (rank == 1), 2};
  double all[3 * CELLS], some[6];
  must(PIOc_get_var(file, steady, all), "get_var");
  for (int i = 0; i < CELLS; ++i) expect(all[i] == i, "steady");
  must(PIOc_get_var(file, moving, all), "get_var of all frames");
  for (int i = 0; i < 3 * CELLS; ++i) expect(all[i] == 100 * (i / CELLS) + i % CELLS, "frames");
  must(PIOc_get_vara(file, moving, start, parts, some), "get_vara");
  for (int i = 0; i < 6; ++i) expect(some[i] == 100 * (1 + i / 3) + 2 + i % 3, "a part");
  expect(PIOc_get_vara(file, moving, other, parts, some) == PIO_EINVAL, "one rank's other part");
  expect(PIOc_get_vara(file, moving, parts, parts, some) == PIO_EINVAL, "frames beyond the last");
  expect(PIOc_get_var(file, rank == 0 ? 9 : moving, all) == PIO_ENOTVAR, "one rank's variable");
}

static void frames_read(int system, const char *path, int type) {
  const int both[] = {1, CELLS};
  int wide;
  PIO_Offset cells[CELLS];
  double all[CELLS];
  for (int i = 0; i < count; ++i) cells[i] = rank + size * i + 1;
  must(PIOc_InitDecomp(system, PIO_DOUBLE, 2, both, count, cells, &wide, NULL, NULL, NULL), "wide");
  expect(PIOc_get_var(file, steady, all) == PIO_EIO, "nothing is on the disk");
  must(write_to(steady, 0, count, NULL), "steady");
  write_frames(0, 3);
  read_by_all_dimensions(wide);
  read_whole();
  must(PIOc_closefile(file), "closefile");
  must(PIOc_openfile(system, &file, &type, path, PIO_NOWRITE), "openfile");
  must(PIOc_inq_varid(file, "steady", &steady), "inq_varid");
  must(PIOc_inq_varid(file, "moving", &moving), "inq_varid");
  read_by_all_dimensions(wide);
  read_whole();
  must(PIOc_closefile(file), "closefile");
}

static long peak_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* Frames that are on the disk are kept no longer: half a MiB of each rank. */
static void many_frames(int system, const char *path, int type) {
  enum { LARGE = 1 << 16, FEW = 10, MANY = 30 };
  const int whole = LARGE * size;
  int dims[2], large;
  long before = 0;
  double *values = calloc(LARGE, sizeof *values);
  PIO_Offset *cells = calloc(LARGE, sizeof *cells);
  for (int i = 0; i < LARGE; ++i) cells[i] = (PIO_Offset)rank * LARGE + i + 1;
  must(PIOc_InitDecomp(system, PIO_DOUBLE, 1, &whole, LARGE, cells, &large, NULL, NULL, NULL),
       "decomp");
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]), "def_dim");
  must(PIOc_def_dim(file, "cell", whole, &dims[1]), "def_dim");
  must(PIOc_def_var(file, "moving", PIO_DOUBLE, 2, dims, &moving), "def_var");
  must(PIOc_enddef(file), "enddef");
  for (int frame = 0; frame < MANY; ++frame) {
    must(PIOc_setframe(file, moving, frame), "setframe");
    must(PIOc_write_darray(file, moving, large, LARGE, values, NULL), "write_darray");
    if (frame == FEW) before = peak_kib();
  }
  expect(peak_kib() - before < (MANY - FEW) * LARGE * 8 / 1024 / 3, "memory does not grow");
  must(PIOc_closefile(file), "closefile");
  free(values);
  free(cells);
}

/* The link cannot be made while somebody has a folder in its place. */
static void taken_name(const char *path) {
  must(write_to(steady, 0, count, NULL), "steady");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) expect(mkdir(path, 0777) == 0, "mkdir");
  MPI_Barrier(MPI_COMM_WORLD);
  must(write_to(moving, 0, count, NULL), "a frame that is on the disk");
  frames_are(1);
  expect(PIOc_sync(file) == PIO_EIO, "nobody finds it");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) expect(rmdir(path) == 0, "rmdir");
  MPI_Barrier(MPI_COMM_WORLD);
  write_frames(1, 2);
  must(PIOc_closefile(file), "closefile");
}

/* What has the file's name cannot be removed; nothing stays open of the calls that found it. */
static void busy_name(int system, const char *path, int type) {
  for (int i = 0; i < 2; ++i)
    expect(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER) == PIO_EIO, "a name in use");
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
  if (strcmp(argv[3], "rewritten") == 0) {
    for (int grows = 0; grows < 2; ++grows) {
      write_grid(system, path, atoi(argv[2]), grows);
      rewritten(system, path, atoi(argv[2]));
    }
  }
  if (strcmp(argv[3], "definitions") == 0) definitions(system, path, atoi(argv[2]));
  if (strcmp(argv[3], "memory") == 0) many_frames(system, path, atoi(argv[2]));
  if (strcmp(argv[3], "busy") == 0) busy_name(system, path, atoi(argv[2]));
  const int is_own = strcmp(argv[3], "rewritten") == 0 || strcmp(argv[3], "definitions") == 0 ||
                     strcmp(argv[3], "memory") == 0 || strcmp(argv[3], "busy") == 0;
  if (!is_own) define(system, path, atoi(argv[2]));
  if (strcmp(argv[3], "taken") == 0) taken_name(path);
  if (strcmp(argv[3], "mistakes") == 0) mistakes();
  if (strcmp(argv[3], "read") == 0) frames_read(system, path, atoi(argv[2]));
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
  if (strcmp(argv[3], "left") == 0) {
    int type = atoi(argv[2]);
    must(write_to(steady, 0, count, NULL), "steady");
    write_frames(0, 1);
    must(PIOc_openfile(system, &file, &type, path, PIO_NOWRITE), "openfile");
  } else {
    must(PIOc_free_iosystem(system), "free_iosystem");
  }
  if (rank == 0) printf("cases: as expected\n");
  if (rank == 0 && strcmp(argv[3], "empty") == 0) {
    for (int each = PIO_IOTYPE_PNETCDF; each <= PIO_IOTYPE_NETCDF4P; ++each)
      printf("iotype %d: %d\n", each, PIOc_iotype_available(each));
  }
  MPI_Finalize();
  return 0;
}
