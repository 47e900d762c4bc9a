// Direct parallel NetCDF-4: one collective put per variable.
#include <netcdf.h>
// Needs what netcdf.h defines.
#include <netcdf_par.h>

#include "backends/mpi_info.hpp"
#include "raw_netcdf.hpp"

namespace bundleio::raw {

void writeNetcdf4(const Work& work) {
  const MpiInfo hints(hintsOf(work));
  for (const Bundle& bundle : work.schema.bundles()) {
    const auto path = work.folder / (bundle.name + ".nc");
    int file = -1;
    checkNetcdf(
        nc_create_par(path.c_str(), NC_NETCDF4 | NC_CLOBBER, work.comm, hints.handle(), &file));
    const std::vector<int> ids = defineNetcdf(file, work.schema, bundle);
    for (const int id : ids) checkNetcdf(nc_def_var_fill(file, id, NC_NOFILL, nullptr));
    checkNetcdf(nc_enddef(file));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      checkNetcdf(nc_var_par_access(file, ids[i], NC_COLLECTIVE));
      const Hyperslab slab = ownSlab(work.schema.variable(bundle.variables[i]));
      checkNetcdf(nc_put_vara_float(file, ids[i], slab.start.data(), slab.count.data(),
                                    work.model.values(bundle.variables[i])));
    }
    checkNetcdf(nc_close(file));
  }
}

}  // namespace bundleio::raw
