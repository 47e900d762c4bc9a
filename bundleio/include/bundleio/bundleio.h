/* bundleio: parallel output of bundles of variables, through interchangeable back ends.
 *
 * This C interface is the only binary interface; C++, Fortran and Python stand on it. It writes
 * time steps of a model, and reads them back for a restart; it does not regrid or compute. Start
 * with bundleio/README.md.
 *
 * Every function returns BIO_OK or an error of enum bio_status; bio_message() tells more. Calls
 * marked "collective" must be made by all ranks of the context in the same order; they return the
 * same status and message on all ranks. All other calls are local and do not communicate. An error
 * of a local call on one rank is kept and returned by the next bio_step_end() or bio_close() on all
 * ranks. Ranks that are in different calls on runs of one context (one closes while the others end
 * a step) all get that rank's error, or BIO_STATE; the context can then only be closed and
 * finished. Where a failed write leaves ranks waiting for each other inside an I/O library, no call
 * returns: after give_up_seconds (an option of bio_open) one line on stderr says why, and MPI_Abort
 * ends all ranks with code 3. Complete steps stay readable. A context and what belongs to it must
 * be used by one thread at a time. */
#ifndef BUNDLEIO_BUNDLEIO_H
#define BUNDLEIO_BUNDLEIO_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum bio_status {
  BIO_OK = 0,
  BIO_BAD_ARGUMENT = 1, /* a value that can never work: the message names it */
  BIO_MISMATCH = 2,     /* ranks defined or put different things */
  BIO_STATE = 3,        /* a call at the wrong time, for instance a put outside a step */
  BIO_EXISTS = 4,       /* the path already holds steps and the mode does not allow that */
  BIO_PERMISSION = 5,   /* the operating system refused */
  BIO_NO_SPACE = 6,     /* disk, quota or file size limit; the step was not written */
  BIO_IO = 7,           /* any other failure of the file system or of an I/O library */
  BIO_NOT_BUILT = 8,    /* this build has no such back end */
  BIO_NOT_FOUND = 9,    /* no such path, step, bundle or variable */
  BIO_FORMAT = 10,      /* what was read is not what bundleio writes */
  BIO_INTERNAL = 11,    /* a defect of bundleio itself, or no memory */
  BIO_DRAIN = 12        /* the drain of a staged run is dead; the step was not written */
};

enum bio_type {
  BIO_TEXT = 0, /* attributes only */
  BIO_INT8 = 1,
  BIO_UINT8 = 2,
  BIO_INT16 = 3,
  BIO_UINT16 = 4,
  BIO_INT32 = 5,
  BIO_UINT32 = 6,
  BIO_INT64 = 7,
  BIO_UINT64 = 8,
  BIO_FLOAT32 = 9,
  BIO_FLOAT64 = 10
};

/* The lists of bio_read_names. */
enum bio_list { BIO_BUNDLES = 0, BIO_VARIABLES = 1, BIO_DIMENSIONS = 2, BIO_ATTRIBUTES = 3 };

enum bio_mode {
  BIO_CREATE = 0,  /* the path must not hold steps yet */
  BIO_REPLACE = 1, /* steps that the path holds are removed */
  BIO_APPEND = 2   /* goes on after the last complete step */
};

/* Length of the one dimension of a bundle that may grow; each step holds one entry of it. */
#define BIO_UNLIMITED ((int64_t)-1)
/* Decomposition of variables that rank 0 alone holds: scalars, coordinates. */
#define BIO_ON_ROOT 0
/* Of bio_def_every: written once. */
#define BIO_ONCE ((int64_t)0)
/* The complete step of a run with the highest number. */
#define BIO_LAST_STEP ((int64_t)-1)
/* Target of attributes that belong to the bundle as a whole. */
#define BIO_GLOBAL (-1)
/* Unknown to a caller of bio_check_put, or: all levels. */
#define BIO_ANY (-1)

/* A date of a calendar; hours up to 23, in UTC. */
typedef struct bio_date {
  int year, month, day, hour, minute;
  double second;
} bio_date;

typedef struct bio_context bio_context;
typedef struct bio_run bio_run;
typedef struct bio_reader bio_reader;

/* Makes a context over a copy of `comm`. Collective over `comm`. */
int bio_init(MPI_Comm comm, bio_context **context);
/* The same with a Fortran communicator handle, as mpi4py's py2f() also gives it. */
int bio_init_f(MPI_Fint comm, bio_context **context);
/* Frees the context; its runs must be closed. Collective. */
int bio_finish(bio_context *context);
/* Text of the last error of this context; when `context` is NULL, of bio_init, or of a call without
 * a handle. */
