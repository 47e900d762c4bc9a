#include "backends/netcdf_library.hpp"

namespace bundleio {

void NetcdfFile::check(int code, const std::string& what) const {
  if (code != NC_NOERR) throw netcdfFailure(code, nc_strerror(code), what, path_);
}

int NetcdfFile::defineDimension(const std::string& name, std::int64_t length) const {
  int made = -1;
  check(nc_def_dim(id_, name.c_str(), static_cast<std::size_t>(length), &made),
        "define dimension '" + name + "' in");
  return made;
}

int NetcdfFile::defineVariable(const Variable& variable, const std::vector<int>& dimensions) const {
  int made = -1;
  check(nc_def_var(id_, variable.name.c_str(), netcdfType(variable.type),
                   static_cast<int>(dimensions.size()), dimensions.data(), &made),
        "define variable '" + variable.name + "' in");
  return made;
}

int NetcdfFile::findVariable(const Variable& variable) const {
  int found = -1;
  check(nc_inq_varid(id_, variable.name.c_str(), &found),
        "find variable '" + variable.name + "' in");
  return found;
}

void NetcdfFile::putAttribute(int variable, const Attribute& attribute) const {
  const auto count = static_cast<std::size_t>(attribute.count);
  check(nc_put_att(id_, variable, attribute.name.c_str(), netcdfType(attribute.type), count,
                   attribute.bytes.data()),
        "define attribute '" + attribute.name + "' in");
}

}  // namespace bundleio
