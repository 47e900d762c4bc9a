#include "guard/watchdog.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace bundleio {

namespace {

// Own: as the tools' exit code for devices and states.
constexpr int abortCode = 3;
// Own: ranks that know of the same failure speak in turn, so that the first usually ends the job
// before the next repeats it. Bounded, for jobs of any size.
constexpr std::chrono::milliseconds turn{250};
constexpr int turnsMax = 20;
// Own: a job that is suspended (SIGSTOP) does not lose its patience meanwhile: of one wait, no more
// than `sliceMost` counts.
constexpr std::chrono::seconds slice{1};
constexpr std::chrono::seconds sliceMost{2};
// Own: for an MPI that cannot be left in an orderly way either.
constexpr unsigned abortSecondsMax = 30;

std::string naming(int rank, const Failure& failure) {
  const std::string text = failure.what();
  return text.rfind("rank ", 0) == 0 ? text : "rank " + std::to_string(rank) + ": " + text;
}

// An MPI error handler gets no pointer of ours.
Watchdog* transferWatchdog = nullptr;
bool transfersFailed = false;

// Called by MPI before the failed operation returns. Others than these are often part of opening
// a file, and no failure.
void onFileError(MPI_File* /*file*/, int* code, ...) {
  const int number = errno;
  int kind = MPI_SUCCESS;
  MPI_Error_class(*code, &kind);
  const bool isTransfer = kind == MPI_ERR_IO || kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA;
  if (transferWatchdog == nullptr || !isTransfer) return;
  transfersFailed = true;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(*code, text.data(), &length);
  const std::string what = std::string("MPI-IO: ") + text.data();
  transferWatchdog->arm(number != 0 ? systemFailure(number, what) : Failure(BIO_IO, what));
}

// Made once: files that stay open have it longer than a watch lives.
MPI_Errhandler fileErrorHandler() {
  static const MPI_Errhandler handler = [] {
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    MPI_File_create_errhandler(onFileError, &made);
    return made;
  }();
  return handler;
}

// Files of MPICH (4.0.2) take the default handler without a reference, and give one back when they
// are closed. It is given as many in advance as files may ever be closed.
void spareReferences() {
#ifdef MPICH_VERSION
  constexpr int filesMax = 1 << 20;
  static int given = 0;
  MPI_Errhandler same = MPI_ERRHANDLER_NULL;
  for (; given < filesMax; ++given) MPI_File_get_errhandler(MPI_FILE_NULL, &same);
#endif
}

}  // namespace

bool haveTransfersFailed() { return transfersFailed; }

TransferWatch::TransferWatch(Watchdog& watchdog) {
  transferWatchdog = &watchdog;
  MPI_File_get_errhandler(MPI_FILE_NULL, &before_);
  MPI_File_set_errhandler(MPI_FILE_NULL, fileErrorHandler());
  spareReferences();
}

TransferWatch::~TransferWatch() {
  transferWatchdog = nullptr;
  MPI_File_set_errhandler(MPI_FILE_NULL, before_);
  MPI_Errhandler_free(&before_);
}

Watchdog::Watchdog(const Communicator& comm, std::string backend, std::string path,
                   std::chrono::seconds limit)
    : comm_(comm), backend_(std::move(backend)), path_(std::move(path)), limit_(limit) {}

void Watchdog::arm(const Failure& failure) {
  if (timer_.joinable()) return;
  told_ = naming(comm_.rank(), failure);
  const std::string words =
      lastWords("back end " + backend_ + " then left ranks waiting for each other for " +
                std::to_string(limit_.count()) + " s (give_up_seconds)");
  met_ = false;
  try {
    timer_ = std::thread([this, words] { await(words); });
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "bundleio: no thread for the timer of a failed step: %s\n", error.what());
  }
}

void Watchdog::disarm() {
  if (!timer_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    met_ = true;
  }
  changed_.notify_one();
  timer_.join();
}

std::string Watchdog::lastWords(const std::string& why) const {
  return "bundleio: " + told_ + "; " + why + ": all ranks are ended. The complete steps in " +
         path_ + " stay readable: mend the cause and go on with mode append\n";
}

void Watchdog::end(const std::string& why) {
  std::this_thread::sleep_for(std::min(comm_.rank(), turnsMax) * turn);
  abort(lastWords(why));
  std::_Exit(abortCode);
}

void Watchdog::abort(const std::string& words) const {
  std::fputs(words.c_str(), stderr);
  std::fflush(stderr);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(abortSecondsMax);
  // The main thread may be inside MPI and stay there. Without MPI_THREAD_MULTIPLE the standard does
  // not cover this call, but it only tells the launcher; the alarm is for where it does more.
  MPI_Abort(comm_.handle(), abortCode);
}

void Watchdog::await(const std::string& words) {
  std::unique_lock<std::mutex> lock(mutex_);
  using Clock = std::chrono::steady_clock;
  Clock::duration patience = limit_ + std::min(comm_.rank(), turnsMax) * turn;
  while (patience > Clock::duration::zero()) {
    const Clock::time_point before = Clock::now();
    const Clock::duration most = std::min<Clock::duration>(slice, patience);
    if (changed_.wait_for(lock, most, [this] { return met_; })) return;
    patience -= std::min<Clock::duration>(Clock::now() - before, sliceMost);
  }
  abort(words);
}

}  // namespace bundleio
