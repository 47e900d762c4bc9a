#include "backends/netcdf_format.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "model/layout.hpp"

namespace bundleio {

namespace {

// The system's error for a file that a library could not make or write, on a file system that is
// dead or read-only, say: 0 for nothing. Where the file is not there, another one beside it is made
// and removed again, since another rank may be about to make this one.
int errorOfOpening(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file >= 0) {
    ::close(file);
    return 0;
  }
  if (errno != ENOENT) return errno;
  std::string probe = path.parent_path() / ".probe-XXXXXX";
  const int made = ::mkostemp(probe.data(), O_CLOEXEC);
  if (made < 0) return errno;
  ::unlink(probe.c_str());
  ::close(made);
  return 0;
}

}  // namespace

Type typeOfNetcdf(int code) {
  for (const TypeInfo& info : typeTable) {
    if (netcdfType(info.type) == code) return info.type;
  }
  throw Failure(BIO_FORMAT, "NetCDF type " + std::to_string(code) + " is not one that is written");
}

void checkClassic(const Schema& schema) {
  for (const Bundle& bundle : schema.bundles()) {
    int growing = 0;
    for (const Dimension& dimension : bundle.dimensions) {
      growing += dimension.unlimited || dimension.length == 0 ? 1 : 0;
    }
    if (growing > 1) {
      throw Failure(BIO_BAD_ARGUMENT,
                    "bundle '" + bundle.name +
                        "': classic NetCDF holds one dimension that is unlimited or has length 0; "
                        "use netcdf4, bp5 or posix");
    }
    for (const int index : bundle.variables) {
      const Variable& variable = schema.variable(index);
      for (std::size_t i = 1; i < variable.lengths.size(); ++i) {
        if (variable.lengths[i] != 0) continue;
        throw Failure(BIO_BAD_ARGUMENT,
                      "variable '" + variable.name +
                          "': classic NetCDF holds a dimension of length 0 only as the first; "
                          "use netcdf4, bp5 or posix");
      }
    }
  }
}

std::string classicSeriesKey(const Schema& schema) {
  return "CDF-5 " + std::to_string(hashOf(storedText(schema)));
}

Failure netcdfFailure(int code, const char* text, const std::string& what,
                      const std::filesystem::path& path) {
  const std::string subject = what + " " + path.string();
  if (code > 0 && code != EACCES) return systemFailure(code, subject);
  // Some libraries turn the system's error into one of their own, but leave its number.
  for (const int left : {ENOSPC, EDQUOT, EFBIG, EIO, EROFS}) {
    if (errno == left) return systemFailure(left, subject);
  }
  const int told = errorOfOpening(path);
  if (told != 0) return systemFailure(told, subject);
  struct statvfs space {};
  if (::statvfs(path.parent_path().c_str(), &space) == 0 && space.f_bavail == 0) {
    return systemFailure(ENOSPC, subject);
  }
  if (code > 0) return systemFailure(code, subject);
  return {BIO_IO, subject + ": " + text};
}

}  // namespace bundleio
