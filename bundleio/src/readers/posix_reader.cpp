// Puts the rank files of the posix back end together again.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "backends/posix.hpp"
#include "layout.hpp"
#include "readers.hpp"

namespace bundleio {

namespace {

class PosixReader final : public Reader {
 public:
  explicit PosixReader(const std::filesystem::path& folder) : folder_(folder), written_(1, 0) {
    std::ifstream in(folder / posixLayoutName, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw systemFailure(errno, "read " + (folder / posixLayoutName).string());
    Layout layout = parseLayout(text.str(), 0);
    written_ = std::move(layout.schema);
    ranks_ = layout.ranks;
    checkSizes();
    originals_ = adopt(written_);
  }

  [[nodiscard]] const char* format() const override { return "posix"; }

  void read(int index, const Block& box, std::byte* values) override {
    const int original = originals_.at(static_cast<std::size_t>(index));
    const Variable& variable = written_.variable(original);
    const std::size_t cellBytes = bytesOf(variable.type);
    const auto fill = variable.fill();
    std::vector<std::byte> whole(static_cast<std::size_t>(variable.bytes()));
    for (std::size_t at = 0; at < whole.size(); at += cellBytes) {
      std::memcpy(&whole[at], fill.data(), cellBytes);
    }
    const Extent& lengths = variable.decomposition->lengths();
    const auto planeBytes = static_cast<std::size_t>(cellCount(lengths)) * cellBytes;
    for (int rank = 0; rank < ranks_; ++rank) {
      const Block& part = variable.decomposition->blocks()[static_cast<std::size_t>(rank)];
      if (part.cells() == 0 || variable.bytes() == 0) continue;
      const std::size_t partBytes = static_cast<std::size_t>(part.cells()) * cellBytes;
      const auto packed = readRank(rank, posixStarts(written_, rank).at(original),
                                   partBytes * static_cast<std::size_t>(variable.planeCount));
      for (std::size_t plane = 0; plane < static_cast<std::size_t>(variable.planeCount); ++plane) {
        copyIntoArray(lengths, part, cellBytes, packed.data() + plane * partBytes,
                      whole.data() + plane * planeBytes);
      }
    }
    copyFromArray(variable.lengths, box, cellBytes, whole.data(), values);
  }

 private:
  // A rank file must hold exactly what the layout says.
  void checkSizes() const {
    for (int rank = 0; rank < ranks_; ++rank) {
      std::int64_t bytes = 0;
      for (const Variable& variable : written_.variables()) {
        bytes += variable.planeCount *
                 variable.decomposition->blocks()[static_cast<std::size_t>(rank)].cells() *
                 static_cast<std::int64_t>(bytesOf(variable.type));
      }
      const auto path = posixRankFile(folder_, rank);
      std::error_code error;
      const auto size = std::filesystem::file_size(path, error);
      if (error) throw systemFailure(error.value(), "read " + path.string());
      if (size != static_cast<std::uintmax_t>(bytes)) {
        throw Failure(BIO_FORMAT, path.string() + " has " + std::to_string(size) +
                                      " bytes instead of " + std::to_string(bytes));
      }
    }
  }

  [[nodiscard]] std::vector<std::byte> readRank(int rank, std::int64_t start,
                                                std::size_t bytes) const {
    const auto path = posixRankFile(folder_, rank);
    std::ifstream in(path, std::ios::binary);
    std::vector<char> values(bytes);
    in.seekg(start);
    in.read(values.data(), static_cast<std::streamsize>(bytes));
    if (!in) throw Failure(BIO_FORMAT, "read " + path.string() + ": it is cut off");
    std::vector<std::byte> converted(bytes);
    std::memcpy(converted.data(), values.data(), bytes);
    return converted;
  }

  std::filesystem::path folder_;
  Schema written_;
  int ranks_ = 0;
  std::vector<int> originals_;  // index in written_ by index in schema_
};

}  // namespace

std::unique_ptr<Reader> openPosix(const std::filesystem::path& folder) {
  return std::make_unique<PosixReader>(folder);
}

}  // namespace bundleio
