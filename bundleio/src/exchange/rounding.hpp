// Real numbers as a file will hold them that keeps fewer bits of their mantissas.
//
// NetCDF-C rounds to the nearest such number by adding half of the last bit that is kept, and
// cutting off what lies behind it (NC_QUANTIZE_BITROUND); fill values stay as they are. Source:
// nc4_convert_type of netCDF-C. The same is done here, so that checksums are those of what is
// stored before anything is.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

/// Bits behind the point of a real type; 0 of other types.
[[nodiscard]] int mantissaBits(Type type);

class Rounding {
 public:
  /// Keeps all bits.
  Rounding() = default;
  /// Keeps so many, 0: all, and says so in an attribute of each variable that it changes.
  Rounding(int keptBits, std::string attribute)
      : keptBits_(keptBits), attribute_(std::move(attribute)) {}
  [[nodiscard]] bool isOn() const { return keptBits_ > 0; }
  /// Scalars are stored as they are; where nothing is stored, nothing is said.
  [[nodiscard]] bool changes(const Variable& variable) const;
  /// These bytes of values of a variable that it changes, as they will be stored: valid until the
  /// next call. Throws if NaN would be stored as a number.
  const std::byte* rounded(const Variable& variable, const std::byte* values, std::size_t bytes);

  /// The schema as it can be read: with these attributes.
  [[nodiscard]] Schema described(Schema schema) const;

 private:
  int keptBits_ = 0;
  std::string attribute_;
  std::vector<std::byte> values_;
};

}  // namespace bundleio
