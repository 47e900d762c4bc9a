#include "backends/gather_planes.hpp"

namespace bundleio {

int bundleRoot(const Step& step, int bundle) {
  const auto bundles = static_cast<long long>(step.schema.bundles().size());
  return static_cast<int>(bundle * static_cast<long long>(step.comm.size()) / bundles);
}

std::int64_t bytesOf(const Step& step, const Plane& plane) {
  const Variable& variable = step.schema.variable(plane.piece->variable);
  return variable.bytes() / variable.planeCount;
}

std::vector<Plane> planesOf(const Step& step, const std::vector<Piece>& pieces) {
  std::vector<std::vector<Plane>> byBundle(step.schema.bundles().size());
  std::size_t total = 0;
  for (const Piece& piece : pieces) {
    const int bundle = step.schema.variable(piece.variable).bundle;
    for (std::int64_t plane = 0; plane < piece.planes; ++plane, ++total) {
      byBundle[static_cast<std::size_t>(bundle)].push_back(
          {&piece, piece.firstPlane + plane, 0, bundleRoot(step, bundle)});
    }
  }
  std::vector<Plane> planes;
  for (std::size_t turn = 0; planes.size() < total; ++turn) {
    for (const std::vector<Plane>& bundle : byBundle) {
      if (turn >= bundle.size()) continue;
      planes.push_back(bundle[turn]);
      planes.back().planeRoot =
          static_cast<int>((planes.size() - 1) % static_cast<std::size_t>(step.comm.size()));
    }
  }
  return planes;
}

std::vector<PlaneRange> rangesOf(const Plane* planes, std::size_t count) {
  std::vector<PlaneRange> ranges;
  for (std::size_t i = 0; i < count; ++i) ranges.push_back({planes[i].piece, planes[i].index, 1});
  return ranges;
}

}  // namespace bundleio
