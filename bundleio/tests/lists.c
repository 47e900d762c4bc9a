/* Prints what a step holds, a line for each item, with a sum of its bytes: of each variable the
 * slab that begins at the second entry of each dimension, if there is one, and takes every other.
 *   lists_c FOLDER [STEP [OPTIONS]] */
#include <bundleio/bundleio.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS_MAX = 16, BYTES_MAX = 1 << 20 };

static bio_context *context;
static bio_reader *reader;
static unsigned char bytes[BYTES_MAX];
static const int bytes_of[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

static void require(int status) {
  if (status == BIO_OK) return;
  fprintf(stderr, "lists_c: %s\n", bio_message(context));
  exit(1);
}

static long long sum(int64_t count, int type) {
  long long total = 0;
  for (int64_t i = 0; i < count * bytes_of[type]; ++i) total += bytes[i] * (i % 251 + 1);
  return total;
}

static const char *const *names(int list, const char *bundle, const char *variable, int *count) {
  const char *const *found = NULL;
  require(bio_read_names(reader, list, bundle, variable, count, &found));
  return found;
}

static void print_attributes(const char *bundle, const char *variable) {
  int count = 0;
  const char *const *found = names(BIO_ATTRIBUTES, bundle, variable, &count);
  for (int i = 0; i < count; ++i) {
    int type = 0;
    int64_t values = 0;
    require(bio_read_att(reader, bundle, variable, found[i], &type, &values));
    require(bio_get_att(reader, bundle, variable, found[i], type, values, bytes));
    printf("attribute %s/%s/%s: %d %lld %lld\n", bundle, variable == NULL ? "" : variable, found[i],
           type, (long long)values, sum(values, type));
  }
}

static void print_variable(const char *bundle, const char *variable) {
  int type = 0, dimensions = DIMENSIONS_MAX, named = 0;
  int64_t lengths[DIMENSIONS_MAX], start[DIMENSIONS_MAX], count[DIMENSIONS_MAX],
      stride[DIMENSIONS_MAX], values = 1;
  require(bio_read_shape(reader, bundle, variable, &type, &dimensions, lengths));
  const char *const *found = names(BIO_DIMENSIONS, bundle, variable, &named);
  printf("variable %s/%s: %d", bundle, variable, type);
  for (int i = 0; i < dimensions; ++i) {
    start[i] = lengths[i] > 1 ? 1 : 0;
    count[i] = (lengths[i] - start[i] + 1) / 2;
    stride[i] = 2;
    values *= count[i];
    printf(" %s=%lld", found[i], (long long)lengths[i]);
  }
  require(bio_get_slab(reader, bundle, variable, type, dimensions, start, count, stride, values,
                       bytes));
  printf(" %lld\n", sum(values, type));
  print_attributes(bundle, variable);
}

static void print_bundle(const char *bundle) {
  int count = 0;
  const char *const *found = names(BIO_DIMENSIONS, bundle, NULL, &count);
  for (int i = 0; i < count; ++i) {
    int64_t length = 0;
    int unlimited = 0;
    require(bio_read_dim(reader, bundle, found[i], &length, &unlimited));
    printf("dimension %s/%s: %lld%s\n", bundle, found[i], (long long)length,
           unlimited ? " unlimited" : "");
  }
  print_attributes(bundle, NULL);
  found = names(BIO_VARIABLES, bundle, NULL, &count);
  const char **kept = malloc((size_t)(count + 1) * sizeof *kept);
  for (int i = 0; i < count; ++i) kept[i] = found[i];
  for (int i = 0; i < count; ++i) print_variable(bundle, kept[i]);
  free(kept);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  MPI_Init(&argc, &argv);
  require(bio_init(MPI_COMM_WORLD, &context));
  require(bio_read_open(context, argv[1], argc > 2 ? atoll(argv[2]) : BIO_LAST_STEP,
                        argc > 3 ? argv[3] : NULL, &reader));
  int count = 0;
  const char *const *found = names(BIO_BUNDLES, NULL, NULL, &count);
  const char **kept = malloc((size_t)(count + 1) * sizeof *kept);
  for (int i = 0; i < count; ++i) kept[i] = found[i];
  for (int i = 0; i < count; ++i) print_bundle(kept[i]);
  free(kept);
  require(bio_read_close(reader));
  bio_finish(context);
  MPI_Finalize();
  return 0;
}
