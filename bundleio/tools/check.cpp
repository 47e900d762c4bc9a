// bundleio check: is every step whole, and does it equal the same step of another run?
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>

#include "command_line.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "json_text.hpp"
#include "model/parts.hpp"
#include "run_steps.hpp"
#include "step/checked_step.hpp"
#include "step/series.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace {

// Own: parts of both steps stay in a core's cache while they are compared.
constexpr std::size_t comparedBytesMax = 2 << 20;

void compareNumbers(const RunFolder& run, const std::vector<std::int64_t>& steps,
                    const RunFolder& other, const std::vector<std::int64_t>& others) {
  std::vector<std::int64_t> alone;
  std::set_symmetric_difference(steps.begin(), steps.end(), others.begin(), others.end(),
                                std::back_inserter(alone));
  if (alone.empty()) return;
  const bool isMine = std::binary_search(steps.begin(), steps.end(), alone.front());
  throw Failure(BIO_MISMATCH, "the runs hold different steps: step " +
                                  std::to_string(alone.front()) + " is in " +
                                  (isMine ? run : other).path().string() + " only");
}

// Reads this rank's share of both; the name of the first variable that differs, or none.
template <class Step>
std::string firstDifference(const Communicator& comm, const Reader& oneReader,
                            const Reader& otherReader, Step& one, Step& other) {
  const Schema& schema = oneReader.schema();
  const std::vector<int> twins = compareDefinitions(schema, otherReader.schema());
  const std::size_t bytesMax =
      std::max({comparedBytesMax, oneReader.chunkBytesMax(), otherReader.chunkBytesMax()});
  std::string differing;
  std::vector<std::byte> mine;
  std::vector<std::byte> theirs;
  for (const Part& part : shareOf(schema, comm.rank(), comm.size(), bytesMax)) {
    mine.resize(partBytes(schema, part));
    theirs.resize(mine.size());
    one.read(part.variable, part.box, mine.data());
    other.read(twins[static_cast<std::size_t>(part.variable)], part.box, theirs.data());
    if (!differing.empty() || std::memcmp(mine.data(), theirs.data(), mine.size()) == 0) continue;
    differing = fullName(schema, schema.variable(part.variable));
  }
  return differing;
}

void requireNone(const std::string& differing) {
  if (!differing.empty()) throw Failure(BIO_MISMATCH, "values of '" + differing + "' differ");
}

std::vector<std::string> dimensionNames(const Schema& schema, const Variable& variable) {
  std::vector<std::string> names;
  for (const int dimension : variable.dimensions) {
    const Bundle& bundle = schema.bundleOf(variable);
    names.push_back(bundle.dimensions[static_cast<std::size_t>(dimension)].name);
  }
  return names;
}

}  // namespace

void compareAttributes(const std::string& owner, std::vector<Attribute> one,
                       std::vector<Attribute> other) {
  const auto byName = [](const Attribute& a, const Attribute& b) { return a.name < b.name; };
  std::sort(one.begin(), one.end(), byName);
  std::sort(other.begin(), other.end(), byName);
  const bool equal = std::equal(one.begin(), one.end(), other.begin(), other.end(),
                                [](const Attribute& a, const Attribute& b) {
                                  return a.name == b.name && a.type == b.type && a.bytes == b.bytes;
                                });
  if (!equal) throw Failure(BIO_MISMATCH, "attributes of '" + owner + "' differ");
}

void compareVariables(const Schema& schema, const Variable& one, const Schema& otherSchema,
                      const Variable& other) {
  const std::string name = fullName(schema, one);
  if (one.type != other.type || one.lengths != other.lengths) {
    throw Failure(BIO_MISMATCH, "'" + name + "' has another type or shape");
  }
  // Of equal lengths, so that nothing else tells a field from one that is turned.
  if (dimensionNames(schema, one) != dimensionNames(otherSchema, other)) {
    throw Failure(BIO_MISMATCH, "'" + name + "' has other dimensions");
  }
  compareAttributes(name, one.attributes, other.attributes);
}

std::string fullName(const Schema& schema, const Variable& variable) {
  return schema.bundleOf(variable).name + "/" + variable.name;
}

std::vector<int> compareDefinitions(const Schema& one, const Schema& other) {
  if (one.variables().size() != other.variables().size()) {
    throw Failure(BIO_MISMATCH, "one step has " + std::to_string(one.variables().size()) +
                                    " variables, the other " +
                                    std::to_string(other.variables().size()));
  }
  if (one.bundles().size() != other.bundles().size()) {
    throw Failure(BIO_MISMATCH, "one step has " + std::to_string(one.bundles().size()) +
                                    " bundles, the other " +
                                    std::to_string(other.bundles().size()));
  }
  std::map<std::string, const Bundle*> bundles;
  for (const Bundle& bundle : other.bundles()) bundles[bundle.name] = &bundle;
  std::vector<int> twins(one.variables().size());
  for (const Bundle& bundle : one.bundles()) {
    const auto twin = bundles.find(bundle.name);
    if (twin == bundles.end()) {
      throw Failure(BIO_MISMATCH, "bundle '" + bundle.name + "' is in one run only");
    }
    compareAttributes(bundle.name, bundle.attributes, twin->second->attributes);
    std::map<std::string, int> theirs;
    for (const int index : twin->second->variables) theirs[other.variable(index).name] = index;
    for (const int index : bundle.variables) {
      const auto found = theirs.find(one.variable(index).name);
      if (found == theirs.end()) {
        throw Failure(BIO_MISMATCH,
                      "'" + fullName(one, one.variable(index)) + "' is in one run only");
      }
      compareVariables(one, one.variable(index), other, other.variable(found->second));
      twins[static_cast<std::size_t>(index)] = found->second;
    }
  }
  return twins;
}

