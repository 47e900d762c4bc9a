#include "step/step_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "model/hyperslab.hpp"
#include "model/layout.hpp"
#include "model/options.hpp"
#include "step/run_folder.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

std::string fullName(const std::string& bundle, const std::string& variable) {
  return "'" + bundle + "/" + variable + "'";
}

// For a message: the first names, and how many there are beyond.
class NameList {
 public:
  void add(const std::string& name) {
    if (++count_ <= shownMax) text_ += (text_.empty() ? "" : ", ") + name;
  }
  [[nodiscard]] std::string text() const {
    if (count_ == 0) return "nothing";
    return count_ <= shownMax ? text_
                              : text_ + " and " + std::to_string(count_ - shownMax) + " more";
  }

 private:
  static constexpr std::size_t shownMax = 20;
  std::string text_;
  std::size_t count_ = 0;
};

std::string holdings(const std::vector<std::int64_t>& steps) {
  if (steps.empty()) return "it holds none";
  return "it holds " + std::to_string(steps.size()) + " from " + std::to_string(steps.front()) +
         " to " + std::to_string(steps.back());
}

std::string shapeText(const Extent& lengths) {
  std::string text;
  for (const std::int64_t length : lengths) {
    text += (text.empty() ? "" : " x ") + std::to_string(length);
  }
  return text.empty() ? "one value" : text;
}

std::string textOf(const Request& request) {
  std::string text = fullName(request.bundle, request.variable);
  if (!request.decomposition) return text + " on rank 0";
  const bool isMap = request.decomposition->rearrangement() != nullptr;
  return text + (isMap ? " by a map of " : " by boxes of ") +
         shapeText(request.decomposition->lengths());
}

std::ptrdiff_t difference(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

// All planes of a box, in parts of a window.
std::vector<Hyperslab> windowsOf(const Variable& variable, const Block& own) {
  if (own.cells() == 0) return {};
  const std::size_t leading = variable.lengths.size() - own.count.size();
  Hyperslab whole{std::vector<std::size_t>(leading, 0),
                  {variable.lengths.begin(), variable.lengths.begin() + difference(leading)}};
  whole.start.insert(whole.start.end(), own.start.begin(), own.start.end());
  whole.count.insert(whole.count.end(), own.count.begin(), own.count.end());
  return cut(whole, readWindowBytes / bytesOf(variable.type));
}

// Refuses a request that does not fit the variable, or that a model would not survive.
void check(const Request& request, const Variable& variable, const Decomposition& decomposition) {
  const std::string name = "variable " + fullName(request.bundle, request.variable);
  const Extent& divided = decomposition.lengths();
  if (request.type != BIO_ANY && !isType(request.type)) {
    throw Failure(BIO_BAD_ARGUMENT, name + ": type " + std::to_string(request.type) +
                                        " is none: the values must lie together in memory, and be "
                                        "of a type that can be stored");
  }
  if (request.type != BIO_ANY && request.type != variable.type) {
    const auto asked = infoOf(static_cast<Type>(request.type)).name;
    throw Failure(BIO_MISMATCH, name + " is of type " + std::string(infoOf(variable.type).name) +
                                    ", not " + std::string(asked));
  }
  const bool fits = divided.size() <= variable.lengths.size() &&
                    std::equal(divided.rbegin(), divided.rend(), variable.lengths.rbegin());
  if (!fits) {
    throw Failure(BIO_MISMATCH, name + " is " + shapeText(variable.lengths) +
                                    ": the decomposition, of " + shapeText(divided) +
                                    ", does not have the lengths of its last dimensions");
  }
  std::int64_t planes = 1;
  for (std::size_t i = 0; i + divided.size() < variable.lengths.size(); ++i) {
    planes *= variable.lengths[i];
  }
  const std::int64_t held = planes * decomposition.localCells();
  if (held > 0 && held != request.valueCount) {
    throw Failure(BIO_MISMATCH, name + " has " + std::to_string(planes) + " levels of " +
                                    std::to_string(decomposition.localCells()) +
                                    " cells for this rank, but there is room for " +
                                    std::to_string(request.valueCount) + " values");
  }
  if (held > 0 && request.values == nullptr) throw Failure(BIO_BAD_ARGUMENT, name + ": no values");
}

}  // namespace

