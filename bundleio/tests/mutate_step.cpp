// Spoils a copy of a step in many ways, always the same: each is read as well as it can be, or
// refused with one line. The layout of a posix step is changed in letters, words and lines; any
// other file is cut off somewhere. Prints the counts.
//   mutate_step STEP COUNT     STEP is left as it was, unless the program fails
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "mutator.hpp"
#include "readers/reader.hpp"
#include "readers/step_place.hpp"

namespace {

namespace fs = std::filesystem;

// A damaged file may claim to be larger than memory.
constexpr std::int64_t readBytesMax = 1 << 24;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

void store(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

std::vector<fs::path> filesOf(const fs::path& step) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(step)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// How a damaged step ended: read, refused, or neither of them.
enum class Outcome { read, refused, wrong };

Outcome readStep(const fs::path& step) {
  try {
    const auto reader = bundleio::Reader::open(step);
    const auto& variables = reader->schema().variables();
    for (std::size_t index = 0; index < variables.size(); ++index) {
      const bundleio::Variable& variable = variables[index];
      if (variable.bytes() > readBytesMax) continue;
      std::vector<std::byte> values(static_cast<std::size_t>(variable.bytes()));
      const bundleio::Extent start(variable.lengths.size(), 0);
      reader->read(static_cast<int>(index), {start, variable.lengths}, values.data());
    }
    return Outcome::read;
  } catch (const bundleio::Failure& failure) {
    const std::string message = failure.what();
    if (!message.empty() && message.find('\n') == std::string::npos) return Outcome::refused;
    std::fprintf(stderr, "refused in more than a line: %s\n", message.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not refused but failed: %s\n", error.what());
  }
  return Outcome::wrong;
}

// False where a spoiled file was neither read nor refused.
bool everyChangeIsRefusedOrRead(const fs::path& step, const fs::path& file, int count,
                                int& refused) {
  const std::string valid = content(file);
  const bool isText = file.filename() == "layout" || file.filename() == "steps";
  Mutator mutator(valid);
  for (int number = 0; number < count && !valid.empty(); ++number) {
    const auto kept = static_cast<std::size_t>(mutator.below(valid.size()));
    store(file, isText ? mutator.next() : valid.substr(0, kept));
    const Outcome outcome = readStep(step);
    if (outcome == Outcome::wrong) {
      std::fprintf(stderr, "%s, change %d: kept in its place\n", file.c_str(), number);
      return false;
    }
    if (outcome == Outcome::refused) ++refused;
  }
  store(file, valid);
  return true;
}

bool everyFileMayBeSpoiled(const fs::path& step, int count) {
  const std::vector<fs::path> files = filesOf(bundleio::placeOfStep(step).folder);
  if (files.empty() || readStep(step) != Outcome::read) return false;
  for (const fs::path& file : files) {
    int refused = 0;
    if (!everyChangeIsRefusedOrRead(step, file, count, refused)) return false;
    std::printf("%s: %d of %d refused\n", file.filename().c_str(), refused, count);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  // ADIOS2 takes a communicator even to read.
  MPI_Init(&argc, &argv);
  const bool kept = everyFileMayBeSpoiled(argv[1], std::stoi(argv[2]));
  MPI_Finalize();
  return kept ? 0 : 1;
}
