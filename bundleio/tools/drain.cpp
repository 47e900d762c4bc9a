// bundleio drain: moves complete steps from a fast tier to the run's own folder, step after step.
//
// A step is made in SLOW/.drain, which no reader and no model looks into, read back and compared,
// renamed to SLOW/step-N, and only then removed from the fast tier. Whenever this process dies,
// every step is whole on at least one of the tiers, and the next drain goes on from what it finds.
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "checksum.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "rewriter.hpp"
#include "run_steps.hpp"
#include "step/drain_keeper.hpp"
#include "step/folder_lock.hpp"
#include "step/run_folder.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t chunkBytes = 1 << 20;
constexpr std::chrono::milliseconds pollInterval(200);

// Holds a rate: whoever was faster sleeps. Time that passed without bytes is not made up for.
class Throttle {
 public:
  /// 0: no limit.
  explicit Throttle(double bytesPerSecond) : bytesPerSecond_(bytesPerSecond) {}
  void spent(std::int64_t bytes) {
    if (bytesPerSecond_ <= 0) return;
    const std::chrono::duration<double> worth(static_cast<double>(bytes) / bytesPerSecond_);
    const auto now = std::chrono::steady_clock::now();
    free_ = std::max(free_, now) + std::chrono::duration_cast<std::chrono::nanoseconds>(worth);
    std::this_thread::sleep_until(free_);
  }

 private:
  double bytesPerSecond_;
  std::chrono::steady_clock::time_point free_ = std::chrono::steady_clock::now();
};

// Open as long as the object lives.
class OpenFile {
 public:
  OpenFile(const fs::path& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw systemFailure(errno, "open " + path.string());
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::size_t read(std::string& chunk) const {
    chunk.resize(chunkBytes);
    const ssize_t got = ::read(descriptor_, chunk.data(), chunk.size());
    if (got < 0) throw systemFailure(errno, "read " + path_.string());
    chunk.resize(static_cast<std::size_t>(got));
    return chunk.size();
  }
  void write(const std::string& chunk) const {
    for (std::size_t done = 0; done < chunk.size();) {
      const ssize_t put = ::write(descriptor_, chunk.data() + done, chunk.size() - done);
      if (put < 0) throw systemFailure(errno, "write " + path_.string());
      done += static_cast<std::size_t>(put);
    }
  }
  /// Durable, and out of the page cache, so that what is read next comes from the device.
  void settle() const {
    if (::fsync(descriptor_) != 0) throw systemFailure(errno, "sync " + path_.string());
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
  }

 private:
  fs::path path_;
  int descriptor_;
};

std::uint64_t checksumOf(const fs::path& path) {
  const OpenFile in(path, O_RDONLY);
  Checksum sum;
  for (std::string chunk; in.read(chunk) > 0;) sum.add(chunk.data(), chunk.size());
  return sum.value();
}

// A run's rank 0 may be bound to a core, which a drain that it started would share.
void useAllCores() {
  cpu_set_t cores;
  std::memset(&cores, 0xff, sizeof cores);
  // Where that is refused, the drain is only slower.
  (void)::sched_setaffinity(0, sizeof cores, &cores);
}

class Drain {
 public:
  Drain(const Communicator& comm, const CommandLine& line)
      : comm_(comm),
        fast_(line.operands()[0]),
        slow_(line.operands()[1]),
        staging_(slow_.path() / ".drain"),
        format_(line.text("to", "")),
        options_(line.text("options", "")),
        whileWritten_(line.has("while-written")),
        throttle_(static_cast<double>(line.number("mib-per-second", 0, 0, 1 << 20)) * 1048576.0 /
                  comm.size()) {
    comm_.agreeOnRoot([&] {
      if (!fs::is_directory(fast_.path())) {
        throw Failure(BIO_NOT_FOUND, fast_.path().string() + " is not a folder");
      }
      std::error_code error;
      // A step would be its own copy, and be removed.
      if (fs::equivalent(fast_.path(), slow_.path(), error)) {
        throw Failure(BIO_BAD_ARGUMENT, fast_.path().string() + " and " + slow_.path().string() +
                                            " are one folder: name another to move the steps to");
      }
      fs::create_directories(staging_.path(), error);
      if (error) throw systemFailure(error.value(), "make folder " + staging_.path().string());
      takeLock(line.has("no-other-drain"));
      staging_.prepare(BIO_REPLACE);
      // Removes the rests of steps that a drain left when it was killed while removing them.
      for (const std::int64_t number : slow_.steps()) fast_.discard(number);
    });
  }

