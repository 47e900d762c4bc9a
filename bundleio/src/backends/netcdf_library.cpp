#include "backends/netcdf_library.hpp"

#include <hdf5.h>

#include <vector>

namespace bundleio {

namespace {

std::vector<hid_t> openObjects(hid_t where, unsigned types) {
  const ssize_t count = H5Fget_obj_count(where, types);
  std::vector<hid_t> objects(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (!objects.empty()) H5Fget_obj_ids(where, types, objects.size(), objects.data());
  return objects;
}

bool hasName(hid_t file, const std::string& name) {
  std::string own(name.size() + 1, '\0');
  const ssize_t length = H5Fget_name(file, own.data(), own.size());
  own.pop_back();
  return length == static_cast<ssize_t>(name.size()) && own == name;
}

}  // namespace

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

// The library stops at the first variable that HDF5 does not know, and leaves the file open.
// nc_abort would lose what it knows of the file as well; so the library keeps it.
void NetcdfFile::abandon(const std::string& name) const {
  if (nc_close(id_) == NC_NOERR) return;
  for (const hid_t file : openObjects(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_FILE)) {
    if (!hasName(file, name)) continue;
    for (const hid_t object : openObjects(file, H5F_OBJ_ALL & ~H5F_OBJ_FILE)) H5Idec_ref(object);
    H5Fclose(file);
  }
}

}  // namespace bundleio
