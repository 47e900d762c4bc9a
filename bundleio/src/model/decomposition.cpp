#include "model/decomposition.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <set>
#include <string>

namespace bundleio {

namespace {

std::string text(const Extent& extent) {
  std::string joined = "(";
  for (const std::int64_t value : extent) {
    joined += (joined.size() > 1 ? ", " : "") + std::to_string(value);
  }
  return joined + ")";
}

void checkLengths(const Extent& lengths) {
  if (lengths.empty()) throw Failure(BIO_BAD_ARGUMENT, "a decomposition needs a dimension");
  for (const std::int64_t length : lengths) {
    if (length < 0) {
      throw Failure(BIO_BAD_ARGUMENT, "lengths " + text(lengths) + ": none may be negative");
    }
  }
  if (!isCountable(lengths, 1)) {
    throw Failure(BIO_BAD_ARGUMENT, "lengths " + text(lengths) + ": more than 2^60 cells");
  }
}

void checkInside(const Extent& lengths, const Block& block) {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool inside = block.start[i] >= 0 && block.count[i] >= 0 &&
                        block.start[i] <= lengths[i] &&
                        block.count[i] <= lengths[i] - block.start[i];
    if (!inside) {
      throw Failure(BIO_BAD_ARGUMENT, "start " + text(block.start) + " count " + text(block.count) +
                                          " leaves the lengths " + text(lengths));
    }
  }
}

void checkDisjoint(const std::vector<Block>& blocks) {
  if (const auto found = findOverlap(blocks)) {
    throw Failure(BIO_BAD_ARGUMENT, "ranks " + std::to_string(found->first) + " and " +
                                        std::to_string(found->second) +
                                        " own the same cells: their boxes must not overlap");
  }
}

void checkSame(const Communicator& comm, const std::string& mine) {
  const std::string roots = comm.broadcast(mine, 0);
  comm.agree([&] {
    if (roots != mine) {
      throw Failure(BIO_MISMATCH,
                    "a decomposition has lengths " + mine + ", but on rank 0 " + roots);
    }
  });
}

void checkCells(const Extent& lengths, const std::vector<std::int64_t>& cells, Counting counting) {
  const bool fromOne = counting != Counting::fromZero;
  const std::int64_t last = cellCount(lengths) - (fromOne ? 0 : 1);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] >= 0 && cells[i] <= last) continue;
    throw Failure(
        BIO_BAD_ARGUMENT,
        "cell " + std::to_string(cells[i]) + ", entry " + std::to_string(i) +
            " of the map, is outside the lengths " + text(lengths) +
            (fromOne ? ": cells count from 1 to " + std::to_string(last) + ", and 0 is nowhere"
                     : ": cells count from 0 to " + std::to_string(last) +
                           " (in Fortran from 1); bio_decomp_map_one_based counts from 1"));
  }
}

// Are the cells in their order, but for 0, which is nowhere?
bool areAscending(const std::vector<std::int64_t>& cells) {
  std::int64_t before = 0;
  for (const std::int64_t cell : cells) {
    if (cell == 0) continue;
    if (cell < before) return false;
    before = cell;
  }
  return true;
}

// Refuses a map that counts from 0: it names cell 0 once, which would stand for nowhere, and no
// rank names the last cell. Counted from 1 this is a grid of which the last cell has no owner.
// Where all ranks name their cells in ascending order, the place of the 0 tells: behind others it
// stands for that cell.
void checkCounting(const Communicator& comm, const std::vector<std::int64_t>& cells,
                   std::int64_t last) {
  const auto zero = std::find(cells.begin(), cells.end(), 0);
  const bool isBehind = zero != cells.end() && zero != cells.begin();
  const std::array<std::int64_t, 4> mine{std::count(cells.begin(), cells.end(), 0),
                                         std::count(cells.begin(), cells.end(), last),
                                         areAscending(cells) ? 0 : 1, isBehind ? 1 : 0};
  std::array<std::int64_t, 4> all{};
  MPI_Allreduce(mine.data(), all.data(), 4, MPI_INT64_T, MPI_SUM, comm.handle());
  const auto [zeros, lasts, unordered, behind] = all;
  if (last == 0 || zeros != 1 || lasts != 0 || (unordered == 0 && behind == 1)) return;
  throw Failure(BIO_BAD_ARGUMENT,
                "a map that counts from 1 has one 0 on all ranks together, and no cell " +
                    std::to_string(last) +
                    ", the last: it seems to count from 0, which bio_decomp_map takes (of PIO's "
                    "calls PIOc_init_decomp)");
}