StepReader::StepReader(const Communicator& comm, const std::string& path, std::int64_t number,
                       const std::string& options)
    : comm_(comm), handle_(comm.nextNumber()) {
  const std::string mine = path + "\n" + std::to_string(number) + "\n" + options;
  const std::string roots = comm_.broadcast(mine, 0);
  std::string fast;
  comm_.agree([&] {
    if (path.empty()) throw Failure(BIO_BAD_ARGUMENT, "the path is empty");
    if (number < BIO_LAST_STEP) {
      throw Failure(BIO_BAD_ARGUMENT,
                    "step " + std::to_string(number) + ": use 0 or more, or BIO_LAST_STEP");
    }
    if (mine != roots) {
      throw Failure(BIO_MISMATCH, "reads step " + std::to_string(number) + " of '" + path +
                                      "' with '" + options + "', other than rank 0");
    }
    const Options given(options);
    fast = given.text("fast_tier");
    isVerified_ = given.flagOrAuto("verify").value_or(false);
    limit_ = std::chrono::seconds(given.number("give_up_seconds", 1, 86400));
  });
  std::string folder;
  comm_.agreeOnRoot([&] { folder = fs::absolute(locate(path, fast, number)).string(); });
  MPI_Bcast(&number_, 1, MPI_INT64_T, 0, comm_.handle());
  // The same on all ranks.
  const Failure outcome = outcomeOf([&] { open(comm_.broadcast(folder, 0)); });
  if (outcome.status() != BIO_OK && !follow()) throw Failure(outcome);
}

// A step that is being moved from a fast tier is read where it will stay, if it is there already.
fs::path StepReader::locate(const fs::path& run, const fs::path& fast, std::int64_t wanted) {
  std::error_code error;
  if (!fs::exists(run, error))
    throw systemFailure(error ? error.value() : ENOENT, "read " + run.string());
  if (!fs::is_directory(run)) throw Failure(BIO_NOT_FOUND, run.string() + " is not a folder");
  // The fast tier first: a step that is moved in between is then seen twice, and not missed. Where
  // it cannot be told whether it is there, no older step is taken for the last one: this throws.
  std::vector<std::int64_t> waiting;
  if (!fast.empty() && fs::is_directory(fast)) waiting = RunFolder(fast).steps();
  std::vector<std::int64_t> steps = waiting;
  for (const std::int64_t step : RunFolder(run).steps()) steps.push_back(step);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  const bool last = wanted == BIO_LAST_STEP;
  if (last ? steps.empty() : !std::binary_search(steps.begin(), steps.end(), wanted)) {
    throw Failure(BIO_NOT_FOUND, run.string() + " has no complete step" +
                                     (last ? "" : " " + std::to_string(wanted)) + ": " +
                                     holdings(steps));
  }
  number_ = last ? steps.back() : wanted;
  const fs::path kept = fs::absolute(RunFolder(run).step(number_));
  const bool waits = std::binary_search(waiting.begin(), waiting.end(), number_);
  if (!waits || fs::exists(kept)) return kept;
  kept_ = kept;
  return RunFolder(fast).step(number_);
}

// True on all ranks if the step is open now where a drain moved it to.
bool StepReader::follow() {
  bool isMoved = false;
  comm_.agreeOnRoot([&] { isMoved = !kept_.empty() && fs::exists(kept_); });
  if (comm_.minimum(comm_.isRoot() && !isMoved ? 0 : 1) == 0) return false;
  const std::string folder = comm_.broadcast(kept_.string(), 0);
  kept_.clear();
  left_.push_back(reader_);
  left_.push_back(checked_);
  compared_.clear();
  open(folder);
  return true;
}

