// The application's puts for one step on this rank: pointers, no copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/step.hpp"

namespace bundleio {

class StepPuts {
 public:
  /// Checks what one rank alone can check.
  void add(const Schema& schema, int variable, std::int64_t firstPlane, std::int64_t planes,
           const std::byte* values);
  /// Sorts by bundle, variable and plane, so that all ranks have one order, and checks that every
  /// variable that is due was put completely and once, and no other.
  void checkComplete(const Schema& schema, const std::vector<bool>& isDue);
  /// Gives the variables other numbers, in the same order.
  void renumber(const std::vector<int>& numbers);
  /// By variable: was anything of it put?
  [[nodiscard]] std::vector<bool> variables(const Schema& schema) const;
  /// Equal on all ranks if they put the same.
  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  /// Of the values of this rank.
  [[nodiscard]] std::int64_t bytes(const Schema& schema) const;
  void clear() { pieces_.clear(); }

 private:
  std::vector<Piece> pieces_;
};

}  // namespace bundleio
