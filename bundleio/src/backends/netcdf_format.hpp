// The common part of the serial and parallel NetCDF libraries. Their headers define the same macros
// differently, so neither is included here: each back end hands in an Api of static functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/backend.hpp"

namespace bundleio {

/// Codes of the NetCDF format for our types, by bio_type. Source: netcdf.h, NC_BYTE to NC_UINT64.
constexpr int netcdfType(Type type) {
  constexpr int codes[] = {2, 1, 7, 3, 8, 4, 9, 10, 11, 5, 6};
  return codes[type];
}
/// The other way; throws BIO_FORMAT for types that bundleio does not write.
Type typeOfNetcdf(int code);

/// Refuses, with the reason, what the classic formats cannot hold: NetCDF knows a length of zero
/// only as an unlimited dimension without entries, of which it has one, as first dimension.
void checkClassic(const Schema& schema);

/// A failed call of a NetCDF library. Positive codes are errno, where EACCES may be a guess; what
/// the library does not tell, the system does of `path`, which is of a step that is lost now.
Failure netcdfFailure(int code, const char* text, const std::string& what,
                      const std::filesystem::path& path);

/// See Backend::seriesKey; who owned what does not show in the files.
std::string classicSeriesKey(const Schema& schema);

/// The ids of the variables of `bundle` in the open file `id`, by variable index.
template <class Api>
std::map<int, int> findBundle(const Api& api, const Schema& schema, const Bundle& bundle) {
  std::map<int, int> ids;
  for (const int index : bundle.variables) ids[index] = api.findVariable(schema.variable(index));
  return ids;
}

/// Defines everything of `bundle` in the open file `id`; returns the file's ids by variable index.
template <class Api>
std::map<int, int> defineBundle(const Api& api, const Schema& schema, const Bundle& bundle) {
  std::vector<int> dimensions;
  for (const Dimension& dimension : bundle.dimensions) {
    // A length of zero is how NetCDF spells "unlimited": both are 0 here.
    const std::int64_t length = dimension.unlimited ? 0 : dimension.length;
    dimensions.push_back(api.defineDimension(dimension.name, length));
  }
  for (const Attribute& attribute : bundle.attributes) api.putAttribute(-1, attribute);
  std::map<int, int> ids;
  for (const int index : bundle.variables) {
    const Variable& variable = schema.variable(index);
    std::vector<int> used;
    for (const int dimension : variable.dimensions) {
      used.push_back(dimensions[static_cast<std::size_t>(dimension)]);
    }
    const int id = api.defineVariable(variable, used);
    ids[index] = id;
    for (const Attribute& attribute : variable.attributes) api.putAttribute(id, attribute);
  }
  return ids;
}

}  // namespace bundleio
