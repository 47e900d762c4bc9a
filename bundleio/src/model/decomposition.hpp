// The owners of cells. Made once, collectively, and shared by all variables that use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/block.hpp"
#include "model/communicator.hpp"
#include "model/rearrangement.hpp"

namespace bundleio {

/// No array may have more cells, nor a step more bytes: products of them still fit an integer.
inline constexpr std::int64_t countMax = std::int64_t{1} << 60;
/// Do `lengths`, none of them negative, and `bytes` times their product stay within countMax?
/// Lengths of zero do not count: others are multiplied before them.
bool isCountable(const std::vector<std::int64_t>& lengths, std::int64_t bytes);
/// How a map counts its cells; `fromOneForSure`: not to be refused for looking as if from 0.
enum class Counting { fromZero, fromOne, fromOneForSure };

class Decomposition {
 public:
  /// Each rank owns one box. Collective.
  static Decomposition block(const Communicator& comm, Extent lengths, const Block& own);
  /// Each rank owns any cells. They are written as boxes: every write moves them there first.
  /// Counted from 1, a 0 is a local value that has no cell. Collective.
  static Decomposition map(const Communicator& comm, Extent lengths,
                           std::vector<std::int64_t> cells, Counting counting);
  /// Rank 0 owns everything. Local.
  static Decomposition onRoot(Extent lengths, int ranks, int rank);
  /// Boxes as recorded elsewhere, one per rank. Local.
  static Decomposition fromBlocks(Extent lengths, std::vector<Block> blocks, int rank);

  [[nodiscard]] const Extent& lengths() const { return lengths_; }
  /// The box that this rank writes.
  [[nodiscard]] const Block& own() const { return own_; }
  /// The boxes that all ranks write, by rank.
  [[nodiscard]] const RankBoxes& blocks() const { return blocks_; }
  /// The number of cells in a put of this rank: those of own(), unless they are moved first.
  [[nodiscard]] std::int64_t localCells() const {
    return rearrangement_ ? rearrangement_->plan().local().planeCells : own().cells();
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
  Decomposition(Extent lengths, RankBoxes blocks, int rank);

  Extent lengths_;
  RankBoxes blocks_;
  Block own_;
  std::uint64_t fingerprint_;
  bool hasHoles_;
  bool isOnRoot_ = false;
  std::optional<Rearrangement> rearrangement_;
};

/// Boxes of the cells that no box of `blocks` holds.
std::vector<Block> holesBetween(const Extent& lengths, const RankBoxes& blocks);

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
