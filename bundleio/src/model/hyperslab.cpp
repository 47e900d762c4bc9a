#include "model/hyperslab.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace bundleio {

namespace {

std::size_t cellsOf(const Hyperslab& slab) {
  return std::accumulate(slab.count.begin(), slab.count.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace

Block blockOf(const Hyperslab& slab) {
  return {Extent(slab.start.begin(), slab.start.end()),
          Extent(slab.count.begin(), slab.count.end())};
}

std::size_t slabBytes(const Hyperslab& slab, Type type) {
  std::size_t bytes = bytesOf(type);
  for (const std::size_t count : slab.count) bytes *= count;
  return bytes;
}

// A range of planes is one rectangle if at most one leading dimension is longer than 1; else it is
// cut at the ends of the innermost leading dimension.
std::vector<Hyperslab> hyperslabs(const Variable& variable, const Block& block,
                                  std::int64_t firstPlane, std::int64_t planes) {
  const auto leading = static_cast<std::ptrdiff_t>(variable.leadingCount);
  const Extent lead(variable.lengths.begin(), variable.lengths.begin() + leading);
  std::vector<Hyperslab> slabs;
  const auto add = [&](std::vector<std::size_t> start, std::vector<std::size_t> count) {
    for (std::size_t i = 0; i + lead.size() < variable.lengths.size(); ++i) {
      // Libraries check the start even of nothing: an empty box starts at 0.
      start.push_back(static_cast<std::size_t>(block.cells() > 0 ? block.start[i] : 0));
      count.push_back(static_cast<std::size_t>(block.cells() > 0 ? block.count[i] : 0));
    }
    slabs.push_back({std::move(start), std::move(count)});
  };
  if (firstPlane == 0 && planes == variable.planeCount) {
    add(std::vector<std::size_t>(lead.size(), 0), {lead.begin(), lead.end()});
    return slabs;
  }
  const std::int64_t inner = lead.back();
  for (std::int64_t plane = firstPlane; plane < firstPlane + planes;) {
    const std::int64_t run = std::min(inner - plane % inner, firstPlane + planes - plane);
    std::vector<std::size_t> start(lead.size());
    std::vector<std::size_t> count(lead.size(), 1);
    std::int64_t rest = plane;
    for (std::size_t dim = lead.size(); dim-- > 0;) {
      start[dim] = static_cast<std::size_t>(rest % lead[dim]);
      rest /= lead[dim];
    }
    count.back() = static_cast<std::size_t>(run);
    add(std::move(start), std::move(count));
    plane += run;
  }
  return slabs;
}

// The dimension that is divided is the first of which one entry is small enough; those before it
// are taken entry by entry.
std::vector<Hyperslab> cut(const Hyperslab& slab, std::size_t cellsMax) {
  std::size_t cells = cellsOf(slab);
  if (cells <= cellsMax) return {slab};
  std::size_t divided = 0;
  for (; cells / slab.count[divided] > cellsMax; ++divided) cells /= slab.count[divided];
  const std::size_t run = std::max<std::size_t>(1, cellsMax / (cells / slab.count[divided]));
  std::vector<Hyperslab> parts;
  Hyperslab part = slab;
  std::fill_n(part.count.begin(), divided, 1);
  while (true) {
    const std::size_t end = slab.start[divided] + slab.count[divided];
    for (std::size_t at = slab.start[divided]; at < end; at += run) {
      part.start[divided] = at;
      part.count[divided] = std::min(run, end - at);
      parts.push_back(part);
    }
    std::size_t dim = divided;
    while (dim > 0 && ++part.start[dim - 1] == slab.start[dim - 1] + slab.count[dim - 1]) {
      --dim;
      part.start[dim] = slab.start[dim];
    }
    if (dim == 0) return parts;
  }
}

std::vector<Hyperslab> collectiveHyperslabs(const Communicator& comm, const Variable& variable,
                                            const Block& block, std::int64_t firstPlane,
                                            std::int64_t planes) {
  std::vector<Hyperslab> whole = hyperslabs(variable, block, firstPlane, planes);
  if (variable.bytes() <= collectiveBytesMax) return whole;
  std::vector<Hyperslab> slabs;
  for (const Hyperslab& slab : whole) {
    const auto parts = cut(slab, collectiveBytesMax / bytesOf(variable.type));
    slabs.insert(slabs.end(), parts.begin(), parts.end());
  }
  const long long most = -comm.minimum(-static_cast<long long>(slabs.size()));
  const std::vector<std::size_t> nothing(variable.lengths.size(), 0);
  slabs.resize(static_cast<std::size_t>(most), {nothing, nothing});
  return slabs;
}

}  // namespace bundleio
