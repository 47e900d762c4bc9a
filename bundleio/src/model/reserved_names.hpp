// Names that a format keeps for itself.
#pragma once

#include <string>

#include "model/schema.hpp"

namespace bundleio {

/// What back end `backend` cannot write, though the rules of names allow it: refused where it is
/// defined, before a library would at the first step.
NameRule reservedNames(const std::string& backend);

}  // namespace bundleio
