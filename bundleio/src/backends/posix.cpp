// File per process: each rank writes what it holds, as it lies in memory. The floor that no shared
// format can beat, for calibration; read back with the layout file (see ARCHITECTURE.md).
#include "backends/posix.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "backends/factories.hpp"
#include "exchange/box_planes.hpp"
#include "model/layout.hpp"
#include "model/whole_file.hpp"

namespace bundleio {

namespace {

class PosixBackend final : public Backend {
 public:
  ~PosixBackend() override { release(); }

  [[nodiscard]] std::string seriesKey(const Schema& schema, const Communicator& comm,
                                      const std::filesystem::path& /*folder*/) const override {
    return "posix " + std::to_string(hashOf(layoutText(schema, comm.size())));
  }

  void create(const Step& step) override {
    path_ = posixRankFile(step.folder, step.comm.rank());
    const int creation = step.appends() ? 0 : O_CREAT | O_EXCL;
    descriptor_ = ::open(path_.c_str(), O_WRONLY | creation | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw systemFailure(errno, "create " + path_.string());
  }

  void define(const Step& step) override {
    starts_ = posixStarts(step.schema, step.comm.rank());
    const std::int64_t before = step.record * posixStepBytes(step.schema, step.comm.rank());
    for (std::int64_t& start : starts_) start += before;
    if (!step.comm.isRoot() || step.appends()) return;
    const auto layout = step.folder / posixLayoutName;
    std::ofstream out(layout, std::ios::binary);
    out << layoutText(step.schema, step.comm.size());
    out.close();
    if (!out) throw systemFailure(errno, "write " + layout.string());
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    BoxWindows windows(step, pieces);
    FirstFailure failure(step.watchdog);
    while (windows.next()) {
      for (const PlaneRange& range : windows.ranges()) {
        for (const PlaneRange& part : windows.parts(range)) {
          if (!failure.occurred()) failure.attempt([&] { writeRange(step, part, windows); });
        }
      }
    }
    failure.raise();
  }

  void close(const Step& /*step*/) override {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) throw systemFailure(errno, "close " + path_.string());
  }

  void abandon(const Step& /*step*/) override { release(); }

 private:
  void writeRange(const Step& step, const PlaneRange& range, BoxWindows& windows) {
    const int variable = range.piece->variable;
    const std::int64_t planeBytes = step.schema.variable(variable).ownPlaneBytes();
    writeAll(windows.values(range), range.planes * planeBytes,
             starts_.at(static_cast<std::size_t>(variable)) + range.first * planeBytes);
  }

  void writeAll(const std::byte* values, std::int64_t bytes, std::int64_t offset) {
    while (bytes > 0) {
      const ssize_t written =
          ::pwrite(descriptor_, values, static_cast<std::size_t>(bytes), offset);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw systemFailure(errno, "write " + path_.string());
      values += written;
      offset += written;
      bytes -= written;
    }
  }

  void release() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::vector<std::int64_t> starts_;  // by variable
};

}  // namespace

std::filesystem::path posixRankFile(const std::filesystem::path& folder, int rank) {
  const std::string digits = std::to_string(rank);
  return folder /
         ("rank-" + std::string(6 - std::min<std::size_t>(6, digits.size()), '0') + digits);
}

std::int64_t posixStepBytes(const Schema& schema, int rank) {
  std::int64_t bytes = 0;
  for (const Variable& variable : schema.variables()) {
    bytes += variable.planeCount *
             variable.decomposition->blocks()[static_cast<std::size_t>(rank)].cells() *
             static_cast<std::int64_t>(bytesOf(variable.type));
  }
  return bytes;
}

void keepPosixRecords(const std::filesystem::path& folder, std::int64_t records) {
  const Layout layout = parseLayout(wholeFile(folder / posixLayoutName), 0);
  for (int rank = 0; rank < layout.ranks; ++rank) {
    const auto file = posixRankFile(folder, rank);
    const auto bytes = static_cast<std::uintmax_t>(records * posixStepBytes(layout.schema, rank));
    if (std::filesystem::file_size(file) < bytes) {
      throw Failure(BIO_FORMAT, file.string() + " is cut off");
    }
    std::filesystem::resize_file(file, bytes);
  }
}

std::vector<std::int64_t> posixStarts(const Schema& schema, int rank) {
  std::vector<std::int64_t> starts(schema.variables().size());
  std::int64_t next = 0;
  for (const Bundle& bundle : schema.bundles()) {
    for (const int index : bundle.variables) {
      const Variable& variable = schema.variable(index);
      const Block& box = variable.decomposition->blocks()[static_cast<std::size_t>(rank)];
      starts[static_cast<std::size_t>(index)] = next;
      next += variable.planeCount * box.cells() * static_cast<std::int64_t>(bytesOf(variable.type));
    }
  }
  return starts;
}

std::unique_ptr<Backend> makePosixBackend() { return std::make_unique<PosixBackend>(); }

}  // namespace bundleio
