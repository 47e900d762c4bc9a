// The netCDF-C library as both its serial and its parallel users here need it.
#pragma once

#include <netcdf.h>

#include "backends/netcdf_format.hpp"

namespace bundleio {

/// One open file of netCDF-C.
class NetcdfFile {
 public:
  NetcdfFile(int id, std::filesystem::path path) : id_(id), path_(std::move(path)) {}

  [[nodiscard]] int id() const { return id_; }
  void check(int code, const std::string& what) const;
  [[nodiscard]] int defineDimension(const std::string& name, std::int64_t length) const;
  [[nodiscard]] int defineVariable(const Variable& variable,
                                   const std::vector<int>& dimensions) const;
  [[nodiscard]] int findVariable(const Variable& variable) const;
  void putAttribute(int variable, const Attribute& attribute) const;
  /// Closes the file whatever is missing or wrong in it, and forgets what was not written. `name`
  /// is that with which it was created. Collective, over the ranks that have it open.
  void abandon(const std::string& name) const;

 private:
  int id_;
  std::filesystem::path path_;
};

}  // namespace bundleio
