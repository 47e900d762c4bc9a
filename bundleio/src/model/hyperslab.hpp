// Parts of a variable in the terms of NetCDF and ADIOS2: a start and a count for each dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

/// Bytes that one rank may hand to one collective call. Own: an eighth of what an int counts, since
/// MPI-IO adds up the calls of several ranks.
inline constexpr std::int64_t collectiveBytesMax = 1 << 28;

/// A rectangle of a variable: start and count over all its dimensions, slowest first.
struct Hyperslab {
  std::vector<std::size_t> start;
  std::vector<std::size_t> count;
};
/// The same as a box.
Block blockOf(const Hyperslab& slab);
/// Bytes of a slab's values, which follow each other in memory.
std::size_t slabBytes(const Hyperslab& slab, Type type);
/// `block` of `planes` planes from `firstPlane` as few rectangles; each is dense in memory.
std::vector<Hyperslab> hyperslabs(const Variable& variable, const Block& block,
                                  std::int64_t firstPlane, std::int64_t planes);
/// Cuts `slab` into rectangles of at most `cellsMax` cells (at least 1) that follow each other in
/// memory. Nothing stays one rectangle.
std::vector<Hyperslab> cut(const Hyperslab& slab, std::size_t cellsMax);
/// hyperslabs() for collective calls, whose libraries count the bytes of a call in an int: each of
/// a large variable is cut, and ranks with fewer write nothing at last, so that all have equally
/// many. `block` and nothing else may differ between ranks. Collective where the variable is large.
std::vector<Hyperslab> collectiveHyperslabs(const Communicator& comm, const Variable& variable,
                                            const Block& block, std::int64_t firstPlane,
                                            std::int64_t planes);

}  // namespace bundleio