void StepReader::open(const std::string& folder) {
  comm_.agreeOnRoot([&] { tryStep(folder, limit_); });
  std::string mine;
  comm_.agree([&] {
    if (isVerified_) {
      checked_ = std::make_shared<CheckedStep>(folder);
      if (!checked_->hasChecksums()) {
        throw Failure(BIO_NOT_FOUND, folder +
                                         " has no checksums that verify=yes could compare: "
                                         "leave the option out to read it as it is");
      }
    } else {
      reader_ = Reader::open(folder);
    }
    mine = std::to_string(hashOf(layoutText(reader().schema(), 0)));
  });
  // Ranks that see different files would wait for each other's cells.
  const std::string roots = comm_.broadcast(mine, 0);
  comm_.agree([&] {
    if (mine != roots)
      throw Failure(BIO_MISMATCH, "sees another step at " + folder + " than rank 0");
  });
}

const Bundle& StepReader::find(const std::string& bundle) const {
  NameList bundles;
  for (const Bundle& candidate : schema().bundles()) {
    if (candidate.name == bundle) return candidate;
    bundles.add(candidate.name);
  }
  throw Failure(BIO_NOT_FOUND, "step " + std::to_string(number_) + " has no bundle '" + bundle +
                                   "': it holds " + bundles.text());
}

const Variable& StepReader::find(const std::string& bundle, const std::string& variable) const {
  NameList variables;
  for (const int index : find(bundle).variables) {
    const Variable& found = schema().variable(index);
    if (found.name == variable) return found;
    variables.add(found.name);
  }
  throw Failure(BIO_NOT_FOUND, "step " + std::to_string(number_) + " has no variable " +
                                   fullName(bundle, variable) + ": the bundle holds " +
                                   variables.text());
}

int StepReader::indexOf(const Variable& variable) const {
  return static_cast<int>(&variable - schema().variables().data());
}

void StepReader::getSlab(const Variable& variable, const Slab& slab, std::byte* values) {
  const int index = indexOf(variable);
  if (checked_ && compared_.count(index) == 0) compareWhole(index);
  readSlab(variable, slab, values,
           [&](const Block& box, std::byte* target) { reader().read(index, box, target); });
}

void StepReader::compareWhole(int index) {
  const Variable& variable = schema().variable(index);
  std::vector<std::byte> window;
  checked_->begin(index);
  for (const Hyperslab& part :
       windowsOf(variable, {Extent(variable.lengths.size(), 0), variable.lengths})) {
    window.resize(slabBytes(part, variable.type));
    checked_->read(index, blockOf(part), window.data());
  }
  checked_->compareAlone(index);
  compared_.insert(index);
}

template <class Work>
void StepReader::enter(Call call, Work&& work) {
  const int calls = static_cast<int>(Call::count);
  comm_.agree(handle_ * calls + static_cast<int>(call), std::forward<Work>(work));
}

void StepReader::close() {
  enter(Call::close, [] {});
}

void StepReader::get(const std::function<Request()>& ask) {
  Request request;
  enter(Call::get, [&] { request = ask(); });
  const std::string mine = textOf(request);
  const std::string roots = comm_.broadcast(mine, 0);
  const std::string owners =
      std::to_string(request.decomposition ? request.decomposition->fingerprint() : 0);
  const std::string rootsOwners = comm_.broadcast(owners, 0);
  comm_.agree([&] {
    if (mine != roots) {
      throw Failure(BIO_MISMATCH, "asks for " + mine + ", but rank 0 for " + roots);
    }
    if (owners != rootsOwners) {
      throw Failure(BIO_MISMATCH, "asks for " + mine + " that gives other cells than rank 0's");
    }
  });
  // The same on all ranks.
  const Failure outcome = outcomeOf([&] { getValues(request); });
  if (outcome.status() == BIO_OK) return;
  if (!follow()) throw Failure(outcome);
  getValues(request);
}

