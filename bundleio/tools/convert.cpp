// bundleio convert: rewrites complete steps with another back end, in parallel: every rank reads
// its part of every variable and puts it. Once a step is there, every rank reads its part back and
// compares it with what it read from the source.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "command_line.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "file.hpp"

namespace bundleio {

namespace {

// Slabs of the slowest dimension that has enough entries: what a rank reads then lies together.
Block ownSlab(const Communicator& comm, const Extent& lengths) {
  std::size_t divided = 0;
  while (divided + 1 < lengths.size() && lengths[divided] < comm.size()) ++divided;
  Block own{Extent(lengths.size(), 0), lengths};
  const std::int64_t length = lengths[divided];
  own.start[divided] = length * comm.rank() / comm.size();
  own.count[divided] = length * (comm.rank() + 1) / comm.size() - own.start[divided];
  return own;
}

// Defines in `file` what `source` holds; whole variables are divided among the ranks.
class Rewriter {
 public:
  Rewriter(const Communicator& comm, File& file) : comm_(comm), file_(file) {}

  void define(const Schema& source) {
    // Decompositions are collective, definitions local: the former come first, for all shapes.
    for (const Variable& variable : source.variables()) {
      if (variable.lengths.empty() || decompositions_.count(variable.lengths) > 0) continue;
      decompositions_[variable.lengths] = std::make_shared<const Decomposition>(
          Decomposition::block(comm_, variable.lengths, ownSlab(comm_, variable.lengths)));
    }
    Schema& target = file_.definitions();
    for (const Bundle& bundle : source.bundles()) {
      const int made = target.copyBundle(bundle);
      for (const int index : bundle.variables) {
        const Variable& variable = source.variable(index);
        const auto found = decompositions_.find(variable.lengths);
        const int copy = target.copyVariable(
            made, variable, found == decompositions_.end() ? nullptr : found->second);
        copies_.push_back({index, copy});
      }
    }
  }

  void writeStep(Reader& source) {
    values_.resize(copies_.size());
    comm_.agree([&] {
      for (std::size_t i = 0; i < copies_.size(); ++i) {
        readOwn(source, copies_[i].first, copies_[i].second, values_[i]);
      }
    });
    file_.stepBegin();
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      file_.put(copies_[i].second, values_[i].data());
    }
    file_.stepEnd();
    file_.wait();
  }

  /// Compares the step that was written last, as `written` reads it, with the source's values.
  void verify(const Reader& source, Reader& written) {
    comm_.agree([&] {
      const std::vector<int> twins = compareDefinitions(source.schema(), written.schema());
      std::vector<std::byte> there;
      for (std::size_t i = 0; i < copies_.size(); ++i) {
        const int twin = twins[static_cast<std::size_t>(copies_[i].first)];
        readOwn(written, twin, copies_[i].second, there);
        if (there == values_[i]) continue;
        throw Failure(BIO_MISMATCH,
                      "values of '" + fullName(written.schema(), written.schema().variable(twin)) +
                          "' differ from their source");
      }
    });
  }

 private:
  /// This rank's part of variable `index` of `reader`, which is `target` here.
  void readOwn(Reader& reader, int index, int target, std::vector<std::byte>& values) const {
    const Variable& variable = file_.schema().variable(target);
    const Block& own = variable.decomposition->own();
    values.resize(static_cast<std::size_t>(own.cells()) * bytesOf(variable.type));
    if (own.cells() > 0) reader.read(index, own, values.data());
  }

  const Communicator& comm_;
  File& file_;
  std::map<Extent, std::shared_ptr<const Decomposition>> decompositions_;
  std::vector<std::pair<int, int>> copies_;     // source and target variable
  std::vector<std::vector<std::byte>> values_;  // of the last step, as the source has them
};

// Steps that an earlier, interrupted conversion already made; they are numbered from the same
// start.
std::size_t finishedSteps(const RunFolder& target, const std::vector<std::int64_t>& steps) {
  const auto present = target.steps();
  if (present.size() > steps.size() || !std::equal(present.begin(), present.end(), steps.begin())) {
    throw Failure(BIO_MISMATCH,
                  target.path().string() + " does not hold the first steps of the source");
  }
  return present.size();
}

}  // namespace

void convert(const Communicator& comm, const std::vector<std::string>& words) {
  const CommandLine line(words, {"to", "options"}, {"append"});
  if (line.operands().size() != 2) throw Failure(BIO_BAD_ARGUMENT, "convert needs FROM and TO");
  const RunFolder from(line.operands()[0]);
  const RunFolder to(line.operands()[1]);
  std::vector<std::int64_t> steps;
  comm.agree([&] {
    steps = from.steps();
    if (steps.empty()) throw Failure(BIO_NOT_FOUND, from.path().string() + " holds no step");
    if (steps.front() != 0 || steps.back() != static_cast<std::int64_t>(steps.size()) - 1) {
      throw Failure(BIO_FORMAT, from.path().string() + ": steps are missing in between");
    }
  });
  const bool append = line.has("append");
  File file(comm, to.path().string(), append ? BIO_APPEND : BIO_CREATE, line.text("to", "pnetcdf"),
            line.text("options", ""));
  std::size_t done = 0;
  comm.agree([&] { done = append ? finishedSteps(to, steps) : 0; });
  Rewriter rewriter(comm, file);
  const std::size_t first = done;
  for (; done < steps.size(); ++done) {
    std::unique_ptr<Reader> source;
    comm.agree([&] { source = Reader::open(from.step(steps[done])); });
    if (done == first) rewriter.define(source->schema());
    rewriter.writeStep(*source);
    std::unique_ptr<Reader> written;
    comm.agree([&] { written = Reader::open(to.step(steps[done])); });
    rewriter.verify(*source, *written);
  }
  if (comm.isRoot()) {
    std::printf("%s: %zu steps converted and compared, %zu were there\n", to.path().c_str(),
                steps.size() - first, first);
  }
}

}  // namespace bundleio
