// Where a file of PIO lies: `foo.nc` is a link into the folder `foo.nc.steps`, which holds a run of
// bundleio; or into `foo.nc.steps.2` and so on, where the first folder is that of a file that was
// renamed: docs/decisions/0203-a-renamed-file-keeps-its-folder.md.
#pragma once

#include <string>

#include "system.hpp"

namespace bundleio_pio {

/// The one bundle of such a run.
inline constexpr const char* kBundle = "data";

/// The name to which a link of the user's own leads, as the system follows it: the file lies there,
/// and the link stays.
std::string followLinks(const System& system, const std::string& path);
/// The run's folder for a file that is about to be made: that into which the link leads, or else
/// the first one that holds no frame. With `keep`, a file that is there is an error. Removes
/// nothing.
std::string findFreePlace(const System& system, const std::string& path, bool keep);
/// Removes the file that another one is made in place of.
void hideFile(const System& system, const std::string& path);
/// The link, once the run in `folder` has a file to show.
void showFile(const System& system, const std::string& path, const std::string& folder);
/// Makes what the link shows by now survive a loss of power. On a parallel file system a machine
/// stores what it wrote itself: all ranks sync the values, the first one the rest.
void syncFile(const System& system, const std::string& path, const std::string& folder);
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
