// Cuts every small slab at every size: the parts must be small enough, and follow each other in
// memory without gap.
#include <cstdio>
#include <vector>

#include "model/hyperslab.hpp"

namespace {

using bundleio::Hyperslab;

// Places in the slab's memory of the cells of `part`, in order of the part's own.
std::vector<std::size_t> placesOf(const Hyperslab& slab, const Hyperslab& part) {
  std::vector<std::size_t> places{0};
  for (std::size_t dim = 0; dim < slab.count.size(); ++dim) {
    std::vector<std::size_t> finer;
    for (const std::size_t place : places) {
      for (std::size_t i = 0; i < part.count[dim]; ++i) {
        finer.push_back(place * slab.count[dim] + part.start[dim] - slab.start[dim] + i);
      }
    }
    places = std::move(finer);
  }
  return places;
}

bool isCutWell(const Hyperslab& slab, std::size_t cellsMax) {
  std::size_t next = 0;
  for (const Hyperslab& part : bundleio::cut(slab, cellsMax)) {
    const std::vector<std::size_t> places = placesOf(slab, part);
    if (places.size() > cellsMax) return false;
    for (const std::size_t place : places) {
      if (place != next++) return false;
    }
  }
  return next == placesOf(slab, slab).size();
}

}  // namespace

int main() {
  std::size_t cases = 0;
  for (std::size_t shape = 0; shape < 5 * 5 * 5 * 5; ++shape) {
    const std::vector<std::size_t> count{shape % 5, shape / 5 % 5, shape / 25 % 5, shape / 125};
    const Hyperslab slab{{3, 0, 7, 1}, count};
    for (std::size_t cellsMax = 1; cellsMax <= 257; ++cellsMax, ++cases) {
      if (isCutWell(slab, cellsMax)) continue;
      std::printf("%zu x %zu x %zu x %zu at %zu cells\n", count[0], count[1], count[2], count[3],
                  cellsMax);
      return 1;
    }
  }
  // A scalar has no dimension to be cut.
  const bool scalarStays = bundleio::cut({{}, {}}, 1).size() == 1;
  std::printf("%zu cases\n", cases);
  return scalarStays ? 0 : 1;
}
