// An open run: definitions, then steps. Holds the rules that are the same for every back end:
// what agrees when, what becomes visible when, and how an error becomes everyone's error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "backends/backend.hpp"
#include "exchange/step_sums.hpp"
#include "guard/stall_watch.hpp"
#include "model/schema_part.hpp"
#include "record/recorder.hpp"
#include "step/drain_keeper.hpp"
#include "step/folder_lock.hpp"
#include "step/run_folder.hpp"
#include "step/series.hpp"
#include "step/step_puts.hpp"

namespace bundleio {

/// Takes a dense box over all dimensions of a variable; not collective.
using BoxSink = std::function<void(int variable, const Block& box, const std::byte* values)>;

/// By variable: does the step of this number hold it?
using Schedule = std::function<std::vector<bool>(std::int64_t step)>;

/// Says who keeps other runs away from the folder of a Run.
enum class Guard { run, caller };

class Run {
 public:
  /// A relative `path` is one of rank 0, and stays the same folder wherever the process goes.
  /// Collective.
  Run(const Communicator& comm, const std::string& path, int mode, std::string backend,
      const std::string& options, Guard guard = Guard::run);

  /// Only before the first step.
  Schema& definitions();
  [[nodiscard]] const Schema& schema() const { return schema_; }
  /// The same, and mistakes in it, which the caller has told.
  void forgetDefinitions();
  /// See bio_def_every. Only before the first step.
  void setEvery(int variable, std::int64_t every);
  /// Takes the place of what variables say of themselves; equal on all ranks.
  void follow(Schedule schedule) { schedule_ = std::move(schedule); }
  /// Is the variable due in the step under way, or, between steps, in the next one?
  [[nodiscard]] bool isDue(int variable) const;
  /// The next step has this number instead of the one behind the last; no less than that, and equal
  /// on all ranks. Between steps.
  void skipTo(std::int64_t number) { nextStep_ = number; }
  void stepBegin();
  void put(int variable, std::int64_t firstPlane, std::int64_t planes, const std::byte* values);
  /// All planes of a variable.
  void put(int variable, const std::byte* values);
  /// Collective.
  void stepEnd();
  void wait();
  /// The back end can take the values of a step box by box: see fillStep.
  [[nodiscard]] bool takesBoxes() const { return backend_->takesBoxes(); }
  /// A whole step, instead of stepBegin, puts and stepEnd: `fill` hands over boxes, in any order,
  /// that cover all variables together with those of the other ranks. Nothing but a box at a time
  /// needs memory. If `fill` communicates, it must fail on all ranks or on none. Collective.
  void fillStep(const std::function<void(const BoxSink& sink)>& fill);
  /// Is called by all ranks with the folder of each step once its files are closed; if it throws,
  /// the step never becomes visible.
  void beforePublishing(std::function<void(const std::filesystem::path& made)> check) {
    check_ = std::move(check);
  }
  /// wait(), and the mistakes that no stepEnd has told: to be called once, at the end.
  void close();
  [[nodiscard]] std::string report();
  [[nodiscard]] const Meter& meter() const { return meter_; }
  [[nodiscard]] bool isPending() const { return pending_.has_value(); }

  /// Remembers a failure of a local call, for the next stepEnd of all ranks.
  void remember(const Failure& failure);

 private:
  enum class State { defining, between, inStep };
  // Of the application; a rank that is in another one than the others is told so.
  enum class Call { stepEnd, wait, close, report, count };

