// ADIOS2's operators, through which values may pass on their way to a BP file.
#pragma once

#include <map>
#include <string>

#include "model/options.hpp"
#include "model/schema.hpp"

namespace bundleio {

/// Options compress and accuracy.
struct BpCompression {
  std::string name;  // none: empty
  std::map<std::string, std::string> parameters;

  /// Throws for what this ADIOS2 cannot do.
  explicit BpCompression(const Options& options);
  [[nodiscard]] bool takes(const Variable& variable) const;
};

}  // namespace bundleio
