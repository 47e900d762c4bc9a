#include "guard/file_locks.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace bundleio {

namespace {

constexpr const char* setting = "HDF5_USE_FILE_LOCKING";

bool canBeLocked(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool isLocked = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  const bool isHeld = !isLocked && errno == EWOULDBLOCK;
  ::close(descriptor);
  return isLocked || isHeld;
}

}  // namespace

void preferNoFileLocks() { setenv(setting, "FALSE", 0); }

void allowWithoutFileLocks(const std::filesystem::path& file) {
  if (!canBeLocked(file)) preferNoFileLocks();
}

std::string remedyForFileLocks(const std::filesystem::path& file) {
  if (canBeLocked(file)) return "";
  return std::string(
             "HDF5 asks for a lock (flock), which this file system does not have: start "
             "the program with ") +
         setting + "=FALSE in its environment";
}

}  // namespace bundleio
