// How frames of a file become steps: the other half of class Output.
#include <pio.h>

#include <cstdio>
#include <utility>

#include "output.hpp"
#include "place.hpp"

// bundleio's own, see there: definitions of the run may begin anew.
extern "C" int bio_forget_definitions_for_pio(bio_run* run);

namespace bundleio_pio {

const Output::Variable* Output::missingIn(int64_t frame) const {
  for (const Variable& variable : variables_) {
    const int64_t its = variable.grows ? frame : 0;
    const bool isWhole = variable.values.count(its) != 0 && variable.holes.count(its) == 0;
    if (!isStored(variable) && !isWhole) return &variable;
  }
  return nullptr;
}

bool Output::isPending(int64_t frame) const {
  bool grows = false;
  for (const Variable& variable : variables_) {
    if (!variable.grows) continue;
    if (variable.values.lower_bound(frame) != variable.values.end()) return true;
    grows = true;
  }
  return !grows && !variables_.empty() && frame == 0;
}

void Output::publishComplete() {
  while (isPending(next_)) {
    const Variable* missing = missingIn(next_);
    // Most models write a frame's variables one by one: only a second frame behind is worth a line.
    if (missing != nullptr && !saidWaiting_ && isPending(next_ + 2)) {
      saidWaiting_ = true;
      if (system_.isFirst()) {
        std::fprintf(stderr,
                     "bundleio_pio: '%s': frame %lld waits for variable '%s': frames stay in "
                     "memory until it is written, or the file closed\n",
                     path_.c_str(), static_cast<long long>(next_), missing->name.c_str());
      }
    }
    if (missing != nullptr) return;
    publish();
  }
}

int Output::define(Dimension& dimension) {
  if (run_ == nullptr) return BIO_OK;
  return bio_def_dim(run_, bundle_, dimension.name.c_str(), dimension.length, &dimension.bio);
}

int Output::define(Variable& variable) {
  if (run_ == nullptr) return BIO_OK;
  std::vector<int> own;
  for (const int dimension : variable.dimensions)
    own.push_back(dimensions_[static_cast<size_t>(dimension)].bio);
  return bio_def_var(run_, bundle_, variable.name.c_str(), typeOf(variable.pioType).bio,
                     static_cast<int>(own.size()), own.data(), variable.placed, &variable.bio);
}

int Output::define(const Attribute& attribute) {
  if (run_ == nullptr) return BIO_OK;
  const int target = attribute.variable == PIO_GLOBAL
                         ? BIO_GLOBAL
                         : variables_[static_cast<size_t>(attribute.variable)].bio;
  return bio_put_att(run_, bundle_, target, attribute.name.c_str(), attribute.bioType,
                     attribute.count, attribute.values.data());
}

// Anew; returns the first error.
int Output::defineAll() {
  if (run_ == nullptr) return BIO_OK;
  int status = bio_forget_definitions_for_pio(run_);
  const auto note = [&](int next) { status = status == BIO_OK ? next : status; };
  note(bio_bundle(run_, kBundle, &bundle_));
  for (Dimension& dimension : dimensions_) note(define(dimension));
  for (Variable& variable : variables_) note(define(variable));
  for (const Attribute& attribute : attributes_) note(define(attribute));
  return status;
}

// A mistake is told by the call that makes it, and leaves no trace: the first frame would be too
// late to mend it. Who owns what is not known by then; nothing else can be wrong of it.
void Output::settleDefinition(int status, const std::function<void()>& undo) {
  if (status == BIO_OK) return;
  const Failure failure = system_.failureOf(status);
  undo();
  defineAll();
  throw Failure(failure);
}

void Output::placeAll() {
  for (Variable& variable : variables_) {
    const std::vector<int64_t> lengths = lengthsOf(variable);
    if (!variable.isPlaced && isStored(variable)) {
      readStored(variable, lengths);
    } else if (!variable.isPlaced) {
      // Nobody wrote it, or will: all of it has the fill value. A scalar can be nobody's only as
      // rank 0's.
      variable.placed = lengths.empty() ? BIO_ON_ROOT : system_.nobody(lengths);
      variable.localCount = lengths.empty() ? 1 : 0;
    }
  }
}

// A step holds all variables, also those that the file has already, which must stay what they are.
void Output::readStored(Variable& variable, const std::vector<int64_t>& lengths) {
  if (lengths.empty()) {
    variable.placed = BIO_ON_ROOT;
    variable.localCount = system_.isFirst() ? 1 : 0;
  } else {
    variable.placed = system_.boxes(lengths, &variable.localCount);
  }
  const Type type = typeOf(variable.pioType);
  Bytes values(static_cast<size_t>(variable.localCount) * type.bytes);
  Decomposition all;
  all.bio = variable.placed;
  all.pioType = variable.pioType;
  all.lengths = lengths;
  all.localCount = variable.localCount;
  seen_.read({variable.name}, all, variable.localCount, values.data());
  variable.values[0] = std::move(values);
}

// Errors of the local calls come back from bio_step_end, on all ranks.
void Output::publish() {
  if (!isPlaced_) {
    placeAll();
    defineAll();
  }
  isPlaced_ = true;
  // HDF5 shows a file as it was when its first reader in this process opened it, also to the reader
  // that checks the step.
  seen_.close();
  bio_step_begin(run_);
  std::vector<Bytes> fills(variables_.size());
  for (size_t i = 0; i < variables_.size(); ++i) {
    Variable& variable = variables_[i];
    const auto found = variable.values.find(variable.grows ? next_ : 0);
    fillHoles(variable, variable.grows ? next_ : 0);
    if (found == variable.values.end()) fills[i] = fillOf(variable, variable.localCount);
    const Bytes& values = found == variable.values.end() ? fills[i] : found->second;
    bio_put(run_, variable.bio, values.empty() ? "" : values.data());
  }
  system_.check(bio_step_end(run_));
  for (Variable& variable : variables_) {
    if (variable.grows) variable.values.erase(next_);
  }
  if (first_ > 0 && next_ == first_) requireOneFile(system_, folder_);
  ++next_;
  show();
}

// The frame is on the disk whether its link can be made or not: that is tried again with the next
// one, and by sync and close.
void Output::show() {
  if (isShown_ || next_ == 0) return;
  try {
    showFile(system_, path_, folder_);
    isShown_ = true;
  } catch (const Failure& failure) {
    if (system_.isFirst() && !std::exchange(saidHidden_, true)) {
      std::fprintf(stderr, "bundleio_pio: '%s' cannot be made yet, its frames are in '%s': %s\n",
                   path_.c_str(), folder_.c_str(), failure.what());
    }
  }
}

void Output::requireShown() {
  show();
  if (isShown_ || next_ == 0) return;
  throw Failure(PIO_EIO, "'" + path_ + "' could not be made: its frames are in '" + folder_ + "'",
                true);
}

Contents Output::contents() const {
  Contents made;
  for (const Dimension& dimension : dimensions_) {
    const bool isUnlimited = dimension.length == BIO_UNLIMITED;
    made.dimensions.push_back(
        {dimension.name, isUnlimited ? next_ : dimension.length, isUnlimited});
  }
  for (const Variable& variable : variables_)
    made.variables.push_back({variable.name, variable.pioType, variable.dimensions, {}});
  for (const Attribute& attribute : attributes_) {
    auto& owner = attribute.variable == PIO_GLOBAL
                      ? made.attributes
                      : made.variables[static_cast<size_t>(attribute.variable)].attributes;
    owner.push_back(
        {attribute.name, pioTypeOf(attribute.bioType), attribute.count, attribute.values});
  }
  return made;
}

void Output::sync() {
  publishComplete();
  requireShown();
  if (isShown_) syncFile(system_, path_, folder_);
  if (saidWaiting_ || !isPending(next_) || !system_.isFirst()) return;
  const Variable* missing = missingIn(next_);
  saidWaiting_ = true;
  std::fprintf(
      stderr,
      "bundleio_pio: '%s': frame %lld has no variable '%s' yet: a sync writes whole frames only\n",
      path_.c_str(), static_cast<long long>(next_),
      missing == nullptr ? "" : missing->name.c_str());
}

void Output::read(int number, int ioid, int64_t length, void* values) {
  system_.agreeOn([&]() -> Named {
    needsDefining(false);
    const Variable& variable = variableOf(number);
    return {number, variable.grows ? variable.frame : 0, system_.decomposition(ioid).bio};
  });
  const Variable& variable = variableOf(number);
  seen_.read({variable.name, variable.grows, variable.frame}, system_.decomposition(ioid), length,
             values);
}

Input& Output::seen() {
  needsDefining(false);
  return seen_;
}

// A file begins with a frame. A model that has written nothing loses nothing.
void Output::endWithoutFrames() const {
  const std::string text = "'" + path_ + "': no frame was written: there is no file";
  for (const Variable& variable : variables_) {
    if (!variable.values.empty())
      throw Failure(PIO_EINVAL, text + " for the values of '" + variable.name + "'", true);
  }
  if (system_.isFirst()) std::fprintf(stderr, "bundleio_pio: %s\n", text.c_str());
}

void Output::close() {
  std::string failed;
  int code = PIO_NOERR;
  try {
    seen_.close();
    // Variables that a frame lacks by now get the fill value.
    while (isPending(next_)) publish();
    if (next_ == 0) endWithoutFrames();
    requireShown();
  } catch (const Failure& failure) {
    code = failure.code;
    failed = failure.what();
  }
  bio_run* closing = run_;
  run_ = nullptr;
  const int closed = bio_close(closing);
  if (code != PIO_NOERR) throw Failure(code, failed, true);
  system_.check(closed);
}

}  // namespace bundleio_pio
