// Puts the rank files of the posix back end together again.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "backends/posix.hpp"
#include "model/layout.hpp"
#include "model/whole_file.hpp"
#include "readers/readers.hpp"

namespace bundleio {

namespace {

// Not a stream of C++, which takes an error of the disk for the end of the file: what could not be
// read is not cut off.
class RankFile {
 public:
  explicit RankFile(std::filesystem::path path)
      : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw systemFailure(errno, "read " + path_.string());
  }
  ~RankFile() { ::close(descriptor_); }
  RankFile(const RankFile&) = delete;
  RankFile& operator=(const RankFile&) = delete;

  void read(std::byte* values, std::int64_t bytes, std::int64_t offset) const {
    while (bytes > 0) {
      const ssize_t got = ::pread(descriptor_, values, static_cast<std::size_t>(bytes), offset);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw systemFailure(errno, "read " + path_.string());
      if (got == 0) throw Failure(BIO_FORMAT, "read " + path_.string() + ": it is cut off");
      values += got;
      offset += got;
      bytes -= got;
    }
  }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

class PosixReader final : public Reader {
 public:
  explicit PosixReader(const StepPlace& place)
      : folder_(place.folder), record_(place.record), written_(1, 0) {
    Layout layout = parseLayout(wholeFile(folder_ / posixLayoutName), 0);
    written_ = std::move(layout.schema);
    ranks_ = layout.ranks;
    checkSizes();
    originals_ = adopt(written_);
  }

  [[nodiscard]] const char* format() const override { return "posix"; }

  void read(int index, const Block& box, std::byte* values) override {
    const int original = originals_.at(static_cast<std::size_t>(index));
    const Variable& variable = written_.variable(original);
    if (variable.decomposition->hasHoles()) variable.fillCells(box.cells(), values);
    if (box.cells() == 0) return;
    for (int rank = 0; rank < ranks_; ++rank) readRank(rank, original, box, values);
  }

 private:
  // A rank file must hold exactly what the layout says; in a series steps may follow.
  void checkSizes() const {
    for (int rank = 0; rank < ranks_; ++rank) {
      const std::int64_t steps = std::max<std::int64_t>(record_, 0) + 1;
      const auto bytes = static_cast<std::uintmax_t>(steps * posixStepBytes(written_, rank));
      const auto path = posixRankFile(folder_, rank);
      std::error_code error;
      const auto size = std::filesystem::file_size(path, error);
      if (error == std::errc::no_such_file_or_directory) {
        throw Failure(BIO_FORMAT, path.string() + " is missing");
      }
      if (error) throw systemFailure(error.value(), "read " + path.string());
      if (size == bytes || (record_ >= 0 && size > bytes)) continue;
      throw Failure(BIO_FORMAT, path.string() + " has " + std::to_string(size) +
                                    " bytes instead of " + std::to_string(bytes));
    }
  }

  // Copies what `rank` wrote of `box`: of each plane the rows that it needs, which lie together.
  void readRank(int rank, int original, const Block& box, std::byte* values) const {
    const Variable& variable = written_.variable(original);
    const std::size_t cellBytes = bytesOf(variable.type);
    const Block& part = variable.decomposition->blocks()[static_cast<std::size_t>(rank)];
    if (part.cells() == 0) return;
    const auto leading = static_cast<std::ptrdiff_t>(variable.leadingCount);
    const Block wanted{{box.start.begin() + leading, box.start.end()},
                       {box.count.begin() + leading, box.count.end()}};
    const Block common = intersection(part, wanted);
    if (common.cells() == 0) return;
    Extent rows = part.count;
    std::int64_t rowsBytes = static_cast<std::int64_t>(cellBytes);
    std::int64_t firstByte = 0;
    if (!rows.empty()) {
      firstByte = (common.start[0] - part.start[0]) * (part.cells() / rows[0]) * rowsBytes;
      rows[0] = common.count[0];
      rowsBytes *= cellCount(rows);
    }
    const Block inRows = relative(common, part, common);
    const Block inBox = relative(common, wanted, wanted);
    const std::int64_t partBytes = part.cells() * static_cast<std::int64_t>(cellBytes);
    const RankFile file(posixRankFile(folder_, rank));
    const std::int64_t start = startsOf(rank).at(static_cast<std::size_t>(original)) + firstByte;
    std::vector<std::byte> read(static_cast<std::size_t>(rowsBytes));
    std::vector<std::byte> packed(static_cast<std::size_t>(common.cells()) * cellBytes);
    for (const std::int64_t plane : planesOf(variable, box)) {
      file.read(read.data(), rowsBytes, start + plane * partBytes);
      copyFromArray(rows, inRows, cellBytes, read.data(), packed.data());
      copyIntoArray(wanted.count, inBox, cellBytes, packed.data(), values);
      values += static_cast<std::size_t>(wanted.cells()) * cellBytes;
    }
  }

  // Of all variables in the file of `rank`.
  const std::vector<std::int64_t>& startsOf(int rank) const {
    auto& starts = starts_[rank];
    if (!starts.empty()) return starts;
    starts = posixStarts(written_, rank);
    if (record_ <= 0) return starts;
    for (std::int64_t& start : starts) start += record_ * posixStepBytes(written_, rank);
    return starts;
  }

  // `block` as seen from the start of `rows` in the first dimension, of `origin` in the others.
  static Block relative(Block block, const Block& origin, const Block& rows) {
    for (std::size_t dim = 0; dim < block.start.size(); ++dim) {
      block.start[dim] -= dim == 0 ? rows.start[dim] : origin.start[dim];
    }
    return block;
  }

  // Numbers of the planes of `box`, in order.
  static Extent planesOf(const Variable& variable, const Block& box) {
    Extent planes{0};
    for (std::size_t dim = 0; dim < variable.leadingCount; ++dim) {
      Extent finer;
      for (const std::int64_t plane : planes) {
        for (std::int64_t i = 0; i < box.count[dim]; ++i) {
          finer.push_back(plane * variable.lengths[dim] + box.start[dim] + i);
        }
      }
      planes = std::move(finer);
    }
    return planes;
  }

  std::filesystem::path folder_;
  std::int64_t record_;  // of a series; -1: the step is alone
  Schema written_;
  int ranks_ = 0;
  std::vector<int> originals_;  // index in written_ by index in schema_
  // By rank, for those whose file was read.
  mutable std::map<int, std::vector<std::int64_t>> starts_;
};

}  // namespace

std::unique_ptr<Reader> openPosix(const StepPlace& place) {
  return std::make_unique<PosixReader>(place);
}

}  // namespace bundleio