  /// Where a collective call begins.
  template <class Work>
  void enter(Call call, Work&& work);
  void openFolders(int mode, Guard guard);
  void decide(const std::string& options);
  /// The step from its agreement to its visible folder.
  void agreeAndWrite();
  void keepDrain();
  void agreeOnSchema();
  void checkDue(int variable) const;
  /// Whether the step of this number holds each variable.
  [[nodiscard]] std::vector<bool> dueIn(std::int64_t number) const;
  /// From here to the next call, steps hold what is due. Collective.
  void hold(const std::vector<bool>& due);
  void prepareFor(const std::vector<bool>& due);
  /// Of the step at hand.
  [[nodiscard]] const Schema& stepSchema() const { return part_ ? part_->schema : schema_; }
  void agreeOnPuts();
  void writeStep();
  /// Bytes of a step on a disk, or somewhat more. On rank 0.
  [[nodiscard]] std::int64_t neededBytes() const;
  [[nodiscard]] bool fastTierHasRoom() const;
  void leaveFastTier(const std::string& why);
  void writeStepTo(const RunFolder& target);
  void writeValues(const Step& step);
  void writeSums(std::int64_t number, const Step& step);
  void waitRecorded();
  void publishAll();
  void publishPending();
  void publishBefore();
  void publish(std::int64_t number);
  /// `opened`: below the folder, what this rank had open before the files were closed. Collective.
  void syncFiles(std::int64_t number, const std::filesystem::path& folder,
                 const std::optional<std::set<std::string>>& opened);
  Step stepAt(std::int64_t number);
  /// Where what was written of the step can be read before it is visible.
  [[nodiscard]] std::filesystem::path madeAt(std::int64_t number) const {
    return target_->partial(number);
  }
  /// Each step has checksums; else, what files of several steps hold once has them, and nobody
  /// stores them.
  [[nodiscard]] bool keepsSums() const { return options_.flag("checksums"); }
  /// The step under way is compared with its checksums before it counts.
  [[nodiscard]] bool readsBack() const;
  void openSeries();
  void closeSeries();
  void beginStep(std::int64_t number);
  void requireOpenedFolder() const;
  void discard(std::int64_t number);
  void writeSeriesSums(std::int64_t number);
  /// Null where nothing is watched.
  std::unique_ptr<StallWatch> stallWatch(const std::filesystem::path& folder,
                                         const std::filesystem::path& what);
  /// Runs `work` on all ranks; if it fails anywhere, no trace of the step stays.
  void guarded(std::int64_t number, const std::function<void()>& work);
  /// The same for calls of an I/O library, and of the system, that store something.
  void watched(std::int64_t number, const std::function<void()>& work);

  const Communicator& comm_;
  int number_;  // of this run among those of comm_
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<FolderLock> fastLock_;
  RunFolder folder_;
  std::optional<RunFolder> fast_;         // a faster place, from which bundleio drain moves steps
  std::unique_ptr<DrainKeeper> drain_;    // on rank 0, where the run asked for it
  const RunFolder* target_ = &folder_;    // of the step under way
  std::unique_ptr<OpenedFolder> opened_;  // the run's own folder; on rank 0
  std::unique_ptr<OpenedFolder> openedFast_;
  std::int64_t directSteps_ = 0;   // that the fast tier had no room for
  bool saidFull_ = false;          // that it has none
  std::int64_t reserveBytes_ = 0;  // to be left free on the fast tier
  bool holesTell_ = false;         // in the run's own folder: see FileSystem
  bool holesTellFast_ = false;
  std::int64_t stepsPerFile_ = 1;
  std::unique_ptr<Series> series_;  // on rank 0, where files hold several steps
  std::string seriesKey_;           // once the schema is agreed on
  struct Place {
    std::int64_t first = -1;  // step of the series
    std::int64_t record = 0;  // in it
    std::int64_t staysOpen = 0;
    std::int64_t isUnknownBefore = 0;  // see Series
  };
  Place place_;                       // of the step under way; on all ranks
  std::filesystem::path openFolder_;  // of a series whose files the back end may have open
  Options options_;
  std::string backendName_;
  std::string reason_;                       // of back end auto
  std::unique_ptr<Watchdog> watchdog_;       // for what a rank knows to have failed
  std::unique_ptr<Watchdog> stallWatchdog_;  // for what nobody knows of
  std::unique_ptr<Backend> backend_;
  Schema schema_;
  Schedule schedule_;                      // none: variables say when they are due
  std::optional<std::vector<bool>> held_;  // what the step at hand holds; none before the first
  std::unique_ptr<SchemaPart> part_;       // the same, where it is not everything
  StepPuts puts_;
  std::optional<StepSums> sums_;  // of stepSchema(), as far as they are wanted
  Meter meter_;
  State state_ = State::defining;
  bool schemaAgreed_ = false;
  std::int64_t nextStep_ = 0;
  std::int64_t tookBytes_ = 0;           // on rank 0: such a step, on its disk
  std::optional<std::int64_t> pending_;  // written, not yet visible
  std::optional<Failure> remembered_;
  const std::function<void(const BoxSink&)>* fill_ = nullptr;  // of the step under way
  std::function<void(const std::filesystem::path&)> check_;
  std::unique_ptr<Recorder> recorder_;  // null if nothing is recorded
};

}  // namespace bundleio
