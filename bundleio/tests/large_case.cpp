// Writes one step that is larger than an int can count, and reads samples of it back.
// - mpirun -n R large_case write PATH BACKEND [OPTIONS]: a variable of 4.5e9 bytes, a small one
//   behind it
// - mpirun -n R large_case wide PATH BACKEND: one plane of more than 2^31 cells
// - large_case verify PATH R: 2,000 places, those around 2^31 and 2^32 among them
// - large_case parts: more of a plane for one rank than a part of a message holds
//
// Rank 0 owns six tenths of the rows, so that one put of it has more than 2^31 values. The values
// repeat every 63 MiB, and lie in memory once: what lands 2^31 or 2^32 bytes off is found.
#include <bundleio/bundleio.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "backends/plane_messages.hpp"
#include "readers/reader.hpp"
#include "step/run_folder.hpp"

namespace {

constexpr int64_t levels = 30;
constexpr int64_t rows = 1000;
constexpr int64_t columns = 150000;
constexpr int64_t wideRows = 50000;  // times columns: 7.5e9 cells
constexpr int64_t period = 63 << 20;
constexpr int64_t tail = 1000;
constexpr int64_t samples = 2000;
constexpr int64_t sampleRows = 2;

// Of byte `offset` in what `rank` puts. Source of the factor: Knuth, TAOCP 3, section 6.4.
std::uint8_t valueAt(int rank, int64_t offset) {
  const auto word = static_cast<std::uint32_t>(offset % period / 4);
  return static_cast<std::uint8_t>((word * 2654435761U >> 24U) + static_cast<unsigned>(rank));
}

int64_t firstRow(int rank, int ranks) {
  if (rank == 0) return 0;
  const int64_t shared = rows * 6 / 10;
  return ranks == 1 ? rows : shared + (rows - shared) * (rank - 1) / (ranks - 1);
}

int64_t endRow(int rank, int ranks) { return rank + 1 == ranks ? rows : firstRow(rank + 1, ranks); }

// `bytes` addresses, behind which one period of memory repeats itself.
const std::uint8_t* repeated(int rank, int64_t bytes) {
  const int memory = memfd_create("values", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, period) != 0) return nullptr;
  const auto length = static_cast<std::size_t>((bytes + period - 1) / period * period);
  void* space = mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (space == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::uint8_t*>(space);
  for (std::size_t at = 0; at < length; at += period) {
    if (mmap(first + at, period, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) ==
        MAP_FAILED) {
      return nullptr;
    }
  }
  close(memory);
  for (int64_t at = 0; at < period; ++at) first[at] = valueAt(rank, at);
  return first;
}

int write(const std::vector<std::string>& words) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool wide = words[0] == "wide";
  const int64_t scale = wide ? wideRows / rows : 1;
  const int64_t depth = wide ? 1 : levels;
  const int64_t lengths[] = {rows * scale, columns};
  const int64_t start[] = {firstRow(rank, ranks) * scale, 0};
  const int64_t count[] = {(endRow(rank, ranks) - firstRow(rank, ranks)) * scale, columns};
  bio_context* context = nullptr;
  bio_run* run = nullptr;
  int block = 0;
  int status = bio_init(MPI_COMM_WORLD, &context);
  if (status == BIO_OK) status = bio_decomp_block(context, 2, lengths, start, count, &block);
  if (status == BIO_OK) {
    status = bio_open(context, words[1].c_str(), BIO_CREATE, words[2].c_str(),
                      words.size() > 3 ? words[3].c_str() : "", &run);
  }
  if (status == BIO_OK) {
    int bundle = 0;
    int dims[4] = {};
    int large = 0;
    int small = 0;
    bio_bundle(run, "large", &bundle);
    bio_def_dim(run, bundle, "lev", depth, &dims[0]);
    bio_def_dim(run, bundle, "lat", lengths[0], &dims[1]);
    bio_def_dim(run, bundle, "lon", columns, &dims[2]);
    bio_def_dim(run, bundle, "tail", tail, &dims[3]);
    bio_def_var(run, bundle, "large", BIO_UINT8, 3, dims, block, &large);
    bio_def_var(run, bundle, "small", BIO_FLOAT64, 1, dims + 3, BIO_ON_ROOT, &small);
    const std::vector<double> behind(static_cast<std::size_t>(tail), 0.25);
    const std::uint8_t* values = repeated(rank, depth * count[0] * columns);
    bio_step_begin(run);
    bio_put(run, large, values);
    bio_put(run, small, behind.data());
    status = bio_step_end(run);
    if (status == BIO_OK) status = bio_close(run);
  }
  if (status != BIO_OK) std::printf("rank %d: %d %s\n", rank, status, bio_message(context));
  bio_finish(context);
  return status == BIO_OK ? 0 : 3;
}

