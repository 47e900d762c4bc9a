// Steps of two candidates in turn within one job: A B, B A, A B and so on. Both meet the same
// hour, the same memory and the same place of ranks on cores, so that a difference of a percent
// shows, which runs one after the other hide.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "geos_model.hpp"
#include "timed_runs.hpp"

namespace bundleio {

/// Throws where `line` does not name two back ends whose steps can be compared so.
TimedRuns pairFrom(const CommandLine& line);

/// Of positive ratios; for 95 % of samples the true middle lies between `low` and `high`.
struct MiddleRatio {
  double middle;
  double low;
  double high;
};
/// The median of the means of all pairs of logarithms.
/// Source: J. Hodges, E. Lehmann, "Estimates of Location Based on Rank Tests", 1963; the interval
/// by the normal approximation of Wilcoxon's signed ranks, corrected for continuity. Of six ratios
/// or more.
MiddleRatio middleOf(const std::vector<double>& ratios);

class PairedSteps {
 public:
  /// Writes `pairs` steps of each of the two back ends of `runs`, and one more of each before,
  /// which does not count. A step is removed when it was timed. Collective.
  PairedSteps(const Communicator& comm, const TimedRuns& runs, std::int64_t pairs,
              GeosModel& model);

  /// On rank 0: the second candidate by the first, as text or, if `line` asks for it, as JSON.
  void print(const CommandLine& line) const;

 private:
  struct Samples {
    std::vector<double> seconds;     // of the slowest rank
    std::vector<double> cpuSeconds;  // of all ranks
  };
  [[nodiscard]] std::filesystem::path folder(std::size_t candidate) const;
  [[nodiscard]] std::unique_ptr<Run> opened(std::size_t candidate) const;
  void timeStep(std::size_t candidate, GeosModel& model, Run& run, std::int64_t number);
  [[nodiscard]] std::string json() const;

  const Communicator& comm_;
  TimedRuns runs_;
  std::int64_t stepBytes_;
  std::array<Samples, 2> samples_;
};

}  // namespace bundleio
