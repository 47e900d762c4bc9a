#include "guard/room.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "model/status.hpp"

namespace bundleio {

namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file)
      : number_(::open(file.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (number_ < 0) throw systemFailure(errno, "open " + file.string());
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

sigset_t signalOfLimit() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

FileLimitAsError::FileLimitAsError() {
  const sigset_t blocked = signalOfLimit();
  if (::pthread_sigmask(SIG_BLOCK, &blocked, &before_) != 0) sigaddset(&before_, SIGXFSZ);
}

// Takes signals that came meanwhile, since unblocking would deliver them to the model.
FileLimitAsError::~FileLimitAsError() {
  if (sigismember(&before_, SIGXFSZ) == 1) return;
  const sigset_t blocked = signalOfLimit();
  const timespec now{};
  while (::sigtimedwait(&blocked, nullptr, &now) == SIGXFSZ) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void checkFileLimit(const std::filesystem::path& file, std::int64_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (static_cast<rlim_t>(bytes) <= limit.rlim_cur) return;
  throw systemFailure(EFBIG, file.string() + " takes " + std::to_string(bytes) + " bytes");
}

void claimRoom(const std::filesystem::path& file, std::int64_t bytes) {
  if (bytes <= 0) return;
  const Descriptor descriptor(file);
  int code = 0;
  do {
    code = ::fallocate(descriptor.number(), FALLOC_FL_KEEP_SIZE, 0, bytes);
  } while (code != 0 && errno == EINTR);
  const bool isFull = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  if (code == 0 || !isFull) return;
  throw systemFailure(errno,
                      "take room for " + std::to_string(bytes) + " bytes of " + file.string());
}

// Cut to the length that it has, a file gives back what lies behind.
void returnRoom(const std::filesystem::path& file) {
  const Descriptor descriptor(file);
  struct stat now {};
  if (::fstat(descriptor.number(), &now) != 0 ||
      ::ftruncate(descriptor.number(), now.st_size) != 0) {
    throw systemFailure(errno, "cut " + file.string());
  }
}

}  // namespace bundleio
