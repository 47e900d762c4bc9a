// Locks by which HDF5 keeps others from a file that it has open: of flock, which some file systems
// of networks do not have. Only its serial readers ask for them; who writes in parallel does not.
#pragma once

#include <filesystem>
#include <string>

namespace bundleio {

/// Asks HDF5 for no locks, unless the environment says something else. It reads the setting when a
/// process uses it first, and never again.
void preferNoFileLocks();
/// The same, where `file` cannot be locked.
void allowWithoutFileLocks(const std::filesystem::path& file);
/// Says what to do where HDF5 could not open `file` for lack of locks; empty where it has locks.
[[nodiscard]] std::string remedyForFileLocks(const std::filesystem::path& file);

}  // namespace bundleio
