// The plan by which one rank moves the cells of a map into boxes and back: its own cells, sorted
// by who writes them, and the cells of its own box, by who owns them. Nothing grows with the number
// of ranks but the list of those that it shares cells with. Does not communicate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/block.hpp"

namespace bundleio {

class MapPlan {
 public:
  struct Partner {
    int rank;
    std::uint32_t cells;
  };
  /// Cells of a plane in this rank's memory.
  struct Side {
    std::vector<Partner> partners;      // those with cells, in order of rank
    std::vector<std::uint32_t> places;  // of the cells, partner after partner
    std::int64_t planeCells = 0;        // of a plane in memory, those without a partner among them
  };
  /// The i-th local value has no cell.
  static constexpr std::int64_t nowhere = -1;

  /// `cells`: the row-major offset of each local value, or nowhere; a first cell `first` (0 or 1)
  /// is what messages count from. At most 2^31 - 1 for a rank.
  MapPlan(const EqualSlabs& slabs, int rank, const std::vector<std::int64_t>& cells, int first);
  /// The number of cells that this rank hands to each rank of the slabs.
  [[nodiscard]] std::vector<int> handedOver() const;
  /// The other half: how many cells each rank hands over to this one. Throws if these are more
  /// than the box has.
  void expect(const std::vector<int>& counts);
  /// And which ones: row-major offsets, owner after owner, in the order in which these send them.
  /// Throws if one comes twice.
  void place(const std::vector<std::int64_t>& cells);

  /// The local values, and this rank's box.
  [[nodiscard]] const Side& local() const { return local_; }
  [[nodiscard]] const Side& box() const { return box_; }
  /// The row-major offset of the cell at `place` in the box.
  [[nodiscard]] std::int64_t cellAt(std::uint32_t place) const;
  /// Some cell of the box has no owner.
  [[nodiscard]] bool hasGaps() const {
    return static_cast<std::int64_t>(box_.places.size()) < box_.planeCells;
  }
  /// Its size in memory.
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] std::int64_t placeOf(std::int64_t cell) const;
  [[nodiscard]] int ownerOfPlace(std::size_t index) const;

  Extent lengths_;
  int rank_;
  int ranks_;
  int first_;
  Block own_;
  Side local_;
  Side box_;
};

}  // namespace bundleio
