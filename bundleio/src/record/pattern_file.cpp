#include "record/pattern_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace bundleio {

namespace {

constexpr int namesMax = 1000;

std::string systemText(const char* call) { return std::string(call) + ": " + std::strerror(errno); }

}  // namespace

PatternFile::PatternFile(const std::string& path, std::uintmax_t bytesMax)
    : path_(path), bytesLeft_(bytesMax) {
  struct stat found {};
  if (path.back() == '/' || (::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode))) {
    abandon("it is a folder: name a file");
    return;
  }
  for (int number = 1; number <= namesMax; ++number) {
    if (claim(number == 1 ? path : path + "." + std::to_string(number))) return;
    if (errno == EEXIST) continue;
    abandon(systemText("open"));
    return;
  }
  abandon("all names up to this one are taken");
}

PatternFile::~PatternFile() {
  if (isOpen()) ::close(descriptor_);
}

// The maker of the partial file owns the name, unless another recording was completed just before.
bool PatternFile::claim(const std::string& path) {
  path_ = path;
  descriptor_ = ::open(partial().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (!isOpen()) return false;
  owns_ = ::access(path_.c_str(), F_OK) != 0;
  if (owns_) return true;
  ::close(descriptor_);
  descriptor_ = -1;
  ::unlink(partial().c_str());
  errno = EEXIST;
  return false;
}

void PatternFile::append(std::string_view text) {
  if (isOpen() && text.size() > bytesLeft_) {
    return abandon(
        "its pattern is larger than 1 GiB, which replay would not read: of maps in no order each "
        "cell is in it");
  }
  bytesLeft_ -= isOpen() ? text.size() : 0;
  std::size_t written = 0;
  while (isOpen() && written < text.size()) {
    const ssize_t count = ::write(descriptor_, text.data() + written, text.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      abandon(systemText("write"));
    }
  }
}

bool PatternFile::publish() {
  if (!isOpen()) return false;
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed == 0 && std::rename(partial().c_str(), path_.c_str()) == 0) return true;
  abandon(systemText(closed == 0 ? "rename" : "close"));
  return false;
}

void PatternFile::abandon(const std::string& why) {
  std::fprintf(stderr, "bundleio: %s is not recorded: %s; the run itself goes on\n", path_.c_str(),
               why.c_str());
  if (isOpen()) ::close(descriptor_);
  descriptor_ = -1;
  if (owns_) ::unlink(partial().c_str());
}

}  // namespace bundleio
