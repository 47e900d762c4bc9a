// The steps of a run that a subcommand was told to work on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "model/communicator.hpp"
#include "step/run_folder.hpp"

namespace bundleio {

/// Throws BIO_NOT_FOUND where there is none, with what may have been meant.
std::vector<std::int64_t> stepsOf(const RunFolder& run);

/// Rank 0's numbers, on all ranks: a run may go on meanwhile, and file systems are late on some
/// machines, so that ranks that look on their own go different ways. Collective.
std::vector<std::int64_t> fromRoot(const Communicator& comm,
                                   const std::vector<std::int64_t>& numbers);

/// Lines on stderr while many steps take long, and none otherwise.
class Progress {
 public:
  Progress(const Communicator& comm, std::string command, std::size_t steps);
  /// One more step is done.
  void advance();

 private:
  std::string command_;
  std::size_t steps_;
  std::size_t done_ = 0;
  bool speaks_;
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

}  // namespace bundleio
