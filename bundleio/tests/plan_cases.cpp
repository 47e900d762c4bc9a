// Plans of maps without any messages: what ranks would send each other fits together, and what a
// plan takes in memory does not grow with the ranks, but with those that a rank shares cells with.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "model/decomposition.hpp"
#include "model/map_plan.hpp"

namespace {

using bundleio::EqualSlabs;
using bundleio::Extent;
using bundleio::MapPlan;

int failures = 0;

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::printf("failed: %s\n", what.c_str());
  ++failures;
}

// The rank that owns a cell, or -1.
using Ownership = int (*)(std::int64_t cell, std::int64_t cells, int ranks);

// Source of the factor: Knuth, TAOCP 3, section 6.4.
int scattered(std::int64_t cell, std::int64_t /*cells*/, int ranks) {
  const auto word = static_cast<std::uint32_t>(cell) * 2654435761U;
  return cell % 11 == 5 ? -1 : static_cast<int>((word >> 8U) % static_cast<unsigned>(ranks));
}
// As a mesh is that was divided along a curve: a rank's cells lie together, but for some that
// neighbours have.
int nearby(std::int64_t cell, std::int64_t cells, int ranks) {
  const auto rank = static_cast<int>(cell * ranks / cells);
  return cell % 8 == 3 && rank + 1 < ranks ? rank + 1 : rank;
}
int onLast(std::int64_t /*cell*/, std::int64_t /*cells*/, int ranks) { return ranks - 1; }

std::vector<std::int64_t> cellsOf(int rank, Ownership ownership, std::int64_t cells, int ranks) {
  std::vector<std::int64_t> own;
  for (std::int64_t cell = cells - 1; cell >= 0; --cell) {
    if (ownership(cell, cells, ranks) == rank) own.push_back(cell);
  }
  own.push_back(MapPlan::nowhere);
  return own;
}

// The plan of rank `rank` when all ranks have told it their parts.
MapPlan planOf(int rank, const EqualSlabs& slabs, Ownership ownership) {
  const std::int64_t cells = bundleio::cellCount(slabs.lengths());
  MapPlan plan(slabs, rank, cellsOf(rank, ownership, cells, slabs.ranks()), 0);
  std::vector<std::vector<std::int64_t>> sent(static_cast<std::size_t>(slabs.ranks()));
  for (std::int64_t cell = cells - 1; cell >= 0; --cell) {
    const int owner = ownership(cell, cells, slabs.ranks());
    if (owner >= 0 && slabs.ownerOf(cell) == rank) {
      sent[static_cast<std::size_t>(owner)].push_back(cell);
    }
  }
  std::vector<int> counts;
  std::vector<std::int64_t> arrived;
  for (const auto& ones : sent) {
    counts.push_back(static_cast<int>(ones.size()));
    arrived.insert(arrived.end(), ones.begin(), ones.end());
  }
  plan.expect(counts);
  plan.place(arrived);
  return plan;
}

void everyCellIsInTheSlabOfItsOwner(const Extent& lengths, int ranks) {
  const EqualSlabs slabs(lengths, ranks);
  std::int64_t cells = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const bundleio::Block box = slabs.of(rank);
    cells += box.cells();
    for (std::int64_t at = 0; at < box.cells(); ++at) {
      expect(slabs.ownerOf(bundleio::cellAt(lengths, box, at)) == rank, "owner of a cell");
    }
  }
  expect(cells == bundleio::cellCount(lengths), "slabs hold all cells");
}

// Every rank's plan, and each message as both of its ends count it.
void bothEndsAgree(const Extent& lengths, int ranks, Ownership ownership) {
  const EqualSlabs slabs(lengths, ranks);
  std::vector<MapPlan> plans;
  for (int rank = 0; rank < ranks; ++rank) plans.push_back(planOf(rank, slabs, ownership));
  std::int64_t moved = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const MapPlan& plan = plans[static_cast<std::size_t>(rank)];
    const auto own = cellsOf(rank, ownership, bundleio::cellCount(lengths), ranks);
    std::size_t next = 0;
    for (const MapPlan::Partner& to : plan.local().partners) {
      const MapPlan& other = plans[static_cast<std::size_t>(to.rank)];
      std::size_t at = 0;
      bool isExpected = false;
      for (const MapPlan::Partner& from : other.box().partners) {
        if (from.rank == rank) {
          isExpected = from.cells == to.cells;
          break;
        }
        at += from.cells;
      }
      expect(isExpected, "a message that is awaited");
      for (std::uint32_t i = 0; isExpected && i < to.cells; ++i, ++moved) {
        const std::int64_t sent = own[plan.local().places[next + i]];
        expect(other.cellAt(other.box().places[at + i]) == sent, "a cell that gets to its place");
      }
      next += to.cells;
    }
  }
  std::int64_t owned = 0;
  for (std::int64_t cell = 0; cell < bundleio::cellCount(lengths); ++cell) {
    if (ownership(cell, bundleio::cellCount(lengths), ranks) >= 0) ++owned;
  }
  expect(moved == owned, "every cell with an owner moves");
}

std::size_t planBytes(const char* name, int ranks, std::int64_t cellsOfEach, Ownership ownership) {
  const EqualSlabs slabs({ranks * cellsOfEach}, ranks);
  const MapPlan plan = planOf(ranks / 2, slabs, ownership);
  const std::size_t partners = plan.local().partners.size() + plan.box().partners.size();
  const std::size_t cells = plan.local().places.size() + plan.box().places.size();
  std::printf("%d ranks of %lld cells, %s: %zu bytes on one rank, %zu partners\n", ranks,
              static_cast<long long>(cellsOfEach), name, plan.bytes(), partners);
  // Four bytes for each of a rank's cells and of those in its box, eight for each partner.
  expect(plan.bytes() <= 4 * cells + 8 * partners + 512, "what a plan takes");
  return plan.bytes();
}

void plansDoNotGrowWithTheRanks() {
  constexpr std::int64_t cells = 4096;
  const std::size_t few = planBytes("nearby", 64, cells, nearby);
  expect(planBytes("nearby", 1024, cells, nearby) == few, "a plan that grows with the ranks");
  planBytes("scattered", 1024, cells, scattered);
}

}  // namespace

int main() {
  for (const int ranks : {1, 2, 3, 7, 64, 200}) {
    for (const Extent& lengths : {Extent{101}, Extent{3, 97}, Extent{53, 4, 2}, Extent{2, 5, 31}}) {
      everyCellIsInTheSlabOfItsOwner(lengths, ranks);
      if (ranks > 64) continue;
      for (const Ownership ownership : {scattered, nearby, onLast}) {
        bothEndsAgree(lengths, ranks, ownership);
      }
    }
  }
  plansDoNotGrowWithTheRanks();
  return failures == 0 ? 0 : 1;
}
