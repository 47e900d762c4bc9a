// bundleio replay: what a recorded model wrote, with other values, through any back end.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>

#include "commands.hpp"
#include "pattern.hpp"
#include "timed_runs.hpp"

namespace bundleio {

namespace {

// A recorded model: same definitions, same shares of each rank, same order of puts.
class Replica {
 public:
  /// Collective.
  Replica(const Communicator& comm, Pattern pattern);

  void define(Run& run) const;
  /// The recorded steps, again from the first when there are no more; with the time between them
  /// if `keepsGaps`. Collective.
  void write(Run& run, std::int64_t steps, bool keepsGaps) const;

 private:
  void decompose(const DecompositionPattern& recorded);
  void makeValues(std::size_t index);
  void writeStep(Run& run, const StepPattern& step) const;
  [[nodiscard]] const StepPattern& stepAt(std::int64_t number) const {
    return pattern_.steps[static_cast<std::size_t>(number) % pattern_.steps.size()];
  }
  [[nodiscard]] std::vector<bool> putIn(const StepPattern& step) const;

  const Communicator& comm_;
  Pattern pattern_;
  std::vector<std::shared_ptr<const Decomposition>> decompositions_;
  std::vector<std::vector<std::int64_t>> cells_;  // of this rank, by decomposition
  std::vector<std::vector<std::byte>> values_;    // by variable: [planes][own cells]
};

// The cells of a box in the order in which a rank hands them over.
std::vector<std::int64_t> cellsOfBox(const Extent& lengths, const Block& box) {
  std::vector<std::int64_t> cells;
  cells.reserve(static_cast<std::size_t>(box.cells()));
  for (std::int64_t position = 0; position < box.cells(); ++position) {
    cells.push_back(cellAt(lengths, box, position));
  }
  return cells;
}

std::vector<std::int64_t> cellsOfRuns(const std::vector<CellRun>& runs) {
  std::vector<std::int64_t> cells;
  for (const CellRun& run : runs) {
    for (std::int64_t i = 0; i < run.count; ++i) cells.push_back(run.first + i * run.stride);
  }
  return cells;
}

// Values depend on the variable and the cell alone, so that replays on different numbers of ranks
// give equal files.
template <class T>
T valueOf(std::size_t variable, std::int64_t plane, std::int64_t cell) {
  const auto mixed =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(cell) +
                                 static_cast<std::uint64_t>(plane) * 7919 + variable * 104729);
  return static_cast<T>(static_cast<double>(mixed * 1664525U >> 8U) * 1e-5);
}

Replica::Replica(const Communicator& comm, Pattern pattern)
    : comm_(comm), pattern_(std::move(pattern)) {
  requireMemory(comm_, pattern_.stepBytes());
  for (const DecompositionPattern& recorded : pattern_.decompositions) decompose(recorded);
  values_.resize(pattern_.decomposition.size());
  comm_.agree([&] {
    for (std::size_t index = 0; index < values_.size(); ++index) makeValues(index);
  });
}

void Replica::decompose(const DecompositionPattern& recorded) {
  std::vector<std::int64_t> cells;
  Block box{Extent(recorded.lengths.size(), 0), Extent(recorded.lengths.size(), 0)};
  comm_.agree([&] {
    const auto runs = recorded.cells.find(comm_.rank());
    if (runs != recorded.cells.end()) cells = cellsOfRuns(runs->second);
    const auto found = recorded.boxes.find(comm_.rank());
    if (found != recorded.boxes.end()) box = found->second;
    if (!recorded.isMap) cells = cellsOfBox(recorded.lengths, box);
  });
  decompositions_.push_back(std::make_shared<const Decomposition>(
      recorded.isMap ? Decomposition::map(comm_, recorded.lengths, cells, Counting::fromZero)
                     : Decomposition::block(comm_, recorded.lengths, box)));
  cells_.push_back(std::move(cells));
}

void Replica::makeValues(std::size_t index) {
  const Variable& variable = pattern_.schema.variables()[index];
  const int its = pattern_.decomposition[index];
  std::vector<std::int64_t> all;
  if (its < 0 && comm_.isRoot()) {
    for (std::int64_t cell = 0; cell < cellCount(variable.lengths); ++cell) all.push_back(cell);
  }
  const auto& cells = its < 0 ? all : cells_[static_cast<std::size_t>(its)];
  withType(variable.type, [&](auto kind) {
    using T = decltype(kind);
    std::vector<std::byte>& values = values_[index];
    values.resize(static_cast<std::size_t>(variable.planeCount) * cells.size() * sizeof(T));
    std::byte* next = values.data();
    for (std::int64_t plane = 0; plane < variable.planeCount; ++plane) {
      for (const std::int64_t cell : cells) {
        const T value = valueOf<T>(index, plane, cell);
        std::memcpy(next, &value, sizeof value);
        next += sizeof value;
      }
    }
  });
}

void Replica::define(Run& run) const {
  Schema& schema = run.definitions();
  for (const Bundle& bundle : pattern_.schema.bundles()) schema.copyBundle(bundle);
  for (std::size_t i = 0; i < pattern_.decomposition.size(); ++i) {
    const Variable& variable = pattern_.schema.variables()[i];
    const int its = pattern_.decomposition[i];
    schema.copyVariable(variable.bundle, variable,
                        its < 0 ? nullptr : decompositions_[static_cast<std::size_t>(its)]);
  }
}

void Replica::write(Run& run, std::int64_t steps, bool keepsGaps) const {
  // A step holds the model's puts, also when it has another number here.
  run.follow([this](std::int64_t number) { return putIn(stepAt(number)); });
  for (std::int64_t number = 0; number < steps; ++number) {
    const StepPattern& step = stepAt(number);
    // The time before the model's first step is left out.
    if (keepsGaps && number > 0)
      keepBusy(std::chrono::microseconds(valueAt(step.gapMicroseconds, comm_.rank())));
    writeStep(run, step);
    for (const StepPattern::Wait& wait : step.waits) {
      if (keepsGaps) keepBusy(std::chrono::microseconds(wait.gapMicroseconds));
      run.wait();
    }
  }
}

// Ranks put the same, if in another order; what has no values need not be put to be there.
std::vector<bool> Replica::putIn(const StepPattern& step) const {
  std::vector<bool> put;
  for (const Variable& variable : pattern_.schema.variables()) {
    put.push_back(variable.bytes() == 0);
  }
  for (const PutRange& range : pattern_.lists[static_cast<std::size_t>(step.lists.front().value)]) {
    put[static_cast<std::size_t>(range.variable)] = true;
  }
  return put;
}

void Replica::writeStep(Run& run, const StepPattern& step) const {
  const auto list = static_cast<std::size_t>(valueAt(step.lists, comm_.rank()));
  run.stepBegin();
  for (const PutRange& put : pattern_.lists[list]) {
    const auto index = static_cast<std::size_t>(put.variable);
    const std::int64_t planes = run.schema().variables()[index].planeCount;
    const std::size_t planeBytes =
        planes > 0 ? values_[index].size() / static_cast<std::size_t>(planes) : 0;
    run.put(put.variable, put.firstPlane, put.planes,
            values_[index].data() + planeBytes * static_cast<std::size_t>(put.firstPlane));
  }
  run.stepEnd();
}

Pattern patternFor(const Communicator& comm, const CommandLine& line) {
  const std::string& path = line.operands()[0];
  Pattern pattern = readPattern(comm, path);
  if (pattern.ranks == comm.size()) return pattern;
  const std::string recorded = std::to_string(pattern.ranks);
  throw Failure(BIO_BAD_ARGUMENT, path + " was recorded on " + recorded + " ranks, this is " +
                                      std::to_string(comm.size()) + ": use mpirun -n " + recorded);
}

}  // namespace

void replay(const Communicator& comm, const CommandLine& line) {
  TimedRuns runs = timedRunsFrom("replay", line);
  const Pattern pattern = patternFor(comm, line);
  runs.steps = line.number("steps", static_cast<std::int64_t>(pattern.steps.size()), 1, 100000);
  if (runs.backends.empty()) {
    runs.backends = {pattern.backend};
    runs.options = pattern.options + " " + runs.options;
  }
  const Replica replica(comm, pattern);
  const Dissection dissection(comm, runs, [&](Run& run) {
    replica.define(run);
    replica.write(run, runs.steps, !line.has("no-gaps"));
    return 0.0;
  });
  dissection.print(line, line.operands()[0], "");
}

}  // namespace bundleio
