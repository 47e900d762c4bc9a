// bundleio check: is every step whole, and does it equal the same step of another run?
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>

#include "command_line.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "parts.hpp"
#include "run_steps.hpp"

namespace bundleio {

namespace {

// Own: parts of both steps stay in a core's cache while they are compared.
constexpr std::size_t comparedBytesMax = 2 << 20;

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

void compareVariables(const std::string& name, const Variable& one, const Variable& other) {
  if (one.type != other.type || one.lengths != other.lengths) {
    throw Failure(BIO_MISMATCH, "'" + name + "' has another type or shape");
  }
  compareAttributes(name, one.attributes, other.attributes);
}

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

}  // namespace

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
      const std::string name = fullName(one, one.variable(index));
      if (found == theirs.end()) {
        throw Failure(BIO_MISMATCH, "'" + name + "' is in one run only");
      }
      compareVariables(name, one.variable(index), other.variable(found->second));
      twins[static_cast<std::size_t>(index)] = found->second;
    }
  }
  return twins;
}

void compareSteps(const Communicator& comm, Reader& one, Reader& other) {
  comm.agree([&] {
    const Schema& schema = one.schema();
    const std::vector<int> twins = compareDefinitions(schema, other.schema());
    const std::size_t bytesMax =
        std::max({comparedBytesMax, one.chunkBytesMax(), other.chunkBytesMax()});
    std::vector<std::byte> mine;
    std::vector<std::byte> theirs;
    for (const Part& part : shareOf(schema, comm.rank(), comm.size(), bytesMax)) {
      mine.resize(partBytes(schema, part));
      theirs.resize(mine.size());
      one.read(part.variable, part.box, mine.data());
      other.read(twins[static_cast<std::size_t>(part.variable)], part.box, theirs.data());
      if (std::memcmp(mine.data(), theirs.data(), mine.size()) == 0) continue;
      throw Failure(BIO_MISMATCH,
                    "values of '" + fullName(schema, schema.variable(part.variable)) + "' differ");
    }
  });
}

void check(const Communicator& comm, const CommandLine& line) {
  const RunFolder run(line.operands().front());
  const RunFolder other(line.operands().back());
  std::vector<std::int64_t> steps;
  comm.agree([&] {
    steps = stepsOf(run);
    compareNumbers(run, steps, other, stepsOf(other));
  });
  Progress progress(comm, "check", steps.size());
  for (const std::int64_t number : steps) {
    std::unique_ptr<Reader> mine;
    std::unique_ptr<Reader> theirs;
    comm.agree([&] {
      mine = Reader::open(run.step(number));
      theirs = Reader::open(other.step(number));
    });
    compareSteps(comm, *mine, *theirs);
    progress.advance();
  }
  if (comm.isRoot()) {
    const bool alone = line.operands().size() == 1;
    std::printf("%s: %zu complete steps%s\n", run.path().c_str(), steps.size(),
                alone ? ", all readable" : ", equal in both runs");
  }
}

}  // namespace bundleio
