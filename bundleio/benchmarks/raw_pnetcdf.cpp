// Direct Parallel NetCDF: per bundle one iput per variable and one wait for all.
#include <pnetcdf.h>

#include <vector>

#include "backends/mpi_info.hpp"
#include "raw.hpp"

namespace bundleio::raw {

namespace {

void check(int code) { require(code == NC_NOERR, "PnetCDF"); }

void putText(int file, int variable, const Attribute& attribute) {
  check(ncmpi_put_att_text(file, variable, attribute.name.c_str(), attribute.count,
                           reinterpret_cast<const char*>(attribute.bytes.data())));
}

std::vector<int> define(int file, const Schema& schema, const Bundle& bundle) {
  std::vector<int> dimensions;
  for (const Dimension& dimension : bundle.dimensions) {
    dimensions.push_back(-1);
    check(ncmpi_def_dim(file, dimension.name.c_str(), dimension.unlimited ? 0 : dimension.length,
                        &dimensions.back()));
  }
  for (const Attribute& attribute : bundle.attributes) putText(file, NC_GLOBAL, attribute);
  std::vector<int> ids;
  for (const int index : bundle.variables) {
    const Variable& variable = schema.variable(index);
    std::vector<int> used;
    for (const int at : variable.dimensions) {
      used.push_back(dimensions[static_cast<std::size_t>(at)]);
    }
    ids.push_back(-1);
    check(ncmpi_def_var(file, variable.name.c_str(), NC_FLOAT, static_cast<int>(used.size()),
                        used.data(), &ids.back()));
    for (const Attribute& attribute : variable.attributes) putText(file, ids.back(), attribute);
  }
  check(ncmpi__enddef(file, 64 << 10, 4, 0, 4));
  return ids;
}

}  // namespace

void writePnetcdf(const Work& work) {
  auto named = hintsOf(work);
  // As bundleio: a model's values are not to be changed, not even for a moment.
  named["nc_in_place_swap"] = "disable";
  const MpiInfo hints(named);
  for (const Bundle& bundle : work.schema.bundles()) {
    const auto path = work.folder / (bundle.name + ".nc");
    int file = -1;
    check(ncmpi_create(work.comm, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, hints.handle(), &file));
    const std::vector<int> ids = define(file, work.schema, bundle);
    std::vector<int> requests(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Variable& variable = work.schema.variable(bundle.variables[i]);
      const Hyperslab slab = ownSlab(variable);
      const std::vector<MPI_Offset> start(slab.start.begin(), slab.start.end());
      const std::vector<MPI_Offset> count(slab.count.begin(), slab.count.end());
      check(ncmpi_iput_vara_float(file, ids[i], start.data(), count.data(),
                                  work.model.values(bundle.variables[i]), &requests[i]));
    }
    std::vector<int> states(ids.size());
    check(ncmpi_wait_all(file, static_cast<int>(requests.size()), requests.data(), states.data()));
    check(ncmpi_close(file));
  }
}

}  // namespace bundleio::raw
