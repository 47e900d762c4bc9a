// The steps of a run that a subcommand was told to work on.
#pragma once

#include <cstdint>
#include <vector>

#include "run_folder.hpp"

namespace bundleio {

/// Throws BIO_NOT_FOUND where there is none, with what may have been meant.
std::vector<std::int64_t> stepsOf(const RunFolder& run);

}  // namespace bundleio
