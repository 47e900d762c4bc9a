// bundleio check: is every step whole, and does it equal the same step of another run?
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "command_line.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "model/json_text.hpp"
#include "model/parts.hpp"
#include "plain_text.hpp"
#include "run_steps.hpp"
#include "step/checked_step.hpp"
#include "step/series.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace {

// Own: parts of both steps stay in a core's cache while they are compared.
constexpr std::size_t comparedBytesMax = 2 << 20;

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

// A step's fault: it is damaged, it differs from that of the other run, or nobody knows,
// since it could not be read.
struct Finding {
  std::int64_t step;
  Failure failure;
};

struct Findings {
  std::size_t steps = 0;
  std::size_t summed = 0;  // steps that are as their checksums say
  std::vector<Finding> all;

  void add(std::int64_t step, const Failure& outcome) {
    if (outcome.status() != BIO_OK) all.push_back({step, outcome});
  }
};

bool isDamage(const Failure& failure) { return failure.status() == BIO_FORMAT; }
bool isDifference(const Failure& failure) { return failure.status() == BIO_MISMATCH; }
bool isUnread(const Failure& failure) { return !isDamage(failure) && !isDifference(failure); }

std::string wordsOnSums(const Findings& found) {
  if (found.summed == found.steps) return ", as their checksums say";
  if (found.summed == 0) return "; no checksums: damage to values would not be noticed";
  return "; " + std::to_string(found.steps - found.summed) +
         " of them have no checksums: damage to their values would not be noticed";
}

// Of one kind.
std::string jsonOf(const Findings& found, bool (*isOfKind)(const Failure& failure)) {
  std::string text;
  for (const auto& [step, failure] : found.all) {
    if (!isOfKind(failure)) continue;
    text += (text.empty() ? "" : ", ") + std::string("{\"step\": ") + std::to_string(step) +
            ", \"what\": " + jsonText(failure.what()) + "}";
  }
  return "[" + text + "]";
}

void printJson(const std::vector<std::string>& runs, const Findings& found) {
  std::printf(
      "{\"run\": %s, %s\"steps\": %zu, \"matching_checksums\": %zu, \"damaged\": %s, "
      "\"differing\": %s, \"unread\": %s}\n",
      jsonText(runs.front()).c_str(),
      runs.size() > 1 ? ("\"other\": " + jsonText(runs.back()) + ", ").c_str() : "", found.steps,
      found.summed, jsonOf(found, isDamage).c_str(), jsonOf(found, isDifference).c_str(),
      jsonOf(found, isUnread).c_str());
}

// "2 of 4 steps are damaged, 1 differs"
std::string summaryOf(const Findings& found) {
  const auto stepsWith = [&](bool (*isOfKind)(const Failure&)) {
    std::set<std::int64_t> steps;
    for (const auto& [step, failure] : found.all) {
      if (isOfKind(failure)) steps.insert(step);
    }
    return steps.size();
  };
  std::string text;
  const auto say = [&](std::size_t count, const char* one, const char* several) {
    if (count == 0) return;
    const std::string of = " of " + std::to_string(found.steps) + " steps";
    text += (text.empty() ? std::to_string(count) + of : ", " + std::to_string(count)) +
            (count == 1 ? one : several);
  };
  say(stepsWith(isDamage), " is damaged", " are damaged");
  say(stepsWith(isDifference), " differs", " differ");
  say(stepsWith(isUnread), " could not be read", " could not be read");
  return text;
}

// Every finding has its line, and all of them one end.
void requireNoFinding(const Communicator& comm, const Findings& found) {
  if (found.all.empty()) return;
  if (found.all.size() == 1) throw Failure(found.all.front().failure);
  for (const auto& [step, failure] : found.all) {
    if (comm.isRoot()) std::fprintf(stderr, "check: %s\n", plain(failure.what()).c_str());
  }
  throw Failure(BIO_FORMAT, summaryOf(found));
}

// Reads the whole step, and compares it with its checksums, if it has them.
bool checkAlone(const Communicator& comm, const std::filesystem::path& step) {
  std::optional<CheckedStep> mine;
  comm.agreeOnRoot([&] { tryStep(step); });
  comm.agree([&] {
    mine.emplace(step);
    mine->readShare(comm.rank(), comm.size());
  });
  mine->compare(comm);
  return mine->hasChecksums();
}

