// Notices a library call that stores nothing any more and never returns.
//
// Not every failure comes back to the rank that has it: ADIOS2's shared-memory aggregation waits
// for all ranks of the node while the error of the one that writes is still on its way out. Nobody
// knows of a failure then; what can be seen is that the files of the step grow no longer, and that
// the kernel stores nothing more of them.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "guard/watchdog.hpp"

namespace bundleio {

/// While it lives, the watchdog's timer runs whenever nothing of the files below a folder was
/// written or stored for a second. The watchdog must not be used by others meanwhile. One rank that
/// sees the files is enough. Where the system gives no thread, that is said in one line, and
/// nothing is watched.
class StallWatch {
 public:
  /// `what` stands in the message: the call, and its file.
  StallWatch(Watchdog& watchdog, std::filesystem::path folder, std::string what);
  ~StallWatch();
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

 private:
  void look();
  [[nodiscard]] Failure stalled() const;

  Watchdog& watchdog_;
  std::filesystem::path folder_;
  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace bundleio
