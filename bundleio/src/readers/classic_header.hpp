// Is a classic NetCDF file (CDF-5) as long as its header says?
#pragma once

#include <filesystem>

namespace bundleio {

/// netCDF-C gives zeros for what lies behind the end of a file. Throws BIO_FORMAT if something
/// does. Files of other kinds pass: their libraries look for themselves.
void checkNotCutOff(const std::filesystem::path& path);

}  // namespace bundleio