void StepReader::getValues(const Request& request) {
  int index = 0;
  std::shared_ptr<const Decomposition> decomposition = request.decomposition;
  comm_.agree([&] {
    const Variable& variable = find(request.bundle, request.variable);
    index = indexOf(variable);
    if (!decomposition) {
      decomposition = std::make_shared<const Decomposition>(
          Decomposition::onRoot(variable.lengths, comm_.size(), comm_.rank()));
    }
    check(request, variable, *decomposition);
  });
  if (checked_) checked_->begin(index);
  if (decomposition->rearrangement() == nullptr) {
    comm_.agree([&] {
      readBox(index, decomposition->own(), request.values);
      if (checked_ && decomposition->hasHoles()) readHoles(index, *decomposition);
    });
  } else {
    readMap(index, *decomposition, request.values);
  }
  if (checked_) checked_->compare(comm_, index);
}

void StepReader::read(int index, const Block& box, std::byte* values) {
  if (checked_) {
    checked_->read(index, box, values);
  } else {
    reader_->read(index, box, values);
  }
}

// A part at a time, so that no library unpacks or keeps more than a window.
void StepReader::readBox(int index, const Block& own, std::byte* values) {
  const Variable& variable = reader().schema().variable(index);
  for (const Hyperslab& part : windowsOf(variable, own)) {
    read(index, blockOf(part), values);
    values += slabBytes(part, variable.type);
  }
}

// Reads the cells that no rank asked for, shared out: checksums are of the whole variable.
void StepReader::readHoles(int index, const Decomposition& decomposition) {
  const Variable& variable = reader().schema().variable(index);
  const auto holes = holesBetween(decomposition.lengths(), decomposition.blocks());
  std::vector<std::byte> window;
  for (std::size_t i = 0; i < holes.size(); ++i) {
    if (static_cast<int>(i % static_cast<std::size_t>(comm_.size())) != comm_.rank()) continue;
    for (const Hyperslab& part : windowsOf(variable, holes[i])) {
      window.resize(slabBytes(part, variable.type));
      read(index, blockOf(part), window.data());
    }
  }
}

// Ranks read equal boxes, some planes at a time, and send the cells to who asked for them. What
// fails on one rank is told at the end: until then it takes part in the exchange.
void StepReader::readMap(int index, const Decomposition& decomposition, std::byte* values) {
  const Variable& variable = reader().schema().variable(index);
  const Rearrangement& map = *decomposition.rearrangement();
  const std::size_t cellBytes = bytesOf(variable.type);
  const std::size_t leading = variable.lengths.size() - decomposition.lengths().size();
  // A window is what is read, and what is packed for messages, going and coming.
  const auto cellsMost = static_cast<std::size_t>(std::max<std::int64_t>(1, map.cellsMost()));
  const std::size_t planesMax =
      std::max<std::size_t>(1, readWindowBytes / 3 / (cellsMost * cellBytes));
  const Hyperslab planes{
      std::vector<std::size_t>(leading, 0),
      {variable.lengths.begin(), variable.lengths.begin() + difference(leading)}};
  if (variable.bytes() == 0) return;
  std::vector<std::byte> window;
  std::vector<std::byte> scratch;
  const std::vector<Hyperslab> parts = cut(planes, planesMax);
  comm_.agree([&] {
    const auto most = static_cast<std::size_t>(blockOf(parts.front()).cells()) * cellBytes;
    window.resize(most * static_cast<std::size_t>(decomposition.own().cells()));
    scratch.resize(map.scratchBytes(most));
  });
  Failure failure{BIO_OK, ""};
  for (const Hyperslab& some : parts) {
    Block box = blockOf(some);
    const std::int64_t count = box.cells();
    const Block& own = decomposition.own();
    box.start.insert(box.start.end(), own.start.begin(), own.start.end());
    box.count.insert(box.count.end(), own.count.begin(), own.count.end());
    if (failure.status() == BIO_OK && !window.empty()) {
      failure = outcomeOf([&] { read(index, box, window.data()); });
    }
    map.moveBack(comm_, {{cellBytes, count, window.data(), values}}, scratch.data());
    values += static_cast<std::size_t>(count * decomposition.localCells()) * cellBytes;
  }
  comm_.agree([&] {
    if (failure.status() != BIO_OK) throw Failure(failure);
  });
}

}  // namespace bundleio
