// Where a file of PIO lies: `foo.nc` is a link into the folder `foo.nc.steps`, which holds a run of
// bundleio.
#pragma once

#include <string>

#include "system.hpp"

namespace bundleio_pio {

/// The one bundle of such a run.
inline constexpr const char* kBundle = "data";

/// The run's folder for a file that is about to be made. Removes what is there; with `keep` that is
/// an error.
std::string makePlace(const System& system, const std::string& path, bool keep);
/// The link, once the run has a file to show.
void showFile(const System& system, const std::string& path);
/// The run's folder of a file that was made so, whatever name its link has by now.
std::string findPlace(const System& system, const std::string& path);

/// The place to which frames can be added: the run's folder, and whether its file is one of HDF5.
/// Throws where the file holds the only step of its run.
struct Growing {
  std::string run;
  bool isHdf5;
};
Growing findGrowing(const System& system, const std::string& path);
/// Throws unless all frames lie in one file.
void requireOneFile(const System& system, const std::string& run);

}  // namespace bundleio_pio
