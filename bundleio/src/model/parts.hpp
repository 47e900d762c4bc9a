// A step as a list of parts, small enough for memory and shared out over the ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

/// A box over all dimensions of a variable; its cells follow each other in a NetCDF file.
struct Part {
  int variable;
  Block box;
};

std::size_t partBytes(const Schema& schema, const Part& part);
/// Parts of `box` of a variable, of at most `bytesMax` each or one cell, in the order of its cells.
std::vector<Part> partsOf(const Schema& schema, int variable, const Block& box,
                          std::size_t bytesMax);
/// The share of `rank` when all parts of a step stand in the order of bundles and variables and
/// every rank takes equally many bytes, one after another: it finds them together in files.
std::vector<Part> shareOf(const Schema& schema, int rank, int ranks, std::size_t bytesMax);

}  // namespace bundleio