  /// Until no step has come for `idleSeconds`, and no run writes any more where that is asked for;
  /// returns how many were moved.
  std::int64_t run(double idleSeconds) {
    auto lastMove = std::chrono::steady_clock::now();
    std::int64_t moved = 0;
    while (true) {
      // Asked before the steps are listed: a run's last step is there before its lock goes.
      const bool more = whileWritten_ && comm_.isRoot() && isWrittenTo(fast_);
      const std::vector<std::int64_t> steps = stepsToMove();
      for (const std::int64_t number : steps) {
        move(number);
        ++moved;
        if (comm_.isRoot())
          std::fprintf(stderr, "drain: step %lld\n", static_cast<long long>(number));
        lastMove = std::chrono::steady_clock::now();
      }
      const std::chrono::duration<double> idle = std::chrono::steady_clock::now() - lastMove;
      // Every rank waits for rank 0's clock.
      const bool ends = comm_.isRoot() && !more && idle.count() >= idleSeconds;
      if (comm_.minimum(ends ? 0 : 1) == 0) break;
      std::this_thread::sleep_for(pollInterval);
    }
    rewriter_.reset();
    run_.reset();
    comm_.agreeOnRoot([&] {
      std::error_code ignored;
      fs::remove_all(staging_.path(), ignored);
    });
    return moved;
  }

 private:
  // Of two drains each may remove a step that the other is making of the same fast copy.
  void takeLock(bool mayLack) {
    lock_ = std::make_unique<FolderLock>(staging_.path(),
                                         "another drain is at work in " + slow_.path().string());
    if (lock_->isHeld() || mayLack) return;
    const Failure absence = lock_->absence();
    throw Failure(absence.status(),
                  std::string(absence.what()) +
                      ": two drains of one folder lose steps, and nothing would keep them apart: "
                      "mount it with locks (on Lustre: -o flock), or see to it that no other drain "
                      "moves steps there, and run bundleio drain with --no-other-drain");
  }

  std::vector<std::int64_t> stepsToMove() const {
    std::vector<std::int64_t> steps;
    comm_.agreeOnRoot([&] { steps = fast_.steps(); });
    return fromRoot(comm_, steps);
  }

  void move(std::int64_t number) {
    comm_.agreeOnRoot([&] {
      if (fs::is_directory(fast_.step(number))) return tryStep(fast_.step(number));
      throw Failure(BIO_BAD_ARGUMENT, fast_.step(number).string() +
                                          " shares files with other steps: use convert or concat");
    });
    bool isThere = false;
    comm_.agreeOnRoot([&] { isThere = fs::exists(slow_.step(number)); });
    if (comm_.minimum(isThere ? 0 : 1) == 0) {
      // A drain ended between its last two actions.
      compare(number);
    } else if (needsRewriting(number)) {
      rewrite(number);
    } else {
      copy(number);
    }
    comm_.agreeOnRoot([&] { fast_.remove(number); });
  }

  void compare(std::int64_t number) const {
    std::unique_ptr<Reader> fast;
    std::unique_ptr<Reader> slow;
    comm_.agreeOnRoot([&] { tryStep(slow_.step(number)); });
    comm_.agree([&] {
      fast = Reader::open(fast_.step(number));
      slow = Reader::open(slow_.step(number));
    });
    compareSteps(comm_, *fast, *slow);
  }

  // BP is for writing fast; what stays is NetCDF, which every tool reads.
  bool needsRewriting(std::int64_t number) const {
    bool rewrites = false;
    comm_.agree([&] {
      const std::string format = Reader::open(fast_.step(number))->format();
      rewrites = !format_.empty() || format == "BP5";
    });
    return rewrites;
  }

