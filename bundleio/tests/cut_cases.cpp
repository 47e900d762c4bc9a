// Cuts every small slab at every size: the parts must be small enough, and follow each other in
// memory without gap. A slab that takes some cells of rows larger than what is read at once has the
// same cells.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "model/decomposition.hpp"
#include "model/hyperslab.hpp"
#include "readers/slab.hpp"

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

// Rows of half more than a window: reads begin in the middle of a row, at no cell that is wanted.
bool isReadInStepsWell(std::int64_t step) {
  using namespace bundleio;
  constexpr auto row =
      static_cast<std::int64_t>(readWindowBytes / sizeof(std::int32_t) / 2 * 3 + 1);
  Schema schema(1, 0);
  const int bundle = schema.addBundle("b");
  const std::vector<int> dimensions{schema.addDimension(bundle, "y", 2),
                                    schema.addDimension(bundle, "x", row)};
  const Variable& variable =
      schema.variable(schema.addVariable(bundle, "v", BIO_INT32, dimensions, nullptr));
  Slab slab{{0, 1}, {0, 0}, {1, step}};
  slab.reachEnd(variable);
  std::vector<std::int32_t> values(static_cast<std::size_t>(slab.cells()));
  readSlab(variable, slab, reinterpret_cast<std::byte*>(values.data()),
           [&](const Block& box, std::byte* target) {
             for (std::int64_t i = 0; i < box.cells(); ++i, target += sizeof(std::int32_t)) {
               const auto cell = static_cast<std::int32_t>(cellAt(variable.lengths, box, i));
               std::memcpy(target, &cell, sizeof cell);
             }
           });
  std::size_t next = 0;
  for (std::int64_t y = 0; y < 2; ++y) {
    for (std::int64_t x = 1; x < row; x += step) {
      if (next == values.size() || values[next++] != y * row + x) return false;
    }
  }
  return next == values.size();
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
  for (const std::int64_t step : {7, 1000003}) {
    if (isReadInStepsWell(step)) continue;
    std::printf("in steps of %d: other cells\n", static_cast<int>(step));
    return 1;
  }
  std::printf("%zu cases\n", cases);
  return scalarStays ? 0 : 1;
}
