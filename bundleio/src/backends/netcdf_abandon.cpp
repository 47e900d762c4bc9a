// Closing a NetCDF-4 file whatever is wrong in it, by the library below netCDF-C.
#include <hdf5.h>

#include <vector>

#include "backends/netcdf_library.hpp"

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
