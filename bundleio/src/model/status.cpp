#include "model/status.hpp"

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

Failure systemFailure(int errorNumber, const std::string& what) {
  return {statusOf(errorNumber), what + ": " + std::strerror(errorNumber)};
}

}  // namespace bundleio
