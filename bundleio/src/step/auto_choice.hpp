// Back end "auto": finds out what the platform is like, and chooses a back end.
#pragma once

#include <filesystem>
#include <string>

#include "guard/file_system.hpp"
#include "model/communicator.hpp"
#include "model/options.hpp"

namespace bundleio {

struct Choice {
  std::string backend;
  std::string reason;  // one line
};

/// The facts that a choice rests on.
struct Platform {
  int ranks;
  int nodes;
  bool hasBp5;
  bool hasPnetcdf;
  FileSystem fileSystem;
  std::string mpiIo;              // the component that opens files
  double ownSeconds;              // of the probe: every rank a file of its own; 0: not probed
  double sharedSeconds;           // all ranks one file, in turns of a few KiB, collectively
  std::string mpiIoProblem = {};  // why no shared file can be written by MPI-IO; empty: it can
};

/// The rule alone: equal platforms give equal choices.
Choice chooseFor(const Platform& platform);

/// Probes `folder`, which exists, for less than a second, unless option auto_probe=no or the
/// environment's BUNDLEIO_AUTO_PROBE=no makes the choice repeatable. Rank 0 decides. Collective.
Choice chooseBackend(const Communicator& comm, const std::filesystem::path& folder,
                     const Options& options);

}  // namespace bundleio
