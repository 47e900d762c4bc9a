#include "step/run.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "guard/open_files.hpp"
#include "guard/room.hpp"
#include "model/json_text.hpp"
#include "model/layout.hpp"
#include "step/checked_step.hpp"

namespace bundleio {

template <class Work>
void Run::enter(Call call, Work&& work) {
  const int calls = static_cast<int>(Call::count);
  comm_.agree(number_ * calls + static_cast<int>(call), std::forward<Work>(work));
}

Schema& Run::definitions() {
  if (state_ != State::defining) {
    throw Failure(BIO_STATE, "definitions must come before the first step");
  }
  return schema_;
}

void Run::forgetDefinitions() {
  remembered_.reset();
  definitions().clear();
}

void Run::stepBegin() {
  if (state_ == State::inStep) throw Failure(BIO_STATE, "step_begin inside a step");
  state_ = State::inStep;
  puts_.clear();
  if (recorder_) recorder_->stepBegun();
}

void Run::put(int variable, std::int64_t firstPlane, std::int64_t planes, const std::byte* values) {
  if (state_ != State::inStep) throw Failure(BIO_STATE, "put outside a step");
  checkDue(variable);
  puts_.add(schema_, variable, firstPlane, planes, values);
  if (recorder_) recorder_->put({variable, firstPlane, planes});
}

void Run::put(int variable, const std::byte* values) {
  put(variable, 0, schema_.variable(variable).planeCount, values);
}

void Run::remember(const Failure& failure) {
  if (!remembered_) remembered_ = failure;
}

void Run::stepEnd() {
  if (!recorder_) return agreeAndWrite();
  recorder_->arrived();
  try {
    agreeAndWrite();
  } catch (...) {
    recorder_->failed();
    throw;
  }
  recorder_->stepEnded(schema_);
}

void Run::agreeAndWrite() {
  meter_.workStarted();
  const auto clean = [&] {
    puts_.clear();
    remembered_.reset();
    meter_.workEnded();
  };
  std::vector<bool> due;
  try {
    {
      const Meter::Span span(meter_, Phase::agree);
      const bool inStep = state_ == State::inStep;
      if (inStep) state_ = State::between;
      enter(Call::stepEnd, [&] {
        if (remembered_) throw *remembered_;
        if (!inStep) throw Failure(BIO_STATE, "step_end without step_begin");
        due = dueIn(nextStep_);
        if (fill_ == nullptr) puts_.checkComplete(schema_, due);
      });
      if (!schemaAgreed_) agreeOnSchema();
      agreeOnPuts();
    }
    publishBefore();
    keepDrain();
    hold(due);
    writeStep();
  } catch (...) {
    clean();
    throw;
  }
  clean();
}

void Run::agreeOnSchema() {
  const std::string mine = comparedText(schema_);
  const std::string roots = comm_.broadcast(mine, 0);
  comm_.agree([&] {
    if (mine != roots) {
      throw Failure(BIO_MISMATCH, "defines " + firstDifference(mine, roots));
    }
  });
  if (series_) seriesKey_ = backend_->seriesKey(schema_, comm_, folder_.path());
  schemaAgreed_ = true;
}

// One reduction: the smallest hash and the smallest complement differ only if two hashes do.
void Run::agreeOnPuts() {
  const std::uint64_t hash = puts_.hash();
  const std::array<std::uint64_t, 2> mine{hash, ~hash};
  std::array<std::uint64_t, 2> smallest{};
  MPI_Allreduce(mine.data(), smallest.data(), 2, MPI_UINT64_T, MPI_MIN, comm_.handle());
  if (smallest[0] != ~smallest[1]) {
    throw Failure(BIO_MISMATCH, "ranks put different level ranges: use the same on all ranks");
  }
}

void Run::guarded(std::int64_t number, const std::function<void()>& work) {
  const TransferWatch transfers(*watchdog_);
  FirstFailure mine(*watchdog_);
  mine.attempt(work);
  try {
    comm_.agree([&] { mine.raise(); });
    watchdog_->disarm();
  } catch (const Failure& failure) {
    // Releasing what is open calls the library again.
    watchdog_->arm(failure);
    // The first failure is the one to tell; a rank that misses the others here is missed by theirs.
    (void)outcomeOf([&] {
      // Libraries remove files of their own: the folder goes when all ranks are through with that.
      comm_.agree([&] { (void)outcomeOf([&] { backend_->abandon(stepAt(number)); }); });
      openFolder_.clear();
      comm_.agreeOnRoot([&] { discard(number); });
    });
    watchdog_->disarm();
    throw;
  }
}

// Where a failure reaches nobody, ranks that wait are known by a step that changes no more.
std::unique_ptr<StallWatch> Run::stallWatch(const std::filesystem::path& folder,
                                            const std::filesystem::path& what) {
  if (!comm_.isRoot() || !backend_->usesMpiIo()) return nullptr;
  return std::make_unique<StallWatch>(*stallWatchdog_, folder, "write " + what.string());
}

void Run::watched(std::int64_t number, const std::function<void()>& work) {
  const auto stall = stallWatch(stepAt(number).folder, target_->step(number));
  guarded(number, work);
}

// Nobody knows beforehand what packed values take: the room that the last step took is asked for.
std::int64_t Run::neededBytes() const {
  const Schema& schema = stepSchema();
  if (backend_->isPacked()) return tookBytes_;
  return std::max(schema.stepBytes(), tookBytes_) +
         descriptionBytes(schema.bundles().size(), schema.variables().size());
}

bool Run::fastTierHasRoom() const {
  if (!fast_) return false;
  const std::int64_t needed = neededBytes() + reserveBytes_;
  const std::int64_t available = comm_.isRoot() ? fast_->freeBytes() : -1;
  return comm_.minimum(available >= 0 && available < needed ? 0 : 1) == 1;
}

void Run::leaveFastTier(const std::string& why) {
  if (std::exchange(saidFull_, true) || !comm_.isRoot()) return;
  std::fprintf(stderr,
               "bundleio: fast tier %s: %s: steps that find no room there are written to %s\n",
               fast_->path().c_str(), why.c_str(), folder_.path().c_str());
}

void Run::writeStep() {
  meter_.counters.ownBytes += puts_.bytes(stepSchema());
  if (!fast_) return writeStepTo(folder_);
  if (fastTierHasRoom()) {
    try {
      return writeStepTo(*fast_);
    } catch (const Failure& failure) {
      if (failure.status() != BIO_NO_SPACE) throw;
      leaveFastTier(failure.what());
    }
  } else {
    leaveFastTier("less than a step and reserve_mib=" + options_.text("reserve_mib") + " is free");
  }
  writeStepTo(folder_);
  ++directSteps_;
}

void Run::writeStepTo(const RunFolder& target) {
  target_ = &target;
  const std::int64_t number = nextStep_;
  beginStep(number);
  const Step step = stepAt(number);
  {
    const Meter::Span span(meter_, Phase::create);
    watched(number, [&] { backend_->create(step); });
  }
  {
    const Meter::Span span(meter_, Phase::define);
    watched(number, [&] { backend_->define(step); });
  }
  {
    const Meter::Span span(meter_, Phase::write);
    writeValues(step);
  }
  ++nextStep_;
  if (backend_->closesLater()) {
    pending_ = number;
    backend_->leave();
  } else {
    publish(number);
  }
}

void Run::writeValues(const Step& step) {
  const std::int64_t number = nextStep_;
  if (sums_) sums_->begin(comm_, puts_.pieces());
  if (fill_ == nullptr) {
    watched(number, [&] { backend_->write(step, puts_.pieces()); });
    if (sums_) sums_->combine(comm_);
    return;
  }
  watched(number, [&] { backend_->openBoxes(step); });
  guarded(number, [&] {
    (*fill_)([&](int variable, const Block& box, const std::byte* values) {
      if (sums_) sums_->addBox(variable, box, values);
      backend_->writeBox(step, variable, box, values);
    });
  });
  if (sums_) sums_->combine(comm_);
}

void Run::fillStep(const std::function<void(const BoxSink& sink)>& fill) {
  fill_ = &fill;
  const Failure outcome = outcomeOf([&] {
    stepBegin();
    stepEnd();
  });
  fill_ = nullptr;
  if (outcome.status() != BIO_OK) throw outcome;
}

void Run::wait() {
  enter(Call::wait, [] {});
  waitRecorded();
}

// A mistake of now does not cost the step before, which may still be under way.
void Run::close() {
  const Failure mistake = outcomeOf([&] {
    enter(Call::close, [&] {
      if (remembered_) throw Failure(*remembered_);
      if (state_ == State::inStep) {
        throw Failure(BIO_STATE,
                      "closed inside a step, which is not written: call step_end before");
      }
    });
  });
  const Failure waiting = comm_.isOutOfStep() ? mistake : outcomeOf([&] {
    waitRecorded();
    closeSeries();
  });
  for (const Failure& failure : {mistake, waiting}) {
    if (failure.status() != BIO_OK) throw Failure(failure);
  }
}

void Run::waitRecorded() {
  if (!recorder_) return publishAll();
  recorder_->arrived();
  try {
    publishAll();
  } catch (...) {
    recorder_->failed();
    throw;
  }
  recorder_->waited();
}

void Run::publishAll() {
  if (pending_) {
    meter_.workStarted();
    try {
      publishPending();
    } catch (...) {
      meter_.workEnded();
      throw;
    }
    meter_.workEnded();
  }
  keepDrain();
}

void Run::publishPending() {
  if (!pending_) return;
  const std::int64_t number = *pending_;
  pending_.reset();
  publish(number);
}

// The model looks at its own step, and would take the failure for that one's alone.
void Run::publishBefore() {
  const std::int64_t before = pending_.value_or(0);
  const Failure outcome = outcomeOf([&] { publishPending(); });
  if (outcome.status() == BIO_OK) return;
  const std::string lost = std::to_string(before);
  throw Failure(outcome.status(), std::string(outcome.what()) + ": step " + lost +
                                      ", which was put before, is lost, and the step that was put "
                                      "now was not written either: the next one is step " +
                                      lost);
}

// Unasked, where a write that a library lost could not be seen otherwise. Who checks the step
// itself reads it anyway.
bool Run::readsBack() const {
  const std::optional<bool> asked = options_.flagOrAuto("verify");
  if (asked) return *asked;
  const bool isSeen = target_ == &folder_ ? holesTell_ : holesTellFast_;
  return keepsSums() && !check_ && backend_->usesMpiIo() &&
         (!isSeen || !backend_->lossesShow(stepSchema()));
}

// Before the step is visible, and made durable with it.
void Run::writeSums(std::int64_t number, const Step& step) {
  if (stepsPerFile_ > 1) writeSeriesSums(number);
  if (!keepsSums()) return;
  guarded(number, [&] {
    if (stepsPerFile_ > 1) return;
    if (backend_->isLossy()) {
      const auto stored = storedSums(comm_, step.folder, Summed::all, watchdog_.get());
      if (stored) stored->write(step.folder);
    } else {
      sums_->write(comm_, step.folder);
    }
  });
  if (!readsBack()) return;
  guarded(number, [&] {
    const Failure outcome = outcomeOf([&] { verifyStep(comm_, madeAt(number), watchdog_.get()); });
    if (outcome.status() == BIO_OK) return;
    if (outcome.status() != BIO_FORMAT) throw Failure(outcome);
    throw Failure(BIO_IO, std::string("the step reads back other than it was put (") +
                              outcome.what() + "): it was removed; check the device");
  });
}

void Run::publish(std::int64_t number) {
  const Step step = stepAt(number);
  const bool isDurable = options_.flag("sync");
  const auto opened = isDurable ? openFilesBelow(step.folder) : std::nullopt;
  try {
    {
      const Meter::Span span(meter_, Phase::close);
      watched(number, [&] { backend_->close(step); });
      if (step.staysOpen) openFolder_ = step.folder;
      watched(number, [&] { backend_->verify(step); });
      writeSums(number, step);
    }
    if (isDurable) syncFiles(number, step.folder, opened);
    if (check_) guarded(number, [&] { check_(madeAt(number)); });
    // Steps that hold the same are alike, unless they are packed.
    const bool isAsked = tookBytes_ == 0 || backend_->isPacked();
    if (comm_.isRoot() && isAsked && !series_) tookBytes_ = bytesIn(step.folder);
    const Meter::Span span(meter_, Phase::publish);
    if (stepsPerFile_ == 1) {
      comm_.agreeOnRoot([&] { target_->publish(number, isDurable); });
    } else {
      guarded(number, [&] {
        if (series_) series_->publish(number, isDurable);
      });
    }
  } catch (const Failure&) {
    nextStep_ = number;
    throw;
  }
  meter_.stepPublished();
}

std::string Run::report() {
  enter(Call::report, [] {});
  std::string head = "\"backend\": \"" + backendName_ + "\"";
  if (fast_) head += ", \"steps_not_on_fast_tier\": " + std::to_string(directSteps_);
  if (!reason_.empty()) head += ", \"chosen_by_auto\": " + jsonText(reason_);
  return meter_.report(comm_, head);
}

}  // namespace bundleio
