// Sums by what a processor has for them; crc32c.cpp has the arithmetic.
#include <array>
#include <cstring>

#include "guard/crc32c.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define BUNDLEIO_CRC "sse4.2"
#elif defined(__aarch64__) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#if defined(__clang__)
#define BUNDLEIO_CRC "crc"
#else
#define BUNDLEIO_CRC "+crc"
#endif
#endif

namespace bundleio {

namespace {

// The widest multiplication takes so many bytes at once.
constexpr std::size_t foldBytes = 64;
// Own: shorter rows are summed beside each other anyway, as the processor looks ahead.
constexpr std::size_t foldFourBytes = 1024;

template <class Word>
Word load(const std::byte* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint32_t rowsByTable(const std::byte* at, std::size_t rowBytes, std::size_t rows,
                          const Shift& stride) {
  std::uint32_t sum = 0;
  for (; rows > 0; --rows, at += rowBytes) sum = stride(sum) ^ remainderByTable(at, rowBytes, 0);
  return sum;
}

#if defined(BUNDLEIO_CRC)
#define BUNDLEIO_INLINE(target_) __attribute__((target(target_), always_inline)) inline

// A sum is 32 bits; x86-64 has it in a register of 64.
BUNDLEIO_INLINE(BUNDLEIO_CRC) std::uint64_t withWord(std::uint64_t sum, const std::byte* at) {
#if defined(__x86_64__)
  return _mm_crc32_u64(sum, load<std::uint64_t>(at));
#else
  return __crc32cd(static_cast<std::uint32_t>(sum), load<std::uint64_t>(at));
#endif
}

BUNDLEIO_INLINE(BUNDLEIO_CRC) std::uint32_t withByte(std::uint32_t sum, const std::byte* at) {
#if defined(__x86_64__)
  return _mm_crc32_u8(sum, load<std::uint8_t>(at));
#else
  return __crc32cb(sum, load<std::uint8_t>(at));
#endif
}

__attribute__((target(BUNDLEIO_CRC))) std::uint32_t remainderByInstruction(const std::byte* at,
                                                                           std::size_t count,
                                                                           std::uint32_t before) {
  std::uint64_t sum = before;
  for (; count >= 8; count -= 8, at += 8) sum = withWord(sum, at);
  auto rest = static_cast<std::uint32_t>(sum);
  for (; count > 0; --count, ++at) rest = withByte(rest, at);
  return rest;
}

// The next four rows, a line of the cache of each. Measured: rows of a kilobyte from memory take
// two thirds of the time.
void prefetch(const std::byte* at, std::size_t rowBytes) {
  for (std::size_t row = 0; row < 4; ++row) __builtin_prefetch(at + row * rowBytes);
}

// The instruction takes three cycles, but one can begin in each: four rows do not wait for each
// other.
__attribute__((target(BUNDLEIO_CRC))) std::uint32_t rowsByInstruction(const std::byte* at,
                                                                      std::size_t rowBytes,
                                                                      std::size_t rows,
                                                                      const Shift& stride) {
  std::uint32_t sum = 0;
  const std::size_t words = rowBytes / 8;
  const std::size_t rest = rowBytes % 8;
  for (; rows >= 4; rows -= 4, at += 4 * rowBytes) {
    std::array<std::uint64_t, 4> lanes{};
    const std::byte* first = at;
    const std::byte* second = at + rowBytes;
    const std::byte* third = second + rowBytes;
    const std::byte* fourth = third + rowBytes;
    for (std::size_t i = 0; i < words; ++i) {
      if (i % 8 == 0) prefetch(first + 4 * rowBytes + 8 * i, rowBytes);
      lanes[0] = withWord(lanes[0], first + 8 * i);
      lanes[1] = withWord(lanes[1], second + 8 * i);
      lanes[2] = withWord(lanes[2], third + 8 * i);
      lanes[3] = withWord(lanes[3], fourth + 8 * i);
    }
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const auto part = static_cast<std::uint32_t>(lanes[lane]);
      sum = stride(sum) ^ remainderByInstruction(at + lane * rowBytes + 8 * words, rest, part);
    }
  }
  for (; rows > 0; --rows, at += rowBytes) {
    sum = stride(sum) ^ remainderByInstruction(at, rowBytes, 0);
  }
  return sum;
}

#endif

#if defined(__x86_64__)
// Factors for 4, 8, 16 zeros and so on, by their bit. The instruction multiplies by x to the power
// of 32 itself: a factor is what is left of its zeros.
using ZeroFactors = std::array<std::uint64_t, 64>;
ZeroFactors makeZeroFactors() {
  ZeroFactors factors{};
  for (std::size_t bit = 2; bit < factors.size(); ++bit) {
    factors[bit] = shiftedBySteps(remainderOfOne, (std::uint64_t{1} << bit) - 4);
  }
  return factors;
}

__attribute__((target("pclmul,sse4.2"))) std::uint32_t shiftedByInstruction(std::uint32_t remainder,
                                                                            std::uint64_t zeros) {
  static const ZeroFactors factors = makeZeroFactors();
  for (std::uint64_t byte = zeros % 4; byte > 0; --byte) remainder = _mm_crc32_u8(remainder, 0);
  for (std::size_t bit = 2; zeros >> bit != 0; ++bit) {
    if ((zeros >> bit & 1U) == 0) continue;
    const __m128i product =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(remainder)),
                             _mm_cvtsi64_si128(static_cast<long long>(factors[bit])), 0);
    const auto bits = static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)) << 1U;
    remainder = static_cast<std::uint32_t>(_mm_crc32_u64(0, bits));
  }
  return remainder;
}