const char *bio_message(const bio_context *context);

/* Each rank owns the box [start, start + count) of the last `dimension_count` dimensions of a
 * variable, with lengths `lengths`; slowest dimension first. Boxes must not overlap; cells of no
 * rank get the fill value. A count of 0 makes a rank own nothing. Collective. `decomposition` is
 * used by any number of variables and runs. */
int bio_decomp_block(bio_context *context, int dimension_count, const int64_t *lengths,
                     const int64_t *start, const int64_t *count, int *decomposition);
/* Each rank owns any cells: `cells[i]` is the row-major offset, from 0, of the i-th local value.
 * Collective. */
int bio_decomp_map(bio_context *context, int dimension_count, const int64_t *lengths,
                   int64_t cell_count, const int64_t *cells, int *decomposition);
/* The same, counted from 1, as PIO counts: 0 says that the i-th local value belongs nowhere; it is
 * passed over by puts, and left as it is by bio_get. Collective. */
int bio_decomp_map_one_based(bio_context *context, int dimension_count, const int64_t *lengths,
                             int64_t cell_count, const int64_t *cells, int *decomposition);

/* Opens the folder `path`, if relative then to rank 0's current folder, for writing with back end
 * `backend`: posix, gather, pnetcdf, netcdf4, bp5, or auto, which tries the folder and says in one
 * line on stderr what it chose and why. `options` is NULL or "key=value key=value": see README.md.
 * No other run may have the folder open: BIO_STATE, where the file system has locks. Collective. */
int bio_open(bio_context *context, const char *path, int mode, const char *backend,
             const char *options, bio_run **run);

/* Definitions: before the first step, in the same order on all ranks; replayed on every step. */
int bio_bundle(bio_run *run, const char *name, int *bundle);
int bio_def_dim(bio_run *run, int bundle, const char *name, int64_t length, int *dimension);
/* `dimensions`: slowest first. The decomposition covers the last ones; those before it are levels,
 * which a rank holds for all its cells. */
int bio_def_var(bio_run *run, int bundle, const char *name, int type, int dimension_count,
                const int *dimensions, int decomposition, int *variable);
/* Makes a variable due in each step whose number `every` divides, 0 among them; without this call
 * in all (1). BIO_ONCE: in step 0 alone. A step holds what is due in it, and nothing else of the
 * others is put; a bundle of which nothing is due is not in it. Numbers are those of the folder:
 * mode append goes on with them. Refused with steps_per_file. */
int bio_def_every(bio_run *run, int variable, int64_t every);
/* `variable` is BIO_GLOBAL for the bundle; "_FillValue" needs the variable's type and one value.
 * For BIO_TEXT `count` is the number of bytes. */
int bio_put_att(bio_run *run, int bundle, int variable, const char *name, int type, int64_t count,
                const void *values);

/* Defines the time of a bundle as the CF conventions want it: a variable with the name of
 * `dimension`, float64 values in `units` ("days since 1850-01-01") of `calendar` ("standard",
 * "proleptic_gregorian", "noleap" or "360_day"). Unless `bounds` is NULL, also the variable of
 * begins and ends, with the dimension "bnds" of length 2. Rank 0 puts both like other variables. */
int bio_def_time(bio_run *run, int bundle, int dimension, const char *units, const char *calendar,
                 int *time, int *bounds);
/* The value that stands for a date, and the date of a value, to the millisecond. Local, and not
 * kept. */
int bio_time_value(bio_context *context, const char *units, const char *calendar,
                   const bio_date *date, double *value);
int bio_time_date(bio_context *context, const char *units, const char *calendar, double value,
                  bio_date *date);

/* *due is 1 if the variable is due in the step under way, or, between steps, in the next one.
 * Local.
 */
int bio_due(bio_run *run, int variable, int *due);
/* Starts a step: local. */
int bio_step_begin(bio_run *run);
/* Announces all local values of `variable`, levels slowest: [levels][own cells]. Nothing is copied:
 * `values` must stay valid and unchanged until bio_step_end returns. Local. */
int bio_put(bio_run *run, int variable, const void *values);
/* The same for `count` levels from `first`; several calls must cover all levels once, with the same
 * ranges on all ranks. Local. */
int bio_put_levels(bio_run *run, int variable, int64_t first, int64_t count, const void *values);
/* Before a put of `count` levels (BIO_ANY: all): are `value_count` values of `type` what this rank
 * holds of `variable`? For callers that know their arrays, as the other languages do. BIO_ANY as
 * type or number is not compared; a rank without cells may bring any number. Local. */
