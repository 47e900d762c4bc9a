// Names that a format keeps for itself.
#pragma once

#include <string>

#include "model/schema.hpp"

namespace bundleio {

/// Refuses names that back end `backend` cannot write, though the rules of names allow them: at the
/// definition, before a library would at the first step.
NameRule reservedNames(const std::string& backend);

}  // namespace bundleio