#define BUNDLEIO_BOTH "avx2,vpclmulqdq,sse4.2"

// The instruction and the multiplication run in different parts of the processor: rows by the one
// and rows by the other take little longer together than the slower alone. Own: three and two are
// the fastest mix. Measured, rows of 288 to 1152 bytes: 25 to 38 GB/s in the cache instead of 18 to
// 23 by the instruction alone, 15 to 18 from memory instead of 11 to 13; only reading takes 17
// to 18.
constexpr std::size_t bothRows = 3 + 2;
// Of a register.
constexpr std::size_t halfBytes = foldBytes / 2;

// See folded().
BUNDLEIO_INLINE(BUNDLEIO_BOTH) __m256i foldedHalf(__m256i bytes, __m256i factors, __m256i ahead) {
  const __m256i first = _mm256_clmulepi64_epi128(bytes, factors, 0x00);
  const __m256i second = _mm256_clmulepi64_epi128(bytes, factors, 0x11);
  return _mm256_xor_si256(_mm256_xor_si256(first, second), ahead);
}

BUNDLEIO_INLINE(BUNDLEIO_BOTH) __m256i half(const std::byte* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

// Bytes of zero, then of ones.
constexpr std::array<std::uint8_t, 2 * halfBytes> makeMasks() {
  std::array<std::uint8_t, 2 * halfBytes> masks{};
  for (std::size_t i = halfBytes; i < masks.size(); ++i) masks[i] = 0xFF;
  return masks;
}
constexpr auto masks = makeMasks();

// The first `count` bytes of a row at the end of a register: zeros before them change nothing. What
// stands before the row can be read.
BUNDLEIO_INLINE(BUNDLEIO_BOTH) __m256i headOf(const std::byte* at, std::size_t count) {
  const auto* mask = reinterpret_cast<const std::byte*>(masks.data()) + count;
  return _mm256_and_si256(half(at + count - halfBytes), half(mask));
}

BUNDLEIO_INLINE(BUNDLEIO_BOTH) std::uint32_t remainderOfFold(__m256i fold) {
  alignas(halfBytes) std::array<std::byte, halfBytes> last;
  _mm256_store_si256(reinterpret_cast<__m256i*>(last.data()), fold);
  return remainderByInstruction(last.data(), last.size(), 0);
}

// Each row has a variable: of arrays GCC makes memory where it optimizes less (-O2), and is then
// slower than the instruction alone.
__attribute__((target(BUNDLEIO_BOTH))) std::uint32_t rowsByBoth(const std::byte* at,
                                                                std::size_t rowBytes,
                                                                std::size_t rows,
                                                                const Shift& stride) {
  static const Shift line(halfBytes);
  const auto first = static_cast<long long>(line.factors()[0]);
  const auto second = static_cast<long long>(line.factors()[1]);
  const __m256i along = _mm256_set_epi64x(second, first, second, first);
  const std::size_t head = rowBytes % halfBytes == 0 ? halfBytes : rowBytes % halfBytes;
  std::uint32_t sum = 0;
  for (; rows >= bothRows; rows -= bothRows, at += bothRows * rowBytes) {
    const std::array<const std::byte*, bothRows> row{at, at + rowBytes, at + 2 * rowBytes,
                                                     at + 3 * rowBytes, at + 4 * rowBytes};
    std::uint64_t sum0 = remainderByInstruction(row[0], head, 0);
    std::uint64_t sum1 = remainderByInstruction(row[1], head, 0);
    std::uint64_t sum2 = remainderByInstruction(row[2], head, 0);
    __m256i fold3 = headOf(row[3], head);
    __m256i fold4 = headOf(row[4], head);
    for (std::size_t done = head; done < rowBytes; done += halfBytes) {
      // As many bytes as are summed here, a page ahead: the rows lie together.
      for (std::size_t ahead = 0; ahead < bothRows * halfBytes; ahead += 64) {
        __builtin_prefetch(at + bothRows * done + 4096 + ahead);
      }
      fold3 = foldedHalf(fold3, along, half(row[3] + done));
      fold4 = foldedHalf(fold4, along, half(row[4] + done));
      for (std::size_t word = done; word < done + halfBytes; word += 8) {
        sum0 = withWord(sum0, row[0] + word);
        sum1 = withWord(sum1, row[1] + word);
        sum2 = withWord(sum2, row[2] + word);
      }
    }
    sum = stride(sum) ^ static_cast<std::uint32_t>(sum0);
    sum = stride(sum) ^ static_cast<std::uint32_t>(sum1);
    sum = stride(sum) ^ static_cast<std::uint32_t>(sum2);
    sum = stride(sum) ^ remainderOfFold(fold3);
    sum = stride(sum) ^ remainderOfFold(fold4);
  }
  for (std::size_t row = 0; row < rows; ++row) sum = stride(sum);
  return sum ^ rowsByInstruction(at, rowBytes, rows, stride);
}

#define BUNDLEIO_FOLDS "avx512f,avx512bw,avx512vl,vpclmulqdq,sse4.2"

// Moves 64 bytes as far ahead as the factors say, and adds what is there: each half of 16 bytes is
// multiplied by what the distance makes of it.
// Source: V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
// Instruction", Intel 2009, in the order of bits of its appendix.
BUNDLEIO_INLINE(BUNDLEIO_FOLDS) __m512i folded(__m512i bytes, __m512i factors, __m512i ahead) {
  const __m512i first = _mm512_clmulepi64_epi128(bytes, factors, 0x00);
  const __m512i second = _mm512_clmulepi64_epi128(bytes, factors, 0x11);
  return _mm512_ternarylogic_epi64(first, second, ahead, 0x96);
}

// The processor fetches ahead by itself, but not into the next page. Measured, from memory: 8.9
// GB/s without, 9.7 a kilobyte ahead, 10.2 a page ahead, on pages of 4 KiB.
BUNDLEIO_INLINE(BUNDLEIO_FOLDS) __m512i fetched(const std::byte* at) {
  _mm_prefetch(reinterpret_cast<const char*>(at) + 4096, _MM_HINT_T0);
  return _mm512_loadu_si512(at);
}

__attribute__((target(BUNDLEIO_FOLDS))) __m512i factorsOf(const Shift& shift) {
  const auto first = static_cast<long long>(shift.factors()[0]);
  const auto second = static_cast<long long>(shift.factors()[1]);
  return _mm512_set_epi64(second, first, second, first, second, first, second, first);
}

// Four registers hold the last 256 bytes, so that a multiplication need not wait for the one before
// it. What came before stands in the last 64 of the first 256.
__attribute__((target(BUNDLEIO_FOLDS))) __m512i foldedByFour(__m512i before, const std::byte* at,
                                                             std::size_t count, __m512i along) {
  static const Shift lines(4 * foldBytes);
  const __m512i far = factorsOf(lines);
  __m512i first = _mm512_setzero_si512();
  __m512i second = first;
  __m512i third = first;
  __m512i fourth = before;
  for (; count > 0; count -= 4 * foldBytes, at += 4 * foldBytes) {
    first = folded(first, far, fetched(at));
    second = folded(second, far, fetched(at + foldBytes));
    third = folded(third, far, fetched(at + 2 * foldBytes));
    fourth = folded(fourth, far, fetched(at + 3 * foldBytes));
  }
  second = folded(first, along, second);
  third = folded(second, along, third);
  return folded(third, along, fourth);
}

// A row is folded into its last 64 bytes, and these into those of the next row. Zeros before the
// first bytes of a row change nothing.
__attribute__((target(BUNDLEIO_FOLDS))) std::uint32_t rowsByFolding(const std::byte* at,
                                                                    std::size_t rowBytes,
                                                                    std::size_t rows,
                                                                    const Shift& stride) {
  static const Shift line(foldBytes);
  const __m512i along = factorsOf(line);
  const __m512i down = factorsOf(stride);
  const std::size_t head = rowBytes % foldBytes == 0 ? foldBytes : rowBytes % foldBytes;
  // The first bytes of a row stand at the end of a register.
  const __mmask64 isHead = ~std::uint64_t{0} << (foldBytes - head);
  __m512i sum = _mm512_setzero_si512();
  for (; rows > 0; --rows) {
    at += head;
    __m512i row = _mm512_maskz_loadu_epi8(isHead, at - foldBytes);
    const std::size_t byFour = rowBytes < foldFourBytes ? 0 : (rowBytes - head) / 256 * 256;
    for (std::size_t done = head; done < rowBytes - byFour; done += foldBytes, at += foldBytes) {
      row = folded(row, along, fetched(at));
    }
    if (byFour > 0) row = foldedByFour(row, at, byFour, along);
    at += byFour;
    sum = folded(sum, down, row);
  }
  alignas(foldBytes) std::array<std::byte, foldBytes> last;
  _mm512_store_si512(last.data(), sum);
  return remainderByInstruction(last.data(), last.size(), 0);
}

bool isSupported() {
  return __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("pclmul") != 0;
}
bool canDoBoth() {
  return isSupported() && __builtin_cpu_supports("avx2") != 0 &&
         __builtin_cpu_supports("vpclmulqdq") != 0;
}
bool canFold() {
  return isSupported() && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("vpclmulqdq") != 0;
}
#else
#if defined(BUNDLEIO_CRC)
bool isSupported() { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
#else
std::uint32_t remainderByInstruction(const std::byte* at, std::size_t count, std::uint32_t before) {
  return remainderByTable(at, count, before);
}
std::uint32_t rowsByInstruction(const std::byte* at, std::size_t rowBytes, std::size_t rows,
                                const Shift& stride) {
  return rowsByTable(at, rowBytes, rows, stride);
}
bool isSupported() { return false; }
#endif
std::uint32_t shiftedByInstruction(std::uint32_t remainder, std::uint64_t zeros) {
  return shiftedBySteps(remainder, zeros);
}
std::uint32_t rowsByBoth(const std::byte* at, std::size_t rowBytes, std::size_t rows,
                         const Shift& stride) {
  return rowsByInstruction(at, rowBytes, rows, stride);
}
std::uint32_t rowsByFolding(const std::byte* at, std::size_t rowBytes, std::size_t rows,
                            const Shift& stride) {
  return rowsByInstruction(at, rowBytes, rows, stride);
}
bool canDoBoth() { return false; }
bool canFold() { return false; }
#endif

}  // namespace

CrcWay fastestCrcWay() {
  static const CrcWay way = canFold()       ? CrcWay::folding
                            : canDoBoth()   ? CrcWay::both
                            : isSupported() ? CrcWay::instruction
                                            : CrcWay::table;
  return way;
}

std::size_t longestRowBytes(CrcWay way) {
  switch (way) {
    case CrcWay::table:
    case CrcWay::folding:
      return SIZE_MAX;
    // Own: further apart, the processor fetches slowly what it reads in several places.
    case CrcWay::instruction:
      return 384;
    case CrcWay::both:
      return 1152;
  }
  return 0;
}

std::uint32_t remainderOf(const std::byte* bytes, std::size_t count, std::uint32_t before) {
  return fastestCrcWay() != CrcWay::table ? remainderByInstruction(bytes, count, before)
                                          : remainderByTable(bytes, count, before);
}

std::uint32_t shifted(std::uint32_t remainder, std::uint64_t zeros) {
  return fastestCrcWay() != CrcWay::table ? shiftedByInstruction(remainder, zeros)
                                          : shiftedBySteps(remainder, zeros);
}

std::uint32_t remainderOfRows(const std::byte* bytes, std::size_t rowBytes, std::size_t rows,
                              const Shift& stride, CrcWay way) {
  if (way == CrcWay::table) return rowsByTable(bytes, rowBytes, rows, stride);
  // Shorter rows have nothing to fold.
  if (way == CrcWay::instruction || rowBytes < foldBytes) {
    return rowsByInstruction(bytes, rowBytes, rows, stride);
  }
  return way == CrcWay::both ? rowsByBoth(bytes, rowBytes, rows, stride)
                             : rowsByFolding(bytes, rowBytes, rows, stride);
}

}  // namespace bundleio
