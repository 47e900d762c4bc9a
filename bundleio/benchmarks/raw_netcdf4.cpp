// Direct parallel NetCDF-4: one collective put per variable.
#include <netcdf.h>
// Needs what netcdf.h defines.
#include <netcdf_par.h>

#include <vector>

#include "backends/mpi_info.hpp"
#include "raw.hpp"

namespace bundleio::raw {

namespace {

void check(int code) { require(code == NC_NOERR, "netCDF"); }

// Ids by position in the bundle; the file is left in define mode.
std::vector<int> define(int file, const Schema& schema, const Bundle& bundle) {
  const auto putText = [&](int variable, const Attribute& attribute) {
    check(nc_put_att_text(file, variable, attribute.name.c_str(),
                          static_cast<std::size_t>(attribute.count),
                          reinterpret_cast<const char*>(attribute.bytes.data())));
  };
  std::vector<int> dimensions;
  for (const Dimension& dimension : bundle.dimensions) {
    dimensions.push_back(-1);
    const auto length = static_cast<std::size_t>(dimension.unlimited ? 0 : dimension.length);
    check(nc_def_dim(file, dimension.name.c_str(), length, &dimensions.back()));
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
    check(nc_def_var(file, variable.name.c_str(), NC_FLOAT, static_cast<int>(used.size()),
                     used.data(), &ids.back()));
    for (const Attribute& attribute : variable.attributes) putText(ids.back(), attribute);
  }
  return ids;
}

}  // namespace

void writeNetcdf4(const Work& work) {
  const MpiInfo hints(hintsOf(work));
  for (const Bundle& bundle : work.schema.bundles()) {
    const auto path = work.folder / (bundle.name + ".nc");
    int file = -1;
    check(nc_create_par(path.c_str(), NC_NETCDF4 | NC_CLOBBER, work.comm, hints.handle(), &file));
    const std::vector<int> ids = define(file, work.schema, bundle);
    for (const int id : ids) check(nc_def_var_fill(file, id, NC_NOFILL, nullptr));
    check(nc_enddef(file));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      check(nc_var_par_access(file, ids[i], NC_COLLECTIVE));
      const Hyperslab slab = ownSlab(work.schema.variable(bundle.variables[i]));
      check(nc_put_vara_float(file, ids[i], slab.start.data(), slab.count.data(),
                              work.model.values(bundle.variables[i])));
    }
    check(nc_close(file));
  }
}

}  // namespace bundleio::raw
