// bundleio bench: the same steps through several back ends, in turn, with time dissected.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>

#include "command_line.hpp"
#include "commands.hpp"
#include "geos_model.hpp"

namespace bundleio {

namespace {

struct Setup {
  std::string path;
  std::vector<std::string> backends;
  std::int64_t steps;
  std::int64_t repeats;
  Grid grid;
  std::int64_t planesPercent;
  std::string options;
  double computeSeconds;
  bool keeps;
};

using Samples = std::vector<double>;
// By back end, then by quantity: one sample per repeat, on rank 0.
using Results = std::map<std::string, std::map<std::string, Samples>>;

double median(Samples samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

Setup setupFrom(const CommandLine& line) {
  const std::vector<std::string> sides = split(line.text("grid", "144x288"), 'x');
  Setup setup{line.text("path", ""),
              split(line.text("backends", ""), ','),
              line.number("steps", 2, 1, 1000),
              line.number("repeats", 1, 1, 100),
              {0, 0},
              line.number("planes", 100, 1, 10000),
              line.text("options", ""),
              static_cast<double>(line.number("compute-ms", 0, 0, 600000)) * 1e-3,
              line.has("keep")};
  if (setup.path.empty()) throw Failure(BIO_BAD_ARGUMENT, "bench needs --path DIR");
  std::istringstream lat(sides.empty() ? "" : sides.front());
  std::istringstream lon(sides.size() == 2 ? sides.back() : "");
  if (!(lat >> setup.grid.lat) || !(lon >> setup.grid.lon) || setup.grid.lat < 1 ||
      setup.grid.lon < 1) {
    throw Failure(BIO_BAD_ARGUMENT, "--grid " + line.text("grid", "") + ": use LATxLON");
  }
  if (setup.backends.empty()) setup.backends = backendNames();
  return setup;
}

// What a model of cost counts with: see benchmarks/cost_model.py.
void addCounts(const Schema& schema, std::map<std::string, Samples>& samples) {
  std::vector<double> planes(schema.bundles().size(), 0);
  for (const Variable& variable : schema.variables()) {
    planes[static_cast<std::size_t>(variable.bundle)] += static_cast<double>(variable.planeCount);
  }
  samples["bundles"].push_back(static_cast<double>(planes.size()));
  samples["variables"].push_back(static_cast<double>(schema.variables().size()));
  samples["planes"].push_back(std::accumulate(planes.begin(), planes.end(), 0.0));
  samples["planes_largest"].push_back(*std::max_element(planes.begin(), planes.end()));
}

// "bp5:async=yes" stands for back end bp5 with one more option.
void runOnce(const Communicator& comm, const Setup& setup, const std::string& name,
             Results& results) {
  const std::vector<std::string> parts = split(name, ':');
  std::string options = setup.options;
  for (std::size_t i = 1; i < parts.size(); ++i) options += " " + parts[i];
  const std::filesystem::path path = std::filesystem::path(setup.path) / name;
  GeosModel model(comm, setup.grid, setup.planesPercent);
  MPI_Barrier(comm.handle());
  const auto start = std::chrono::steady_clock::now();
  {
    File file(comm, path.string(), BIO_REPLACE, parts[0], options);
    model.define(file);
    for (std::int64_t step = 0; step < setup.steps; ++step) {
      if (step > 0 && setup.computeSeconds > 0) model.compute(setup.computeSeconds);
      model.writeStep(file);
    }
    if (file.isPending() && setup.computeSeconds > 0) model.compute(setup.computeSeconds);
    file.wait();
    if (comm.isRoot()) addCounts(file.schema(), results[name]);
    const auto steps = static_cast<double>(setup.steps);
    for (const Column& column : file.meter().columns(comm)) {
      auto& samples = results[name];
      samples[column.name].push_back(column.mean() / steps);
      samples[column.name + "_max"].push_back(column.max() / steps);
      samples[column.name + "_sum"].push_back(column.sum() / steps);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (comm.isRoot()) {
    results[name]["run_seconds"].push_back(wall.count() / static_cast<double>(setup.steps));
    if (!setup.keeps) std::filesystem::remove_all(path);
  }
  MPI_Barrier(comm.handle());
}

double ratio(const Results& results, const std::string& name, const std::string& other) {
  if (results.count(other) == 0) return 0;
  return median(results.at(name).at("step_seconds_max")) /
         median(results.at(other).at("step_seconds_max"));
}

void printTable(const Setup& setup, const Results& results, int ranks) {
  std::printf(
      "%d ranks, grid %lld x %lld, %lld steps, %.1f MB a step; seconds a step, median of %lld\n",
      ranks, static_cast<long long>(setup.grid.lat), static_cast<long long>(setup.grid.lon),
      static_cast<long long>(setup.steps),
      median(results.begin()->second.at("own_bytes_sum")) / 1e6,
      static_cast<long long>(setup.repeats));
  std::printf("%-20s %7s %7s %7s %7s %7s %7s %7s %7s %8s %8s %8s %6s %6s\n", "back end", "step",
              "agree", "create", "define", "write", "sync", "close", "CPU", "messages", "MB sent",
              "writes", "/posix", "/gather");
  for (const std::string& name : setup.backends) {
    const auto& samples = results.at(name);
    const auto value = [&](const char* key) { return median(samples.at(key)); };
    std::printf(
        "%-20s %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.2f %8.0f %8.1f %8.0f %6.2f %6.2f\n",
        name.c_str(), value("step_seconds_max"), value("agree"), value("create"), value("define"),
        value("exchange") + value("write"), value("sync"), value("close") + value("publish"),
        value("cpu_seconds_sum"), value("messages_sum"), value("message_bytes_sum") / 1e6,
        value("write_calls_sum"), ratio(results, name, "posix"), ratio(results, name, "gather"));
  }
  std::printf(
      "step: slowest rank; phases: mean of ranks; CPU: all ranks; messages: bundleio's own, not "
      "those inside a library; 0 in a ratio: not run\n");
}

void printJson(const Setup& setup, const Results& results, int ranks) {
  std::ostringstream out;
  out << std::setprecision(9) << "{\"ranks\": " << ranks << ", \"lat\": " << setup.grid.lat
      << ", \"lon\": " << setup.grid.lon << ", \"steps\": " << setup.steps
      << ", \"repeats\": " << setup.repeats << ", \"backends\": {";
  bool first = true;
  for (const auto& [name, samples] : results) {
    out << (first ? "\n " : ",\n ") << "\"" << name << "\": {";
    first = false;
    bool inner = true;
    for (const auto& [key, values] : samples) {
      out << (inner ? "" : ", ") << "\"" << key << "\": " << median(values);
      inner = false;
    }
    out << ", \"vs_posix\": " << ratio(results, name, "posix")
        << ", \"vs_gather\": " << ratio(results, name, "gather") << "}";
  }
  out << "}}";
  std::puts(out.str().c_str());
}

}  // namespace

void bench(const Communicator& comm, const std::vector<std::string>& words) {
  const CommandLine line(
      words, {"path", "backends", "steps", "repeats", "grid", "planes", "options", "compute-ms"},
      {"keep", "json"});
  const Setup setup = setupFrom(line);
  Results results;
  for (std::int64_t repeat = 0; repeat < setup.repeats; ++repeat) {
    for (const std::string& name : setup.backends) {
      if (comm.isRoot()) std::cerr << "bench: " << name << " " << repeat + 1 << "\n";
      runOnce(comm, setup, name, results);
    }
  }
  if (!comm.isRoot()) return;
  if (line.has("json")) {
    printJson(setup, results, comm.size());
  } else {
    printTable(setup, results, comm.size());
  }
}

}  // namespace bundleio
