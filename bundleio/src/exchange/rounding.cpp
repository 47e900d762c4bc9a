#include "exchange/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "model/status.hpp"

namespace bundleio {

namespace {

constexpr int floatBits = 23;
constexpr int doubleBits = 52;

// False if a NaN became a number: the carry of a mantissa that begins with ones reaches the sign.
template <class Real, class Word>
bool round(std::vector<std::byte>& values, const std::vector<std::byte>& fill, int cutBits) {
  static_assert(sizeof(Real) == sizeof(Word));
  Real missing{};
  std::memcpy(&missing, fill.data(), sizeof missing);
  const Word kept = ~Word{0} << cutBits;
  const Word half = Word{1} << (cutBits - 1);
  bool staysNan = true;
  for (std::size_t at = 0; at < values.size(); at += sizeof(Real)) {
    Real value{};
    std::memcpy(&value, values.data() + at, sizeof value);
    if (value == missing) continue;
    Word word{};
    std::memcpy(&word, values.data() + at, sizeof word);
    word = (word + half) & kept;
    std::memcpy(values.data() + at, &word, sizeof word);
    if (!std::isnan(value)) continue;
    std::memcpy(&value, &word, sizeof value);
    staysNan = staysNan && std::isnan(value);
  }
  return staysNan;
}

}  // namespace

int mantissaBits(Type type) {
  return type == BIO_FLOAT32 ? floatBits : type == BIO_FLOAT64 ? doubleBits : 0;
}

bool Rounding::changes(const Variable& variable) const {
  const bool isStoredSo = !variable.lengths.empty() && variable.bytes() > 0;
  return isOn() && keptBits_ < mantissaBits(variable.type) && isStoredSo;
}

const std::byte* Rounding::rounded(const Variable& variable, const std::byte* values,
                                   std::size_t bytes) {
  values_.assign(values, values + bytes);
  const int cutBits = mantissaBits(variable.type) - keptBits_;
  const bool staysNan = variable.type == BIO_FLOAT32
                            ? round<float, std::uint32_t>(values_, variable.fill(), cutBits)
                            : round<double, std::uint64_t>(values_, variable.fill(), cutBits);
  if (staysNan) return values_.data();
  throw Failure(BIO_BAD_ARGUMENT,
                "variable '" + variable.name +
                    "': a NaN that is not the one of arithmetic would become a number, as "
                    "netCDF-C rounds it: put that one, or leave out keep_bits=" +
                    std::to_string(keptBits_));
}

Schema Rounding::described(Schema schema) const {
  // Names for libraries alone are refused to users.
  schema.reserve(nullptr);
  for (std::size_t i = 0; i < schema.variables().size(); ++i) {
    const Variable& variable = schema.variables()[i];
    const bool isSaid =
        std::any_of(variable.attributes.begin(), variable.attributes.end(),
                    [&](const Attribute& attribute) { return attribute.name == attribute_; });
    if (isSaid || !changes(variable)) continue;
    const std::int32_t bits = keptBits_;
    schema.addAttribute(variable.bundle, static_cast<int>(i), attribute_, BIO_INT32, 1, &bits);
  }
  return schema;
}

}  // namespace bundleio
