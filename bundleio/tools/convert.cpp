// bundleio convert: rewrites complete steps with another back end, in parallel. A step is visible
// once it was read back and compared, so that an interrupted conversion goes on behind it. bundleio
// concat: the same into files that hold all of them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>

#include "command_line.hpp"
#include "commands.hpp"
#include "completed_step.hpp"
#include "model/layout.hpp"
#include "readers/step_place.hpp"
#include "rewriter.hpp"
#include "run_steps.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace {

// How many steps an earlier, interrupted conversion already made, of those that get these numbers.
std::size_t finishedSteps(const RunFolder& target, const std::vector<std::int64_t>& numbers) {
  const auto present = target.steps();
  if (present.size() > numbers.size() ||
      !std::equal(present.begin(), present.end(), numbers.begin())) {
    throw Failure(BIO_MISMATCH,
                  target.path().string() + " does not hold the first steps of the source");
  }
  return present.size();
}

// The last step stands for those before it: by checksums, where both have them.
void requireSame(const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto source = checksumsOfStep(from);
  const auto made = checksumsOfStep(to);
  if (!source || !made) return;
  if (outcomeOf([&] { source->checkEqualValues(*made); }).status() == BIO_OK) return;
  throw Failure(BIO_MISMATCH, to.string() + " holds other values than " + from.string() +
                                  ": --append goes on with steps of the same run");
}

void requireNoSteps(const RunFolder& target) {
  if (!std::filesystem::is_directory(target.path())) return;
  const std::size_t present = target.steps().size();
  if (present == 0) return;
  throw Failure(BIO_EXISTS, target.path().string() + " holds " + std::to_string(present) +
                                " steps already: name another folder, or go on with --append");
}

// Steps whose values differ can only stand in one file if something tells them apart.
void requireGrowing(const RunFolder& from, std::int64_t step) {
  tryStep(from.step(step));
  const auto reader = Reader::open(from.step(step));
  const Schema& schema = reader->schema();
  for (const Variable& variable : schema.variables()) {
    if (schema.bundleOf(variable).isUnlimited(variable)) return;
  }
  throw Failure(BIO_BAD_ARGUMENT, from.path().string() +
                                      ": no variable has an unlimited dimension, along which steps "
                                      "could be joined");
}

// The steps of one file are numbered without gaps.
void requireNoGap(const RunFolder& from, const std::vector<std::int64_t>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i] == steps[i - 1] + 1) continue;
    throw Failure(BIO_BAD_ARGUMENT,
                  from.path().string() + ": between step " + std::to_string(steps[i - 1]) +
                      " and step " + std::to_string(steps[i]) +
                      " some are missing, and steps of one file are numbered without gaps: number "
                      "them anew with --renumber, or use convert, which keeps the numbers");
  }
}

