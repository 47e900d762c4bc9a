// Where the time of the steps goes on this rank, and how much was moved.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/communicator.hpp"

namespace bundleio {

enum class Phase { agree, create, define, exchange, write, sync, close, publish };
inline constexpr std::array<std::string_view, 8> phaseNames{"agree", "create", "define", "exchange",
                                                            "write", "sync",   "close",  "publish"};

/// Counts of bundleio's own messages and writes. Messages inside MPI-IO, HDF5 or ADIOS2 are not
/// counted.
struct Counters {
  std::int64_t messages = 0;
  std::int64_t messageBytes = 0;
  std::int64_t ownBytes = 0;  // values handed over by this rank
};

/// The kernel's counts for this process: write calls and their bytes; -1 where it does not tell.
struct KernelWrites {
  std::int64_t calls = -1;
  std::int64_t bytes = -1;
  static KernelWrites now();
};

/// Resident memory of this process in bytes; -1 where the kernel does not tell.
struct ResidentMemory {
  std::int64_t now = -1;
  std::int64_t peak = -1;
  /// Of `now`: pages of libraries and of shared memory. The machine has them once, and every
  /// process that touched one counts it.
  std::int64_t mapped = 0;
  /// The same memory, a page that several processes have in parts of equal size (smaps_rollup); 0
  /// if it was not asked for, since the kernel then looks at every page.
  std::int64_t share = 0;
  static ResidentMemory read(bool withShare);
  /// The peak counts from now on.
  static void resetPeak();
};

/// One quantity by rank.
struct Column {
  std::string name;
  std::vector<double> ranks;
  [[nodiscard]] double sum() const;
  [[nodiscard]] double mean() const { return sum() / static_cast<double>(ranks.size()); }
  [[nodiscard]] double max() const;
};

class Meter {
 public:
  /// Adds the time from its making to its end, also when left by an exception, to one number.
  class Lap {
   public:
    explicit Lap(double& seconds);
    ~Lap();
    Lap(const Lap&) = delete;
    Lap& operator=(const Lap&) = delete;

   private:
    double& seconds_;
    double start_;
  };

  /// The same for a phase.
  class Span {
   public:
    Span(Meter& meter, Phase phase) : lap_(meter.seconds_.at(static_cast<std::size_t>(phase))) {}

   private:
    Lap lap_;
  };

  /// Time of a phase within another one: it counts for the inner one alone.
  class Inset {
   public:
    Inset(Meter& meter, Phase inner, Phase outer);
    ~Inset();
    Inset(const Inset&) = delete;
    Inset& operator=(const Inset&) = delete;

   private:
    double& inner_;
    double& outer_;
    double start_;
  };

  Counters counters;

  /// Seconds that a back end spends on a part of its own, reported beside the phases; the reference
  /// stays valid. All ranks must name the same parts.
  double& part(const std::string& name) { return parts_[name]; }

  /// From now on also counts this rank's share of the pages that processes have in common.
  void countShares() { countsShares_ = true; }

  /// The library began or ended to work for a step, or for its completion: CPU time and kernel
  /// counts are taken in between only. Memory is compared with what there was when the first step
  /// began, so that what the library keeps between steps counts in all of them; what the model
  /// takes after that counts as well, as the kernel does not tell the two apart.
  void workStarted();
  void workEnded();
  void stepPublished() { ++steps_; }

  /// All quantities of all ranks on rank 0, nothing elsewhere: the phases, then the totals, then
  /// the parts.
  /// Collective.
  [[nodiscard]] std::vector<Column> columns(const Communicator& comm) const;
  /// The same as one JSON object that starts with the members `head`. Collective.
  [[nodiscard]] std::string report(const Communicator& comm, const std::string& head) const;

 private:
  std::array<double, phaseNames.size()> seconds_{};
  std::map<std::string, double> parts_;
  double stepSeconds_ = 0;
  double cpuSeconds_ = 0;
  double stepStart_ = 0;
  double cpuStart_ = 0;
  KernelWrites kernelStart_;
  KernelWrites kernel_{0, 0};
  ResidentMemory memoryStart_;
  std::int64_t memoryBytes_ = 0;  // most that there was beyond memoryStart_
  std::int64_t mappedBytes_ = 0;  // of them mapped: such pages stay, so that the end tells
  bool countsShares_ = false;
  // At the peak, at most: the share at the end, and all that was given back since the peak.
  std::int64_t shareBytes_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace bundleio
