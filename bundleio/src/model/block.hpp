// Boxes of cells, and which box each rank has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

namespace bundleio {

/// Lengths, starts or counts per dimension, slowest first.
using Extent = std::vector<std::int64_t>;

/// Product of the lengths; 1 for no dimension.
std::int64_t cellCount(const Extent& lengths);

/// A box of cells.
struct Block {
  Extent start;
  Extent count;
  [[nodiscard]] std::int64_t cells() const { return cellCount(count); }
};

/// The cells that both boxes have; one without cells where there are none.
Block intersection(const Block& a, const Block& b);

/// One box per rank: equal slabs across the longest dimension, which exists. Few pieces per rank,
/// and boxes for any rank count, none of which has to be kept.
class EqualSlabs {
 public:
  EqualSlabs(Extent lengths, int ranks);

  [[nodiscard]] const Extent& lengths() const { return lengths_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] Block of(int rank) const;
  /// The rank in whose slab the cell is; a cell is a row-major offset.
  [[nodiscard]] int ownerOf(std::int64_t cell) const;

 private:
  // The first entry of a rank's slab in the divided dimension.
  [[nodiscard]] std::int64_t start(int rank) const;

  Extent lengths_;
  int ranks_;
  std::size_t divided_;
  std::int64_t inner_ = 1;  // product of the lengths behind the divided one
};

/// The box of each rank: as given, or a slab that is calculated when it is asked for.
class RankBoxes {
 public:
  RankBoxes(std::vector<Block> boxes) : boxes_(std::move(boxes)) {}
  RankBoxes(EqualSlabs slabs) : slabs_(std::move(slabs)) {}

  [[nodiscard]] std::size_t size() const {
    return slabs_ ? static_cast<std::size_t>(slabs_->ranks()) : boxes_.size();
  }
  [[nodiscard]] Block operator[](std::size_t rank) const {
    return slabs_ ? slabs_->of(static_cast<int>(rank)) : boxes_[rank];
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Block;
    using difference_type = std::ptrdiff_t;
    using pointer = const Block*;
    using reference = Block;
    Iterator(const RankBoxes& boxes, std::size_t rank) : boxes_(&boxes), rank_(rank) {}
    Block operator*() const { return (*boxes_)[rank_]; }
    Iterator& operator++() {
      ++rank_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return rank_ == other.rank_; }
    bool operator!=(const Iterator& other) const { return rank_ != other.rank_; }

   private:
    const RankBoxes* boxes_;
    std::size_t rank_;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

 private:
  std::vector<Block> boxes_;
  std::optional<EqualSlabs> slabs_;
};

}  // namespace bundleio
