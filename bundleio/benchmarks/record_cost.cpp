// What recording costs: the same puts and steps with and without it, in turn, medians as JSON.
//   mpirun -n 4 bundleio_record_cost FOLDER
#include <bundleio/bundleio.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int levels = 2000;  // each announced by a put of its own
constexpr int steps = 20;
constexpr int repeats = 10;

struct Cost {
  double putNanoseconds;
  double stepMicroseconds;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// One run of posix files, the back end that hides least.
Cost timeRun(bio_context* context, const std::string& folder, const std::string& options) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int64_t length = size;
  const int64_t start = rank;
  const int64_t count = 1;
  int decomposition = 0;
  bio_file* file = nullptr;
  bio_decomp_block(context, 1, &length, &start, &count, &decomposition);
  if (bio_open(context, (folder + "/run").c_str(), BIO_REPLACE, "posix", options.c_str(), &file) !=
      BIO_OK) {
    std::fprintf(stderr, "record_cost: %s\n", bio_message(context));
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  int bundle = 0;
  int dims[2] = {};
  int variable = 0;
  bio_bundle(file, "b", &bundle);
  bio_def_dim(file, bundle, "level", levels, &dims[0]);
  bio_def_dim(file, bundle, "cell", size, &dims[1]);
  bio_def_var(file, bundle, "v", BIO_FLOAT32, 2, dims, decomposition, &variable);
  const float value = 1;
  std::vector<double> puts;
  std::vector<double> ends;
  for (int step = 0; step < steps; ++step) {
    MPI_Barrier(MPI_COMM_WORLD);
    bio_step_begin(file);
    const double begin = MPI_Wtime();
    for (int level = 0; level < levels; ++level) bio_put_levels(file, variable, level, 1, &value);
    const double put = MPI_Wtime();
    bio_step_end(file);
    puts.push_back((put - begin) * 1e9 / levels);
    ends.push_back((MPI_Wtime() - put) * 1e6);
  }
  bio_close(file);
  return {median(puts), median(ends)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  const std::string folder = argv[1];
  bio_context* context = nullptr;
  bio_init(MPI_COMM_WORLD, &context);
  std::vector<double> puts[2];
  std::vector<double> ends[2];
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (int records = 0; records < 2; ++records) {
      const Cost cost =
          timeRun(context, folder, records == 1 ? "record=" + folder + "/pattern" : "");
      puts[records].push_back(cost.putNanoseconds);
      ends[records].push_back(cost.stepMicroseconds);
    }
  }
  bio_finish(context);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::printf(
        "{\"put_nanoseconds\": %.1f, \"put_recorded_nanoseconds\": %.1f, "
        "\"step_microseconds\": %.0f, \"step_recorded_microseconds\": %.0f}\n",
        median(puts[0]), median(puts[1]), median(ends[0]), median(ends[1]));
  }
  MPI_Finalize();
  return 0;
}
