// A checksum of values as they lie in memory, faster than they can be read from a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bundleio {

/// XXH64, of bytes that come piece by piece; however they are cut, the sum is the same.
/// Source: Collet, xxHash fast digest algorithm, specification 0.1.1, section XXH64.
class Checksum {
 public:
  explicit Checksum(std::uint64_t seed = 0);
  void add(const void* bytes, std::size_t count);
  /// Of what was added so far.
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> lanes_;
  std::array<unsigned char, 32> rest_{};  // the last bytes, fewer than a stripe
  std::uint64_t bytes_ = 0;
};

std::uint64_t checksumOf(const void* bytes, std::size_t count);

}  // namespace bundleio
