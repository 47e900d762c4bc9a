// A run whose steps share files: docs/decisions/0080-a-record-counts-when-the-index-says-so.md.
#include "guard/file_system.hpp"
#include "step/checked_step.hpp"
#include "step/run.hpp"

namespace bundleio {

void Run::openSeries() {
  comm_.agree([&] {
    stepsPerFile_ = options_.number("steps_per_file", 1, INT32_MAX);
    if (stepsPerFile_ == 1 || !fast_) return;
    throw Failure(BIO_BAD_ARGUMENT,
                  "option steps_per_file: what is moved from a fast tier is a step in files of its "
                  "own: leave out one of the two options");
  });
  if (stepsPerFile_ > 1 && comm_.isRoot()) {
    series_ = std::make_unique<Series>(folder_, stepsPerFile_);
  }
}

Step Run::stepAt(std::int64_t number) {
  const bool isOwn = stepsPerFile_ == 1;
  return {comm_,
          stepSchema(),
          options_,
          isOwn ? target_->partial(number) : target_->path() / seriesName(place_.first),
          meter_,
          *watchdog_,
          *stallWatchdog_,
          sums_ ? &*sums_ : nullptr,
          isOwn ? 0 : place_.record,
          !isOwn && place_.staysOpen != 0};
}

// Somebody may have moved the folder away; another run's steps are in the one that has its name.
void Run::requireOpenedFolder() const {
  if ((target_ == &folder_ ? opened_ : openedFast_)->hasItsName()) return;
  throw Failure(BIO_STATE, target_->path().string() +
                               " is another folder than the one that was opened, which was moved "
                               "away: the step was not written; open the run where it is now");
}

void Run::beginStep(std::int64_t number) {
  const Meter::Span span(meter_, Phase::create);
  const bool check = options_.flag("space_check");
  comm_.agreeOnRoot([&] {
    requireOpenedFolder();
    if (check) target_->checkSpace(neededBytes());
    if (!series_) return target_->start(number);
    series_->begin(number, seriesKey_, options_.flag("sync"));
    const bool staysOpen = !series_->isLast() && fileSystemOf(target_->path()).showsOpenFiles;
    place_ = {series_->first(), series_->record(), staysOpen ? 1 : 0,
              series_->isUnknownBefore() ? 1 : 0};
  });
  if (stepsPerFile_ == 1) return;
  MPI_Bcast(&place_, 4, MPI_INT64_T, 0, comm_.handle());
  if (openFolder_ != stepAt(number).folder) closeSeries();
}

// All steps in these files count: whatever fails, none of them is touched.
void Run::closeSeries() {
  if (openFolder_.empty()) return;
  Step last = stepAt(nextStep_);
  last.folder = std::exchange(openFolder_, {});
  const auto stall = stallWatch(last.folder, last.folder);
  const TransferWatch transfers(*watchdog_);
  FirstFailure mine(*watchdog_);
  mine.attempt([&] { backend_->closeSeries(last); });
  const Failure outcome = outcomeOf([&] { comm_.agree([&] { mine.raise(); }); });
  watchdog_->disarm();
  if (outcome.status() != BIO_OK) throw Failure(outcome);
}

void Run::discard(std::int64_t number) {
  if (series_) return series_->discard();
  target_->discard(number);
}

// Where the step is read before it counts, others of it must find its sums.
void Run::writeSeriesSums(std::int64_t number) {
  const bool isRounded = backend_->isLossy();
  const bool isStoredElse = keepsSums() && isRounded;
  const bool isUnknown = place_.isUnknownBefore != 0 && !isRounded;
  const bool isRead = readsBack() || check_ || isStoredElse || isUnknown;
  guarded(number, [&] {
    sums_->raise();
    if (!series_) return;
    series_->keepText(backend_->recordText());
    series_->compare(schema_, sums_->made(), isRounded);
    if (keepsSums() && !isRounded) series_->keepSums(sums_->made());
    if (isRead) series_->showPending(number);
  });
  if (isUnknown) {
    guarded(number, [&] {
      const auto stored = storedSums(comm_, madeAt(number), Summed::storedOnce, watchdog_.get());
      if (series_) series_->compareStored(schema_, *stored);
    });
  }
  if (!isStoredElse) return;
  guarded(number, [&] {
    const auto stored = storedSums(comm_, madeAt(number), Summed::all, watchdog_.get());
    if (!series_) return;
    series_->keepSums(*stored);
    series_->showPending(number);
  });
}

}  // namespace bundleio
