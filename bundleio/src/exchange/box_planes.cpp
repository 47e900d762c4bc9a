#include "exchange/box_planes.hpp"

#include <algorithm>

#include "exchange/step_sums.hpp"

namespace bundleio {

namespace {

// Of the bytes of a step. Own: beside the values of a rank a window is a 32nd of them, and what is
// packed for messages, going and coming, a 64th each.
constexpr std::int64_t windowShares = 32;
constexpr std::int64_t roundShares = 64;
// On each rank: messages of smaller windows would cost more than they carry.
constexpr std::int64_t leastBytes = 64 << 10;

std::int64_t shareBytes(const Step& step, std::int64_t shares) {
  return std::max(step.schema.stepBytes() / shares, leastBytes * step.comm.size());
}

bool isMap(const Variable& variable) { return variable.decomposition->rearrangement() != nullptr; }

// Own: half of a core's second cache of 1 MiB, as many processors have it.
constexpr std::int64_t partBytes = 512 << 10;

// Of all ranks.
std::int64_t planeBytes(const Variable& variable) { return variable.bytes() / variable.planeCount; }

// So that values of every type lie where their type wants them.
std::size_t alignedBytes(const Variable& variable, std::int64_t planes) {
  return (static_cast<std::size_t>(planes * variable.ownPlaneBytes()) + 7) / 8 * 8;
}

}  // namespace

// Each window holds a plane at least. What all ranks hold together decides, so that they agree.
std::vector<BoxPlanes::Round> BoxPlanes::roundsOf(const std::vector<PlaneRange>& ranges) const {
  const std::int64_t bytesMax = shareBytes(step_, roundShares);
  std::vector<Round> rounds;
  std::map<const Rearrangement*, std::pair<std::size_t, std::int64_t>> open;  // round, bytes left
  for (const PlaneRange& range : ranges) {
    const Variable& variable = variableOf(*range.piece);
    const Rearrangement* map = variable.decomposition->rearrangement();
    if (map == nullptr) continue;
    for (std::int64_t done = 0; done < range.planes;) {
      auto& [index, bytesLeft] = open[map];
      if (bytesLeft <= 0) {
        index = rounds.size();
        bytesLeft = bytesMax;
        rounds.push_back({map, {}});
      }
      const std::int64_t planes =
          std::clamp<std::int64_t>(bytesLeft / planeBytes(variable), 1, range.planes - done);
      rounds[index].ranges.push_back({range.piece, range.first + done, planes});
      bytesLeft -= planes * planeBytes(variable);
      done += planes;
    }
  }
  return rounds;
}

void BoxPlanes::measure(const std::vector<PlaneRange>& ranges) {
  std::size_t bytes = 0;
  for (const PlaneRange& range : ranges) {
    const Variable& variable = variableOf(*range.piece);
    if (!isMap(variable)) continue;
    hasMaps_ = true;
    bytes += alignedBytes(variable, range.planes);
  }
  boxBytes_ = std::max(boxBytes_, bytes);
  for (const Round& round : roundsOf(ranges)) {
    std::size_t cellBytes = 0;
    for (const PlaneRange& range : round.ranges) {
      cellBytes += static_cast<std::size_t>(range.planes) * bytesOf(variableOf(*range.piece).type);
    }
    scratchBytes_ = std::max(scratchBytes_, round.map->scratchBytes(cellBytes));
  }
}

// Not touched before they are used.
void BoxPlanes::reserve() {
  if (!hasMaps_) return;
  step_.comm.agree([&] {
    boxes_.reset(new std::byte[boxBytes_]);
    scratch_.reset(new std::byte[scratchBytes_]);
  });
}

void BoxPlanes::load(const std::vector<PlaneRange>& ranges) {
  if (ranges == ranges_) return;
  ranges_ = ranges;
  loaded_.clear();
  std::byte* next = boxes_.get();
  for (const PlaneRange& range : ranges) {
    const Variable& variable = variableOf(*range.piece);
    if (!isMap(variable)) continue;
    loaded_[{range.piece, range.first}] = next;
    if (variable.decomposition->rearrangement()->plan().hasGaps()) {
      variable.fillCells(range.planes * variable.decomposition->own().cells(), next);
    }
    next += alignedBytes(variable, range.planes);
  }
  if (!loaded_.empty()) move(ranges);
}

// A plane that is written in several parts may be in several windows.
void BoxPlanes::sum(const std::vector<PlaneRange>& ranges) {
  if (step_.sums == nullptr) return;
  const Meter::Lap lap(step_.meter.part("checksums"));
  for (const PlaneRange& range : ranges) {
    const std::int64_t end = range.first + range.planes;
    std::int64_t& next = summed_.try_emplace(range.piece, range.first).first->second;
    const std::int64_t first = std::max(range.first, next);
    if (first >= end) continue;
    step_.sums->addPlanes(range.piece->variable, first, end - first, at(*range.piece, first));
    next = end;
  }
}

void BoxPlanes::move(const std::vector<PlaneRange>& ranges) {
  const Meter::Inset inset(step_.meter, Phase::exchange, Phase::write);
  for (const Round& round : roundsOf(ranges)) {
    const Moved moved = round.map->move(step_.comm, movesOf(round), scratch_.get());
    step_.meter.counters.messages += moved.messages;
    step_.meter.counters.messageBytes += moved.bytes;
  }
}

std::vector<PlaneMove> BoxPlanes::movesOf(const Round& round) const {
  std::vector<PlaneMove> moves;
  for (const PlaneRange& range : round.ranges) {
    const Piece& piece = *range.piece;
    const Variable& variable = variableOf(piece);
    const std::size_t cellBytes = bytesOf(variable.type);
    const std::int64_t before =
        (range.first - piece.firstPlane) * variable.decomposition->localCells();
    moves.push_back({cellBytes, range.planes,
                     piece.values + static_cast<std::size_t>(before) * cellBytes,
                     place(piece, range.first)});
  }
  return moves;
}

std::byte* BoxPlanes::place(const Piece& piece, std::int64_t plane) const {
  const auto& [key, values] = *std::prev(loaded_.upper_bound({&piece, plane}));
  return values + (plane - key.second) * variableOf(piece).ownPlaneBytes();
}

const std::byte* BoxPlanes::at(const Piece& piece, std::int64_t plane) const {
  const Variable& variable = variableOf(piece);
  if (isMap(variable)) return place(piece, plane);
  return piece.values + (plane - piece.firstPlane) * variable.ownPlaneBytes();
}

BoxWindows::BoxWindows(const Step& step, const std::vector<Piece>& pieces)
    : step_(step), planes_(step) {
  const std::int64_t bytesMax = shareBytes(step, windowShares);
  std::int64_t bytesLeft = 0;
  for (const Piece& piece : pieces) {
    const Variable& variable = step.schema.variable(piece.variable);
    for (std::int64_t done = 0; done < piece.planes;) {
      if (windows_.empty() || bytesLeft <= 0) {
        windows_.emplace_back();
        bytesLeft = bytesMax;
      }
      std::int64_t planes = piece.planes - done;
      if (isMap(variable)) {
        planes = std::clamp<std::int64_t>(bytesLeft / planeBytes(variable), 1, planes);
        bytesLeft -= planes * planeBytes(variable);
      }
      windows_.back().push_back({&piece, piece.firstPlane + done, planes});
      done += planes;
    }
  }
  for (const auto& window : windows_) planes_.measure(window);
  planes_.reserve();
}

bool BoxWindows::next() {
  if (at_ == windows_.size()) return false;
  planes_.load(windows_[at_++]);
  return true;
}

std::vector<PlaneRange> BoxWindows::parts(const PlaneRange& range) const {
  if (step_.sums == nullptr) return {range};
  const Variable& variable = step_.schema.variable(range.piece->variable);
  const std::int64_t planesMax =
      std::max<std::int64_t>(1, partBytes / std::max<std::int64_t>(1, variable.ownPlaneBytes()));
  std::vector<PlaneRange> parts;
  for (std::int64_t done = 0; done < range.planes; done += planesMax) {
    parts.push_back({range.piece, range.first + done, std::min(planesMax, range.planes - done)});
  }
  return parts;
}

const std::byte* BoxWindows::values(const PlaneRange& range) {
  planes_.sum({range});
  return planes_.at(*range.piece, range.first);
}

bool BoxWindows::isPassing(const PlaneRange& range) const {
  return isMap(step_.schema.variable(range.piece->variable));
}

}  // namespace bundleio
