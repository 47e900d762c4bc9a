// How frames of a file become steps: the other half of class Output.
#include <pio.h>

#include <cstdio>

#include "output.hpp"
#include "place.hpp"

namespace bundleio_pio {

const Output::Variable* Output::missingIn(int64_t frame) const {
  for (const Variable& variable : variables_) {
    const bool isStored = !variable.grows && first_ > 0;
    if (!isStored && variable.values.count(variable.grows ? frame : 0) == 0) return &variable;
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

void Output::defineAll() {
  int bundle = 0;
  bio_bundle(run_, kBundle, &bundle);
  std::vector<int> dimensions(dimensions_.size());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    bio_def_dim(run_, bundle, dimensions_[i].name.c_str(), dimensions_[i].length, &dimensions[i]);
  }
  for (Variable& variable : variables_) {
    const std::vector<int64_t> lengths = lengthsOf(variable);
    if (!variable.isPlaced && !variable.grows && first_ > 0) {
      readStored(variable, lengths);
    } else if (!variable.isPlaced) {
      // Nobody wrote it, or will: all of it has the fill value. A scalar can be nobody's only as
      // rank 0's.
      variable.placed = lengths.empty() ? BIO_ON_ROOT : system_.nobody(lengths);
      variable.localCount = lengths.empty() ? 1 : 0;
    }
    std::vector<int> own;
    for (const int dimension : variable.dimensions)
      own.push_back(dimensions[static_cast<size_t>(dimension)]);
    bio_def_var(run_, bundle, variable.name.c_str(), typeOf(variable.pioType).bio,
                static_cast<int>(own.size()), own.data(), variable.placed, &variable.bio);
  }
  for (const Attribute& attribute : attributes_) {
    const int target = attribute.variable == PIO_GLOBAL
                           ? BIO_GLOBAL
                           : variables_[static_cast<size_t>(attribute.variable)].bio;
    bio_put_att(run_, bundle, target, attribute.name.c_str(), attribute.bioType, attribute.count,
                attribute.values.data());
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
  seen_.read(variable.name, -1, all, variable.localCount, values.data());
  variable.values[0] = std::move(values);
}

// Errors of the local calls come back from bio_step_end, on all ranks.
void Output::publish() {
  if (!isDefined_) defineAll();
  isDefined_ = true;
  // HDF5 shows a file as it was when its first reader in this process opened it, also to the reader
  // that checks the step.
  seen_.close();
  bio_step_begin(run_);
  std::vector<Bytes> fills(variables_.size());
  for (size_t i = 0; i < variables_.size(); ++i) {
    const Variable& variable = variables_[i];
    const auto found = variable.values.find(variable.grows ? next_ : 0);
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
  if (!isShown_) showFile(system_, path_, folder_);
  isShown_ = true;
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
  system_.agree([&] {
    needsDefining(false);
    variableOf(number);
    system_.decomposition(ioid);
  });
  const Variable& variable = variableOf(number);
  seen_.read(variable.name, variable.frame, system_.decomposition(ioid), length, values);
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
