// Room for a file on its disk, taken before an I/O library writes the first byte.
//
// Libraries meet a full disk in the middle of a collective operation. HDF5 then leaves other ranks
// waiting, and some MPI-IO tells nobody that a write was cut off. What was claimed cannot run out:
// a lack of room is an error of ours, before any library is in the way.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace bundleio {

/// Own: what a format may take beside the values: the room that PnetCDF keeps behind a header, and
/// HDF5's and ADIOS2's descriptions of a variable, roughly.
inline std::int64_t descriptionBytes(std::size_t bundles, std::size_t variables) {
  return (static_cast<std::int64_t>(bundles) << 16) + (static_cast<std::int64_t>(variables) << 12);
}

/// While it lives, a write beyond the limit on a file's size (RLIMIT_FSIZE) fails on this thread,
/// and on those that it starts, with EFBIG. By default it ends the process by SIGXFSZ.
class FileLimitAsError {
 public:
  FileLimitAsError();
  ~FileLimitAsError();
  FileLimitAsError(const FileLimitAsError&) = delete;
  FileLimitAsError& operator=(const FileLimitAsError&) = delete;

 private:
  sigset_t before_{};
};

/// Throws if this process may not write so many bytes to a file (RLIMIT_FSIZE).
void checkFileLimit(const std::filesystem::path& file, std::int64_t bytes);
/// Takes room for the first `bytes` of a file that exists, and leaves its length. Throws if there
/// is not as much (disk, quota); does nothing where the file system takes no room in advance.
void claimRoom(const std::filesystem::path& file, std::int64_t bytes);
/// Gives back what was claimed beyond the file's end.
void returnRoom(const std::filesystem::path& file);

}  // namespace bundleio
