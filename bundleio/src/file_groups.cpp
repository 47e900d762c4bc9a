#include "file_groups.hpp"

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

bool needsExchange(const Variable& variable, bool isWanted) {
  if (variable.bytes() == 0) return false;
  // Cells of nobody are filled on the way: a library that fills first writes everything twice.
  if (variable.decomposition->hasHoles()) return true;
  const auto& boxes = variable.decomposition->blocks();
  return isWanted && !std::all_of(boxes.begin(), boxes.end(),
                                  [&](const Block& box) { return liesTogether(variable, box); });
}

}  // namespace

Exchange::Exchange(const Options& options)
    : isWanted(options.flag("exchange")), writers(options.number("aggregators", 0, 1 << 20)) {}

FileGroups::FileGroups(const Communicator& comm, const Schema& schema, Exchange exchange)
    : ranks_(comm.size()), writers_(comm.size()), groups_(schema.bundles().size()) {
  if (exchange.writers > 0) {
    writers_ = static_cast<int>(std::min<std::int64_t>(exchange.writers, ranks_));
  }
  std::vector<std::int64_t> bytes(groups_.size(), 0);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (const int index : schema.bundles()[i].variables) {
      const Variable& variable = schema.variable(index);
      bytes[i] += variable.bytes();
      if (needsExchange(variable, exchange.isWanted)) groups_[i].isExchanged = true;
    }
    if (!groups_[i].isExchanged) bytes[i] = 0;
  }
  divide(bytes);
  split(comm);
}

FileGroups::~FileGroups() {
  for (Group& group : groups_) {
    if (group.comm != MPI_COMM_NULL) MPI_Comm_free(&group.comm);
  }
}

// Groups meet at whole ranks, so that no file waits for a rank that is busy with another; a file
// with less than half a rank's share has one rank, which may have others.
void FileGroups::divide(const std::vector<std::int64_t>& bytes) {
  const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  double begin = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    if (!group.isExchanged) continue;
    group.share = static_cast<double>(bytes[i]) / static_cast<double>(total) * writers_;
    const double end = begin + group.share;
    const auto last = static_cast<int>(std::lround(end));
    group.firstWriter = std::min(static_cast<int>(std::lround(begin)), writers_ - 1);
    group.writers = std::max(1, last - group.firstWriter);
    begin = end;
  }
}

void FileGroups::split(const Communicator& comm) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    bool isMember = !group.isExchanged;
    for (int index = 0; index < group.writers && !isMember; ++index) {
      isMember = writer(static_cast<int>(i), index) == comm.rank();
    }
    MPI_Comm_split(comm.handle(), isMember ? 0 : MPI_UNDEFINED, comm.rank(), &group.comm);
  }
}

int FileGroups::writer(int bundle, int index) const {
  const std::int64_t writer = group(bundle).firstWriter + index;
  return static_cast<int>(writer * ranks_ / writers_);
}

}  // namespace bundleio