std::vector<Block> gatherBlocks(const Communicator& comm, const Block& own) {
  const std::size_t dims = own.start.size();
  Extent mine = own.start;
  mine.insert(mine.end(), own.count.begin(), own.count.end());
  Extent all(mine.size() * static_cast<std::size_t>(comm.size()));
  MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, all.data(),
                static_cast<int>(mine.size()), MPI_INT64_T, comm.handle());
  std::vector<Block> blocks;
  for (auto at = all.cbegin(); at != all.cend(); at += 2 * static_cast<std::ptrdiff_t>(dims)) {
    const auto middle = at + static_cast<std::ptrdiff_t>(dims);
    blocks.push_back(
        {Extent(at, middle), Extent(middle, middle + static_cast<std::ptrdiff_t>(dims))});
  }
  return blocks;
}

// Nothing where boxes are not known, as in the layout of a BP file.
Block ownOf(const Extent& lengths, const RankBoxes& boxes, int rank) {
  const auto index = static_cast<std::size_t>(rank);
  if (index < boxes.size()) return boxes[index];
  return {Extent(lengths.size(), 0), Extent(lengths.size(), 0)};
}

// FNV-1a, 64 bits, a number at a time.
constexpr std::uint64_t hashBasis = 14695981039346656037ULL;

std::uint64_t mixed(std::uint64_t hash, const std::vector<std::int64_t>& numbers) {
  for (const std::int64_t number : numbers) {
    hash = (hash ^ static_cast<std::uint64_t>(number)) * 1099511628211ULL;
    // A product carries upwards only, so the high bits of a number are brought down.
    hash ^= hash >> 32U;
  }
  return hash;
}

// The dimension in which the boxes have most different starts.
std::size_t mostCut(const std::vector<Block>& blocks) {
  std::size_t best = 0;
  std::size_t most = 0;
  for (std::size_t dim = 0; !blocks.empty() && dim < blocks.front().start.size(); ++dim) {
    std::set<std::int64_t> starts;
    for (const Block& block : blocks) starts.insert(block.start[dim]);
    if (starts.size() <= most) continue;
    most = starts.size();
    best = dim;
  }
  return best;
}

// Calls visit(array cell, packed cell, cell count) for each run of cells that is dense in both.
template <class Visit>
void forEachRow(const Extent& lengths, const Block& block, Visit visit) {
  if (block.cells() == 0) return;
  const std::size_t last = lengths.size() - 1;
  Extent at(lengths.size(), 0);
  std::int64_t packed = 0;
  while (true) {
    std::int64_t cell = 0;
    for (std::size_t i = 0; i <= last; ++i) cell = cell * lengths[i] + block.start[i] + at[i];
    visit(cell, packed, block.count[last]);
    packed += block.count[last];
    std::size_t dim = last;
    while (dim > 0 && ++at[dim - 1] == block.count[dim - 1]) at[--dim] = 0;
    if (dim == 0) return;
  }
}

}  // namespace

bool isCountable(const Extent& lengths, std::int64_t bytes) {
  std::int64_t left = countMax / bytes;
  for (const std::int64_t length : lengths) {
    if (length > left) return false;
    if (length > 0) left /= length;
  }
  return true;
}

std::int64_t cellAt(const Extent& lengths, const Block& box, std::int64_t position) {
  std::int64_t cell = 0;
  std::int64_t stride = 1;
  for (std::size_t dim = lengths.size(); dim-- > 0;) {
    cell += (position % box.count[dim] + box.start[dim]) * stride;
    stride *= lengths[dim];
    position /= box.count[dim];
  }
  return cell;
}

// Sorted by their starts in one dimension, a box can only overlap those that start before it ends:
// few in the dimension that is cut into most.
std::optional<std::pair<std::size_t, std::size_t>> findOverlap(const std::vector<Block>& blocks) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  order.erase(std::remove_if(order.begin(), order.end(),
                             [&](std::size_t index) { return blocks[index].cells() == 0; }),
              order.end());
  const std::size_t dim = mostCut(blocks);
  const auto startOf = [&](std::size_t index) { return blocks[index].start[dim]; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return startOf(a) < startOf(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Block& first = blocks[order[i]];
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Block& second = blocks[order[j]];
      if (second.start[dim] >= first.start[dim] + first.count[dim]) break;
      if (intersection(first, second).cells() > 0) return std::pair(order[i], order[j]);
    }
  }
  return std::nullopt;
}

Decomposition::Decomposition(Extent lengths, RankBoxes blocks, int rank)
    : lengths_(std::move(lengths)),
      blocks_(std::move(blocks)),
      own_(ownOf(lengths_, blocks_, rank)),
      fingerprint_(mixed(hashBasis, lengths_)),
      hasHoles_(false) {
  std::int64_t owned = 0;
  for (const Block& block : blocks_) {
    owned += block.cells();
    fingerprint_ = mixed(mixed(fingerprint_, block.start), block.count);
  }
  hasHoles_ = owned < cellCount(lengths_);
}

