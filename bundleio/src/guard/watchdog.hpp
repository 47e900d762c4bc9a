// Ends the job when a failure leaves ranks waiting for each other inside an I/O library.
//
// The libraries do not promise that all ranks return when one rank's write fails: the failing one
// may leave a collective operation that the others never finish, or all may enter different ones.
// Nothing inside the process can free them. A rank that knows of a failure therefore starts a
// timer; if the ranks do not meet again in time, it says why and ends all of them.
#pragma once

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "model/communicator.hpp"

namespace bundleio {

/// No thread exists while nothing has failed. Not for use by several threads.
class Watchdog {
 public:
  /// `backend` and `path` stand in the message.
  Watchdog(const Communicator& comm, std::string backend, std::string path,
           std::chrono::seconds limit);
  ~Watchdog() { disarm(); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Starts the timer; if it runs already, the first failure stays the one to be told.
  void arm(const Failure& failure);
  /// The ranks have met: stops the timer.
  void disarm();
  /// Ends the job for what happened here, after which `why` it cannot go on.
  [[noreturn]] void end(const std::string& why);

 private:
  void await(const std::string& words);
  [[nodiscard]] std::string lastWords(const std::string& why) const;
  void abort(const std::string& words) const;

  const Communicator& comm_;
  std::string backend_;
  std::string path_;
  std::chrono::seconds limit_;
  std::string told_;  // of the failure that armed it
  std::thread timer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool met_ = false;
};

/// True once a transfer of MPI-IO has failed in this process.
[[nodiscard]] bool haveTransfersFailed();

/// While it lives, a failed transfer of MPI-IO on this rank arms the watchdog. HDF5 does not return
/// from such an error at once, but goes on into collective operations that the others never enter.
/// One at a time.
class TransferWatch {
 public:
  explicit TransferWatch(Watchdog& watchdog);
  ~TransferWatch();
  TransferWatch(const TransferWatch&) = delete;
  TransferWatch& operator=(const TransferWatch&) = delete;

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;  // of the application, for files that it opens
};

/// While it lives, a call is under way for which no other rank is needed. If it does not come back
/// in time, the job is ended for `failure`.
class CallWatch {
 public:
  CallWatch(Watchdog& watchdog, const Failure& failure) : watchdog_(watchdog) {
    watchdog_.arm(failure);
  }
  ~CallWatch() { watchdog_.disarm(); }
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

 private:
  Watchdog& watchdog_;
};

/// Keeps the first failure of several actions that must all be tried: between collective calls of
/// a library one rank may not leave early, or the others would wait for it forever.
class FirstFailure {
 public:
  explicit FirstFailure(Watchdog& watchdog) : watchdog_(watchdog) {}

  template <class Work>
  void attempt(Work&& work) {
    errno = 0;  // so that what a library leaves there belongs to this action: see netcdfFailure
    const Failure outcome = outcomeOf(std::forward<Work>(work));
    if (occurred() || outcome.status() == BIO_OK) return;
    first_ = outcome;
    watchdog_.arm(first_);
  }
  [[nodiscard]] bool occurred() const { return first_.status() != BIO_OK; }
  void raise() const {
    if (occurred()) throw first_;
  }

 private:
  Watchdog& watchdog_;
  Failure first_{BIO_OK, ""};
};

}  // namespace bundleio
