// One factory per format.
#pragma once

#include "readers/reader.hpp"
#include "readers/step_place.hpp"

namespace bundleio {

std::unique_ptr<Reader> openPosix(const StepPlace& place);
std::unique_ptr<Reader> openNetcdf(const StepPlace& place);
std::unique_ptr<Reader> openBp(const StepPlace& place);

}  // namespace bundleio
