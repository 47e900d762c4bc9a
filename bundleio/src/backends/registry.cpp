#include "backends/backend.hpp"
#include "backends/factories.hpp"
#include "model/layout.hpp"

namespace bundleio {

namespace {

#ifdef BUNDLEIO_WITH_ADIOS2
constexpr bool hasAdios2 = true;
#else
constexpr bool hasAdios2 = false;
std::unique_ptr<Backend> noBp5() {
  throw Failure(BIO_NOT_BUILT,
                "back end bp5 needs ADIOS2 with MPI, which was not found when bundleio was built: "
                "run scripts/bundleio-setup.sh --adios2 and build again");
}
#endif

}  // namespace

std::vector<std::string> backendNames() {
  std::vector<std::string> names{"posix", "gather", "pnetcdf", "netcdf4"};
  if (hasAdios2) names.emplace_back("bp5");
  return names;
}

std::unique_ptr<Backend> makeBackend(const std::string& name, const Options& options) {
  if (name == "posix") return makePosixBackend();
  if (name == "gather") return makeGatherBackend(options);
  if (name == "pnetcdf") return makePnetcdfBackend(options);
  if (name == "netcdf4") return makeNetcdf4Backend(options);
#ifdef BUNDLEIO_WITH_ADIOS2
  if (name == "bp5") return makeBp5Backend(options);
#else
  if (name == "bp5") return noBp5();
#endif
  throw Failure(BIO_BAD_ARGUMENT, "unknown back end '" + name +
                                      "': use posix, gather, pnetcdf, netcdf4, bp5 or auto");
}

std::filesystem::path bundleFile(const Step& step, const Bundle& bundle) {
  return step.folder / (encoded(bundle.name) + ".nc");
}

}  // namespace bundleio
