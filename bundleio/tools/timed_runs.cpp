#include "timed_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "backend.hpp"

namespace bundleio {

namespace {

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

// Of "bp5:async=yes".
std::string backendOf(const std::string& name) { return name.substr(0, name.find(':')); }

// Those of all back ends, and what "bp5:async=yes" adds.
std::string optionsOf(const std::string& name, const std::string& shared) {
  std::string options = shared;
  const std::vector<std::string> parts = split(name, ':');
  for (std::size_t i = 1; i < parts.size(); ++i) options += " " + parts[i];
  return options;
}

// What a model of cost counts with: see benchmarks/cost_model.py.
void addCounts(const Schema& schema, std::map<std::string, std::vector<double>>& samples) {
  double all = 0;
  double largest = 0;
  for (const Bundle& bundle : schema.bundles()) {
    double planes = 0;
    for (const int index : bundle.variables) {
      planes += static_cast<double>(schema.variable(index).planeCount);
    }
    all += planes;
    largest = std::max(largest, planes);
  }
  samples["bundles"].push_back(static_cast<double>(schema.bundles().size()));
  samples["variables"].push_back(static_cast<double>(schema.variables().size()));
  samples["planes"].push_back(all);
  samples["planes_largest"].push_back(largest);
}

}  // namespace

TimedRuns timedRunsFrom(const std::string& command, const CommandLine& line) {
  TimedRuns runs{command,
                 line.text("path", ""),
                 split(line.text("backends", ""), ','),
                 0,
                 line.number("repeats", 1, 1, 100),
                 line.text("options", ""),
                 line.has("keep")};
  if (runs.path.empty()) throw Failure(BIO_BAD_ARGUMENT, command + " needs --path DIR");
  if (runs.backends == std::vector<std::string>{"all"}) runs.backends = backendNames();
  // Before the first of them has run for minutes.
  for (const std::string& name : runs.backends) {
    const std::string backend = backendOf(name);
    const Options options(optionsOf(name, runs.options));
    if (backend != "auto") makeBackend(backend, options);
  }
  return runs;
}

Dissection::Dissection(const Communicator& comm, TimedRuns runs,
                       const std::function<void(File&)>& write)
    : comm_(comm), runs_(std::move(runs)) {
  std::vector<std::string> order = runs_.backends;
  for (std::int64_t repeat = 0; repeat < runs_.repeats; ++repeat) {
    // There and back: what a case leaves behind (caches, pages to be freed) meets several others.
    if (repeat > 0) std::reverse(order.begin(), order.end());
    for (const std::string& name : order) {
      if (comm_.isRoot()) std::cerr << runs_.command << ": " << name << " " << repeat + 1 << "\n";
      runOnce(name, write);
    }
  }
}

void Dissection::runOnce(const std::string& name, const std::function<void(File&)>& write) {
  const std::filesystem::path path = std::filesystem::path(runs_.path) / name;
  const auto steps = static_cast<double>(runs_.steps);
  MPI_Barrier(comm_.handle());
  const auto start = std::chrono::steady_clock::now();
  {
    File file(comm_, path.string(), BIO_REPLACE, backendOf(name), optionsOf(name, runs_.options));
    write(file);
    if (comm_.isRoot()) addCounts(file.schema(), results_[name]);
    for (const Column& column : file.meter().columns(comm_)) {
      auto& samples = results_[name];
      samples[column.name].push_back(column.mean() / steps);
      samples[column.name + "_max"].push_back(column.max() / steps);
      samples[column.name + "_sum"].push_back(column.sum() / steps);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (comm_.isRoot()) {
    results_[name]["run_seconds"].push_back(wall.count() / steps);
    if (!runs_.keeps) std::filesystem::remove_all(path);
  }
  MPI_Barrier(comm_.handle());
}

void Dissection::printJson(const std::string& members) const {
  if (!comm_.isRoot()) return;
  std::ostringstream out;
  out << std::setprecision(9) << "{\"ranks\": " << comm_.size() << members
      << ", \"steps\": " << runs_.steps << ", \"repeats\": " << runs_.repeats
      << ", \"backends\": {";
  bool first = true;
  for (const auto& [name, samples] : results_) {
    out << (first ? "\n " : ",\n ") << "\"" << name << "\": {";
    first = false;
    bool inner = true;
    for (const auto& [key, values] : samples) {
      out << (inner ? "" : ", ") << std::quoted(key) << ": " << median(values);
      inner = false;
    }
    out << ", \"vs_posix\": " << ratio(name, "posix")
        << ", \"vs_gather\": " << ratio(name, "gather") << "}";
  }
  out << "}}";
  std::puts(out.str().c_str());
}

double Dissection::middle(const std::string& name, const std::string& key) const {
  return median(results_.at(name).at(key));
}

double Dissection::ratio(const std::string& name, const std::string& other) const {
  if (results_.count(other) == 0) return 0;
  return middle(name, "step_seconds_max") / middle(other, "step_seconds_max");
}

void Dissection::printTable(const std::string& subject) const {
  if (!comm_.isRoot()) return;
  std::printf("%d ranks, %s, %lld steps, %.1f MB a step; seconds a step, median of %lld\n",
              comm_.size(), subject.c_str(), static_cast<long long>(runs_.steps),
              middle(runs_.backends.front(), "own_bytes_sum") / 1e6,
              static_cast<long long>(runs_.repeats));
  std::printf("%-20s %7s %7s %7s %7s %7s %7s %7s %7s %8s %8s %8s %6s %6s\n", "back end", "step",
              "agree", "create", "define", "write", "sync", "close", "CPU", "messages", "MB sent",
              "writes", "/posix", "/gather");
  for (const std::string& name : runs_.backends) {
    const auto value = [&](const char* key) { return middle(name, key); };
    std::printf(
        "%-20s %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.2f %8.0f %8.1f %8.0f %6.2f %6.2f\n",
        name.c_str(), value("step_seconds_max"), value("agree"), value("create"), value("define"),
        value("exchange") + value("write"), value("sync"), value("close") + value("publish"),
        value("cpu_seconds_sum"), value("messages_sum"), value("message_bytes_sum") / 1e6,
        value("write_calls_sum"), ratio(name, "posix"), ratio(name, "gather"));
  }
  std::printf(
      "step: slowest rank; phases: mean of ranks; CPU: all ranks; messages: bundleio's own, not "
      "those inside a library; 0 in a ratio: not run\n");
}

}  // namespace bundleio
