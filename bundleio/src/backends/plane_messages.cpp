#include "backends/plane_messages.hpp"

#include <algorithm>
#include <numeric>

namespace bundleio {

namespace {

// Apart from the messages of other exchanges.
constexpr int partsTag = 2;

// MPI counts the bytes of a part in an int.
constexpr std::size_t partBytesMax = 1 << 30;

}  // namespace

void PlaneMessages::Parts::add(const std::byte* at, std::size_t count) {
  while (count > 0) {
    const std::size_t part = std::min(count, partBytesMax);
    MPI_Aint place = 0;
    MPI_Get_address(at, &place);
    places.push_back(place);
    bytes.push_back(static_cast<int>(part));
    at += part;
    count -= part;
  }
}

MPI_Datatype PlaneMessages::Parts::type() const {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(static_cast<int>(bytes.size()), bytes.data(), places.data(), MPI_BYTE,
                           &type);
  MPI_Type_commit(&type);
  return type;
}

void PlaneMessages::send(int rank, const std::byte* values, std::size_t bytes) {
  if (bytes > 0) outgoing_[rank].add(values, bytes);
}

void PlaneMessages::receive(int rank, std::byte* place, std::size_t bytes) {
  if (bytes > 0) incoming_[rank].add(place, bytes);
}

// Messages are synchronous: a rank that collects nothing would run ahead, and its values pile up
// where they are not awaited yet.
Moved PlaneMessages::start(const Communicator& comm) {
  requests_.reserve(incoming_.size() + outgoing_.size());
  for (const auto& [rank, parts] : incoming_) {
    MPI_Datatype type = parts.type();
    MPI_Irecv(MPI_BOTTOM, 1, type, rank, partsTag, comm.handle(),
              &requests_.emplace_back(MPI_REQUEST_NULL));
    MPI_Type_free(&type);
  }
  Moved moved;
  for (const auto& [rank, parts] : outgoing_) {
    MPI_Datatype type = parts.type();
    MPI_Issend(MPI_BOTTOM, 1, type, rank, partsTag, comm.handle(),
               &requests_.emplace_back(MPI_REQUEST_NULL));
    MPI_Type_free(&type);
    ++moved.messages;
    moved.bytes += std::accumulate(parts.bytes.begin(), parts.bytes.end(), std::int64_t{0});
  }
  incoming_.clear();
  outgoing_.clear();
  return moved;
}

void PlaneMessages::wait() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
}

}  // namespace bundleio
