// One factory per back end; those that were not built are not linked.
#pragma once

#include "backends/backend.hpp"

namespace bundleio {

std::unique_ptr<Backend> makePosixBackend();
std::unique_ptr<Backend> makeGatherBackend(const Options& options);
std::unique_ptr<Backend> makePnetcdfBackend(const Options& options);
std::unique_ptr<Backend> makeNetcdf4Backend(const Options& options);
std::unique_ptr<Backend> makeBp5Backend(const Options& options);

}  // namespace bundleio
