// The checksums of a step in the making, from its values on their way to the back end.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exchange/rounding.hpp"
#include "exchange/step.hpp"
#include "guard/checksums.hpp"
#include "guard/value_sums.hpp"

namespace bundleio {

/// Of which variables: all, or those that files of several steps store once.
enum class Summed { all, storedOnce };

class StepSums {
 public:
  /// The schema is complete and outlives this.
  StepSums(const Schema& schema, Summed which, Rounding rounding)
      : schema_(schema), which_(which), rounding_(std::move(rounding)), sums_(schema) {}

  /// The values of the step before are forgotten; on rank 0, those that nobody puts are summed.
  /// Errors here and in addPlanes are thrown by write, when all ranks are together.
  void begin(const Communicator& comm, const std::vector<Piece>& pieces) noexcept;
  /// Planes of this rank's box, as they go to the back end; they are summed as it rounds them.
  void addPlanes(int variable, std::int64_t firstPlane, std::int64_t planes,
                 const std::byte* values) noexcept;
  void addBox(int variable, const Block& box, const std::byte* values) {
    if (isSummed(variable)) sums_.add(variable, box, values);
  }
  /// Collective.
  void combine(const Communicator& comm) { sums_.combine(comm); }
  /// Writes them into the step's folder. On rank 0; throws, on any rank, what was met before.
  void write(const Communicator& comm, const std::filesystem::path& folder) const;
  /// The same for a step without a folder of its own. On rank 0.
  [[nodiscard]] Checksums made() const;
  /// Throws what was met.
  void raise() const;

 private:
  [[nodiscard]] bool isSummed(int variable) const {
    return which_ == Summed::all || !schema_.grows(variable);
  }
  void addHoles(const Piece& piece);
  void addOwn(int variable, std::int64_t firstPlane, std::int64_t planes, const std::byte* values);

  const Schema& schema_;
  Summed which_;
  Rounding rounding_;
  ValueSums sums_;
  Failure met_{BIO_OK, ""};
  std::map<const Decomposition*, std::vector<Block>> holes_;  // of those with some
};

}  // namespace bundleio
