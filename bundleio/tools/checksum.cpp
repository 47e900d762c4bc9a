#include "checksum.hpp"

#include <algorithm>
#include <cstring>

namespace bundleio {

namespace {

// The five primes of the specification.
constexpr std::uint64_t prime1 = 11400714785074694791ULL;
constexpr std::uint64_t prime2 = 14029467366897019727ULL;
constexpr std::uint64_t prime3 = 1609587929392839161ULL;
constexpr std::uint64_t prime4 = 9650029242287828579ULL;
constexpr std::uint64_t prime5 = 2870177450012600261ULL;

constexpr std::uint64_t rotated(std::uint64_t value, unsigned bits) {
  return (value << bits) | (value >> (64U - bits));
}

constexpr std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return rotated(lane + word * prime2, 31) * prime1;
}

template <class Word>
Word load(const unsigned char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

using Lanes = std::array<std::uint64_t, 4>;

// Four lanes that do not wait for each other: a stripe takes as long as one multiplication.
Lanes addStripes(Lanes lanes, const unsigned char* at, std::size_t stripes) {
  for (; stripes > 0; --stripes, at += 32) {
    lanes[0] = round(lanes[0], load<std::uint64_t>(at));
    lanes[1] = round(lanes[1], load<std::uint64_t>(at + 8));
    lanes[2] = round(lanes[2], load<std::uint64_t>(at + 16));
    lanes[3] = round(lanes[3], load<std::uint64_t>(at + 24));
  }
  return lanes;
}

std::uint64_t merged(const Lanes& lanes) {
  std::uint64_t sum =
      rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
  for (const std::uint64_t lane : lanes) sum = (sum ^ round(0, lane)) * prime1 + prime4;
  return sum;
}

std::uint64_t avalanche(std::uint64_t sum) {
  sum = (sum ^ (sum >> 33U)) * prime2;
  sum = (sum ^ (sum >> 29U)) * prime3;
  return sum ^ (sum >> 32U);
}

}  // namespace

Checksum::Checksum(std::uint64_t seed)
    : seed_(seed), lanes_{seed + prime1 + prime2, seed + prime2, seed, seed - prime1} {}

void Checksum::add(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  const std::size_t kept = bytes_ % rest_.size();
  bytes_ += count;
  if (kept > 0) {
    const std::size_t taken = std::min(count, rest_.size() - kept);
    std::copy_n(at, taken, rest_.begin() + static_cast<std::ptrdiff_t>(kept));
    if (kept + taken < rest_.size()) return;
    lanes_ = addStripes(lanes_, rest_.data(), 1);
    at += taken;
    count -= taken;
  }
  const std::size_t stripes = count / rest_.size();
  lanes_ = addStripes(lanes_, at, stripes);
  std::copy(at + stripes * rest_.size(), at + count, rest_.begin());
}

std::uint64_t Checksum::value() const {
  std::uint64_t sum = bytes_ < rest_.size() ? seed_ + prime5 : merged(lanes_);
  sum += bytes_;
  const unsigned char* at = rest_.data();
  std::size_t left = bytes_ % rest_.size();
  for (; left >= 8; left -= 8, at += 8) {
    sum = rotated(sum ^ round(0, load<std::uint64_t>(at)), 27) * prime1 + prime4;
  }
  if (left >= 4) {
    sum = rotated(sum ^ (load<std::uint32_t>(at) * prime1), 23) * prime2 + prime3;
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) sum = rotated(sum ^ (*at * prime5), 11) * prime1;
  return avalanche(sum);
}

std::uint64_t checksumOf(const void* bytes, std::size_t count) {
  Checksum sum;
  sum.add(bytes, count);
  return sum.value();
}

}  // namespace bundleio
