// Hyperslabs of a stored variable: what lies at equal distances in each of its dimensions.
#pragma once

#include <cstddef>
#include <functional>

#include "model/schema.hpp"

namespace bundleio {

/// Of one read. Own: large enough that files are read in long runs, small beside a model's memory.
inline constexpr std::size_t readWindowBytes = 16 << 20;

/// For each dimension, slowest first: `count` entries from `start`, `stride` apart.
struct Slab {
  Extent start;
  Extent count;
  Extent stride;

  /// All of a variable.
  static Slab whole(const Variable& variable);
  /// Makes the counts as large as they can be from the starts, with these strides.
  void reachEnd(const Variable& variable);
  [[nodiscard]] std::int64_t cells() const { return cellCount(count); }
  /// Throws BIO_BAD_ARGUMENT where it is no slab of `variable`, which a message calls `name`.
  void check(const Variable& variable, const std::string& name) const;
};

/// Copies the slab, densely, by reads of boxes that fit a window. Strides are read over in the last
/// dimension, since formats lay rows together, and passed over in the others.
void readSlab(const Variable& variable, const Slab& slab, std::byte* values,
              const std::function<void(const Block& box, std::byte* values)>& read);

}  // namespace bundleio
