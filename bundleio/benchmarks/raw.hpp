// One step of the model written by direct calls of each I/O library, with the settings that
// bundleio uses: what is left of bundleio's cost beside it is the cost of the layer.
//
// Not for use by models: nothing is checked beyond return codes, and any failure ends the job.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "geos_model.hpp"
#include "model/hyperslab.hpp"

namespace bundleio::raw {

struct Work {
  MPI_Comm comm;
  const Schema& schema;  // a plain list of bundles and variables here
  const GeosModel& model;
  std::filesystem::path folder;  // of the step; there already
};

void writePosix(const Work& work);
#ifdef BUNDLEIO_WITH_PNETCDF
void writePnetcdf(const Work& work);
#endif
#ifdef BUNDLEIO_WITH_NETCDF4
void writeNetcdf4(const Work& work);
#endif
#ifdef BUNDLEIO_WITH_ADIOS2
void writeBp5(const Work& work);
#endif

/// Ends the job unless `isWell`.
void require(bool isWell, const char* what);
/// The hints for MPI-IO that bundleio would give.
std::map<std::string, std::string> hintsOf(const Work& work);
/// Four-dimensional or three-dimensional start and count of this rank's part of a variable.
Hyperslab ownSlab(const Variable& variable);

}  // namespace bundleio::raw