void compareSteps(const Communicator& comm, Reader& one, Reader& other) {
  comm.agree([&] { requireNone(firstDifference(comm, one, other, one, other)); });
}

namespace {

struct Findings {
  std::size_t steps = 0;
  std::size_t summed = 0;  // steps that are as their checksums say
  std::vector<std::pair<std::int64_t, std::string>> damaged;
};

std::string wordsOnSums(const Findings& found) {
  if (found.summed == found.steps) return ", as their checksums say";
  if (found.summed == 0) return "; no checksums: damage to values would not be noticed";
  return "; " + std::to_string(found.steps - found.summed) +
         " of them have no checksums: damage to their values would not be noticed";
}

void printJson(const std::vector<std::string>& runs, const Findings& found) {
  std::string damaged;
  for (const auto& [step, what] : found.damaged) {
    damaged += (damaged.empty() ? "" : ", ") + std::string("{\"step\": ") + std::to_string(step) +
               ", \"what\": " + quoted(what) + "}";
  }
  std::printf("{\"run\": %s, %s\"steps\": %zu, \"matching_checksums\": %zu, \"damaged\": [%s]}\n",
              quoted(runs.front()).c_str(),
              runs.size() > 1 ? ("\"other\": " + quoted(runs.back()) + ", ").c_str() : "",
              found.steps, found.summed, damaged.c_str());
}

// Every damaged step has its line, and all of them one end.
void requireNoDamage(const Communicator& comm, const Findings& found) {
  if (found.damaged.empty()) return;
  if (found.damaged.size() == 1) throw Failure(BIO_FORMAT, found.damaged.front().second);
  for (const auto& damaged : found.damaged) {
    if (comm.isRoot()) std::fprintf(stderr, "check: %s\n", damaged.second.c_str());
  }
  throw Failure(BIO_FORMAT, std::to_string(found.damaged.size()) + " of " +
                                std::to_string(found.steps) + " steps are damaged");
}

// Reads the step of `run`, and of `other` if that is another one; compares them, and each with its
// checksums.
bool checkStep(const Communicator& comm, const std::filesystem::path& run,
               const std::filesystem::path& other) {
  std::optional<CheckedStep> mine;
  std::optional<CheckedStep> theirs;
  std::string differing;
  comm.agreeOnRoot([&] {
    tryStep(run);
    if (other != run) tryStep(other);
  });
  comm.agree([&] {
    mine.emplace(run);
    if (other == run) return mine->readShare(comm.rank(), comm.size());
    theirs.emplace(other);
    differing = firstDifference(comm, mine->reader(), theirs->reader(), *mine, *theirs);
  });
  mine->compare(comm);
  if (theirs) theirs->compare(comm);
  comm.agree([&] { requireNone(differing); });
  return mine->hasChecksums() && (!theirs || theirs->hasChecksums());
}

}  // namespace

void check(const Communicator& comm, const CommandLine& line) {
  const RunFolder run(line.operands().front());
  const RunFolder other(line.operands().back());
  std::vector<std::int64_t> steps;
  if (line.has("run-ended")) comm.agreeOnRoot([&] { settleEndedRun(run.path()); });
  const bool alone = line.operands().size() == 1;
  comm.agreeOnRoot([&] {
    steps = stepsOf(run);
    if (!alone) compareNumbers(run, steps, other, stepsOf(other));
  });
  steps = fromRoot(comm, steps);
  Progress progress(comm, "check", steps.size());
  Findings found;
  found.steps = steps.size();
  for (const std::int64_t number : steps) {
    bool isSummed = false;
    const Failure outcome =
        outcomeOf([&] { isSummed = checkStep(comm, run.step(number), other.step(number)); });
    if (outcome.status() == BIO_FORMAT) {
      found.damaged.emplace_back(number, outcome.what());
    } else if (outcome.status() != BIO_OK) {
      throw Failure(outcome);
    }
    if (isSummed) ++found.summed;
    progress.advance();
  }
  if (comm.isRoot() && line.has("json")) printJson(line.operands(), found);
  requireNoDamage(comm, found);
  if (!comm.isRoot() || line.has("json")) return;
  std::printf("%s: %zu complete steps%s%s\n", run.path().c_str(), steps.size(),
              alone ? ", all readable" : ", equal in both runs", wordsOnSums(found).c_str());
}

}  // namespace bundleio