  void rewrite(std::int64_t number) {
    std::unique_ptr<Reader> source;
    comm_.agree([&] { source = Reader::open(fast_.step(number)); });
    if (!run_ || !rewriter_->fits(*source)) {
      // The last step may have held other variables.
      rewriter_.reset();
      run_.reset();
      rewritten_ = 0;
      run_ = std::make_unique<Run>(comm_, staging_.path().string(), BIO_REPLACE,
                                   format_.empty() ? "pnetcdf" : format_, "sync=yes " + options_,
                                   Guard::caller);
      rewriter_ = std::make_unique<Rewriter>(
          comm_, *run_, [this](std::int64_t bytes) { throttle_.spent(bytes); });
      rewriter_->define(*source);
    }
    rewriter_->rewrite(*source, fast_.step(number));
    show(staging_.step(rewritten_++), number);
  }

  void copy(std::int64_t number) {
    const fs::path from = fast_.step(number);
    const fs::path made = staging_.partial(number);
    std::vector<fs::path> files;
    comm_.agree([&] {
      for (const auto& entry : fs::recursive_directory_iterator(from)) {
        if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), from));
      }
      std::sort(files.begin(), files.end());
    });
    comm_.agreeOnRoot([&] {
      staging_.start(number);
      for (const fs::path& file : files) fs::create_directories((made / file).parent_path());
    });
    try {
      comm_.agree([&] {
        const auto ranks = static_cast<std::size_t>(comm_.size());
        for (auto i = static_cast<std::size_t>(comm_.rank()); i < files.size(); i += ranks) {
          copyFile(from / files[i], made / files[i]);
        }
      });
    } catch (const Failure&) {
      // On a full disk it would keep others from writing. All ranks come here, or none.
      if (comm_.isRoot()) staging_.discard(number);
      throw;
    }
    show(made, number);
  }

  void copyFile(const fs::path& from, const fs::path& to) {
    Checksum sum;
    {
      const OpenFile in(from, O_RDONLY);
      const OpenFile out(to, O_WRONLY | O_CREAT | O_TRUNC);
      for (std::string chunk; in.read(chunk) > 0;) {
        sum.add(chunk.data(), chunk.size());
        out.write(chunk);
        throttle_.spent(static_cast<std::int64_t>(chunk.size()));
      }
      out.settle();
    }
    if (checksumOf(to) != sum.value()) {
      throw Failure(BIO_IO, to.string() +
                                " reads back other than it was written: the fast copy "
                                "stays; check the device");
    }
  }

  void show(const fs::path& made, std::int64_t number) const {
    comm_.agreeOnRoot([&] {
      syncPath(made);
      std::error_code error;
      fs::rename(made, slow_.step(number), error);
      if (error) throw systemFailure(error.value(), "rename to " + slow_.step(number).string());
      syncPath(slow_.path());
    });
  }

  const Communicator& comm_;
  RunFolder fast_;
  RunFolder slow_;
  RunFolder staging_;
  std::string format_;
  std::string options_;
  bool whileWritten_;
  Throttle throttle_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<Run> run_;
  std::unique_ptr<Rewriter> rewriter_;
  std::int64_t rewritten_ = 0;
};

}  // namespace

void drain(const Communicator& comm, const CommandLine& line) {
  comm.agree([&] {
    const Options options(line.text("options", ""));
    requireExact(options);
    if (options.number("steps_per_file", 1, INT32_MAX) == 1) return;
    throw Failure(BIO_BAD_ARGUMENT,
                  "option steps_per_file: a drain moves steps one by one, each to a folder of its "
                  "own: leave it out, and join them afterwards with bundleio concat");
  });
  if (line.has("while-written")) useAllCores();
  Drain work(comm, line);
  const std::int64_t moved =
      work.run(static_cast<double>(line.number("idle-seconds", 0, 0, 1 << 30)));
  if (comm.isRoot()) {
    std::printf("%s: %lld steps moved and compared\n", line.operands()[1].c_str(),
                static_cast<long long>(moved));
  }
}

}  // namespace bundleio