struct Writers {
  int ranks;
  std::uint8_t at(int64_t level, int64_t row, int64_t column) const {
    int rank = ranks - 1;
    while (firstRow(rank, ranks) > row) --rank;
    const int64_t own = endRow(rank, ranks) - firstRow(rank, ranks);
    return valueAt(rank, (level * own + row - firstRow(rank, ranks)) * columns + column);
  }
};

bool equalAt(bundleio::Reader& reader, int variable, const Writers& writers, int64_t offset) {
  const int64_t level = std::min(offset / (rows * columns), levels - 1);
  const int64_t row = std::min(offset / columns % rows, rows - sampleRows);
  const int64_t column = std::min(offset % columns, columns - 7);
  std::vector<std::uint8_t> read(static_cast<std::size_t>(sampleRows * 7));
  reader.read(variable, {{level, row, column}, {1, sampleRows, 7}},
              reinterpret_cast<std::byte*>(read.data()));
  for (int64_t i = 0; i < sampleRows * 7; ++i) {
    if (read[static_cast<std::size_t>(i)] != writers.at(level, row + i / 7, column + i % 7)) {
      std::printf("level %lld row %lld column %lld differs\n", static_cast<long long>(level),
                  static_cast<long long>(row + i / 7), static_cast<long long>(column + i % 7));
      return false;
    }
  }
  return true;
}

int verify(const std::string& path, int ranks) {
  const auto reader = bundleio::Reader::open(bundleio::RunFolder(path).step(0));
  const auto& variables = reader->schema().variables();
  const auto indexOf = [&](const std::string& name) {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const auto& variable) { return variable.name == name; });
    return static_cast<int>(found - variables.begin());
  };
  const Writers writers{ranks};
  const int large = indexOf("large");
  std::vector<int64_t> places{0, levels * rows * columns - 1};
  for (const int64_t edge : {int64_t{1} << 31, int64_t{1} << 32}) {
    for (int64_t near = -columns; near <= columns; near += columns / 4)
      places.push_back(edge + near);
  }
  const int64_t step = levels * rows * columns / samples;
  for (int64_t i = 0; i < samples; ++i) places.push_back(i * step + i * 97 % step);
  for (const int64_t place : places) {
    if (!equalAt(*reader, large, writers, place)) return 1;
  }
  std::vector<double> behind(static_cast<std::size_t>(tail));
  reader->read(indexOf("small"), {{0}, {tail}}, reinterpret_cast<std::byte*>(behind.data()));
  const bool kept = std::all_of(behind.begin(), behind.end(), [](double v) { return v == 0.25; });
  std::printf("%zu places equal, what lies behind them %s\n", places.size(),
              kept ? "too" : "does not");
  return kept ? 0 : 1;
}

// From this rank to itself.
int parts() {
  constexpr std::size_t bytes = (1 << 30) + (5 << 20) + 3;
  const auto* values = reinterpret_cast<const std::byte*>(repeated(0, bytes));
  std::vector<std::byte> received(bytes);
  const bundleio::Communicator self(MPI_COMM_SELF);
  bundleio::PlaneMessages messages;
  messages.receive(0, received.data(), bytes);
  messages.send(0, values, bytes);
  const bundleio::Moved moved = messages.start(self);
  messages.wait();
  const bool isEqual = std::memcmp(values, received.data(), bytes) == 0;
  std::printf("%lld messages of %lld bytes%s\n", static_cast<long long>(moved.messages),
              static_cast<long long>(moved.bytes), isEqual ? "" : ", not as sent");
  return isEqual && moved.messages == 1 && moved.bytes == static_cast<int64_t>(bytes) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  MPI_Init(&argc, &argv);
  int code = 2;
  if (words.size() >= 3 && (words[0] == "write" || words[0] == "wide")) code = write(words);
  if (words.size() == 1 && words[0] == "parts") code = parts();
  if (words.size() == 3 && words[0] == "verify") code = verify(words[1], std::stoi(words[2]));
  MPI_Finalize();
  return code;
}
