// bundleio record: checks a pattern file and says what it holds.
#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <sstream>

#include "command_line.hpp"
#include "commands.hpp"
#include "model/json_text.hpp"
#include "pattern.hpp"
#include "plain_text.hpp"

namespace bundleio {

namespace {

struct Spread {
  double least;
  double median;
  double most;
};

struct Ownership {
  std::size_t ranks;   // that own a cell
  std::int64_t least;  // cells of a rank
  std::int64_t most;
};

struct Content {
  std::size_t variables = 0;
  std::int64_t planes = 0;
  std::int64_t bytes = 0;
};

Spread spreadOf(std::vector<double> values) {
  if (values.empty()) return {0, 0, 0};
  std::sort(values.begin(), values.end());
  return {values.front(), values[values.size() / 2], values.back()};
}

double meanSeconds(const ByRank& runs, int ranks) {
  double sum = 0;
  for (const RankRun& run : runs) {
    sum += static_cast<double>(run.value) * static_cast<double>(run.ranks);
  }
  return sum * 1e-6 / ranks;
}

// The time before a model's first step is not between steps.
Spread gapsOf(const Pattern& pattern) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < pattern.steps.size(); ++i) {
    gaps.push_back(meanSeconds(pattern.steps[i].gapMicroseconds, pattern.ranks));
  }
  return spreadOf(std::move(gaps));
}

Spread timesOf(const Pattern& pattern) {
  std::vector<double> taken;
  for (const StepPattern& step : pattern.steps) {
    taken.push_back(static_cast<double>(step.takenMicroseconds) * 1e-6);
  }
  return spreadOf(std::move(taken));
}

Ownership ownershipOf(const DecompositionPattern& decomposition, int ranks) {
  const auto owners = decomposition.owners();
  Ownership found{owners.size(), owners.empty() ? 0 : INT64_MAX, 0};
  for (const auto& [rank, cells] : owners) {
    found.least = std::min(found.least, cells);
    found.most = std::max(found.most, cells);
  }
  if (found.ranks < static_cast<std::size_t>(ranks)) found.least = 0;
  return found;
}

Content contentOf(const Pattern& pattern, const Bundle& bundle) {
  Content content{bundle.variables.size(), 0, 0};
  for (const int index : bundle.variables) {
    content.planes += pattern.schema.variable(index).planeCount;
    content.bytes += pattern.variableBytes(static_cast<std::size_t>(index));
  }
  return content;
}

std::string joined(const Extent& lengths, const char* between) {
  std::string text;
  for (const std::int64_t length : lengths) {
    text += (text.empty() ? "" : between) + std::to_string(length);
  }
  return text;
}

std::size_t putsOf(const Pattern& pattern) {
  return pattern.lists[static_cast<std::size_t>(pattern.steps.front().lists.front().value)].size();
}

void printTable(const std::string& path, const Pattern& pattern) {
  std::printf("%s: %d ranks, back end %s, %zu steps, %.3f MB and %zu puts a rank and step\n",
              path.c_str(), pattern.ranks, plain(pattern.backend).c_str(), pattern.steps.size(),
              static_cast<double>(pattern.stepBytes()) / 1e6, putsOf(pattern));
  std::printf("%-14s %-6s %-20s %8s %12s %12s\n", "decomposition", "kind", "lengths", "owners",
              "cells least", "most");
  for (std::size_t i = 0; i < pattern.decompositions.size(); ++i) {
    const DecompositionPattern& its = pattern.decompositions[i];
    const Ownership owned = ownershipOf(its, pattern.ranks);
    std::printf("%-14zu %-6s %-20s %8zu %12lld %12lld\n", i, its.isMap ? "map" : "boxes",
                joined(its.lengths, " x ").c_str(), owned.ranks,
                static_cast<long long>(owned.least), static_cast<long long>(owned.most));
  }
  std::printf("%-28s %9s %9s %12s\n", "bundle", "variables", "planes", "MB a step");
  for (const Bundle& bundle : pattern.schema.bundles()) {
    const Content content = contentOf(pattern, bundle);
    std::printf("%-28s %9zu %9lld %12.3f\n", plain(bundle.name).c_str(), content.variables,
                static_cast<long long>(content.planes), static_cast<double>(content.bytes) / 1e6);
  }
  const Spread gaps = gapsOf(pattern);
  const Spread times = timesOf(pattern);
  std::printf("%-28s %9s %9s %12s\n", "seconds", "least", "median", "most");
  std::printf("%-28s %9.3f %9.3f %12.3f\n", "between steps, mean of ranks", gaps.least, gaps.median,
              gaps.most);
  std::printf("%-28s %9.3f %9.3f %12.3f\n", "in step_end, slowest rank", times.least, times.median,
              times.most);
}

void writeSpread(std::ostream& out, const char* name, const Spread& spread) {
  out << ",\n \"" << name << "\": {\"least\": " << spread.least << ", \"median\": " << spread.median
      << ", \"most\": " << spread.most << "}";
}

void printJson(const Pattern& pattern) {
  std::ostringstream out;
  out << std::setprecision(9) << "{\"ranks\": " << pattern.ranks
      << ", \"backend\": " << jsonText(pattern.backend) << ", \"steps\": " << pattern.steps.size()
      << ", \"step_bytes\": " << pattern.stepBytes() << ", \"puts\": " << putsOf(pattern)
      << ",\n \"decompositions\": [";
  for (std::size_t i = 0; i < pattern.decompositions.size(); ++i) {
    const DecompositionPattern& its = pattern.decompositions[i];
    const Ownership owned = ownershipOf(its, pattern.ranks);
    out << (i == 0 ? "\n  " : ",\n  ") << "{\"kind\": \"" << (its.isMap ? "map" : "boxes")
        << "\", \"lengths\": [" << joined(its.lengths, ", ") << "], \"owners\": " << owned.ranks
        << ", \"cells_least\": " << owned.least << ", \"cells_most\": " << owned.most << "}";
  }
  out << "],\n \"bundles\": [";
  bool first = true;
  for (const Bundle& bundle : pattern.schema.bundles()) {
    const Content content = contentOf(pattern, bundle);
    out << (first ? "\n  " : ",\n  ") << "{\"name\": " << jsonText(bundle.name)
        << ", \"variables\": " << content.variables << ", \"planes\": " << content.planes
        << ", \"bytes\": " << content.bytes << "}";
    first = false;
  }
  out << "]";
  writeSpread(out, "gap_seconds", gapsOf(pattern));
  writeSpread(out, "step_seconds", timesOf(pattern));
  std::printf("%s}\n", out.str().c_str());
}

}  // namespace

void record(const Communicator& comm, const CommandLine& line) {
  const Pattern pattern = readPattern(comm, line.operands()[0]);
  if (!comm.isRoot()) return;
  if (line.has("json")) {
    printJson(pattern);
  } else {
    printTable(line.operands()[0], pattern);
  }
}

}  // namespace bundleio
