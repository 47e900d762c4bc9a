// A model's output in C++: two steps of one bundle, each rank writing its rows.
//   mpirun -n 4 example_cpp FOLDER [BACKEND [OPTIONS]]
#include <bundleio/bundleio.hpp>
#include <cstdio>
#include <string>
#include <vector>

namespace {

void writeRun(const std::string& folder, const std::string& backend, const std::string& options) {
  const std::int64_t levels = 3, lat = 12, lon = 24;
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::int64_t first = lat * rank / size;
  const std::int64_t rows = lat * (rank + 1) / size - first;

  const bio::Context context(MPI_COMM_WORLD);
  const int byRows = context.block({lat, lon}, {first, 0}, {rows, lon});
  bio::Run run(context, folder, BIO_REPLACE, backend, options);
  const int bundle = run.bundle("Moist");
  const int time = run.dimension(bundle, "time", BIO_UNLIMITED);
  const int lev = run.dimension(bundle, "lev", levels);
  const int y = run.dimension(bundle, "lat", lat);
  const int x = run.dimension(bundle, "lon", lon);
  const int hours = run.variable<double>(bundle, "time", {time});
  const int q = run.variable<float>(bundle, "Q", {time, lev, y, x}, byRows);
  run.attribute(bundle, BIO_GLOBAL, "Conventions", "CF-1.8");
  run.attribute(bundle, q, "units", "kg kg-1");

  std::vector<float> values(static_cast<std::size_t>(levels * rows * lon));
  for (int step = 0; step < 2; ++step) {
    const double hour = 6.0 * step;
    std::size_t next = 0;
    for (std::int64_t level = 0; level < levels; ++level) {
      for (std::int64_t cell = first * lon; cell < (first + rows) * lon; ++cell) {
        values[next++] = static_cast<float>(1000 * step + 300 * level + cell);
      }
    }
    run.stepBegin();
    run.put(hours, &hour);
    run.put(q, values);
    run.stepEnd();
  }
  run.close();
}
}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    writeRun(argc > 1 ? argv[1] : "example-run", argc > 2 ? argv[2] : "pnetcdf",
             argc > 3 ? argv[3] : "");
  } catch (const bio::Error& error) {
    std::fprintf(stderr, "example: %s\n", error.what());
    code = 3;
  }
  MPI_Finalize();
  return code;
}
