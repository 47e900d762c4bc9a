#include "exchange/file_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bundleio {

namespace {

// No cell of another rank lies between those of `box`, over all planes.
bool liesTogether(const Variable& variable, const Block& box) {
  if (box.cells() == 0) return true;
  const Extent& lengths = variable.decomposition->lengths();
  std::size_t dim = 0;
  if (variable.planeCount == 1) {
    while (dim < lengths.size() && box.count[dim] == 1) ++dim;
    ++dim;
  }
  for (; dim < lengths.size(); ++dim) {
    if (box.count[dim] != lengths[dim]) return false;
  }
  return true;
}

// The fixed cost of a variable in a library, as long as writing this many bytes of values: 0.33 ms
// with netCDF-4.
constexpr std::int64_t variableWeight = 192 << 10;

bool needsExchange(const Variable& variable, bool isWanted) {
  if (variable.bytes() == 0) return false;
  // Cells of nobody are filled on the way: a library that fills first writes everything twice.
  if (variable.decomposition->hasHoles()) return true;
  const auto& boxes = variable.decomposition->blocks();
  return isWanted && !std::all_of(boxes.begin(), boxes.end(),
                                  [&](const Block& box) { return liesTogether(variable, box); });
}

// Each to the writer with least to do, the largest first.
void fillSingleWriters(const std::vector<std::size_t>& files, int firstWriter, int writers,
                       std::vector<FileWriters>& shared) {
  std::vector<std::size_t> order = files;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shared[a].share > shared[b].share; });
  std::vector<double> loads(static_cast<std::size_t>(writers), 0);
  for (const std::size_t file : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    shared[file].first = firstWriter + static_cast<int>(least - loads.begin());
    shared[file].count = 1;
    *least += shared[file].share;
  }
}

}  // namespace

std::vector<FileWriters> shareWriters(const std::vector<std::int64_t>& weights, int writers) {
  const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::vector<FileWriters> shared(weights.size());
  std::vector<std::size_t> large;
  std::vector<std::size_t> small;
  double smallShare = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    shared[i].share = static_cast<double>(weights[i]) / static_cast<double>(total) * writers;
    const bool isLarge = shared[i].share >= 1;
    shared[i].count = 1;
    (isLarge ? large : small).push_back(i);
    if (!isLarge) smallShare += shared[i].share;
  }
  // One after the other goes where a writer has most to do.
  int smallWriters = small.empty() ? 0 : 1;
  for (int left = writers - static_cast<int>(large.size()) - smallWriters; left > 0; --left) {
    const auto most = std::max_element(large.begin(), large.end(), [&](auto a, auto b) {
      return shared[a].share / shared[a].count < shared[b].share / shared[b].count;
    });
    const bool toSmall = smallWriters < static_cast<int>(small.size()) &&
                         (most == large.end() ||
                          smallShare / smallWriters > shared[*most].share / shared[*most].count);
    if (!toSmall && most == large.end()) break;
    ++(toSmall ? smallWriters : shared[*most].count);
  }
  int next = 0;
  for (const std::size_t i : large) {
    shared[i].first = next;
    next += shared[i].count;
  }
  fillSingleWriters(small, next, smallWriters, shared);
  return shared;
}

Exchange::Exchange(const Options& options)
    : isWanted(options.flag("exchange")), writers(options.number("aggregators", 0, 1 << 20)) {}

FileGroups::FileGroups(const Communicator& comm, const Schema& schema, Exchange exchange)
    : ranks_(comm.size()), writers_(comm.size()), groups_(schema.bundles().size()) {
  if (exchange.writers > 0) {
    writers_ = static_cast<int>(std::min<std::int64_t>(exchange.writers, ranks_));
  }
  std::vector<std::int64_t> weights(groups_.size(), 0);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (const int index : schema.bundles()[i].variables) {
      const Variable& variable = schema.variable(index);
      weights[i] += variable.bytes() + variableWeight;
      if (needsExchange(variable, exchange.isWanted)) groups_[i].isExchanged = true;
    }
    if (!groups_[i].isExchanged) weights[i] = 0;
  }
  const std::vector<FileWriters> shared = shareWriters(weights, writers_);
  for (std::size_t i = 0; i < groups_.size(); ++i) groups_[i].writers = shared[i];
  split(comm);
}

FileGroups::~FileGroups() {
  for (Group& group : groups_) {
    if (group.isExchanged && group.comm != MPI_COMM_NULL) MPI_Comm_free(&group.comm);
  }
}

void FileGroups::split(const Communicator& comm) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    group.comm = comm.handle();
    if (!group.isExchanged) continue;
    bool isMember = false;
    for (int index = 0; index < group.writers.count && !isMember; ++index) {
      isMember = writer(static_cast<int>(i), index) == comm.rank();
    }
    MPI_Comm_split(comm.handle(), isMember ? 0 : MPI_UNDEFINED, comm.rank(), &group.comm);
  }
}

int FileGroups::writer(int bundle, int index) const {
  const std::int64_t writer = group(bundle).writers.first + index;
  return static_cast<int>(writer * ranks_ / writers_);
}

}  // namespace bundleio
