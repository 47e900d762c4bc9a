// Moves the cells of an arbitrary map into boxes, so that no back end knows anything but boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "communicator.hpp"

namespace bundleio {

struct Block;

class Rearrangement {
 public:
  /// `cells`: row-major offsets that this rank holds; `boxes`: who is to write what. Throws on all
  /// ranks if a cell is held twice. Collective.
  Rearrangement(const Communicator& comm, const std::vector<std::int64_t>& lengths,
                const std::vector<Block>& boxes, const std::vector<std::int64_t>& cells);

  /// How many cells this rank hands over.
  [[nodiscard]] std::int64_t localCells() const { return static_cast<std::int64_t>(order_.size()); }
  /// Moves `planes` planes of local cells into planes of this rank's box; cells that nobody holds
  /// keep what `box` contains. One message per plane and partner. Collective.
  void move(const Communicator& comm, std::size_t cellBytes, std::int64_t planes,
            const std::byte* local, std::byte* box) const;
  /// The way back: planes of this rank's box to the ranks that hold the cells. Collective.
  void moveBack(const Communicator& comm, std::size_t cellBytes, std::int64_t planes,
                const std::byte* box, std::byte* local) const;
  /// The cells that this rank holds, in its order, as they were given; asked of the ranks that
  /// write them, since nobody keeps them. `box` is this rank's. Collective.
  [[nodiscard]] std::vector<std::int64_t> cells(const Communicator& comm,
                                                const std::vector<std::int64_t>& lengths,
                                                const Block& box) const;
  /// How many messages one plane takes on this rank and how many cells, without those to itself.
  [[nodiscard]] int messagesPerPlane() const { return messagesPerPlane_; }
  [[nodiscard]] std::int64_t cellsSentPerPlane() const { return cellsSentPerPlane_; }

 private:
  std::vector<std::size_t> order_;       // local cells sorted by the rank that writes them
  std::vector<int> sendCounts_;          // cells per rank
  std::vector<int> receiveCounts_;       // cells per rank
  std::vector<int> sendStarts_;          // first cell per rank
  std::vector<int> receiveStarts_;       // first cell per rank
  std::vector<std::int64_t> positions_;  // where in the box each received cell goes
  std::int64_t boxCells_ = 0;
  int messagesPerPlane_ = 0;
  std::int64_t cellsSentPerPlane_ = 0;
};

}  // namespace bundleio
