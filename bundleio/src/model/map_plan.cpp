#include "model/map_plan.hpp"

#include <algorithm>
#include <climits>
#include <numeric>
#include <string>

#include "model/decomposition.hpp"

namespace bundleio {

MapPlan::MapPlan(const EqualSlabs& slabs, int rank, const std::vector<std::int64_t>& cells,
                 int first)
    : lengths_(slabs.lengths()),
      rank_(rank),
      ranks_(slabs.ranks()),
      first_(first),
      own_(slabs.of(rank)) {
  box_.planeCells = own_.cells();
  local_.planeCells = static_cast<std::int64_t>(cells.size());
  if (cells.size() > INT_MAX || box_.planeCells > INT_MAX) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "a map of more than 2^31 - 1 cells for one rank: use more ranks");
  }
  std::vector<int> writers;
  writers.reserve(cells.size());
  for (const std::int64_t cell : cells) {
    writers.push_back(cell == nowhere ? INT_MAX : slabs.ownerOf(cell));
  }
  local_.places.resize(cells.size());
  std::iota(local_.places.begin(), local_.places.end(), 0);
  std::stable_sort(local_.places.begin(), local_.places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return writers[a] < writers[b]; });
  while (!local_.places.empty() && writers[local_.places.back()] == INT_MAX) {
    local_.places.pop_back();
  }
  local_.places.shrink_to_fit();
  for (const std::uint32_t place : local_.places) {
    if (local_.partners.empty() || local_.partners.back().rank != writers[place]) {
      local_.partners.push_back({writers[place], 0});
    }
    ++local_.partners.back().cells;
  }
  local_.partners.shrink_to_fit();
}

std::vector<int> MapPlan::handedOver() const {
  std::vector<int> counts(static_cast<std::size_t>(ranks_), 0);
  for (const Partner& partner : local_.partners) {
    counts[static_cast<std::size_t>(partner.rank)] = static_cast<int>(partner.cells);
  }
  return counts;
}

void MapPlan::expect(const std::vector<int>& counts) {
  const std::int64_t held = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (held > box_.planeCells) {
    throw Failure(BIO_BAD_ARGUMENT, "ranks own " + std::to_string(held) + " of the " +
                                        std::to_string(box_.planeCells) + " cells from " +
                                        std::to_string(cellAt(0) + first_) +
                                        " on: a map gives each cell to one rank, once");
  }
  for (int rank = 0; rank < ranks_; ++rank) {
    const int cells = counts[static_cast<std::size_t>(rank)];
    if (cells > 0) box_.partners.push_back({rank, static_cast<std::uint32_t>(cells)});
  }
  box_.partners.shrink_to_fit();
  box_.places.reserve(static_cast<std::size_t>(held));
}

void MapPlan::place(const std::vector<std::int64_t>& cells) {
  std::vector<bool> isTaken(static_cast<std::size_t>(box_.planeCells), false);
  for (const std::int64_t cell : cells) {
    const auto place = static_cast<std::uint32_t>(placeOf(cell));
    if (isTaken[place]) {
      const auto before = std::find(box_.places.begin(), box_.places.end(), place);
      const int one = ownerOfPlace(static_cast<std::size_t>(before - box_.places.begin()));
      const int other = ownerOfPlace(box_.places.size());
      const std::string name = "cell " + std::to_string(cell + first_);
      throw Failure(BIO_BAD_ARGUMENT,
                    (one == other ? name + " stands twice in the map of rank " + std::to_string(one)
                                  : name + " stands in the maps of ranks " + std::to_string(one) +
                                        " and " + std::to_string(other)) +
                        ": a map gives each cell to one rank, once");
    }
    isTaken[place] = true;
    box_.places.push_back(place);
  }
}

int MapPlan::ownerOfPlace(std::size_t index) const {
  std::size_t end = 0;
  for (const Partner& partner : box_.partners) {
    end += partner.cells;
    if (index < end) return partner.rank;
  }
  return rank_;
}

std::int64_t MapPlan::placeOf(std::int64_t cell) const {
  std::int64_t position = 0;
  std::int64_t stride = 1;
  for (std::size_t dim = lengths_.size(); dim-- > 0;) {
    position += (cell % lengths_[dim] - own_.start[dim]) * stride;
    stride *= own_.count[dim];
    cell /= lengths_[dim];
  }
  return position;
}

std::int64_t MapPlan::cellAt(std::uint32_t place) const {
  return own_.cells() == 0 ? 0 : bundleio::cellAt(lengths_, own_, place);
}

std::size_t MapPlan::bytes() const {
  std::size_t bytes = sizeof *this;
  for (const Side* side : {&local_, &box_}) {
    bytes += side->partners.capacity() * sizeof(Partner);
    bytes += side->places.capacity() * sizeof(std::uint32_t);
  }
  for (const Extent* extent : {&lengths_, &own_.start, &own_.count}) {
    bytes += extent->capacity() * sizeof(std::int64_t);
  }
  return bytes;
}

}  // namespace bundleio
