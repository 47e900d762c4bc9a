#include "backends/netcdf_format.hpp"

#include <sys/statvfs.h>

#include <cerrno>

#include "model/layout.hpp"

namespace bundleio {

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
  if (code > 0) return systemFailure(code, what + " " + path.string());
  // Some libraries turn the system's error into one of their own, but leave its number.
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
    return systemFailure(errno, what + " " + path.string());
  }
  struct statvfs space {};
  if (::statvfs(path.parent_path().c_str(), &space) == 0 && space.f_bavail == 0) {
    return systemFailure(ENOSPC, what + " " + path.string());
  }
  return {BIO_IO, what + " " + path.string() + ": " + text};
}

}  // namespace bundleio
