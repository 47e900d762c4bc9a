// The lines of a pattern file: what a model defines and puts, without its values. Its grammar is in
// docs/reference/bundleio-pattern.md. The tools read it; the library only writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

inline constexpr const char* patternHeader = "bundleio-pattern 1";

/// Planes of a variable, announced by one put.
struct PutRange {
  int variable;
  std::int64_t firstPlane;
  std::int64_t planes;
  bool operator==(const PutRange& other) const {
    return variable == other.variable && firstPlane == other.firstPlane && planes == other.planes;
  }
};

/// The line of a decomposition, and those of its boxes if ranks hand over boxes.
std::string decompositionText(const Decomposition& decomposition);
/// The line of the cells of one rank of a map: runs of equal stride, FIRST:COUNT:STRIDE. Empty for
/// no cells.
std::string cellsText(int rank, const std::vector<std::int64_t>& cells);
/// Bundles, dimensions, variables and the names, types and lengths of attributes.
std::string definitionsText(const Schema& schema);
std::string putsText(const std::vector<PutRange>& puts);
/// One value per rank as runs of equal ones, VALUE*COUNT, each after a blank.
std::string runsText(const std::vector<std::int64_t>& values);

}  // namespace bundleio
