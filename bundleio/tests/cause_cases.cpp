// Where a library does not say what the system said, the system is asked: with a file of its own,
// since another rank may be writing the step's.
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string>

#include "backends/netcdf_format.hpp"
#include "promise.hpp"

namespace {

using namespace bundleio;
namespace fs = std::filesystem;

// An error of HDF5, of which netCDF says no more.
Failure failureOf(const fs::path& file) {
  errno = 0;
  return netcdfFailure(-101, "NetCDF: HDF error", "create", file);
}

// The names of files that were made in, or left, the watched folder.
std::set<std::string> namesSeen(int watch) {
  std::set<std::string> names;
  alignas(inotify_event) std::array<char, 1 << 14> events{};
  const ssize_t bytes = ::read(watch, events.data(), events.size());
  for (ssize_t at = 0; at < bytes;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
    names.insert(event->name);
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  return names;
}

void theStepsFileIsNeitherMadeNorRemoved(const fs::path& folder) {
  fs::create_directories(folder);
  const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  promise(watch >= 0 && ::inotify_add_watch(watch, folder.c_str(), IN_CREATE | IN_DELETE) >= 0,
          "a folder is watched");
  const Failure failure = failureOf(folder / "ocean.nc");
  promise(failure.status() == BIO_IO &&
              std::string(failure.what()).find("HDF error") != std::string::npos,
          "where the system has no error, the library's text is told");
  const std::set<std::string> seen = namesSeen(watch);
  promise(!seen.empty(), "the system was asked by making a file");
  promise(seen.count("ocean.nc") == 0, "which was not the step's");
  promise(fs::is_empty(folder), "and is gone");
  ::close(watch);
}

void theSystemsErrorIsTold(const fs::path& folder) {
  const Failure failure = failureOf(folder / "missing" / "ocean.nc");
  promise(std::string(failure.what()).find("No such file or directory") != std::string::npos,
          "where no file can be made, the system's error is told");
  const Failure ofFolder = failureOf(folder);
  promise(std::string(ofFolder.what()).find("Is a directory") != std::string::npos,
          "and that of a file that is there, but cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  fs::remove_all(argv[1]);
  theStepsFileIsNeitherMadeNorRemoved(argv[1]);
  theSystemsErrorIsTold(argv[1]);
  fs::remove_all(argv[1]);
  return failures == 0 ? 0 : 1;
}
