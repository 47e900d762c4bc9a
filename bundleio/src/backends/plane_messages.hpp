// Parts of planes on their way to those that collect them: all that one rank has for another goes
// in one message, however many planes, and ranks that have nothing for each other do not meet.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "model/communicator.hpp"
#include "model/rearrangement.hpp"

namespace bundleio {

/// Two ranks name their common parts in the same order. Nothing is copied: parts stay where they
/// are, and must, until wait() returns.
class PlaneMessages {
 public:
  void send(int rank, const std::byte* values, std::size_t bytes);
  void receive(int rank, std::byte* place, std::size_t bytes);
  /// Sets off all messages whose parts were named since the last start(). Local.
  Moved start(const Communicator& comm);
  /// Until everything has been received and sent.
  void wait();

 private:
  // The parts of one message, as MPI counts them.
  struct Parts {
    std::vector<int> bytes;
    std::vector<MPI_Aint> places;
    void add(const std::byte* at, std::size_t bytes);
    [[nodiscard]] MPI_Datatype type() const;
  };

  std::map<int, Parts> outgoing_;  // by rank
  std::map<int, Parts> incoming_;
  std::vector<MPI_Request> requests_;
};

}  // namespace bundleio
