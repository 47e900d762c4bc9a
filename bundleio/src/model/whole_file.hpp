// Reads a file at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bundleio {

/// All bytes of the file; throws what the system said.
std::string wholeFile(const std::filesystem::path& path);
/// Nothing where there is no such file. One that cannot be looked at is an error all the same.
std::optional<std::string> wholeFileIfThere(const std::filesystem::path& path);

}  // namespace bundleio
