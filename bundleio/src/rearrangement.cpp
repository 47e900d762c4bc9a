#include "rearrangement.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <numeric>

#include "decomposition.hpp"

namespace bundleio {

namespace {

// The slabs divide one dimension in order of rank, so one coordinate finds the owner.
class SlabIndex {
 public:
  SlabIndex(const Extent& lengths, const std::vector<Block>& boxes) : lengths_(lengths) {
    for (std::size_t dim = 0; dim < lengths.size(); ++dim) {
      if (boxes.back().start[dim] != 0) divided_ = dim;
    }
    for (const Block& box : boxes) ends_.push_back(box.start[divided_] + box.count[divided_]);
  }

  [[nodiscard]] std::size_t ownerOf(std::int64_t cell) const {
    std::int64_t inner = 1;
    for (std::size_t dim = divided_ + 1; dim < lengths_.size(); ++dim) inner *= lengths_[dim];
    const std::int64_t coordinate = cell / inner % lengths_[divided_];
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), coordinate) -
                                    ends_.begin());
  }

 private:
  Extent lengths_;
  std::size_t divided_ = 0;
  Extent ends_;
};

// A cell as one item of a message.
class CellType {
 public:
  explicit CellType(std::size_t cellBytes) {
    MPI_Type_contiguous(static_cast<int>(cellBytes), MPI_BYTE, &handle_);
    MPI_Type_commit(&handle_);
  }
  ~CellType() { MPI_Type_free(&handle_); }
  CellType(const CellType&) = delete;
  CellType& operator=(const CellType&) = delete;
  [[nodiscard]] MPI_Datatype handle() const { return handle_; }

 private:
  MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

std::int64_t positionInBox(const Extent& lengths, const Block& box, std::int64_t cell) {
  std::int64_t position = 0;
  std::int64_t stride = 1;
  for (std::size_t dim = lengths.size(); dim-- > 0;) {
    position += (cell % lengths[dim] - box.start[dim]) * stride;
    stride *= box.count[dim];
    cell /= lengths[dim];
  }
  return position;
}

std::vector<int> startsOf(const std::vector<int>& counts) {
  std::vector<int> starts(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
  return starts;
}

Failure heldTwice() {
  return {BIO_BAD_ARGUMENT, "a map gives one cell to two owners: cells must be disjoint"};
}

void checkOnce(std::vector<std::int64_t> positions) {
  std::sort(positions.begin(), positions.end());
  if (std::adjacent_find(positions.begin(), positions.end()) != positions.end()) throw heldTwice();
}

}  // namespace

Rearrangement::Rearrangement(const Communicator& comm, const Extent& lengths,
                             const std::vector<Block>& boxes,
                             const std::vector<std::int64_t>& cells)
    : order_(cells.size()), sendCounts_(boxes.size(), 0), receiveCounts_(boxes.size(), 0) {
  const auto rank = static_cast<std::size_t>(comm.rank());
  comm.agree([&] {
    // Messages are counted in cells of a plane, by an int.
    if (cells.size() > INT_MAX || boxes[rank].cells() > INT_MAX) {
      throw Failure(BIO_BAD_ARGUMENT,
                    "a map of more than 2^31 - 1 cells for one rank: use more ranks");
    }
  });
  const SlabIndex index(lengths, boxes);
  std::vector<std::size_t> owners;
  owners.reserve(cells.size());
  for (const std::int64_t cell : cells) {
    owners.push_back(index.ownerOf(cell));
    ++sendCounts_[owners.back()];
  }
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return owners[a] < owners[b]; });
  MPI_Alltoall(sendCounts_.data(), 1, MPI_INT, receiveCounts_.data(), 1, MPI_INT, comm.handle());
  // Before anything is sized or counted by what others say that they hold.
  comm.agree([&] {
    const auto held =
        std::accumulate(receiveCounts_.begin(), receiveCounts_.end(), std::int64_t{0});
    if (held > boxes[rank].cells()) throw heldTwice();
    positions_.resize(static_cast<std::size_t>(held));
  });
  sendStarts_ = startsOf(sendCounts_);
  receiveStarts_ = startsOf(receiveCounts_);
  std::vector<std::int64_t> sent;
  sent.reserve(cells.size());
  for (const std::size_t local : order_) sent.push_back(cells[local]);
  MPI_Alltoallv(sent.data(), sendCounts_.data(), sendStarts_.data(), MPI_INT64_T, positions_.data(),
                receiveCounts_.data(), receiveStarts_.data(), MPI_INT64_T, comm.handle());
  for (std::int64_t& cell : positions_) cell = positionInBox(lengths, boxes[rank], cell);
  comm.agree([&] { checkOnce(positions_); });
  boxCells_ = boxes[rank].cells();
  for (std::size_t partner = 0; partner < boxes.size(); ++partner) {
    if (partner == rank || sendCounts_[partner] == 0) continue;
    ++messagesPerPlane_;
    cellsSentPerPlane_ += sendCounts_[partner];
  }
}