// Both at once; where they cannot be compared, each by itself: one that is damaged must not hide
// what is wrong with the other.
void checkPair(const Communicator& comm, std::int64_t number, const std::filesystem::path& run,
               const std::filesystem::path& other, Findings& found) {
  std::optional<CheckedStep> mine;
  std::optional<CheckedStep> theirs;
  std::string differing;
  const Failure read = outcomeOf([&] {
    comm.agreeOnRoot([&] {
      tryStep(run);
      tryStep(other);
    });
    comm.agree([&] {
      mine.emplace(run);
      theirs.emplace(other);
      differing = firstDifference(comm, mine->reader(), theirs->reader(), *mine, *theirs);
    });
  });
  const std::size_t before = found.all.size();
  if (read.status() == BIO_OK) {
    found.add(number, outcomeOf([&] { mine->compare(comm); }));
    found.add(number, outcomeOf([&] { theirs->compare(comm); }));
    // Values that are damaged differ.
    if (found.all.size() > before) return;
    found.add(number, outcomeOf([&] { comm.agree([&] { requireNone(differing); }); }));
    if (found.all.size() == before && mine->hasChecksums() && theirs->hasChecksums()) {
      ++found.summed;
    }
    return;
  }
  for (const auto& each : {run, other}) {
    found.add(number, outcomeOf([&] { checkAlone(comm, each); }));
  }
  if (found.all.size() == before) found.add(number, read);
}

void checkStep(const Communicator& comm, std::int64_t number, const std::filesystem::path& run,
               const std::filesystem::path& other, Findings& found) {
  if (other != run) return checkPair(comm, number, run, other, found);
  bool isSummed = false;
  found.add(number, outcomeOf([&] { isSummed = checkAlone(comm, run); }));
  if (isSummed) ++found.summed;
}

// Leaves the numbers that both hold; the others are a finding.
std::vector<std::int64_t> sharedNumbers(const Communicator& comm, const RunFolder& run,
                                        const std::vector<std::int64_t>& steps,
                                        const RunFolder& other,
                                        const std::vector<std::int64_t>& others, Findings& found) {
  std::vector<std::int64_t> alone;
  std::set_symmetric_difference(steps.begin(), steps.end(), others.begin(), others.end(),
                                std::back_inserter(alone));
  if (alone.empty()) return steps;
  const bool isMine = std::binary_search(steps.begin(), steps.end(), alone.front());
  const std::string more =
      alone.size() > 1 ? ", and so are " + std::to_string(alone.size() - 1) + " more in one" : "";
  found.add(alone.front(), outcomeOf([&] {
              comm.agreeOnRoot([&] {
                throw Failure(BIO_MISMATCH, "the runs hold different steps: step " +
                                                std::to_string(alone.front()) + " is in " +
                                                (isMine ? run : other).path().string() + " only" +
                                                more);
              });
            }));
  std::vector<std::int64_t> shared;
  std::set_intersection(steps.begin(), steps.end(), others.begin(), others.end(),
                        std::back_inserter(shared));
  return shared;
}

}  // namespace

void check(const Communicator& comm, const CommandLine& line) {
  const RunFolder run(line.operands().front());
  const RunFolder other(line.operands().back());
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> others;
  if (line.has("run-ended")) comm.agreeOnRoot([&] { settleEndedRun(run.path()); });
  const bool alone = line.operands().size() == 1;
  comm.agreeOnRoot([&] {
    steps = stepsOf(run);
    if (!alone) others = stepsOf(other);
  });
  steps = fromRoot(comm, steps);
  Findings found;
  if (!alone) steps = sharedNumbers(comm, run, steps, other, fromRoot(comm, others), found);
  found.steps = steps.size();
  Progress progress(comm, "check", steps.size());
  for (const std::int64_t number : steps) {
    checkStep(comm, number, run.step(number), other.step(number), found);
    progress.advance();
  }
  if (comm.isRoot() && line.has("json")) printJson(line.operands(), found);
  requireNoFinding(comm, found);
  if (!comm.isRoot() || line.has("json")) return;
  std::printf("%s: %zu complete steps%s%s\n", run.path().c_str(), steps.size(),
              alone ? ", all readable" : ", equal in both runs", wordsOnSums(found).c_str());
}

}  // namespace bundleio
