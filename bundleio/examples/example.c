/* A model's output in C: two steps of one bundle, each rank writing its rows.
 *   mpirun -n 4 example_c FOLDER [BACKEND [OPTIONS]] */
#include <bundleio/bundleio.h>
#include <stdio.h>

enum { LEVELS = 3, LAT = 12, LON = 24 };
static float values[LEVELS * LAT * LON];
static void fill(int step, int64_t first, int64_t rows) {
  int64_t next = 0;
  for (int level = 0; level < LEVELS; ++level) {
    for (int64_t cell = first * LON; cell < (first + rows) * LON; ++cell) {
      values[next++] = (float)(1000 * step + 300 * level + cell);
    }
  }
}

/* An error of a definition or a put shows at the end of the step, on all ranks. */
static int write_run(bio_context *context, const char *folder, const char *backend,
                     const char *options) {
  int rank = 0, size = 1, by_rows = 0, bundle = 0, hours = 0, q = 0, dims[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int64_t lengths[] = {LAT, LON}, start[] = {(int64_t)LAT * rank / size, 0};
  const int64_t count[] = {(int64_t)LAT * (rank + 1) / size - start[0], LON};
  bio_run *run = NULL;
  int status = bio_decomp_block(context, 2, lengths, start, count, &by_rows);
  if (status == BIO_OK) status = bio_open(context, folder, BIO_REPLACE, backend, options, &run);
  if (status != BIO_OK) return status;
  bio_bundle(run, "Moist", &bundle);
  bio_def_dim(run, bundle, "time", BIO_UNLIMITED, &dims[0]);
  bio_def_dim(run, bundle, "lev", LEVELS, &dims[1]);
  bio_def_dim(run, bundle, "lat", LAT, &dims[2]);
  bio_def_dim(run, bundle, "lon", LON, &dims[3]);
  bio_def_var(run, bundle, "time", BIO_FLOAT64, 1, dims, BIO_ON_ROOT, &hours);
  bio_def_var(run, bundle, "Q", BIO_FLOAT32, 4, dims, by_rows, &q);
  bio_put_att(run, bundle, BIO_GLOBAL, "Conventions", BIO_TEXT, 6, "CF-1.8");
  bio_put_att(run, bundle, q, "units", BIO_TEXT, 7, "kg kg-1");
  for (int step = 0; step < 2 && status == BIO_OK; ++step) {
    const double hour = 6.0 * step;
    fill(step, start[0], count[0]);
    bio_step_begin(run);
    bio_put(run, hours, &hour);
    bio_put(run, q, values);
    status = bio_step_end(run);
  }
  const int closed = bio_close(run);
  return status == BIO_OK ? closed : status;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  bio_context *context = NULL;
  int status = bio_init(MPI_COMM_WORLD, &context);
  const char *folder = argc > 1 ? argv[1] : "example-run",
             *backend = argc > 2 ? argv[2] : "pnetcdf", *options = argc > 3 ? argv[3] : "";
  if (status == BIO_OK) status = write_run(context, folder, backend, options);
  if (status != BIO_OK) fprintf(stderr, "example: %s\n", bio_message(context));
  bio_finish(context);
  MPI_Finalize();
  return status == BIO_OK ? 0 : 3;
}
