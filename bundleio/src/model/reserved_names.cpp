#include "model/reserved_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/layout.hpp"

namespace bundleio {

namespace {

// Source: netCDF-C 4.9.0, the attributes that nc_put_att refuses in a NetCDF-4 file: those of
// HDF5's dimension scales, and its own.
constexpr std::array<std::string_view, 14> netcdf4Attributes{"CLASS",
                                                             "DIMENSION_LIST",
                                                             "NAME",
                                                             "REFERENCE_LIST",
                                                             "_ARRAY_DIMENSIONS",
                                                             "_Codecs",
                                                             "_Format",
                                                             "_IsNetcdf4",
                                                             "_NCProperties",
                                                             "_NCZARR_ATTR",
                                                             "_Netcdf4Coordinates",
                                                             "_Netcdf4Dimid",
                                                             "_SuperblockVersion",
                                                             "_nc3_strict"};
// Is cut off from the names of variables that are read.
constexpr std::string_view netcdf4Prefix = "_nc4_non_coord_";

std::string whyNotNetcdf4(NameOf kind, const std::string& name) {
  const bool isReserved = kind != NameOf::variable &&
                          std::find(netcdf4Attributes.begin(), netcdf4Attributes.end(), name) !=
                              netcdf4Attributes.end();
  if (isReserved) return "is one that NetCDF-4 keeps for itself";
  const bool isCut = kind == NameOf::variable && name.rfind(netcdf4Prefix, 0) == 0;
  return isCut ? "starts as those that NetCDF-4 keeps for itself" : "";
}

// All attributes of a BP file have one list of names.
std::string whyNotBp5(NameOf kind, const Bundle& bundle, const std::string& name) {
  const bool isOurs = kind == NameOf::bundleAttribute && bundle.name + "/" + name == bpLayoutName;
  return isOurs ? "of this bundle is one that bundleio keeps for itself in BP files" : "";
}

}  // namespace

NameRule reservedNames(const std::string& backend) {
  if (backend == "netcdf4") {
    return [](NameOf kind, const Bundle&, const std::string& name) {
      return whyNotNetcdf4(kind, name);
    };
  }
  if (backend == "bp5") return whyNotBp5;
  return {};
}

}  // namespace bundleio
