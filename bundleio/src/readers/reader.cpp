#include "readers/reader.hpp"

#include "backends/bp_format.hpp"
#include "backends/posix.hpp"
#include "readers/readers.hpp"

namespace bundleio {

namespace fs = std::filesystem;

std::unique_ptr<Reader> Reader::open(const fs::path& folder) {
  const StepPlace place = placeOfStep(folder);
  if (fs::exists(place.folder / posixLayoutName)) return openPosix(place);
  if (fs::exists(place.folder / bpFolderName)) {
#ifdef BUNDLEIO_WITH_ADIOS2
    return openBp(place);
#else
    throw Failure(BIO_NOT_BUILT, folder.string() + " was written by bp5, which this build lacks");
#endif
  }
  return openNetcdf(place);
}

std::vector<int> Reader::adopt(const Schema& written) {
  std::vector<int> originals;
  for (const Bundle& bundle : written.bundles()) {
    const int made = schema_.copyBundle(bundle);
    for (const int index : bundle.variables) {
      schema_.copyVariable(made, written.variable(index), nullptr);
      originals.push_back(index);
    }
  }
  return originals;
}

}  // namespace bundleio
