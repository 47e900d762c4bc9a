#include "model/parts.hpp"

#include <algorithm>

#include "model/hyperslab.hpp"

namespace bundleio {

namespace {

// Own: what handling a part costs beside its bytes, as so many bytes. Else a rank could get
// thousands of scalars, and the others everything else.
constexpr std::int64_t partCostBytes = 16384;

}  // namespace

std::size_t partBytes(const Schema& schema, const Part& part) {
  return static_cast<std::size_t>(part.box.cells()) * bytesOf(schema.variable(part.variable).type);
}

std::vector<Part> partsOf(const Schema& schema, int variable, const Block& box,
                          std::size_t bytesMax) {
  std::vector<Part> parts;
  if (box.cells() == 0) return parts;
  const Hyperslab whole{{box.start.begin(), box.start.end()}, {box.count.begin(), box.count.end()}};
  const std::size_t cellBytes = bytesOf(schema.variable(variable).type);
  for (const Hyperslab& slab : cut(whole, std::max<std::size_t>(1, bytesMax / cellBytes))) {
    parts.push_back({variable,
                     {Extent(slab.start.begin(), slab.start.end()),
                      Extent(slab.count.begin(), slab.count.end())}});
  }
  return parts;
}

std::vector<Part> shareOf(const Schema& schema, int rank, int ranks, std::size_t bytesMax) {
  std::vector<Part> all;
  std::int64_t cost = 0;
  const auto costOf = [&](const Part& part) {
    return static_cast<std::int64_t>(partBytes(schema, part)) + partCostBytes;
  };
  for (const Bundle& bundle : schema.bundles()) {
    for (const int index : bundle.variables) {
      const Extent& lengths = schema.variable(index).lengths;
      for (Part& part : partsOf(schema, index, {Extent(lengths.size(), 0), lengths}, bytesMax)) {
        cost += costOf(part);
        all.push_back(std::move(part));
      }
    }
  }
  std::vector<Part> share;
  std::int64_t before = 0;
  for (Part& part : all) {
    const std::int64_t own = costOf(part);
    // By its middle, each part lies in one share.
    const auto middle = static_cast<double>(before) + static_cast<double>(own) / 2;
    if (static_cast<int>(middle / static_cast<double>(cost) * ranks) == rank) {
      share.push_back(std::move(part));
    }
    before += own;
  }
  return share;
}

}  // namespace bundleio
