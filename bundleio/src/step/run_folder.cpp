#include "step/run_folder.hpp"

#include <bundleio/bundleio.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "model/status.hpp"
#include "readers/series_index.hpp"
#include "readers/step_place.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

template <class Work>
void onDisk(const std::string& what, Work&& work) {
  std::error_code error;
  work(error);
  if (error) throw systemFailure(error.value(), what);
}

// Folders of series, also those that have lost their index.
std::vector<std::int64_t> seriesFoldersIn(const fs::path& run) {
  std::vector<std::int64_t> firsts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run, error)) {
    const std::int64_t first = seriesNumber(entry.path().filename().string());
    if (first >= 0 && entry.is_directory(error)) firsts.push_back(first);
  }
  return firsts;
}

// The index has its first line before there is any other file: without it, files hold steps that
// nobody can count, and the next run would write over them.
void requireIndex(const fs::path& series) {
  const fs::path index = series / seriesIndexName;
  std::error_code error;
  if (fs::exists(index) && !SeriesIndex::read(series).key().empty()) return;
  for (const auto& entry : fs::recursive_directory_iterator(series, error)) {
    if (!entry.is_regular_file(error) || entry.file_size(error) == 0 || entry.path() == index) {
      continue;
    }
    throw Failure(BIO_FORMAT,
                  index.string() + (fs::exists(index, error) ? " is empty" : " is lost") +
                      ", but files with steps lie beside it: bring it back, or give these "
                      "steps up: move the folder away, or write with mode replace");
  }
}

}  // namespace

fs::path RunFolder::step(std::int64_t number) const { return path_ / stepName(number); }

fs::path RunFolder::partial(std::int64_t number) const { return path_ / partialName(number); }

void RunFolder::make() const {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error)) {
    throw Failure(BIO_EXISTS, path_.string() + " is a file: name a folder");
  }
  if (fs::is_symlink(path_, error) && !fs::exists(path_, error)) {
    throw Failure(BIO_NOT_FOUND, path_.string() + " is a link to " +
                                     fs::read_symlink(path_, error).string() +
                                     ", which is not there: make that folder, or name another");
  }
  onDisk("make folder " + path_.string(), [&](auto& code) { fs::create_directories(path_, code); });
  if (::access(path_.c_str(), W_OK | X_OK) != 0) {
    throw systemFailure(errno, "write to folder " + path_.string());
  }
}

std::int64_t RunFolder::prepare(int mode) const {
  if (mode < BIO_CREATE || mode > BIO_APPEND) {
    throw Failure(BIO_BAD_ARGUMENT, "mode " + std::to_string(mode) + " is not one of bio_mode");
  }
  make();
  for (const std::int64_t first : seriesFoldersIn(path_)) {
    if (mode == BIO_REPLACE) {
      removeSeries(first);
    } else {
      requireIndex(path_ / seriesName(first));
    }
  }
  const std::vector<std::int64_t> present = steps();
  if (mode == BIO_CREATE && !present.empty()) {
    throw Failure(BIO_EXISTS, path_.string() + " already holds " + std::to_string(present.size()) +
                                  " steps: use another path, or mode replace or append");
  }
  if (mode == BIO_REPLACE) {
    for (const std::int64_t number : present) remove(number);
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    if (partialNumber(entry.path().filename().string()) >= 0) fs::remove_all(entry.path(), error);
  }
  return mode == BIO_APPEND && !present.empty() ? present.back() + 1 : 0;
}

void RunFolder::start(std::int64_t number) const {
  const fs::path folder = partial(number);
  onDisk("remove " + folder.string(), [&](auto& code) { fs::remove_all(folder, code); });
  onDisk("make folder " + folder.string(), [&](auto& code) { fs::create_directory(folder, code); });
}

std::int64_t RunFolder::freeBytes() const {
  struct statvfs space {};
  if (::statvfs(path_.c_str(), &space) != 0) return -1;
  // Some network file systems claim more than an integer holds.
  const auto available = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  return static_cast<std::int64_t>(std::min(available, 9e18));
}

void RunFolder::remove(std::int64_t number) const {
  discard(number);
  onDisk("remove " + step(number).string(),
         [&](auto& code) { fs::rename(step(number), partial(number), code); });
  onDisk("remove " + partial(number).string(),
         [&](auto& code) { fs::remove_all(partial(number), code); });
}

void RunFolder::removeSeries(std::int64_t first) const {
  const fs::path folder = path_ / seriesName(first);
  discard(first);
  onDisk("remove " + folder.string(),
         [&](auto& code) { fs::rename(folder, partial(first), code); });
  discard(first);
}

void RunFolder::checkSpace(std::int64_t bytes) const {
  const std::int64_t available = freeBytes();
  if (available < 0 || available >= bytes) return;
  throw Failure(BIO_NO_SPACE, path_.string() + ": a step takes " + std::to_string(bytes) +
                                  " bytes, but only " + std::to_string(available) +
                                  " are free: free some, choose another path, or open it with "
                                  "option space_check=no if that is not so");
}

void RunFolder::publish(std::int64_t number, bool durable) const {
  try {
    onDisk("rename to " + step(number).string(),
           [&](auto& code) { fs::rename(partial(number), step(number), code); });
    if (durable) syncPath(path_);
  } catch (const Failure&) {
    // Readers must not find a step later that was reported as failed.
    std::error_code ignored;
    if (!fs::exists(partial(number), ignored)) fs::rename(step(number), partial(number), ignored);
    discard(number);
    throw;
  }
}

void RunFolder::discard(std::int64_t number) const noexcept {
  std::error_code end;
  fs::recursive_directory_iterator entry(partial(number), end);
  for (; !end && entry != fs::recursive_directory_iterator(); entry.increment(end)) {
    // A library that keeps a file open after a failure would keep its room.
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) fs::resize_file(entry->path(), 0, ignored);
  }
  std::error_code ignored;
  fs::remove_all(partial(number), ignored);
}

std::vector<std::int64_t> RunFolder::steps() const {
  std::vector<std::int64_t> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::int64_t number = stepNumber(entry.path().filename().string());
    if (number >= 0) numbers.push_back(number);
  }
  if (error) throw systemFailure(error.value(), "list " + path_.string());
  for (const std::int64_t first : seriesIn(path_)) {
    const SeriesIndex index = SeriesIndex::read(path_ / seriesName(first));
    for (const SeriesEntry& entry : index.entries()) numbers.push_back(entry.number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void syncPath(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw systemFailure(errno, "open " + path.string());
  const int code = ::fsync(descriptor);
  const int problem = errno;
  ::close(descriptor);
  if (code != 0) throw systemFailure(problem, "sync " + path.string());
}

OpenedFolder::OpenedFolder(fs::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

OpenedFolder::~OpenedFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool OpenedFolder::hasItsName() const {
  struct stat opened {};
  struct stat named {};
  // Of what cannot be looked at, the next call on it tells.
  if (::fstat(descriptor_, &opened) != 0 || ::stat(path_.c_str(), &named) != 0) return true;
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

std::int64_t bytesIn(const fs::path& folder) {
  constexpr std::uintmax_t page = 4096;
  std::uintmax_t bytes = 0;
  std::error_code end;
  fs::recursive_directory_iterator entry(folder, end);
  for (; !end && entry != fs::recursive_directory_iterator(); entry.increment(end)) {
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    const std::uintmax_t size = entry->file_size(ignored);
    if (!ignored) bytes += (size + page - 1) / page * page;
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace bundleio
