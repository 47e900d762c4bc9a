#include "guard/written.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "guard/file_system.hpp"
#include "model/status.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

class WrittenFile {
 public:
  explicit WrittenFile(const fs::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat facts {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &facts) != 0) {
      const int problem = errno;
      if (descriptor_ >= 0) ::close(descriptor_);
      throw systemFailure(problem, "look at " + path.string());
    }
    length_ = facts.st_size;
    holesTell_ = fileSystemOf(path).holesTell;
  }
  ~WrittenFile() { ::close(descriptor_); }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;

  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] bool holesTell() const { return holesTell_; }
  /// Where the next hole or the next data begin, from a place before the end; the end if nowhere.
  [[nodiscard]] std::int64_t next(std::int64_t from, int what) const {
    const off_t found = ::lseek(descriptor_, from, what);
    return found < 0 ? length_ : std::min<std::int64_t>(found, length_);
  }
  [[nodiscard]] Failure isCutOff(std::int64_t wanted) const {
    return {BIO_IO, path_.string() + ": the I/O library reported no error, but the file has " +
                        std::to_string(length_) + " of " + std::to_string(wanted) +
                        " bytes: is the disk full, or a limit reached (quota, ulimit -f)?"};
  }
  [[nodiscard]] Failure lacks(const std::string& what) const {
    return {BIO_IO, path_.string() + ": the I/O library reported no error, but " + what +
                        " never written: is the disk full, or a limit reached (quota, ulimit -f)?"};
  }

 private:
  fs::path path_;
  int descriptor_;
  std::int64_t length_ = 0;
  bool holesTell_ = false;
};

}  // namespace

void checkRanges(const fs::path& path, const std::vector<FileRange>& ranges) {
  const WrittenFile file(path);
  for (const FileRange& range : ranges) {
    if (range.bytes == 0) continue;
    const std::int64_t end = range.start + range.bytes;
    if (end > file.length()) throw file.isCutOff(end);
    if (!file.holesTell()) continue;
    const std::int64_t hole = file.next(range.start, SEEK_HOLE);
    if (hole < end) throw file.lacks("byte " + std::to_string(hole) + " was");
  }
}

void checkBytes(const fs::path& path, std::int64_t bytes) {
  const WrittenFile file(path);
  if (file.length() < bytes) throw file.isCutOff(bytes);
  if (!file.holesTell()) return;
  std::int64_t written = 0;
  for (std::int64_t at = file.next(0, SEEK_DATA); at < file.length();) {
    const std::int64_t hole = file.next(at, SEEK_HOLE);
    written += hole - at;
    at = hole < file.length() ? file.next(hole, SEEK_DATA) : hole;
  }
  if (written < bytes) throw file.lacks(std::to_string(bytes - written) + " bytes were");
}

}  // namespace bundleio
