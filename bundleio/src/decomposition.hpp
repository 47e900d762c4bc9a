// Who owns which cells. Made once, collectively, and shared by all variables that use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "communicator.hpp"
#include "rearrangement.hpp"

namespace bundleio {

/// Lengths, starts or counts per dimension, slowest first.
using Extent = std::vector<std::int64_t>;

/// No array may have more cells, nor a step more bytes: products of them still fit an integer.
inline constexpr std::int64_t countMax = std::int64_t{1} << 60;
/// Do `lengths`, none of them negative, and `bytes` times their product stay within countMax?
/// Lengths of zero do not count: others are multiplied before them.
bool isCountable(const std::vector<std::int64_t>& lengths, std::int64_t bytes);
/// Product of the lengths; 1 for no dimension.
std::int64_t cellCount(const Extent& lengths);

/// A box of cells.
struct Block {
  Extent start;
  Extent count;
  [[nodiscard]] std::int64_t cells() const { return cellCount(count); }
};

class Decomposition {
 public:
  /// Each rank owns one box. Collective.
  static Decomposition block(const Communicator& comm, Extent lengths, const Block& own);
  /// Each rank owns any cells. They are written as boxes: every write moves them there first.
  /// Collective.
  static Decomposition map(const Communicator& comm, Extent lengths,
                           const std::vector<std::int64_t>& cells);
  /// Rank 0 owns everything. Local.
  static Decomposition onRoot(Extent lengths, int ranks, int rank);
  /// Boxes as recorded elsewhere, one per rank. Local.
  static Decomposition fromBlocks(Extent lengths, std::vector<Block> blocks, int rank);

  [[nodiscard]] const Extent& lengths() const { return lengths_; }
  /// The box that this rank writes.
  [[nodiscard]] const Block& own() const { return blocks_.at(rank_); }
  /// The boxes that all ranks write, by rank.
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// How many cells a put of this rank hands over: those of own(), unless they are moved first.
  [[nodiscard]] std::int64_t localCells() const {
    return rearrangement_ ? rearrangement_->localCells() : own().cells();
  }
  /// Equal for decompositions that give the same cells to the same ranks, and the same on all
  /// ranks.
  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }
  /// Made by onRoot.
  [[nodiscard]] bool isOnRoot() const { return isOnRoot_; }
  /// Some cell is in no box, so that its value is the fill value.
  [[nodiscard]] bool hasHoles() const { return hasHoles_; }
  /// How the cells of a map get into the boxes; none when ranks hand over boxes.
  [[nodiscard]] const Rearrangement* rearrangement() const {
    return rearrangement_ ? &*rearrangement_ : nullptr;
  }

 private:
  Decomposition(Extent lengths, std::vector<Block> blocks, int rank);

  Extent lengths_;
  std::vector<Block> blocks_;
  std::size_t rank_;
  std::uint64_t fingerprint_;
  bool hasHoles_;
  bool isOnRoot_ = false;
  std::optional<Rearrangement> rearrangement_;
};

/// Boxes of the cells that no box of `blocks` holds.
std::vector<Block> holesBetween(const Extent& lengths, const std::vector<Block>& blocks);

/// One box per rank: equal slabs across the longest dimension, which exists. Few pieces per rank,
/// and boxes for any rank count.
std::vector<Block> equalSlabs(const Extent& lengths, int ranks);

/// The row-major offset in an array of `lengths` of the cell at `position` in the box.
std::int64_t cellAt(const Extent& lengths, const Block& box, std::int64_t position);
/// Two boxes that share a cell, as indexes; nothing if none do.
std::optional<std::pair<std::size_t, std::size_t>> findOverlap(const std::vector<Block>& blocks);

/// Copies the cells of `block` out of or into an array of `lengths`; `packed` holds them densely.
void copyIntoArray(const Extent& lengths, const Block& block, std::size_t cellBytes,
                   const std::byte* packed, std::byte* array);
void copyFromArray(const Extent& lengths, const Block& block, std::size_t cellBytes,
                   const std::byte* array, std::byte* packed);

}  // namespace bundleio
