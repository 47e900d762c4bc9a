// A model as a recording describes it: the owners of cells, the contents of steps, and the order
// and distance in which steps followed each other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/communicator.hpp"
#include "record/pattern_text.hpp"

namespace bundleio {

/// Cells first, first + stride and so on.
struct CellRun {
  std::int64_t first;
  std::int64_t count;
  std::int64_t stride;
};

/// Ranks that are not named own nothing.
struct DecompositionPattern {
  bool isMap;
  Extent lengths;
  std::map<int, Block> boxes;
  std::map<int, std::vector<CellRun>> cells;

  /// By rank: how many cells, of those that own any.
  [[nodiscard]] std::map<int, std::int64_t> owners() const;
  [[nodiscard]] std::int64_t ownedCells() const;
};

/// One value for each of some ranks that follow each other.
struct RankRun {
  std::int64_t value;
  std::int64_t ranks;
};
using ByRank = std::vector<RankRun>;
std::int64_t valueAt(const ByRank& runs, int rank);

struct StepPattern {
  ByRank gapMicroseconds;          // outside of bundleio before the end of the step
  std::int64_t takenMicroseconds;  // by the end of the step, on the slowest rank
  ByRank lists;                    // indexes in Pattern::lists
  /// After the step: waits for it to be visible, each with the time before it on rank 0.
  struct Wait {
    std::int64_t gapMicroseconds;
    std::int64_t takenMicroseconds;
  };
  std::vector<Wait> waits;
};

struct Pattern {
  int ranks = 0;
  std::string backend;
  std::string options;
  std::vector<DecompositionPattern> decompositions;
  Schema schema{1, 0};             // shapes and names; as if one rank owned all
  std::vector<int> decomposition;  // by variable: index in decompositions, -1: rank 0 has it
  std::vector<std::vector<PutRange>> lists;
  std::vector<StepPattern> steps;

  /// Bytes of a variable in a step, of all ranks together.
  [[nodiscard]] std::int64_t variableBytes(std::size_t variable) const;
  /// Of all variables.
  [[nodiscard]] std::int64_t stepBytes() const;
};

/// Reads a pattern file; whatever it contains, the outcome is a pattern whose numbers fit each
/// other, or a Failure that names the line.
Pattern parsePattern(const std::string& name, const std::string& text);
/// The same on all ranks; rank 0 reads the file. Collective.
Pattern readPattern(const Communicator& comm, const std::string& path);

}  // namespace bundleio
