#include "model/rearrangement.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <type_traits>

namespace bundleio {

namespace {

using Partner = MapPlan::Partner;
using Side = MapPlan::Side;

// Messages of larger windows are cut, as MPI counts bytes in an int.
constexpr std::size_t messageBytesMax = 1 << 30;

// Apart from the messages of other exchanges.
constexpr int mapTag = 1;

template <class Post>
void forEachMessage(std::byte* at, std::size_t bytes, Post post) {
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, messageBytesMax);
    post(at, static_cast<int>(part));
    at += part;
    bytes -= part;
  }
}

// With a constant in its place, each copy is one instruction.
template <class Visit>
void withCellBytes(std::size_t bytes, Visit visit) {
  switch (bytes) {
    case 1:
      return visit(std::integral_constant<std::size_t, 1>());
    case 2:
      return visit(std::integral_constant<std::size_t, 2>());
    case 4:
      return visit(std::integral_constant<std::size_t, 4>());
    default:
      return visit(std::integral_constant<std::size_t, 8>());
  }
}

// Copies the cells at `places` of all planes to, or from, a message.
void pack(const Side& side, const std::uint32_t* places, std::size_t count,
          const std::vector<PlaneMove>& moves, std::byte* message) {
  for (const PlaneMove& move : moves) {
    withCellBytes(move.cellBytes, [&](auto bytes) {
      const std::byte* plane = move.from;
      for (std::int64_t i = 0; i < move.planes; ++i) {
        for (std::size_t cell = 0; cell < count; ++cell, message += bytes) {
          std::memcpy(message, plane + places[cell] * bytes, bytes);
        }
        plane += static_cast<std::size_t>(side.planeCells) * bytes;
      }
    });
  }
}

void unpack(const Side& side, const std::uint32_t* places, std::size_t count,
            const std::vector<PlaneMove>& moves, const std::byte* message) {
  for (const PlaneMove& move : moves) {
    withCellBytes(move.cellBytes, [&](auto bytes) {
      std::byte* plane = move.to;
      for (std::int64_t i = 0; i < move.planes; ++i) {
        for (std::size_t cell = 0; cell < count; ++cell, message += bytes) {
          std::memcpy(plane + places[cell] * bytes, message, bytes);
        }
        plane += static_cast<std::size_t>(side.planeCells) * bytes;
      }
    });
  }
}

