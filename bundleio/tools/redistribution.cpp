// A recorded pattern over another number of ranks.
#include <algorithm>
#include <numeric>

#include "geos_model.hpp"
#include "pattern.hpp"

namespace bundleio {

namespace {

// The recorded rank whose share the share of `rank` begins in.
int recordedRank(int rank, int recordedRanks, int ranks) {
  return static_cast<int>(static_cast<std::int64_t>(rank) * recordedRanks / ranks);
}

ByRank spread(const ByRank& recorded, int recordedRanks, int ranks) {
  ByRank runs;
  std::int64_t end = 0;  // of the recorded run, in ranks
  auto run = recorded.begin();
  for (int rank = 0; rank < ranks; ++rank) {
    const int its = recordedRank(rank, recordedRanks, ranks);
    while (its >= end + run->ranks) end += (run++)->ranks;
    runs.push_back({run->value, 1});
  }
  return runs;
}

// Along the two longest dimensions, the longer by the larger number.
DecompositionPattern divided(const DecompositionPattern& recorded, std::size_t number, int ranks) {
  const std::int64_t holes = cellCount(recorded.lengths) - recorded.ownedCells();
  if (holes > 0) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "decomposition " + std::to_string(number) + " leaves " + std::to_string(holes) +
                      " cells to nobody: it cannot be divided anew; replay it on as many ranks as "
                      "recorded");
  }
  std::vector<std::size_t> order(recorded.lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return recorded.lengths[a] > recorded.lengths[b];
  });
  const Grid grid = order.size() > 1 ? rankGrid(ranks) : Grid{1, ranks};
  DecompositionPattern made{false, recorded.lengths, {}, {}};
  for (int rank = 0; rank < ranks; ++rank) {
    Block box{Extent(recorded.lengths.size(), 0), recorded.lengths};
    const auto cut = [&](std::size_t dimension, std::int64_t part, std::int64_t parts) {
      const std::int64_t length = recorded.lengths[dimension];
      box.start[dimension] = length * part / parts;
      box.count[dimension] = length * (part + 1) / parts - box.start[dimension];
    };
    cut(order[0], rank % grid.lon, grid.lon);
    if (order.size() > 1) cut(order[1], rank / grid.lon, grid.lat);
    made.boxes.emplace(rank, std::move(box));
  }
  return made;
}

// Equal shares of all cells in the order of ranks, and in that of the cells of each.
DecompositionPattern shared(const DecompositionPattern& recorded, int ranks) {
  const std::int64_t owned = recorded.ownedCells();
  DecompositionPattern made{true, recorded.lengths, {}, {}};
  const auto endOf = [&](int rank) {
    return owned / ranks * (rank + 1) + owned % ranks * (rank + 1) / ranks;
  };
  int rank = 0;
  std::int64_t next = 0;
  for (const auto& [recordedRank, runs] : recorded.cells) {
    for (CellRun run : runs) {
      while (run.count > 0) {
        while (next == endOf(rank)) ++rank;
        const std::int64_t count = std::min(run.count, endOf(rank) - next);
        made.cells[rank].push_back({run.first, count, run.stride});
        run.first += count * run.stride;
        run.count -= count;
        next += count;
      }
    }
  }
  return made;
}

}  // namespace

Pattern redistributed(const Pattern& recorded, int ranks) {
  Pattern made = recorded;
  made.ranks = ranks;
  for (std::size_t i = 0; i < made.decompositions.size(); ++i) {
    DecompositionPattern& target = made.decompositions[i];
    target = target.isMap ? shared(target, ranks) : divided(target, i, ranks);
  }
  for (StepPattern& step : made.steps) {
    step.gapMicroseconds = spread(step.gapMicroseconds, recorded.ranks, ranks);
    step.lists = spread(step.lists, recorded.ranks, ranks);
  }
  return made;
}

}  // namespace bundleio
