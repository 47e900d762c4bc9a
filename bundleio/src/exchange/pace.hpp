// The most that is under way at once, unless an option says it: in proportion to what a rank
// holds, so that buffers stay small beside it, fit into caches in a small run, and reach MPI-IO's
// usual 16 MiB in a large one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "model/options.hpp"
#include "model/schema.hpp"

namespace bundleio {

/// Option window_mib; 0: what the step asks for.
inline std::int64_t windowMebibytes(const Options& options) {
  return options.number("window_mib", 0, 1 << 20);
}

/// A share of a step in whole mebibytes, between two bounds; the same on all ranks.
inline std::int64_t shareMebibytes(const Schema& schema, std::int64_t shares, std::int64_t least,
                                   std::int64_t most) {
  return std::clamp((schema.stepBytes() / shares) >> 20, least, most);
}

/// A sixteenth of what a rank holds on average.
inline std::int64_t ownSixteenthMebibytes(const Schema& schema, int ranks, std::int64_t most) {
  return shareMebibytes(schema, std::int64_t{16} * ranks, 1, most);
}

/// PnetCDF counts the bytes of one rank between two flushes in an int: as many for a window, and
/// twice a call's for its uneven division.
inline constexpr std::int64_t windowMebibytesMax = 512;

/// Bytes that a rank hands to a shared file at once. With maps half as much, as planes of their
/// boxes lie beside it: see box_planes.hpp.
inline std::int64_t windowBytes(std::int64_t windowMebibytes, const Schema& schema, int ranks) {
  const auto used = schema.decompositions();
  const bool hasMaps = std::any_of(used.begin(), used.end(), [](const Decomposition* one) {
    return one->rearrangement() != nullptr;
  });
  const std::int64_t shares = std::int64_t{hasMaps ? 32 : 16} * ranks;
  const std::int64_t wanted =
      windowMebibytes > 0 ? windowMebibytes : shareMebibytes(schema, shares, 1, 64);
  return std::min(wanted, windowMebibytesMax) << 20;
}

/// MPI-IO's buffer on a rank that aggregates: hint cb_buffer_size.
inline std::string aggregationBuffer(const Schema& schema, int ranks) {
  return std::to_string(ownSixteenthMebibytes(schema, ranks, 16) << 20);
}

/// The hints that were given, and that buffer if they do not name one.
inline std::map<std::string, std::string> pacedHints(const Options& options, const Schema& schema,
                                                     int ranks) {
  auto hints = options.hints();
  hints.emplace("cb_buffer_size", aggregationBuffer(schema, ranks));
  // Data sieving reads what lies between the parts that a rank writes: nothing where ranks exchange
  // planes, and else what other ranks write.
  hints.emplace("romio_ds_write", "disable");
  return hints;
}

}  // namespace bundleio
