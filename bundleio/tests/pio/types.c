/* What model.c leaves out: every type for variables, attributes and fill values, cells counted from
 * 0, frames that advance, and a file that is closed while frames and a field are missing.
 *   mpirun -n N types FOLDER IOTYPE
 */
#include <pio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X = 4, Y = 6, CELLS = X * Y, HOLE = 5, FRAMES = 2, FIRST = PIO_BYTE, LAST = PIO_UINT64 };
static const int whole[] = {PIO_UNLIMITED, X, Y};
static int rank, size, count;
static PIO_Offset cells[CELLS];

static void must(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "types: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 4);
}

static void done(int code, const char *what) { must(code == PIO_NOERR, what); }

/* A number as the model has it in memory; returns its bytes. */
static size_t store(int type, int number, char *at) {
#define STORE(TYPE, C_TYPE)              \
  case TYPE: {                           \
    const C_TYPE value = (C_TYPE)number; \
    memcpy(at, &value, sizeof value);    \
    return sizeof value;                 \
  }
  switch (type) {
    STORE(PIO_BYTE, signed char)
    STORE(PIO_SHORT, short)
    STORE(PIO_INT, int)
    STORE(PIO_REAL, float)
    STORE(PIO_DOUBLE, double)
    STORE(PIO_UBYTE, unsigned char)
    STORE(PIO_USHORT, unsigned short)
    STORE(PIO_UINT, unsigned)
    STORE(PIO_INT64, long long)
    STORE(PIO_UINT64, unsigned long long)
  }
  return 0;
}

static int is_stored(int type) { return type != PIO_CHAR; }

static size_t fill(int type, int frame, char *values) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i)
    bytes += store(type, cells[i] < 0 ? 0 : 40 * frame + (int)cells[i], values + bytes);
  return bytes;
}

static void define(int file, int *vars, int *time, int *scalar) {
  static const char *names[] = {"time", "x", "y"};
  const int number = 7;
  const float real = 1.5F;
  const double wide = 2.5, none = -9.0;
  char name[8], two[16];
  int dims[3], never;
  for (int d = 0; d < 3; ++d) done(PIOc_def_dim(file, names[d], whole[d], &dims[d]), "def_dim");
  for (int type = FIRST; type <= LAST; ++type) {
    if (!is_stored(type)) continue;
    snprintf(name, sizeof name, "t%d", type);
    done(PIOc_def_var(file, name, type, 3, dims, &vars[type]), "def_var");
    store(type, 2, two + store(type, 1, two));
    done(PIOc_put_att(file, vars[type], "range", type, 2, two), "put_att");
  }
  done(PIOc_put_att_double(file, vars[PIO_DOUBLE], "_FillValue", PIO_DOUBLE, 1, &none), "put_att");
  done(PIOc_def_var(file, "time", PIO_INT, 1, dims, time), "def_var");
  done(PIOc_def_var(file, "scalar", PIO_DOUBLE, 0, NULL, scalar), "def_var");
  done(PIOc_def_var(file, "never", PIO_SHORT, 1, &dims[1], &never), "def_var");
  done(PIOc_put_att_int(file, PIO_GLOBAL, "number", PIO_INT, 1, &number), "put_att_int");
  done(PIOc_put_att_float(file, PIO_GLOBAL, "real", PIO_REAL, 1, &real), "put_att_float");
  done(PIOc_put_att_double(file, PIO_GLOBAL, "wide", PIO_DOUBLE, 1, &wide), "put_att_double");
  done(PIOc_enddef(file), "enddef");
}

/* The last frame has one variable; a field without frames has nothing. */
static void write(int file, const int *decompositions) {
  int vars[LAST + 1], time, scalar;
  char values[8 * CELLS];
  const double answer = 42;
  define(file, vars, &time, &scalar);
  const PIO_Offset start = 0, both = FRAMES;
  const int hours[FRAMES] = {0, 6};
  done(PIOc_put_var(file, scalar, &answer), "put_var");
  done(PIOc_put_vara(file, time, &start, &both, hours), "put_vara");
  for (int frame = 0; frame <= FRAMES; ++frame) {
    for (int type = FIRST; type <= LAST; ++type) {
      if (!is_stored(type) || (frame == FRAMES && type != PIO_REAL)) continue;
      fill(type, frame, values);
      done(frame == 0 ? PIOc_setframe(file, vars[type], 0) : PIOc_advanceframe(file, vars[type]),
           "frame");
      done(PIOc_write_darray(file, vars[type], decompositions[type], count, values, NULL), "write");
    }
  }
}

static void read_type(int file, int type, int decomposition) {
  char name[8], values[8 * CELLS], expected[8 * CELLS];
  int variable, found;
  PIO_Offset length;
  snprintf(name, sizeof name, "t%d", type);
  done(PIOc_inq_varid(file, name, &variable), "inq_varid");
  done(PIOc_inq_vartype(file, variable, &found), "inq_vartype");
  must(found == type, "another type of a variable");
  done(PIOc_inq_att(file, variable, "range", &found, &length), "inq_att");
  must(found == type && length == 2, "another type of an attribute");
  for (int frame = 0; frame < FRAMES; ++frame) {
    memset(values, 0, sizeof values);
    done(frame == 0 ? PIOc_setframe(file, variable, 0) : PIOc_advanceframe(file, variable),
         "frame");
    done(PIOc_read_darray(file, variable, decomposition, count, values), "read");
    must(memcmp(values, expected, fill(type, frame, expected)) == 0, "other values were read");
  }
}

int main(int argc, char **argv) {
  int system, file, type = argc > 2 ? atoi(argv[2]) : PIO_IOTYPE_PNETCDF, decompositions[LAST + 1];
  char path[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(path, sizeof path, "%s/out.nc", argv[1]);
  done(PIOc_Init_Intracomm(MPI_COMM_WORLD, size, 1, 0, PIO_REARR_BOX, &system), "init");
  for (int cell = rank; cell < CELLS; cell += size) cells[count++] = cell == HOLE ? -1 : cell;
  for (int each = FIRST; each <= LAST; ++each) {
    if (!is_stored(each)) continue;
    done(PIOc_init_decomp(system, each, 2, &whole[1], count, cells, &decompositions[each],
                          PIO_REARR_BOX, NULL, NULL),
         "init_decomp");
  }
  done(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER), "createfile");
  write(file, decompositions);
  done(PIOc_closefile(file), "closefile");
  done(PIOc_openfile(system, &file, &type, path, PIO_NOWRITE), "openfile");
  for (int each = FIRST; each <= LAST; ++each)
    if (is_stored(each)) read_type(file, each, decompositions[each]);
  done(PIOc_closefile(file), "closefile");
  done(PIOc_free_iosystem(system), "free_iosystem");
  if (rank == 0) printf("types: as written\n");
  MPI_Finalize();
  return 0;
}