// From 0, or as they are.
std::vector<std::int64_t> numbersFor(const std::vector<std::int64_t>& steps, bool anew) {
  std::vector<std::int64_t> numbers = steps;
  if (anew) std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// A source's steps, for a rewriter, and what they are written to.
class Rewriting {
 public:
  Rewriting(const Communicator& comm, const CommandLine& line, bool areJoined)
      : comm_(comm),
        from_(line.operands()[0]),
        to_(line.operands()[1]),
        backend_(line.text("to", "pnetcdf")),
        options_(line.text("options", "")),
        areJoined_(areJoined),
        areRenumbered_(line.has("renumber")) {
    if (!areJoined) return;
    if (Options(options_).number("steps_per_file", 1, INT32_MAX) > 1) {
      throw Failure(BIO_BAD_ARGUMENT,
                    "option steps_per_file: concat joins all steps: leave it out, or use convert");
    }
    options_ += " steps_per_file=" + std::to_string(INT32_MAX);
  }

  // Files that steps share are open until the run is closed: others would take them for files that
  // somebody still writes. Steps that are there before a failure stay.
  void run(bool append) {
    const Failure outcome = outcomeOf([&] { rewriteAll(append); });
    const Failure closing = outcomeOf([&] { close(); });
    for (const Failure& failure : {outcome, closing}) {
      if (failure.status() != BIO_OK) throw Failure(failure);
    }
    if (!comm_.isRoot()) return;
    std::printf("%s: %zu steps %s and compared, %zu were there\n", to_.path().c_str(), made_,
                areJoined_ ? "joined" : "converted", before_);
  }

 private:
  void rewriteAll(bool append) {
    std::vector<std::int64_t> steps;
    comm_.agree([&] { requireExact(Options(options_)); });
    comm_.agreeOnRoot([&] {
      steps = stepsOf(from_);
      if (areJoined_ && !areRenumbered_) requireNoGap(from_, steps);
      if (!append) requireNoSteps(to_);
      if (areJoined_) requireGrowing(from_, steps.front());
    });
    steps = fromRoot(comm_, steps);
    const std::vector<std::int64_t> numbers = numbersFor(steps, areRenumbered_);
    open(append ? BIO_APPEND : BIO_CREATE);
    std::size_t done = 0;
    comm_.agreeOnRoot([&] {
      if (append) done = finishedSteps(to_, numbers);
      if (done > 0) requireSame(from_.step(steps[done - 1]), to_.step(numbers[done - 1]));
    });
    done = static_cast<std::size_t>(fromRoot(comm_, {static_cast<std::int64_t>(done)}).front());
    if (areJoined_) first_ = read(steps.front());
    before_ = done;
    Progress progress(comm_, areJoined_ ? "concat" : "convert", steps.size() - before_);
    for (; done < steps.size(); ++done) {
      rewrite(steps[done], numbers[done]);
      ++made_;
      progress.advance();
    }
  }

  void open(int mode) {
    close();
    run_ = std::make_unique<Run>(comm_, to_.path().string(), mode, backend_, options_);
    rewriter_ = std::make_unique<Rewriter>(comm_, *run_, nullptr);
    isDefined_ = false;
  }

  void close() {
    rewriter_.reset();
    // Gone whatever it says: its folder is its own.
    const std::unique_ptr<Run> closing = std::move(run_);
    if (closing) closing->close();
  }

  [[nodiscard]] std::unique_ptr<Reader> read(std::int64_t step) const {
    std::unique_ptr<Reader> source;
    comm_.agreeOnRoot([&] { tryStep(from_.step(step)); });
    comm_.agree([&] { source = Reader::open(from_.step(step)); });
    return source;
  }

  // A run holds the same variables in every step: where those of the source change, another one
  // goes on.
  void rewrite(std::int64_t step, std::int64_t number) {
    std::unique_ptr<Reader> source = read(step);
    if (areJoined_) complete(source, step);
    if (isDefined_ && !rewriter_->fits(*source)) open(BIO_APPEND);
    if (!isDefined_) rewriter_->define(*source);
    isDefined_ = true;
    run_->skipTo(number);
    rewriter_->rewrite(*source, from_.step(step));
  }

  void complete(std::unique_ptr<Reader>& source, std::int64_t step) const {
    if (layoutText(source->schema(), 0) == layoutText(first_->schema(), 0)) return;
    comm_.agree([&] {
      source =
          std::make_unique<CompletedStep>(*first_, std::move(source), from_.step(step).string());
    });
  }

  const Communicator& comm_;
  RunFolder from_;
  RunFolder to_;
  std::string backend_;
  std::string options_;
  bool areJoined_;
  bool areRenumbered_;
  std::unique_ptr<Run> run_;
  std::unique_ptr<Rewriter> rewriter_;
  bool isDefined_ = false;
  std::size_t before_ = 0;         // steps that an earlier, interrupted conversion made
  std::size_t made_ = 0;           // and this one
  std::unique_ptr<Reader> first_;  // step, where steps are joined
};

}  // namespace

void convert(const Communicator& comm, const CommandLine& line) {
  Rewriting(comm, line, false).run(line.has("append"));
}

void concat(const Communicator& comm, const CommandLine& line) {
  Rewriting(comm, line, true).run(line.has("append"));
}

}  // namespace bundleio