std::vector<std::int64_t> Rearrangement::cells(const Communicator& comm, const Extent& lengths,
                                               const Block& box) const {
  std::vector<std::int64_t> answers;
  std::vector<std::int64_t> sorted;
  std::vector<std::int64_t> cells;
  comm.agree([&] {
    answers.reserve(positions_.size());
    sorted.resize(order_.size());
    cells.resize(order_.size());
  });
  for (const std::int64_t position : positions_) answers.push_back(cellAt(lengths, box, position));
  MPI_Alltoallv(answers.data(), receiveCounts_.data(), receiveStarts_.data(), MPI_INT64_T,
                sorted.data(), sendCounts_.data(), sendStarts_.data(), MPI_INT64_T, comm.handle());
  for (std::size_t i = 0; i < order_.size(); ++i) cells[order_[i]] = sorted[i];
  return cells;
}

void Rearrangement::move(const Communicator& comm, std::size_t cellBytes, std::int64_t planes,
                         const std::byte* local, std::byte* box) const {
  const CellType cellType(cellBytes);
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  comm.agree([&] {
    sent.resize(order_.size() * cellBytes);
    received.resize(positions_.size() * cellBytes);
  });
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    const std::byte* from = local + static_cast<std::size_t>(plane) * order_.size() * cellBytes;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::memcpy(&sent[i * cellBytes], from + order_[i] * cellBytes, cellBytes);
    }
    MPI_Alltoallv(sent.data(), sendCounts_.data(), sendStarts_.data(), cellType.handle(),
                  received.data(), receiveCounts_.data(), receiveStarts_.data(), cellType.handle(),
                  comm.handle());
    std::byte* to = box + static_cast<std::size_t>(plane * boxCells_) * cellBytes;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      std::memcpy(to + static_cast<std::size_t>(positions_[i]) * cellBytes,
                  &received[i * cellBytes], cellBytes);
    }
  }
}

void Rearrangement::moveBack(const Communicator& comm, std::size_t cellBytes, std::int64_t planes,
                             const std::byte* box, std::byte* local) const {
  const CellType cellType(cellBytes);
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  comm.agree([&] {
    sent.resize(positions_.size() * cellBytes);
    received.resize(order_.size() * cellBytes);
  });
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    const std::byte* from = box + static_cast<std::size_t>(plane * boxCells_) * cellBytes;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      std::memcpy(&sent[i * cellBytes], from + static_cast<std::size_t>(positions_[i]) * cellBytes,
                  cellBytes);
    }
    MPI_Alltoallv(sent.data(), receiveCounts_.data(), receiveStarts_.data(), cellType.handle(),
                  received.data(), sendCounts_.data(), sendStarts_.data(), cellType.handle(),
                  comm.handle());
    std::byte* to = local + static_cast<std::size_t>(plane) * order_.size() * cellBytes;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::memcpy(to + order_[i] * cellBytes, &received[i * cellBytes], cellBytes);
    }
  }
}

}  // namespace bundleio
