#include "backends/backend.hpp"
#include "backends/factories.hpp"
#include "model/layout.hpp"

namespace bundleio {

namespace {

[[noreturn]] std::unique_ptr<Backend> notBuilt(const std::string& name, const std::string& needs,
                                               const std::string& remedy) {
  throw Failure(BIO_NOT_BUILT,
                "back end " + name + " needs " + needs +
                    " for the same MPI, which was not found when bundleio was built: " + remedy +
                    " and build again");
}

}  // namespace

// A back end that lacks its library is not compiled.
std::vector<std::string> backendNames() {
  return {
      "posix",   "gather",
#ifdef BUNDLEIO_WITH_PNETCDF
      "pnetcdf",
#endif
#ifdef BUNDLEIO_WITH_NETCDF4
      "netcdf4",
#endif
#ifdef BUNDLEIO_WITH_ADIOS2
      "bp5",
#endif
  };
}

std::unique_ptr<Backend> makeBackend(const std::string& name, const Options& options) {
  if (name == "posix") return makePosixBackend();
  if (name == "gather") return makeGatherBackend(options);
#ifdef BUNDLEIO_WITH_PNETCDF
  if (name == "pnetcdf") return makePnetcdfBackend(options);
#endif
#ifdef BUNDLEIO_WITH_NETCDF4
  if (name == "netcdf4") return makeNetcdf4Backend(options);
#endif
#ifdef BUNDLEIO_WITH_ADIOS2
  if (name == "bp5") return makeBp5Backend(options);
#endif
  if (name == "pnetcdf")
    return notBuilt(name, "PnetCDF", "install it (for MPICH: scripts/bundleio-setup.sh --mpich)");
  if (name == "netcdf4") return notBuilt(name, "parallel netCDF-C and HDF5", "install both");
  if (name == "bp5") return notBuilt(name, "ADIOS2", "run scripts/bundleio-setup.sh --adios2");
  throw Failure(BIO_BAD_ARGUMENT, "unknown back end '" + name +
                                      "': use posix, gather, pnetcdf, netcdf4, bp5 or auto");
}

std::filesystem::path bundleFile(const Step& step, const Bundle& bundle) {
  return step.folder / (encoded(bundle.name) + ".nc");
}

}  // namespace bundleio
