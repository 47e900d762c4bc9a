// The planes of this rank's boxes, a window at a time, for back ends. Planes of boxes lie where the
// application has them. Cells of maps come here from the ranks that own them, many planes in one
// message, so that no rank holds more of its box than a window:
// docs/decisions/0061-maps-become-boxes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "exchange/step.hpp"

namespace bundleio {

/// Planes `first` to `first + planes` of a piece.
struct PlaneRange {
  const Piece* piece;
  std::int64_t first;
  std::int64_t planes;
  bool operator==(const PlaneRange& other) const {
    return piece == other.piece && first == other.first && planes == other.planes;
  }
};

class BoxPlanes {
 public:
  explicit BoxPlanes(const Step& step) : step_(step) {}

  /// A window of these ranges will be loaded: to be told of all of them before reserve().
  void measure(const std::vector<PlaneRange>& ranges);
  /// Takes the memory for the largest window. Collective, where there are maps.
  void reserve();
  /// Brings a window here, in place of the one before. All ranks give the same ranges in the same
  /// order, planes of a piece ascending; ranks that share cells exchange messages, and no others.
  /// Does not fail.
  void load(const std::vector<PlaneRange>& ranges);
  /// Gives planes that are here their checksums, unless they have them: right before they are
  /// read for good, since fetching values from memory costs more than summing them. Local.
  void sum(const std::vector<PlaneRange>& ranges);
  /// Planes of a piece from `plane` on, as far as they were loaded together; valid until load().
  [[nodiscard]] const std::byte* at(const Piece& piece, std::int64_t plane) const;

 private:
  // The planes of one map that move at once.
  struct Round {
    const Rearrangement* map;
    std::vector<PlaneRange> ranges;
  };

  [[nodiscard]] std::vector<Round> roundsOf(const std::vector<PlaneRange>& ranges) const;
  [[nodiscard]] std::vector<PlaneMove> movesOf(const Round& round) const;
  void move(const std::vector<PlaneRange>& ranges);
  [[nodiscard]] std::byte* place(const Piece& piece, std::int64_t plane) const;
  [[nodiscard]] const Variable& variableOf(const Piece& piece) const {
    return step_.schema.variable(piece.variable);
  }

  const Step& step_;
  bool hasMaps_ = false;  // in some window, on all ranks alike
  std::size_t boxBytes_ = 0;
  std::size_t scratchBytes_ = 0;
  std::unique_ptr<std::byte[]> boxes_;
  std::unique_ptr<std::byte[]> scratch_;
  std::vector<PlaneRange> ranges_;  // that are here
  // Their first planes, and where these lie: of maps only.
  std::map<std::pair<const Piece*, std::int64_t>, std::byte*> loaded_;
  std::map<const Piece*, std::int64_t> summed_;  // behind the last plane that has its checksum
};

/// All planes of a step, one window after the other.
class BoxWindows {
 public:
  /// Takes the memory for all windows. Collective, where there are maps.
  BoxWindows(const Step& step, const std::vector<Piece>& pieces);

  /// Goes to the next window; false behind the last. To be called by all ranks until then, whatever
  /// fails on one of them meanwhile.
  bool next();
  [[nodiscard]] const std::vector<PlaneRange>& ranges() const { return windows_[at_ - 1]; }
  /// The range in parts that stay in a core's cache from being summed to being written; whole,
  /// where nothing is summed.
  [[nodiscard]] std::vector<PlaneRange> parts(const PlaneRange& range) const;
  /// Sums them. Every rank takes all values of a step in which nothing fails.
  [[nodiscard]] const std::byte* values(const PlaneRange& range);
  /// False: the values of this window stay where they are until the step is written.
  [[nodiscard]] bool isPassing(const PlaneRange& range) const;

 private:
  const Step& step_;
  BoxPlanes planes_;
  std::vector<std::vector<PlaneRange>> windows_;
  std::size_t at_ = 0;
};

}  // namespace bundleio
