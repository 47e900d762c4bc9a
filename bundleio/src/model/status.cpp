#include "model/status.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

namespace bundleio {

namespace {

Status statusOf(int errorNumber) {
  switch (errorNumber) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return BIO_NO_SPACE;
    case EACCES:
    case EPERM:
    case EROFS:
      return BIO_PERMISSION;
    case ENOENT:
      return BIO_NOT_FOUND;
    // A folder was named where a file is needed, or the other way round.
    case EISDIR:
    case ENOTDIR:
      return BIO_BAD_ARGUMENT;
    case EEXIST:
      return BIO_EXISTS;
    default:
      return BIO_IO;
  }
}

}  // namespace

std::string fileLimitRemedy() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    return ": this process may write " + std::to_string(limit.rlim_cur) +
           " bytes to a file: raise that (ulimit -f)";
  }
  return ": the file system takes no larger file: use fewer steps_per_file, or another path";
}

Failure systemFailure(int errorNumber, const std::string& what) {
  return {statusOf(errorNumber), what + ": " + std::strerror(errorNumber) +
                                     (errorNumber == EFBIG ? fileLimitRemedy() : "")};
}

Failure systemFailure(const std::filesystem::filesystem_error& error) {
  return systemFailure(error.code().value(), "use " + error.path1().string());
}

}  // namespace bundleio
