#include "guard/crc32c.hpp"

namespace bundleio {

namespace {

constexpr std::uint32_t polynomial = 0x82F63B78U;  // lowest bit first

constexpr std::uint32_t timesX(std::uint32_t value) {
  return (value >> 1U) ^ ((value & 1U) != 0 ? polynomial : 0);
}

// The product of two remainders.
constexpr std::uint32_t product(std::uint32_t left, std::uint32_t right) {
  std::uint32_t sum = 0;
  for (std::uint32_t bit = remainderOfOne; left != 0; bit >>= 1U) {
    if ((left & bit) != 0) sum ^= right;
    left &= ~bit;
    right = timesX(right);
  }
  return sum;
}

// Of x to the power of 8, 16, 32 and so on: one zero byte, two, four.
constexpr std::array<std::uint32_t, 64> makePowers() {
  std::array<std::uint32_t, 64> powers{};
  powers[0] = remainderOfOne >> 8U;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = product(powers[i - 1], powers[i - 1]);
  return powers;
}
constexpr auto powers = makePowers();

// Eight bytes at once, each by a table of its own.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
constexpr Tables makeTables() {
  Tables tables{};
  for (std::uint32_t value = 0; value < 256; ++value) {
    std::uint32_t remainder = value;
    for (int bit = 0; bit < 8; ++bit) remainder = timesX(remainder);
    tables[0][value] = remainder;
  }
  for (std::size_t i = 1; i < tables.size(); ++i) {
    for (std::size_t value = 0; value < 256; ++value) {
      const std::uint32_t before = tables[i - 1][value];
      tables[i][value] = (before >> 8U) ^ tables[0][before & 255U];
    }
  }
  return tables;
}
constexpr Tables tables = makeTables();

}  // namespace

std::uint32_t remainderByTable(const std::byte* bytes, std::size_t count, std::uint32_t before) {
  std::uint32_t sum = before;
  for (; count >= 8; count -= 8, bytes += 8) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const auto byte = std::to_integer<std::uint8_t>(bytes[i]);
      next ^= tables[7 - i][i < 4 ? ((sum >> (8 * i)) & 255U) ^ byte : byte];
    }
    sum = next;
  }
  for (; count > 0; --count, ++bytes) {
    sum = (sum >> 8U) ^ tables[0][(sum ^ std::to_integer<std::uint8_t>(*bytes)) & 255U];
  }
  return sum;
}

std::uint32_t shiftedBySteps(std::uint32_t remainder, std::uint64_t zeros) {
  for (std::size_t bit = 0; zeros != 0 && remainder != 0; ++bit, zeros >>= 1U) {
    if ((zeros & 1U) != 0) remainder = product(remainder, powers[bit]);
  }
  return remainder;
}

Shift::Shift(std::uint64_t zeros) : tables_{}, factors_{} {
  const std::uint32_t factor = shifted(remainderOfOne, zeros);
  if (zeros >= 4) {
    // The lowest bit of a product is that of x to the power of 63 of each factor's 64.
    factors_ = {std::uint64_t{shifted(remainderOfOne, zeros + 4)} << 1U,
                std::uint64_t{shifted(remainderOfOne, zeros - 4)} << 1U};
  }
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    for (std::uint32_t bit = 1; bit < 256; bit <<= 1U) {
      const std::uint32_t made = product(bit << (8 * table), factor);
      for (std::uint32_t below = 0; below < bit; ++below) {
        tables_[table][bit + below] = tables_[table][below] ^ made;
      }
    }
  }
}

// The remainder of twice as many is that of as many, and again behind them.
std::uint32_t repeated(std::uint32_t remainder, std::uint64_t stride, std::uint64_t count) {
  std::uint32_t sum = 0;
  std::uint64_t made = 0;
  for (int bit = 63; bit >= 0; --bit) {
    sum ^= shifted(sum, made * stride);
    made *= 2;
    if (((count >> static_cast<unsigned>(bit)) & 1U) == 0) continue;
    sum = shifted(sum, stride) ^ remainder;
    ++made;
  }
  return sum;
}

std::uint32_t published(std::uint32_t remainder, std::uint64_t count) {
  return ~(remainder ^ shifted(~0U, count));
}

std::uint32_t crc32c(const void* bytes, std::size_t count) {
  return ~remainderOf(static_cast<const std::byte*>(bytes), count, ~0U);
}

}  // namespace bundleio
