// What the application announced for one step on this rank: pointers, no copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend.hpp"

namespace bundleio {

class StepPuts {
 public:
  /// Checks what one rank alone can check.
  void add(const Schema& schema, int variable, std::int64_t firstPlane, std::int64_t planes,
           const std::byte* values);
  /// Sorts by bundle, variable and plane, so that all ranks have one order, and checks that every
  /// variable was put completely and once.
  void complete(const Schema& schema);
  /// Equal on all ranks if they put the same.
  [[nodiscard]] std::uint64_t hash() const;
  /// As boxes: cells of maps are moved to the ranks that write them; those values live in this
  /// object. Collective.
  std::vector<Piece> boxes(const Communicator& comm, const Schema& schema, Meter& meter);
  void clear();

 private:
  std::vector<Piece> pieces_;
  std::vector<std::vector<std::byte>> moved_;
};

}  // namespace bundleio
