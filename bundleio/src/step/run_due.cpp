// The variables that a step of a run holds: docs/decisions/0096-steps-that-lack-variables.md.
#include <algorithm>

#include "step/run.hpp"

namespace bundleio {

namespace {

[[noreturn]] void refuseInSeries(const Variable& variable, const std::string& when) {
  throw Failure(BIO_BAD_ARGUMENT,
                "variable '" + variable.name + "' is " + when +
                    ", but with steps_per_file the steps of a file hold the same variables: put it "
                    "in every step (without an unlimited dimension it is stored once all the "
                    "same), or leave the option out");
}

}  // namespace

void Run::setEvery(int variable, std::int64_t every) {
  Schema& schema = definitions();
  schema.setEvery(variable, every);
  const Variable& changed = schema.variable(variable);
  if (every != 1 && stepsPerFile_ > 1) refuseInSeries(changed, changed.dueText());
}

bool Run::isDue(int variable) const {
  const Variable& asked = schema_.variable(variable);
  return schedule_ ? dueIn(nextStep_)[static_cast<std::size_t>(variable)] : asked.isDue(nextStep_);
}

// Variables with a schedule are checked when the step ends.
void Run::checkDue(int index) const {
  const Variable& variable = schema_.variable(index);
  if (schedule_ || variable.isDue(nextStep_)) return;
  throw Failure(BIO_STATE, "variable '" + variable.name + "' is " + variable.dueText() +
                               ", and not in step " + std::to_string(nextStep_) +
                               ": do not put it there (bio_due says when)");
}

std::vector<bool> Run::dueIn(std::int64_t number) const {
  if (schedule_) return schedule_(number);
  std::vector<bool> due;
  for (const Variable& variable : schema_.variables()) due.push_back(variable.isDue(number));
  return due;
}

// A back end remembers variables and files by their numbers: another set gets one of its own.
void Run::hold(const std::vector<bool>& due) {
  if (held_ != due) {
    comm_.agree([&] { prepareFor(due); });
    held_ = due;
  }
  if (part_) puts_.renumber(part_->numbers);
}

void Run::prepareFor(const std::vector<bool>& due) {
  const auto lacking = std::find(due.begin(), due.end(), false);
  if (lacking != due.end() && stepsPerFile_ > 1) {
    refuseInSeries(schema_.variable(static_cast<int>(lacking - due.begin())),
                   "not in step " + std::to_string(nextStep_));
  }
  sums_.reset();
  part_.reset();
  if (lacking != due.end()) part_ = std::make_unique<SchemaPart>(partOf(schema_, due));
  if (keepsSums()) {
    sums_.emplace(stepSchema(), Summed::all, backend_->rounding());
  } else if (stepsPerFile_ > 1) {
    sums_.emplace(stepSchema(), Summed::storedOnce, backend_->rounding());
  }
  if (held_) backend_ = makeBackend(backendName_, options_);
  tookBytes_ = 0;
}

}  // namespace bundleio
