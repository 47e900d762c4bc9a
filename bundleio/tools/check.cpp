// bundleio check: is every step whole, and does it equal the same step of another run?
#include <algorithm>
#include <cstdio>

#include "command_line.hpp"
#include "commands.hpp"
#include "comparison.hpp"
#include "hyperslab.hpp"
#include "run_folder.hpp"

namespace bundleio {

namespace {

constexpr std::size_t comparedBytesMax = 1 << 26;

const Variable& counterpart(const Schema& schema, const Bundle& bundle, const Variable& variable) {
  for (const Variable& candidate : schema.variables()) {
    if (candidate.name == variable.name && schema.bundleOf(candidate).name == bundle.name) {
      return candidate;
    }
  }
  throw Failure(BIO_MISMATCH, "'" + bundle.name + "/" + variable.name + "' is in one run only");
}

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

// Part by part: a variable may be larger than what memory is left.
bool equalValues(Reader& one, int index, Reader& other, int twin) {
  const Variable& variable = one.schema().variable(index);
  const std::size_t cellBytes = bytesOf(variable.type);
  const Hyperslab whole{std::vector<std::size_t>(variable.lengths.size(), 0),
                        {variable.lengths.begin(), variable.lengths.end()}};
  std::vector<std::byte> mine;
  std::vector<std::byte> theirs;
  for (const Hyperslab& part : cut(whole, comparedBytesMax / cellBytes)) {
    const Block box{Extent(part.start.begin(), part.start.end()),
                    Extent(part.count.begin(), part.count.end())};
    mine.resize(slabBytes(part, variable.type));
    theirs.resize(mine.size());
    one.read(index, box, mine.data());
    other.read(twin, box, theirs.data());
    if (mine != theirs) return false;
  }
  return true;
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
  for (const Bundle& bundle : one.bundles()) {
    for (const Bundle& twin : other.bundles()) {
      if (twin.name == bundle.name) {
        compareAttributes(bundle.name, bundle.attributes, twin.attributes);
      }
    }
  }
  std::vector<int> twins;
  for (const Variable& mine : one.variables()) {
    const Variable& theirs = counterpart(other, one.bundleOf(mine), mine);
    const std::string name = fullName(one, mine);
    if (mine.type != theirs.type || mine.lengths != theirs.lengths) {
      throw Failure(BIO_MISMATCH, "'" + name + "' has another type or shape");
    }
    compareAttributes(name, mine.attributes, theirs.attributes);
    twins.push_back(static_cast<int>(&theirs - other.variables().data()));
  }
  return twins;
}

void compareSteps(const Communicator& comm, Reader& one, Reader& other) {
  comm.agree([&] {
    const std::vector<int> twins = compareDefinitions(one.schema(), other.schema());
    for (auto i = static_cast<std::size_t>(comm.rank()); i < twins.size();
         i += static_cast<std::size_t>(comm.size())) {
      const auto index = static_cast<int>(i);
      if (equalValues(one, index, other, twins[i])) continue;
      throw Failure(
          BIO_MISMATCH,
          "values of '" + fullName(one.schema(), one.schema().variable(index)) + "' differ");
    }
  });
}

void check(const Communicator& comm, const std::vector<std::string>& words) {
  const CommandLine line(words, {}, {});
  if (line.operands().empty() || line.operands().size() > 2) {
    throw Failure(BIO_BAD_ARGUMENT, "check needs RUN or RUN OTHER");
  }
  const RunFolder run(line.operands().front());
  const RunFolder other(line.operands().back());
  std::vector<std::int64_t> steps;
  comm.agree([&] {
    steps = run.steps();
    if (steps.empty()) throw Failure(BIO_NOT_FOUND, run.path().string() + " holds no step");
    if (other.steps() != steps) throw Failure(BIO_MISMATCH, "the runs hold different steps");
  });
  for (const std::int64_t number : steps) {
    std::unique_ptr<Reader> mine;
    std::unique_ptr<Reader> theirs;
    comm.agree([&] {
      mine = Reader::open(run.step(number));
      theirs = Reader::open(other.step(number));
    });
    compareSteps(comm, *mine, *theirs);
  }
  if (comm.isRoot()) {
    const bool alone = line.operands().size() == 1;
    std::printf("%s: %zu complete steps%s\n", run.path().c_str(), steps.size(),
                alone ? ", all readable" : ", equal in both runs");
  }
}

}  // namespace bundleio
