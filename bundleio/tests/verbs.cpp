// Every verb of the C++ face once, and the text of errors; what it writes is what verbs.py writes.
//   verbs_cpp FOLDER BACKEND
#include <bundleio/bundleio.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t levels = 4;
constexpr std::int64_t lat = 5;
constexpr std::int64_t lon = 6;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "verbs_cpp: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

template <class Work>
void refused(Work&& work, int status, const std::string& text) {
  try {
    work();
  } catch (const bio::Error& error) {
    const bool isIt =
        error.status() == status && std::string(error.what()).find(text) != std::string::npos;
    return require(isIt, error.what());
  }
  require(false, "no error: " + text);
}

struct Part {
  std::int64_t first;
  std::int64_t rows;
  bio::Extent cells;
};

void writeStep(const bio::Context& context, const std::string& folder, bio_mode mode,
               const std::string& backend, const Part& part, int byRows, int map, int step) {
  bio::File file(context, folder, mode, backend);
  const int bundle = file.bundle("verbs");
  const int lev = file.dimension(bundle, "lev", levels);
  const int y = file.dimension(bundle, "lat", lat);
  const int x = file.dimension(bundle, "lon", lon);
  const int field = file.variable<float>(bundle, "by rows", {lev, y, x}, byRows);
  const int mapped = file.variable<std::int64_t>(bundle, "mapped", {y, x}, map);
  file.attribute(bundle, BIO_GLOBAL, "Conventions", "CF-1.8");
  file.attribute(bundle, field, "range", std::vector<float>{1, 2.5F});
  std::vector<float> values;
  for (std::int64_t level = 0; level < levels; ++level) {
    for (std::int64_t row = part.first; row < part.first + part.rows; ++row) {
      for (std::int64_t column = 0; column < lon; ++column) {
        values.push_back(static_cast<float>(1000 * step + 100 * level + 10 * row + column));
      }
    }
  }
  bio::Extent cells = part.cells;
  for (std::int64_t& cell : cells) cell += step;
  file.stepBegin();
  file.putLevels(field, 3, levels - 3, values.data() + 3 * part.rows * lon);
  file.putLevels(field, 0, 3, values.data());
  file.put(mapped, cells.data());
  file.stepEnd();
  file.wait();
  require(file.test(), "a step is not visible after wait");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  require((rank == 0) == (file.report().find("\"steps\": 1") != std::string::npos), "report");
  file.close();
  refused([&] { file.stepBegin(); }, BIO_BAD_ARGUMENT, "no file: it was never opened");
}

void writeRun(const std::string& folder, const std::string& backend) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Part part{lat * rank / size, lat * (rank + 1) / size - lat * rank / size, {}};
  for (std::int64_t cell = lat * lon - 1 - rank; cell >= 0; cell -= size)
    part.cells.push_back(cell);
  const bio::Context context(MPI_COMM_WORLD);
  const int byRows = context.block({lat, lon}, {part.first, 0}, {part.rows, lon});
  const int map = context.map({lat, lon}, part.cells);
  refused([&] { bio::File(context, folder, BIO_CREATE, "nosuch"); }, BIO_BAD_ARGUMENT,
          "rank 0: unknown back end 'nosuch'");
  writeStep(context, folder, BIO_CREATE, backend, part, byRows, map, 0);
  writeStep(context, folder, BIO_APPEND, backend, part, byRows, map, 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  MPI_Init(&argc, &argv);
  writeRun(argv[1], argv[2]);
  MPI_Finalize();
  return 0;
}
