// Flips bits of a step, one at a time and always the same ones: each is refused with one line, or
// changes nothing that can be read. Prints the counts.
//   flip_step STEP COUNT                STEP is left as it was, unless the program fails; or
//   RUN/series-N,
//                                       whose steps share its files
//   flip_step STEP COUNT --metadata     flips in BP's metadata only, and in their list, read as
//                                       models do, by all ranks: each is refused, or is counted as
//                                       harmless or unseen
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "backends/bp_format.hpp"
#include "model/layout.hpp"
#include "readers/series_index.hpp"
#include "readers/step_place.hpp"
#include "step/checked_step.hpp"
#include "step/step_reader.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> filesOf(const fs::path& step) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(step)) {
    if (entry.is_regular_file() && !bundleio::isBpTiming(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// All that can be read: definitions and values.
struct Content {
  std::string definitions;
  std::vector<std::vector<std::byte>> values;
  bool operator==(const Content& other) const {
    return definitions == other.definitions && values == other.values;
  }
  bool operator!=(const Content& other) const { return !(*this == other); }
};

Content contentOf(const fs::path& folder) {
  const auto reader = bundleio::Reader::open(folder);
  Content content{bundleio::layoutText(reader->schema(), 0), {}};
  for (std::size_t index = 0; index < reader->schema().variables().size(); ++index) {
    const bundleio::Variable& variable = reader->schema().variables()[index];
    auto& values = content.values.emplace_back(static_cast<std::size_t>(variable.bytes()));
    const bundleio::Extent start(variable.lengths.size(), 0);
    reader->read(static_cast<int>(index), {start, variable.lengths}, values.data());
  }
  return content;
}

// The step of this folder, or those of a series; which there are must not change with a bit.
std::vector<fs::path> stepsIn(const fs::path& folder) {
  if (bundleio::seriesNumber(folder.filename().string()) < 0) return {folder};
  std::vector<fs::path> steps;
  const auto index = bundleio::SeriesIndex::read(folder);
  for (const bundleio::SeriesEntry& entry : index.entries()) {
    steps.push_back(folder.parent_path() / bundleio::stepName(entry.number));
  }
  return steps;
}

std::vector<Content> contentsOf(const std::vector<fs::path>& steps) {
  std::vector<Content> contents;
  for (const fs::path& step : steps) contents.push_back(contentOf(step));
  return contents;
}

class FlippedBit {
 public:
  FlippedBit(const fs::path& path, std::uintmax_t at, unsigned bit)
      : file_(path, std::ios::binary | std::ios::in | std::ios::out), at_(at), mask_(1U << bit) {
    flip();
  }
  ~FlippedBit() { flip(); }
  FlippedBit(const FlippedBit&) = delete;
  FlippedBit& operator=(const FlippedBit&) = delete;

 private:
  void flip() {
    file_.seekg(static_cast<std::streamoff>(at_));
    const int byte = file_.get();
    file_.seekp(static_cast<std::streamoff>(at_));
    file_.put(static_cast<char>(static_cast<unsigned>(byte) ^ mask_));
    file_.flush();
  }

  std::fstream file_;
  std::uintmax_t at_;
  unsigned mask_;
};

// Half of them anywhere in the step, half in a file of any size.
std::pair<fs::path, std::uintmax_t> placeOf(int number, const std::vector<fs::path>& files,
                                            std::mt19937& random) {
  std::uintmax_t all = 0;
  for (const fs::path& file : files) all += fs::file_size(file);
  std::uintmax_t at = random() % all;
  if (number % 2 == 0) {
    for (const fs::path& file : files) {
      if (at < fs::file_size(file)) return {file, at};
      at -= fs::file_size(file);
    }
  }
  const fs::path& file = files[random() % files.size()];
  return {file, random() % std::max<std::uintmax_t>(1, fs::file_size(file))};
}

bool everyFlipIsRefusedOrHarmless(const bundleio::Communicator& comm, const fs::path& folder,
                                  int count) {
  const std::vector<fs::path> steps = stepsIn(folder);
  const std::vector<Content> valid = contentsOf(steps);
  const std::vector<fs::path> files = filesOf(folder);
  std::mt19937 random(20261123);
  int refused = 0;
  for (int number = 0; number < count; ++number) {
    const auto [file, at] = placeOf(number, files, random);
    const unsigned bit = random() % 8;
    if (fs::file_size(file) == 0) continue;
    const FlippedBit flipped(file, at, bit);
    const std::string where =
        file.string() + ", bit " + std::to_string(bit) + " of byte " + std::to_string(at);
    const auto outcome = bundleio::outcomeOf([&] {
      for (const fs::path& step : steps) bundleio::verifyStep(comm, step, nullptr);
    });
    if (outcome.status() != BIO_OK) {
      const std::string message = outcome.what();
      if (message.find('\n') != std::string::npos || outcome.status() == BIO_INTERNAL) {
        std::fprintf(stderr, "%s: not one line on what is damaged: %s\n", where.c_str(),
                     message.c_str());
        return false;
      }
      ++refused;
    } else if (contentsOf(steps) != valid || stepsIn(folder) != steps) {
      std::fprintf(stderr, "%s: not noticed\n", where.c_str());
      return false;
    }
  }
  std::printf("%d of %d refused, %d harmless\n", refused, count, count - refused);
  return true;
}

Content contentFor(const bundleio::Communicator& comm, const fs::path& step) {
  const std::int64_t number = bundleio::stepNumber(step.filename().string());
  bundleio::StepReader reader(comm, step.parent_path().string(), number, "give_up_seconds=3");
  Content content{bundleio::layoutText(reader.schema(), 0), {}};
  comm.agree([&] {
    for (const bundleio::Variable& variable : reader.schema().variables()) {
      auto& values = content.values.emplace_back(static_cast<std::size_t>(variable.bytes()));
      reader.getSlab(variable, bundleio::Slab::whole(variable), values.data());
    }
  });
  reader.close();
  return content;
}

bool everyFlipOfMetadataIsSurvived(const bundleio::Communicator& comm, const fs::path& step,
                                   int count) {
  const Content valid = contentFor(comm, step);
  std::vector<std::string> files = bundleio::bpMetadataFiles(step);
  if (fs::exists(step / bundleio::bpListName)) files.emplace_back(bundleio::bpListName);
  std::sort(files.begin(), files.end());
  std::mt19937 random(20261124);
  int refused = 0;
  int harmless = 0;
  for (int number = 0; number < count; ++number) {
    const fs::path file = step / files[random() % files.size()];
    const std::uintmax_t at = random() % fs::file_size(file);
    const unsigned bit = random() % 8;
    std::optional<FlippedBit> flipped;
    comm.agreeOnRoot([&] { flipped.emplace(file, at, bit); });
    Content content;
    const auto outcome = bundleio::outcomeOf([&] { content = contentFor(comm, step); });
    // No rank reads on when the bit is put back.
    comm.agree([] {});
    const std::string message = outcome.what();
    if (message.find('\n') != std::string::npos || outcome.status() == BIO_INTERNAL) {
      std::fprintf(stderr, "%s, bit %u of byte %ju: not one line on what is damaged: %s\n",
                   file.c_str(), bit, at, message.c_str());
      return false;
    }
    if (outcome.status() != BIO_OK) ++refused;
    if (outcome.status() == BIO_OK && content == valid) ++harmless;
  }
  if (comm.isRoot()) {
    std::printf("%d of %d refused, %d harmless, %d unseen\n", refused, count, harmless,
                count - refused - harmless);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool isMetadata = argc == 4 && std::string(argv[3]) == "--metadata";
  if (argc != 3 && !isMetadata) return 2;
  MPI_Init(&argc, &argv);
  bool holds = false;
  {
    const bundleio::Communicator comm(MPI_COMM_WORLD);
    const auto run = isMetadata ? everyFlipOfMetadataIsSurvived : everyFlipIsRefusedOrHarmless;
    const auto outcome =
        bundleio::outcomeOf([&] { holds = run(comm, argv[1], std::stoi(argv[2])); });
    if (outcome.status() != BIO_OK) std::fprintf(stderr, "%s\n", outcome.what());
  }
  MPI_Finalize();
  return holds ? 0 : 1;
}
