// CRC-32C, and its arithmetic: sums of bytes that lie apart are put together without reading them
// again.
//
// Without the inversions at its ends the sum is a remainder of polynomials over two elements, and
// so linear: the remainder of a file is the exclusive or of the remainders of its parts, each
// with as many zeros behind it as bytes follow the part. Every rank contributes what it holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bundleio {

/// As published: check value 0xE3069283 for "123456789".
/// Source: RFC 3720 (iSCSI), appendix B.4; polynomial 0x1EDC6F41, lowest bit first.
std::uint32_t crc32c(const void* bytes, std::size_t count);

/// Of bytes that follow those whose remainder is `before`.
std::uint32_t remainderOf(const std::byte* bytes, std::size_t count, std::uint32_t before = 0);
/// With `zeros` bytes of zero behind.
std::uint32_t shifted(std::uint32_t remainder, std::uint64_t zeros);
/// The remainder of 1, whose bit is the highest.
inline constexpr std::uint32_t remainderOfOne = 1U << 31U;
/// The CRC-32C of `count` bytes that leave this remainder.
std::uint32_t published(std::uint32_t remainder, std::uint64_t count);

/// shifted() for one number of zeros, some cycles instead of hundreds.
class Shift {
 public:
  explicit Shift(std::uint64_t zeros);
  /// x to the power of 32 above, and of 32 below, as many bits as the zeros have: see
  /// rowsByFolding. Of four zeros or more.
  [[nodiscard]] const std::array<std::uint64_t, 2>& factors() const { return factors_; }
  std::uint32_t operator()(std::uint32_t remainder) const {
    return tables_[0][remainder & 255U] ^ tables_[1][(remainder >> 8U) & 255U] ^
           tables_[2][(remainder >> 16U) & 255U] ^ tables_[3][remainder >> 24U];
  }

 private:
  std::array<std::array<std::uint32_t, 256>, 4> tables_;
  std::array<std::uint64_t, 2> factors_;
};

/// How rows are summed: what a processor can do, the later the faster.
enum class CrcWay {
  table,
  instruction,  // SSE 4.2, or the CRC extension of AArch64
  both,         // and multiplication of 32 bytes at once, beside it: AVX2 and VPCLMULQDQ
  folding       // of 64 bytes at once: AVX-512 and VPCLMULQDQ
};
/// On this processor.
CrcWay fastestCrcWay();
/// Rows that are longer are summed faster as rows of a part of it each.
std::size_t longestRowBytes(CrcWay way);

/// Of `rows` rows that are dense in memory, but whose starts are `stride` apart where they are
/// summed; nothing lies behind the last one. The processor has that way.
std::uint32_t remainderOfRows(const std::byte* bytes, std::size_t rowBytes, std::size_t rows,
                              const Shift& stride, CrcWay way = fastestCrcWay());
/// Of `count` parts of equal remainder, whose starts are `stride` bytes apart.
std::uint32_t repeated(std::uint32_t remainder, std::uint64_t stride, std::uint64_t count);

/// The ways of processors that have none; for tests.
std::uint32_t remainderByTable(const std::byte* bytes, std::size_t count, std::uint32_t before);
std::uint32_t shiftedBySteps(std::uint32_t remainder, std::uint64_t zeros);

}  // namespace bundleio
