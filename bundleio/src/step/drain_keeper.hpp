// Keeps `bundleio drain` at work beside a staged run that asked for it (option drain=yes). The
// drain is a process of its own, in a session of its own: it outlives the run, and moves what is
// left.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/options.hpp"
#include "step/run_folder.hpp"

namespace bundleio {

/// Used by rank 0.
class DrainKeeper {
 public:
  /// The run holds a FolderLock on `fast`, from which drains know that it goes on. Starts nothing
  /// yet.
  DrainKeeper(RunFolder fast, RunFolder slow, const Options& options);
  DrainKeeper(const DrainKeeper&) = delete;
  DrainKeeper& operator=(const DrainKeeper&) = delete;

  /// Starts a drain if none is at work: also again if it was killed, a few times without a step
  /// moved in between. Throws BIO_DRAIN if that did not help or if the drain ended by an error of
  /// its own; the next call starts it again.
  void tend();

 private:
  /// How the drain ended; empty while it runs.
  std::string ending();
  void start();
  [[nodiscard]] std::string lastWords() const;

  RunFolder fast_;
  RunFolder slow_;
  std::vector<std::string> words_;  // of the command
  pid_t child_ = 0;
  bool wasKilled_ = false;
  int deaths_ = 0;              // in a row, without a step moved
  std::size_t movedSteps_ = 0;  // in the run's folder when the drain was last started
};

/// Does a run write to `fast`?
bool isWrittenTo(const RunFolder& fast);
/// Does a drain move steps to `slow`?
bool isDrained(const RunFolder& slow);

}  // namespace bundleio
