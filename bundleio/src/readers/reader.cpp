#include "reader.hpp"

#include <algorithm>
#include <cstring>

#include "backends/posix.hpp"
#include "readers.hpp"

namespace bundleio {

namespace fs = std::filesystem;

std::unique_ptr<Reader> Reader::open(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw Failure(BIO_NOT_FOUND, folder.string() + " is not a step");
  if (fs::exists(folder / posixLayoutName)) return openPosix(folder);
  if (fs::exists(folder / bpFolderName)) {
#ifdef BUNDLEIO_WITH_ADIOS2
    return openBp(folder);
#else
    throw Failure(BIO_NOT_BUILT, folder.string() + " was written by bp5, which this build lacks");
#endif
  }
  return openNetcdf(folder);
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

void Reader::fillCells(const Variable& variable, std::int64_t cells, std::byte* values) {
  const auto fill = variable.fill();
  const std::size_t bytes = static_cast<std::size_t>(cells) * fill.size();
  if (bytes == 0) return;
  // What is filled already is copied behind itself: few calls for many cells.
  std::memcpy(values, fill.data(), fill.size());
  for (std::size_t done = fill.size(); done < bytes; done *= 2) {
    std::memcpy(values + done, values, std::min(done, bytes - done));
  }
}

}  // namespace bundleio
