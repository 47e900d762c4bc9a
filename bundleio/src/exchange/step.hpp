// A step in the making: what goes into it, and what all that work on it share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "guard/watchdog.hpp"
#include "model/communicator.hpp"
#include "model/options.hpp"
#include "model/schema.hpp"
#include "record/meter.hpp"

namespace bundleio {

/// A dense range of planes of one variable, as it was put: [planes][cells that this rank owns]. All
/// ranks have the same pieces in the same order; only their cells differ. A back end does not read
/// `values`: it asks BoxPlanes for planes of the box that this rank writes.
struct Piece {
  int variable;
  std::int64_t firstPlane;
  std::int64_t planes;
  const std::byte* values;
};

class StepSums;

/// The work of a back end: the step's folder, not yet visible, and the data that goes into it.
struct Step {
  const Communicator& comm;
  const Schema& schema;
  const Options& options;
  std::filesystem::path folder;
  Meter& meter;
  Watchdog& watchdog;
  Watchdog& stallWatchdog;   // the same for a thread that watches a call, see StallWatch
  StepSums* sums = nullptr;  // null: no checksums
  // Steps that the files hold already: this one is the next entry of each dimension that grows, and
  // what has none is there.
  std::int64_t record = 0;
  // The next step goes into the same files, unless the run ends before: close may leave them open.
  bool staysOpen = false;

  [[nodiscard]] bool appends() const { return record > 0; }
  [[nodiscard]] bool isRecord(const Variable& variable) const {
    return schema.bundleOf(variable).isUnlimited(variable);
  }
  [[nodiscard]] bool isThere(const Variable& variable) const {
    return appends() && !isRecord(variable);
  }
  /// Where the first dimension of a variable begins in a file.
  [[nodiscard]] std::int64_t start(const Variable& variable) const {
    return isRecord(variable) ? record : 0;
  }
};

}  // namespace bundleio
