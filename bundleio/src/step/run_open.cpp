// How a run is opened: its options, its folders and who else works in them, its back end.
#include <algorithm>
#include <array>
#include <cstdio>

#include "guard/file_system.hpp"
#include "guard/mpi_io.hpp"
#include "model/reserved_names.hpp"
#include "step/auto_choice.hpp"
#include "step/run.hpp"

namespace bundleio {

namespace {

// All formats refuse paths that one of them cannot open, so that steps can be converted in place.
void checkPath(const std::string& path) {
  if (path.find('\\') == std::string::npos) return;
  throw Failure(BIO_BAD_ARGUMENT, "path " + path +
                                      " holds a '\\', which netCDF-C and ADIOS2 take for a '/': "
                                      "choose a path without");
}

void checkTwoFolders(const RunFolder& fast, const RunFolder& slow) {
  if (!std::filesystem::equivalent(fast.path(), slow.path())) return;
  throw Failure(BIO_BAD_ARGUMENT, "option fast_tier=" + fast.path().string() +
                                      ": that is the run's own folder: name another");
}

// It would go on moving steps of the run that is replaced, between those of the new one.
void checkNoDrain(const RunFolder& folder) {
  if (!isDrained(folder)) return;
  throw Failure(BIO_STATE, "a drain still moves steps to " + folder.path().string() +
                               ", which cannot be replaced meanwhile: wait until it ends, or use "
                               "mode append");
}

std::unique_ptr<FolderLock> runLock(const std::filesystem::path& folder, const std::string& kind) {
  auto lock = std::make_unique<FolderLock>(
      folder, "another run writes to " + kind + folder.string() + ": give each run one of its own");
  if (!lock->isHeld()) {
    std::fprintf(stderr,
                 "bundleio: %s: another run that writes there would not be noticed: see to it that "
                 "none does\n",
                 lock->absence().what());
  }
  return lock;
}

bool holesTell(const RunFolder& folder) { return fileSystemOf(folder.path()).holesTell; }

}  // namespace

Run::Run(const Communicator& comm, const std::string& path, int mode, std::string backend,
         const std::string& options, Guard guard)
    : comm_(comm),
      number_(comm.nextNumber()),
      folder_(path),
      options_(""),
      backendName_(std::move(backend)),
      schema_(comm.size(), comm.rank()) {
  const std::string mine =
      path + "\n" + std::to_string(mode) + "\n" + backendName_ + "\n" + options;
  const std::string roots = comm_.broadcast(mine, 0);
  const bool isAuto = backendName_ == "auto";
  comm_.agree([&] {
    if (path.empty()) throw Failure(BIO_BAD_ARGUMENT, "the path is empty");
    if (mine != roots) {
      throw Failure(BIO_MISMATCH, "opens '" + path + "' with '" + backendName_ + "' and '" +
                                      options + "', other than rank 0");
    }
    checkPath(path);
    options_ = Options(options);
    checkPath(options_.text("fast_tier"));
    const std::chrono::seconds limit(options_.number("give_up_seconds", 1, 86400));
    watchdog_ = std::make_unique<Watchdog>(comm_, backendName_, path, limit);
    stallWatchdog_ = std::make_unique<Watchdog>(comm_, backendName_, path, limit);
    if (options_.flag("report_pss")) meter_.countShares();
    reserveBytes_ = options_.number("reserve_mib", 0, 1 << 30) << 20;
    // So that a wrong value ends here, not in the middle of a step.
    for (const char* flag : {"sync", "space_check", "checksums"}) (void)options_.flag(flag);
    if (options_.flagOrAuto("verify").value_or(false) && !keepsSums()) {
      throw Failure(BIO_BAD_ARGUMENT,
                    "option verify=yes: there is nothing to compare with where "
                    "checksums=no");
    }
    if (isAuto) return;
    backend_ = makeBackend(backendName_, options_);
    options_.checkTakenBy({backendName_});
  });
  openFolders(mode, guard);
  if (isAuto) decide(options);
  openSeries();
  if (backend_->usesMpiIo()) requireTellingMpiIo(comm_);
  schema_.reserve(reservedNames(backendName_));
  keepDrain();
  // Names of folders are nobody else's business.
  const std::string recorded = options_.textWithout(
      {"fast_tier", "reserve_mib", "drain", "drain_mib_per_second", "drain_to", "record"});
  recorder_ = Recorder::start(comm_, options_.text("record"), backendName_, recorded);
}

void Run::openFolders(int mode, Guard guard) {
  std::string here;
  // Where the current folder is gone, absolute paths are still good.
  std::error_code gone;
  if (comm_.isRoot()) here = std::filesystem::current_path(gone).string();
  const std::filesystem::path base = comm_.broadcast(here, 0);
  folder_ = RunFolder(base / folder_.path());
  if (!options_.text("fast_tier").empty()) fast_.emplace(base / options_.text("fast_tier"));
  comm_.agreeOnRoot([&] {
    folder_.make();
    if (fast_) fast_->make();
    if (fast_) checkTwoFolders(*fast_, folder_);
    if (guard == Guard::run) lock_ = runLock(folder_.path(), "");
    if (fast_) fastLock_ = runLock(fast_->path(), "the fast tier ");
    if (mode == BIO_REPLACE) checkNoDrain(folder_);
    // The fast tier first: a step that a drain moves meanwhile is then counted twice, and not
    // never.
    if (fast_) nextStep_ = fast_->prepare(mode);
    nextStep_ = std::max(nextStep_, folder_.prepare(mode));
    opened_ = std::make_unique<OpenedFolder>(folder_.path());
    if (fast_) openedFast_ = std::make_unique<OpenedFolder>(fast_->path());
  });
  std::array<std::int64_t, 3> told{nextStep_, holesTell(folder_) ? 1 : 0,
                                   fast_ && holesTell(*fast_) ? 1 : 0};
  MPI_Bcast(told.data(), 3, MPI_INT64_T, 0, comm_.handle());
  nextStep_ = told[0];
  holesTell_ = told[1] != 0;
  holesTellFast_ = told[2] != 0;
}

// Makes a drain work beside the run; at every step, one that was killed is started again.
void Run::keepDrain() {
  if (!options_.flag("drain")) return;
  comm_.agreeOnRoot([&] {
    if (!fast_) {
      throw Failure(BIO_BAD_ARGUMENT,
                    "option drain=yes: there is nothing to drain without fast_tier");
    }
    if (!fastLock_->isHeld()) {
      throw Failure(BIO_STATE, std::string("option drain=yes: ") + fastLock_->absence().what() +
                                   ": a drain sees by this lock that the run goes on: start "
                                   "bundleio drain yourself");
    }
    if (!drain_) drain_ = std::make_unique<DrainKeeper>(*fast_, folder_, options_);
    drain_->tend();
  });
}

// Where the files will lie is there by now, and can be tried.
void Run::decide(const std::string& options) {
  const Choice choice = chooseBackend(comm_, (fast_ ? *fast_ : folder_).path(), options_);
  backendName_ = choice.backend;
  reason_ = choice.reason;
  const Options given(options);
  const std::string others = given.keysNotTakenBy(backendName_);
  if (!others.empty()) reason_ += "; not for it: " + others;
  if (comm_.isRoot()) std::fprintf(stderr, "bundleio: auto: %s\n", reason_.c_str());
  options_ = Options(given.textTakenBy(backendName_));
  const std::chrono::seconds limit(options_.number("give_up_seconds", 1, 86400));
  const std::string path = folder_.path().string();
  watchdog_ = std::make_unique<Watchdog>(comm_, backendName_, path, limit);
  stallWatchdog_ = std::make_unique<Watchdog>(comm_, backendName_, path, limit);
  comm_.agree([&] { backend_ = makeBackend(backendName_, options_); });
}

}  // namespace bundleio
