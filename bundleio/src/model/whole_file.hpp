// Reads a file at once.
#pragma once

#include <filesystem>
#include <string>

namespace bundleio {

/// All bytes of the file; throws what the system said.
std::string wholeFile(const std::filesystem::path& path);

}  // namespace bundleio