Decomposition Decomposition::block(const Communicator& comm, Extent lengths, const Block& own) {
  comm.agree([&] { checkLengths(lengths); });
  checkSame(comm, text(lengths));
  comm.agree([&] { checkInside(lengths, own); });
  std::vector<Block> blocks = gatherBlocks(comm, own);
  comm.agree([&] { checkDisjoint(blocks); });
  return {std::move(lengths), std::move(blocks), comm.rank()};
}

Decomposition Decomposition::map(const Communicator& comm, Extent lengths,
                                 std::vector<std::int64_t> cells, Counting counting) {
  const int first = counting == Counting::fromZero ? 0 : 1;
  comm.agree([&] {
    checkLengths(lengths);
    checkCells(lengths, cells, counting);
  });
  checkSame(comm, text(lengths) + " and cells counted from " + std::to_string(first));
  if (counting == Counting::fromOne) checkCounting(comm, cells, cellCount(lengths));
  for (std::int64_t& cell : cells) cell = first == 1 && cell == 0 ? MapPlan::nowhere : cell - first;
  const EqualSlabs slabs(lengths, comm.size());
  Decomposition made(std::move(lengths), slabs, comm.rank());
  made.rearrangement_.emplace(comm, slabs, cells, first);
  const std::uint64_t mine = mixed(mixed(made.fingerprint_, {comm.rank()}), cells);
  MPI_Allreduce(&mine, &made.fingerprint_, 1, MPI_UINT64_T, MPI_SUM, comm.handle());
  return made;
}

Decomposition Decomposition::onRoot(Extent lengths, int ranks, int rank) {
  Block nothing{Extent(lengths.size(), 0), Extent(lengths.size(), 0)};
  // A scalar has one cell; a box of no dimensions cannot say "none", so ranks other than 0 get a
  // dimension of their own that says it.
  if (lengths.empty()) nothing.count.push_back(0);
  std::vector<Block> blocks(static_cast<std::size_t>(ranks), nothing);
  blocks[0] = {Extent(lengths.size(), 0), lengths};
  Decomposition made(std::move(lengths), std::move(blocks), rank);
  made.isOnRoot_ = true;
  return made;
}

Decomposition Decomposition::fromBlocks(Extent lengths, std::vector<Block> blocks, int rank) {
  checkLengths(lengths);
  for (const Block& block : blocks) checkInside(lengths, block);
  return {std::move(lengths), std::move(blocks), rank};
}

// The rest of a box is cut, dimension by dimension, before and behind the part taken out of it.
std::vector<Block> holesBetween(const Extent& lengths, const RankBoxes& blocks) {
  std::vector<Block> holes{{Extent(lengths.size(), 0), lengths}};
  for (const Block& taken : blocks) {
    std::vector<Block> left;
    for (Block& hole : holes) {
      const Block common = intersection(hole, taken);
      if (common.cells() == 0) {
        left.push_back(std::move(hole));
        continue;
      }
      for (std::size_t dim = 0; dim < lengths.size(); ++dim) {
        const std::int64_t end = hole.start[dim] + hole.count[dim];
        const std::int64_t first = common.start[dim];
        const std::int64_t last = first + common.count[dim];
        for (const auto& [from, to] : {std::pair(hole.start[dim], first), std::pair(last, end)}) {
          if (from == to) continue;
          left.push_back(hole);
          left.back().start[dim] = from;
          left.back().count[dim] = to - from;
        }
        hole.start[dim] = first;
        hole.count[dim] = last - first;
      }
    }
    holes = std::move(left);
  }
  return holes;
}

void copyIntoArray(const Extent& lengths, const Block& block, std::size_t cellBytes,
                   const std::byte* packed, std::byte* array) {
  if (lengths.empty()) {
    if (block.cells() > 0) std::memcpy(array, packed, cellBytes);
    return;
  }
  forEachRow(lengths, block, [&](std::int64_t cell, std::int64_t from, std::int64_t count) {
    std::memcpy(array + static_cast<std::size_t>(cell) * cellBytes,
                packed + static_cast<std::size_t>(from) * cellBytes,
                static_cast<std::size_t>(count) * cellBytes);
  });
}

void copyFromArray(const Extent& lengths, const Block& block, std::size_t cellBytes,
                   const std::byte* array, std::byte* packed) {
  if (lengths.empty()) {
    if (block.cells() > 0) std::memcpy(packed, array, cellBytes);
    return;
  }
  forEachRow(lengths, block, [&](std::int64_t cell, std::int64_t to, std::int64_t count) {
    std::memcpy(packed + static_cast<std::size_t>(to) * cellBytes,
                array + static_cast<std::size_t>(cell) * cellBytes,
                static_cast<std::size_t>(count) * cellBytes);
  });
}

}  // namespace bundleio
