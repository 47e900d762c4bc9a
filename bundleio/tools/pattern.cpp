#include "pattern.hpp"

namespace bundleio {

std::map<int, std::int64_t> DecompositionPattern::owners() const {
  std::map<int, std::int64_t> counts;
  for (const auto& [rank, box] : boxes) {
    if (box.cells() > 0) counts[rank] = box.cells();
  }
  for (const auto& [rank, runs] : cells) {
    for (const CellRun& run : runs) counts[rank] += run.count;
  }
  return counts;
}

std::int64_t DecompositionPattern::ownedCells() const {
  std::int64_t owned = 0;
  for (const auto& [rank, count] : owners()) owned += count;
  return owned;
}

std::int64_t valueAt(const ByRank& runs, int rank) {
  std::int64_t end = 0;
  for (const RankRun& run : runs) {
    end += run.ranks;
    if (rank < end) return run.value;
  }
  throw Failure(BIO_INTERNAL, "no value for rank " + std::to_string(rank));
}

std::int64_t Pattern::variableBytes(std::size_t index) const {
  const Variable& variable = schema.variables().at(index);
  const int its = decomposition.at(index);
  if (its < 0) return variable.bytes();
  return variable.planeCount * decompositions[static_cast<std::size_t>(its)].ownedCells() *
         static_cast<std::int64_t>(bytesOf(variable.type));
}

std::int64_t Pattern::stepBytes() const {
  std::int64_t bytes = 0;
  for (std::size_t index = 0; index < decomposition.size(); ++index) bytes += variableBytes(index);
  return bytes;
}

}  // namespace bundleio
