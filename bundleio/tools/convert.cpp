// bundleio convert: rewrites complete steps with another back end, in parallel. A step is visible
// once it was read back and compared, so that an interrupted conversion goes on behind it. bundleio
// concat: the same into files that hold all of them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "command_line.hpp"
#include "commands.hpp"
#include "rewriter.hpp"
#include "run_steps.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace {

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

void rewriteAll(const Communicator& comm, const CommandLine& line, bool areJoined) {
  const RunFolder from(line.operands()[0]);
  const RunFolder to(line.operands()[1]);
  const bool append = line.has("append");
  std::vector<std::int64_t> steps;
  comm.agree([&] {
    steps = stepsOf(from);
    if (steps.front() != 0 || steps.back() != static_cast<std::int64_t>(steps.size()) - 1) {
      throw Failure(BIO_FORMAT, from.path().string() + ": steps are missing in between");
    }
    if (!append) requireNoSteps(to);
  });
  comm.agreeOnRoot([&] {
    if (areJoined) requireGrowing(from, steps.front());
  });
  std::string options = line.text("options", "");
  if (areJoined) options += " steps_per_file=" + std::to_string(INT32_MAX);
  Run run(comm, to.path().string(), append ? BIO_APPEND : BIO_CREATE, line.text("to", "pnetcdf"),
          options);
  std::size_t done = 0;
  comm.agree([&] { done = append ? finishedSteps(to, steps) : 0; });
  Rewriter rewriter(comm, run, nullptr);
  const std::size_t first = done;
  Progress progress(comm, areJoined ? "concat" : "convert", steps.size() - first);
  for (; done < steps.size(); ++done) {
    std::unique_ptr<Reader> source;
    comm.agreeOnRoot([&] { tryStep(from.step(steps[done])); });
    comm.agree([&] { source = Reader::open(from.step(steps[done])); });
    if (done == first) rewriter.define(*source);
    rewriter.rewrite(*source, from.step(steps[done]));
    progress.advance();
  }
  if (comm.isRoot()) {
    std::printf("%s: %zu steps %s and compared, %zu were there\n", to.path().c_str(),
                steps.size() - first, areJoined ? "joined" : "converted", first);
  }
}

}  // namespace

void convert(const Communicator& comm, const CommandLine& line) { rewriteAll(comm, line, false); }

void concat(const Communicator& comm, const CommandLine& line) { rewriteAll(comm, line, true); }

}  // namespace bundleio
