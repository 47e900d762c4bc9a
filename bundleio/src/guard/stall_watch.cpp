#include "guard/stall_watch.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds interval{1};

// As the kernel has them; the system's headers may be older.
constexpr long closeRangeCall = 436;
constexpr unsigned closeRangeUnshare = 2;
constexpr long cachestatCall = 451;
struct CacheRange {
  std::uint64_t start;
  std::uint64_t bytes;  // 0: to the end
};
struct CacheFacts {
  std::uint64_t cached;
  std::uint64_t dirty;
  std::uint64_t underWay;
  std::uint64_t evicted;
  std::uint64_t evictedLately;
};

// A thread of its own table of descriptors calls this. It closes nothing: its table goes with it.
// These are the kernel's calls, since libraries that wrap those of C know one table alone.
std::uintmax_t unstoredPages(const fs::path& file) {
  const long descriptor = ::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  CacheRange whole{0, 0};
  CacheFacts facts{};
  const bool tells = ::syscall(cachestatCall, descriptor, &whole, &facts, 0) == 0;
  return tells ? facts.dirty + facts.underWay : 0;
}

// Pages of files that this machine has yet to store; 0 where the kernel (before Linux 6.5) does not
// tell. Closing a file would end all record locks that this process has on it, and MPI-IO holds
// such locks while it reads, changes and writes a part. Locks belong to a table of descriptors.
std::uintmax_t unstoredPages(const std::vector<fs::path>& files) {
  std::uintmax_t pages = 0;
  try {
    std::thread([&] {
      if (::syscall(closeRangeCall, STDERR_FILENO + 1, ~0U, closeRangeUnshare) != 0) return;
      for (const fs::path& file : files) pages += unstoredPages(file);
    }).join();
  } catch (const std::system_error&) {
    // Without a thread that is not seen, as with an older kernel.
  }
  return pages;
}

// Changes with every write, also with one that makes no file longer, and, while a file is synced,
// with what is stored of it. Files may come and go meanwhile.
std::uintmax_t mark(const fs::path& folder) {
  std::uintmax_t sum = 0;
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    const bool isFile = entry->is_regular_file(gone);
    const std::uintmax_t size = isFile ? entry->file_size(gone) : 0;
    if (!gone) sum += size;
    if (isFile) files.push_back(entry->path());
    const auto when = entry->last_write_time(gone).time_since_epoch().count();
    if (!gone) sum += static_cast<std::uintmax_t>(when);
  }
  return sum + unstoredPages(files);
}

// Once: a step begins several watches.
void sayUnwatched(const std::string& what, const char* why) {
  static bool isSaid = false;
  if (std::exchange(isSaid, true)) return;
  std::fprintf(stderr,
               "bundleio: %s: no thread to see whether it goes on (%s): if it stalls, nothing ends "
               "the job; raise the limit on processes (ulimit -u)\n",
               what.c_str(), why);
}

}  // namespace

StallWatch::StallWatch(Watchdog& watchdog, fs::path folder, std::string what)
    : watchdog_(watchdog), folder_(std::move(folder)), what_(std::move(what)) {
  // One rank watches. If it threw here, the others would wait for it inside the library.
  try {
    thread_ = std::thread([this] { look(); });
  } catch (const std::exception& error) {
    sayUnwatched(what_, error.what());
  }
}

StallWatch::~StallWatch() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
  watchdog_.disarm();
}

void StallWatch::look() {
  std::unique_lock<std::mutex> lock(mutex_);
  std::uintmax_t before = mark(folder_);
  while (!changed_.wait_for(lock, interval, [this] { return done_; })) {
    const std::uintmax_t now = mark(folder_);
    if (now == before) {
      watchdog_.arm(stalled());
    } else {
      watchdog_.disarm();
    }
    before = now;
  }
}

Failure StallWatch::stalled() const {
  std::error_code error;
  const fs::space_info space = fs::space(folder_, error);
  const std::string room =
      error ? "" : ", and " + std::to_string(space.available) + " bytes are free there";
  return {BIO_IO, what_ + ": nothing more is stored" + room};
}

}  // namespace bundleio