// Scratch holds first the values for each partner of `to`, then those for each of `from`.
// Messages are synchronous: a rank that has nothing to receive would run ahead, and its values pile
// up where they are not awaited yet.
Moved exchange(const Communicator& comm, const Side& from, const Side& to,
               const std::vector<PlaneMove>& moves, std::byte* scratch) {
  std::size_t cellBytes = 0;
  for (const PlaneMove& move : moves) {
    cellBytes += static_cast<std::size_t>(move.planes) * move.cellBytes;
  }
  std::vector<MPI_Request> requests;
  requests.reserve(from.partners.size() + to.partners.size());
  std::byte* own = nullptr;
  std::byte* at = scratch;
  for (const Partner& partner : to.partners) {
    const std::size_t bytes = partner.cells * cellBytes;
    if (partner.rank == comm.rank()) {
      own = at;
    } else {
      forEachMessage(at, bytes, [&](std::byte* part, int count) {
        MPI_Irecv(part, count, MPI_BYTE, partner.rank, mapTag, comm.handle(),
                  &requests.emplace_back(MPI_REQUEST_NULL));
      });
    }
    at += bytes;
  }
  Moved moved;
  const std::uint32_t* places = from.places.data();
  for (const Partner& partner : from.partners) {
    if (partner.rank == comm.rank()) {
      pack(from, places, partner.cells, moves, own);
    } else {
      const std::size_t bytes = partner.cells * cellBytes;
      pack(from, places, partner.cells, moves, at);
      forEachMessage(at, bytes, [&](std::byte* part, int count) {
        MPI_Issend(part, count, MPI_BYTE, partner.rank, mapTag, comm.handle(),
                   &requests.emplace_back(MPI_REQUEST_NULL));
        ++moved.messages;
        moved.bytes += count;
      });
      at += bytes;
    }
    places += partner.cells;
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  at = scratch;
  places = to.places.data();
  for (const Partner& partner : to.partners) {
    unpack(to, places, partner.cells, moves, at);
    places += partner.cells;
    at += partner.cells * cellBytes;
  }
  return moved;
}

// The cells that a box gets, in the order of their messages.
Side arrivals(const Side& box) {
  std::size_t cells = 0;
  for (const Partner& partner : box.partners) cells += partner.cells;
  Side side{box.partners, std::vector<std::uint32_t>(cells), static_cast<std::int64_t>(cells)};
  std::iota(side.places.begin(), side.places.end(), 0);
  return side;
}

// Made on all ranks, or thrown on all.
MapPlan planOf(const Communicator& comm, const EqualSlabs& slabs,
               const std::vector<std::int64_t>& cells, int first) {
  std::optional<MapPlan> plan;
  std::vector<int> handedOver;
  std::vector<int> received;
  comm.agree([&] {
    plan.emplace(slabs, comm.rank(), cells, first);
    handedOver = plan->handedOver();
    received.resize(handedOver.size());
  });
  MPI_Alltoall(handedOver.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.handle());
  // Before anything is sized or counted by what others say that they hold.
  Side into;
  std::vector<std::int64_t> arrived;
  std::vector<std::byte> scratch;
  comm.agree([&] {
    plan->expect(received);
    into = arrivals(plan->box());
    arrived.resize(into.places.size());
    scratch.resize((into.places.size() + plan->local().places.size()) * sizeof(std::int64_t));
  });
  exchange(comm, plan->local(), into,
           {{sizeof(std::int64_t), 1, reinterpret_cast<const std::byte*>(cells.data()),
             reinterpret_cast<std::byte*>(arrived.data())}},
           scratch.data());
  comm.agree([&] { plan->place(arrived); });
  return std::move(*plan);
}

}  // namespace

Rearrangement::Rearrangement(const Communicator& comm, const EqualSlabs& slabs,
                             const std::vector<std::int64_t>& cells, int first)
    : plan_(planOf(comm, slabs, cells, first)) {
  const std::int64_t most = std::max(plan_.local().planeCells, plan_.box().planeCells);
  cellsMost_ = -comm.minimum(-most);
}

Moved Rearrangement::move(const Communicator& comm, const std::vector<PlaneMove>& moves,
                          std::byte* scratch) const {
  return exchange(comm, plan_.local(), plan_.box(), moves, scratch);
}

Moved Rearrangement::moveBack(const Communicator& comm, const std::vector<PlaneMove>& moves,
                              std::byte* scratch) const {
  return exchange(comm, plan_.box(), plan_.local(), moves, scratch);
}

std::vector<std::int64_t> Rearrangement::cells(const Communicator& comm) const {
  Side answering;
  std::vector<std::int64_t> answers;
  std::vector<std::int64_t> cells;
  std::vector<std::byte> scratch;
  comm.agree([&] {
    answering = arrivals(plan_.box());
    answers.reserve(plan_.box().places.size());
    for (const std::uint32_t place : plan_.box().places) answers.push_back(plan_.cellAt(place));
    cells.resize(static_cast<std::size_t>(plan_.local().planeCells), MapPlan::nowhere);
    scratch.resize(scratchBytes(sizeof(std::int64_t)));
  });
  exchange(comm, answering, plan_.local(),
           {{sizeof(std::int64_t), 1, reinterpret_cast<const std::byte*>(answers.data()),
             reinterpret_cast<std::byte*>(cells.data())}},
           scratch.data());
  cells.erase(std::remove(cells.begin(), cells.end(), MapPlan::nowhere), cells.end());
  return cells;
}

}  // namespace bundleio
