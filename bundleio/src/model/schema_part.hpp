// The part of a schema that some steps hold, as a schema of its own: back ends, checksums and
// readers see it for a step in which not every variable is due.
// docs/decisions/0096-steps-that-lack-variables.md.
#pragma once

#include <vector>

#include "model/schema.hpp"

namespace bundleio {

struct SchemaPart {
  Schema schema;
  std::vector<int> numbers;  // by variable of the whole: its index here, or -1
};

/// `isDue` by variable of `whole`. A bundle of whose variables none is due is left out, unless
/// nothing would be left. Decompositions are those of `whole`.
SchemaPart partOf(const Schema& whole, const std::vector<bool>& isDue);

}  // namespace bundleio