int bio_check_put(bio_run *run, int variable, int64_t count, int type, int64_t value_count);
/* A mistake that the caller found himself: returns `status` (not BIO_OK), and makes the next
 * bio_step_end or bio_close return it with `message` on all ranks, as after an error of a local
 * call. Local. */
int bio_fail(bio_run *run, int status, const char *message);
/* Writes the step and makes it visible, or leaves no trace of it and returns the same error on all
 * ranks; the step may then be tried again. An asynchronous back end makes it visible at the next
 * bio_step_end, bio_wait or bio_close; their error may thus be one of the step before. Collective.
 */
int bio_step_end(bio_run *run);
/* Returns once every ended step is visible. Collective. */
int bio_wait(bio_run *run);
/* *done is 1 if every ended step is visible. Local. */
int bio_test(const bio_run *run, int *done);
/* Waits, then frees the run, whatever is returned: also mistakes of local calls that no
 * bio_step_end told, and BIO_STATE inside a step, which is not written. Collective. */
int bio_close(bio_run *run);

/* The cost of the steps so far, as JSON, on rank 0 (other ranks: an empty string). The text belongs
 * to the run and is valid until its next call. Collective. */
int bio_report(bio_run *run, const char **json);

/* Opens a complete step of the run at `path` for reading, whatever format it has and however many
 * ranks wrote it. `options` is NULL or what bio_open got: steps on its fast_tier are found. Steps
 * of a run that is being written can be read once they are visible: see bio_wait. BIO_NOT_FOUND if
 * there is no such step. Collective. */
int bio_read_open(bio_context *context, const char *path, int64_t step, const char *options,
                  bio_reader **reader);
/* Which step it is. Local. */
int bio_read_step(const bio_reader *reader, int64_t *step);
/* The names of a step's bundles, of a bundle's variables, or of the dimensions or attributes of a
 * bundle or, where `variable` is not NULL or empty, of that variable (dimensions slowest first).
 * They belong to the reader: the array until its next bio_read_names, the texts until
 * bio_read_close. This and what follows up to bio_get is local; errors are not kept. */
int bio_read_names(bio_reader *reader, int list, const char *bundle, const char *variable,
                   int *count, const char *const **names);
/* A dimension of a bundle; an unlimited one has one entry in a step: its length is 1. */
int bio_read_dim(const bio_reader *reader, const char *bundle, const char *dimension,
                 int64_t *length, int *unlimited);
/* Type and number of values of an attribute: of the bundle if `variable` is NULL or empty. */
int bio_read_att(const bio_reader *reader, const char *bundle, const char *variable,
                 const char *name, int *type, int64_t *count);
/* Copies its values; a text has no zero at its end. `type` (BIO_ANY is not compared) and
 * `value_count` must be the attribute's, or the error is BIO_MISMATCH. */
int bio_get_att(const bio_reader *reader, const char *bundle, const char *variable,
                const char *name, int type, int64_t value_count, void *values);
/* Type and shape of a variable. `lengths` has room for `*dimension_count` values, which becomes the
 * number of dimensions, slowest first; an unlimited one has length 1. BIO_NOT_FOUND if there is no
 * such variable, BIO_MISMATCH if the lengths do not fit. */
int bio_read_shape(const bio_reader *reader, const char *bundle, const char *variable, int *type,
                   int *dimension_count, int64_t *lengths);
/* Copies to `values`, densely, `count` entries of each dimension from `start`, `stride` apart: any
 * rank what and when it likes. NULL is from the first entry, up to the last one, or each entry. An
 * unlimited dimension has one entry. `type` is as in bio_get, `value_count` the product of the
 * counts. With verify=yes the first slab of a variable makes this rank read and compare all of it.
 */
int bio_get_slab(bio_reader *reader, const char *bundle, const char *variable, int type,
                 int dimension_count, const int64_t *start, const int64_t *count,
                 const int64_t *stride, int64_t value_count, void *values);
/* Copies this rank's part of a variable to `values`: [levels][own cells], bit by bit as it was put;
 * cells that nobody owned have the fill value. `decomposition`, of the calling ranks, covers the
 * last dimensions; BIO_ON_ROOT gives rank 0 the whole variable and others nothing. `type` must be
 * the variable's (BIO_ANY is not compared), and `value_count`, for which `values` has room, what
 * this rank gets, or the error is BIO_MISMATCH; a rank that gets nothing may have room for any
 * number. After any error `values` are undefined, and the reader may be used again. Collective. */
int bio_get(bio_reader *reader, const char *bundle, const char *variable, int type,
            int decomposition, int64_t value_count, void *values);
/* Frees the reader, whatever is returned. Collective. */
int bio_read_close(bio_reader *reader);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
