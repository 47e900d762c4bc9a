// One factory per format.
#pragma once

#include "readers/reader.hpp"

namespace bundleio {

std::unique_ptr<Reader> openPosix(const std::filesystem::path& folder);
std::unique_ptr<Reader> openNetcdf(const std::filesystem::path& folder);
std::unique_ptr<Reader> openBp(const std::filesystem::path& folder);

}  // namespace bundleio
