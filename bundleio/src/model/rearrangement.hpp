// Moves the cells of an arbitrary map into boxes, so that no back end knows anything but boxes:
// docs/decisions/0061-maps-become-boxes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/communicator.hpp"
#include "model/map_plan.hpp"

namespace bundleio {

/// Planes to be moved, of one variable: dense where they are, and where they shall be.
struct PlaneMove {
  std::size_t cellBytes;
  std::int64_t planes;
  const std::byte* from;
  std::byte* to;
};

/// Without what a rank has for itself.
struct Moved {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

class Rearrangement {
 public:
  /// `cells`: the row-major offsets that this rank holds, or MapPlan::nowhere; messages count cells
  /// from `first`. Throws on all ranks if a cell is held twice. Collective.
  Rearrangement(const Communicator& comm, const EqualSlabs& slabs,
                const std::vector<std::int64_t>& cells, int first);

  [[nodiscard]] const MapPlan& plan() const { return plan_; }
  /// Most cells of a plane that one rank holds, as its own or in its box.
  [[nodiscard]] std::int64_t cellsMost() const { return cellsMost_; }
  /// Scratch of move and moveBack beside the planes, of which each cell has `cellBytes` in all.
  [[nodiscard]] std::size_t scratchBytes(std::size_t cellBytes) const {
    return (plan_.local().places.size() + plan_.box().places.size()) * cellBytes;
  }
  /// Moves planes of local cells into planes of this rank's box; cells that nobody holds keep what
  /// is there. One message for each partner, whatever the planes: ranks without common cells do not
  /// meet. All ranks must give the same planes.
  Moved move(const Communicator& comm, const std::vector<PlaneMove>& moves,
             std::byte* scratch) const;
  /// The way back: planes of this rank's box to the ranks that hold the cells.
  Moved moveBack(const Communicator& comm, const std::vector<PlaneMove>& moves,
                 std::byte* scratch) const;
  /// The cells that this rank holds, in its order, without those that are nowhere; asked of the
  /// ranks that write them, since nobody keeps them. Collective.
  [[nodiscard]] std::vector<std::int64_t> cells(const Communicator& comm) const;

 private:
  MapPlan plan_;
  std::int64_t cellsMost_ = 0;
};

}  // namespace bundleio
