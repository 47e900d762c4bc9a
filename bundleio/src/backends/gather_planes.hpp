// The planes of a step in the original scheme, their order, and the rank that collects and writes
// each: see gather.cpp. Does not communicate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/box_planes.hpp"

namespace bundleio {

struct Plane {
  const Piece* piece;
  std::int64_t index;  // in the variable
  int planeRoot;
  int bundleRoot;
};

/// The rank that writes a bundle's file.
int bundleRoot(const Step& step, int bundle);
/// Of all ranks.
std::int64_t bytesOf(const Step& step, const Plane& plane);
/// Bundles take turns, as they go on at the same time in the original.
std::vector<Plane> planesOf(const Step& step, const std::vector<Piece>& pieces);
std::vector<PlaneRange> rangesOf(const Plane* planes, std::size_t count);

}  // namespace bundleio
