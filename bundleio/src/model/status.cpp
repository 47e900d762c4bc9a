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

namespace {

std::string descriptorsRemedy() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return ": this process may have " + std::to_string(limit.rlim_cur) +
         " open: raise that (ulimit -n)";
}

std::string remedyFor(int errorNumber) {
  if (errorNumber == EFBIG) return fileLimitRemedy();
  return errorNumber == EMFILE ? descriptorsRemedy() : "";
}

}  // namespace

Failure systemFailure(int errorNumber, const std::string& what) {
  const std::string why = std::strerror(errorNumber);
  return {statusOf(errorNumber), what + ": " + why + remedyFor(errorNumber)};
}

Failure systemFailure(const std::filesystem::filesystem_error& error) {
  return systemFailure(error.code().value(), "use " + error.path1().string());
}

}  // namespace bundleio
