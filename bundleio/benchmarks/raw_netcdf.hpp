// What the serial and the parallel form of netCDF-C share: the definitions of a bundle's file.
#pragma once

#include <netcdf.h>

#include <vector>

#include "raw.hpp"

namespace bundleio::raw {

inline void checkNetcdf(int code) { require(code == NC_NOERR, "netCDF"); }

/// Ids by position in the bundle; the file is left in define mode.
inline std::vector<int> defineNetcdf(int file, const Schema& schema, const Bundle& bundle) {
  const auto putText = [&](int variable, const Attribute& attribute) {
    checkNetcdf(nc_put_att_text(file, variable, attribute.name.c_str(),
                                static_cast<std::size_t>(attribute.count),
                                reinterpret_cast<const char*>(attribute.bytes.data())));
  };
  std::vector<int> dimensions;
  for (const Dimension& dimension : bundle.dimensions) {
    dimensions.push_back(-1);
    const auto length = static_cast<std::size_t>(dimension.unlimited ? 0 : dimension.length);
    checkNetcdf(nc_def_dim(file, dimension.name.c_str(), length, &dimensions.back()));
  }
  for (const Attribute& attribute : bundle.attributes) putText(NC_GLOBAL, attribute);
  std::vector<int> ids;
  for (const int index : bundle.variables) {
    const Variable& variable = schema.variable(index);
    std::vector<int> used;
    for (const int at : variable.dimensions) {
      used.push_back(dimensions[static_cast<std::size_t>(at)]);
    }
    ids.push_back(-1);
    checkNetcdf(nc_def_var(file, variable.name.c_str(), NC_FLOAT, static_cast<int>(used.size()),
                           used.data(), &ids.back()));
    for (const Attribute& attribute : variable.attributes) putText(ids.back(), attribute);
  }
  return ids;
}

}  // namespace bundleio::raw
