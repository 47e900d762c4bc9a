#include "model/block.hpp"

#include <algorithm>

namespace bundleio {

std::int64_t cellCount(const Extent& lengths) {
  std::int64_t cells = 1;
  for (const std::int64_t length : lengths) cells *= length;
  return cells;
}

Block intersection(const Block& a, const Block& b) {
  if (a.cells() == 0) return a;
  // A box without dimensions holds a cell: see Decomposition::onRoot for how it says "none".
  if (b.cells() == 0) return b;
  Block common = a;
  for (std::size_t dim = 0; dim < a.start.size(); ++dim) {
    common.start[dim] = std::max(a.start[dim], b.start[dim]);
    const std::int64_t end = std::min(a.start[dim] + a.count[dim], b.start[dim] + b.count[dim]);
    common.count[dim] = std::max<std::int64_t>(0, end - common.start[dim]);
  }
  return common;
}

EqualSlabs::EqualSlabs(Extent lengths, int ranks)
    : lengths_(std::move(lengths)),
      ranks_(ranks),
      divided_(static_cast<std::size_t>(std::max_element(lengths_.begin(), lengths_.end()) -
                                        lengths_.begin())) {
  for (std::size_t dim = divided_ + 1; dim < lengths_.size(); ++dim) inner_ *= lengths_[dim];
}

// length * rank / ranks, also where the product would be too large.
std::int64_t EqualSlabs::start(int rank) const {
  const std::int64_t length = lengths_[divided_];
  return length / ranks_ * rank + length % ranks_ * rank / ranks_;
}

Block EqualSlabs::of(int rank) const {
  Block block{Extent(lengths_.size(), 0), lengths_};
  block.start[divided_] = start(rank);
  block.count[divided_] = start(rank + 1) - start(rank);
  return block;
}

int EqualSlabs::ownerOf(std::int64_t cell) const {
  const std::int64_t length = lengths_[divided_];
  const std::int64_t coordinate = cell / inner_ % length;
  // At most one rank off, whatever is rounded.
  int rank = static_cast<int>(static_cast<double>(coordinate) / static_cast<double>(length) *
                              static_cast<double>(ranks_));
  while (rank > 0 && start(rank) > coordinate) --rank;
  while (start(rank + 1) <= coordinate) ++rank;
  return rank;
}

}  // namespace bundleio
