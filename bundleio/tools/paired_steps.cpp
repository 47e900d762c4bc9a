#include "paired_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <memory>
#include <sstream>

#include "model/json_text.hpp"

namespace bundleio {

namespace {

// Of the normal distribution, for 95 %.
constexpr double widthOfInterval = 1.959964;

std::vector<double> ratiosOf(const std::vector<double>& samples, const std::vector<double>& by) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < samples.size(); ++i) ratios.push_back(samples[i] / by[i]);
  return ratios;
}

std::string listOf(const std::vector<double>& values) {
  std::ostringstream out;
  out << std::setprecision(9) << "[";
  for (std::size_t i = 0; i < values.size(); ++i) out << (i == 0 ? "" : ", ") << values[i];
  return out.str() + "]";
}

std::string objectOf(const MiddleRatio& ratio) {
  std::ostringstream out;
  out << std::setprecision(9) << "{\"middle\": " << ratio.middle << ", \"low\": " << ratio.low
      << ", \"high\": " << ratio.high << "}";
  return out.str();
}

}  // namespace

TimedRuns pairFrom(const CommandLine& line) {
  for (const std::string other : {"steps", "repeats", "keep", "json-to", "compute-ms", "work"}) {
    if (!line.has(other) && line.text(other, "").empty()) continue;
    throw Failure(BIO_BAD_ARGUMENT, "--pairs does without --" + other + ": leave it out");
  }
  TimedRuns runs = timedRunsFrom("bench", line);
  if (runs.backends.size() != 2) {
    throw Failure(BIO_BAD_ARGUMENT, "--pairs: name two back ends by --backends A,B");
  }
  for (const std::string& name : runs.backends) {
    const Options options(optionsOf(name, runs.options));
    if (options.number("steps_per_file", 1, INT32_MAX) == 1 && options.text("fast_tier").empty()) {
      continue;
    }
    throw Failure(BIO_BAD_ARGUMENT,
                  "--pairs: steps are removed one by one where they were written: "
                  "leave out steps_per_file and fast_tier");
  }
  return runs;
}

MiddleRatio middleOf(const std::vector<double>& ratios) {
  std::vector<double> means;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    for (std::size_t j = i; j < ratios.size(); ++j) {
      means.push_back((std::log(ratios[i]) + std::log(ratios[j])) / 2);
    }
  }
  std::sort(means.begin(), means.end());
  const std::size_t half = means.size() / 2;
  const double middle = means.size() % 2 == 1 ? means[half] : (means[half - 1] + means[half]) / 2;
  const auto n = static_cast<double>(ratios.size());
  const double spread = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  // Half a rank less for ranks being whole numbers: else the interval of 6, 8, 12, 16 and some more
  // ratios would lack confidence.
  const double below = (static_cast<double>(means.size()) - 1) / 2 - widthOfInterval * spread;
  const auto skipped = static_cast<std::size_t>(std::max(0.0, std::floor(below)));
  return {std::exp(middle), std::exp(means[skipped]), std::exp(means[means.size() - 1 - skipped])};
}

PairedSteps::PairedSteps(const Communicator& comm, const TimedRuns& runs, std::int64_t pairs,
                         GeosModel& model)
    : comm_(comm), runs_(runs), stepBytes_(model.stepBytes()) {
  for (const std::size_t candidate : {0U, 1U}) requireOwnFolder(comm_, folder(candidate));
  const std::array<std::unique_ptr<Run>, 2> both{opened(0), opened(1)};
  model.define(*both[0]);
  model.redefine(*both[1]);
  for (std::int64_t pair = 0; pair <= pairs; ++pair) {
    const std::size_t first = pair % 2 == 0 ? 0 : 1;
    for (const std::size_t candidate : {first, 1 - first}) {
      timeStep(candidate, model, *both[candidate], pair);
    }
  }
  for (const auto& run : both) run->close();
  comm_.agreeOnRoot([&] {
    for (const std::size_t candidate : {0U, 1U}) removeOwnFolder(folder(candidate));
  });
}

// Both may be the same, to see what the measurement makes of no difference.
std::filesystem::path PairedSteps::folder(std::size_t candidate) const {
  const std::filesystem::path its = placeOf(runs_, runs_.backends[candidate]).folder;
  return its.parent_path() / (std::to_string(candidate) + "-" + its.filename().string());
}

std::unique_ptr<Run> PairedSteps::opened(std::size_t candidate) const {
  const std::string& name = runs_.backends[candidate];
  auto run = std::make_unique<Run>(comm_, folder(candidate).string(), BIO_REPLACE, backendOf(name),
                                   optionsOf(name, runs_.options));
  markOwnFolder(comm_, folder(candidate));
  return run;
}

void PairedSteps::timeStep(std::size_t candidate, GeosModel& model, Run& run, std::int64_t number) {
  MPI_Barrier(comm_.handle());
  const double start = secondsOf(CLOCK_MONOTONIC);
  const double cpuStart = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  model.writeStep(run);
  run.wait();
  const double cpu = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpuStart;
  const double seconds = secondsOf(CLOCK_MONOTONIC) - start;
  double slowest = 0;
  double all = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, comm_.handle());
  MPI_Reduce(&cpu, &all, 1, MPI_DOUBLE, MPI_SUM, 0, comm_.handle());
  comm_.agreeOnRoot([&] { RunFolder(folder(candidate)).remove(number); });
  // The first ones ask for memory that the others find.
  if (!comm_.isRoot() || number == 0) return;
  samples_[candidate].seconds.push_back(slowest);
  samples_[candidate].cpuSeconds.push_back(all);
}

void PairedSteps::print(const CommandLine& line) const {
  if (!comm_.isRoot()) return;
  if (line.has("json")) {
    std::puts(json().c_str());
    return;
  }
  std::printf("%d ranks, %zu pairs of steps of %.4g MB: %s by %s\n", comm_.size(),
              samples_[0].seconds.size(), static_cast<double>(stepBytes_) / 1e6,
              runs_.backends[1].c_str(), runs_.backends[0].c_str());
  const auto row = [](const char* what, const MiddleRatio& ratio) {
    std::printf("%-4s %.3f (%.3f to %.3f)\n", what, ratio.middle, ratio.low, ratio.high);
  };
  row("time", middleOf(ratiosOf(samples_[1].seconds, samples_[0].seconds)));
  row("CPU", middleOf(ratiosOf(samples_[1].cpuSeconds, samples_[0].cpuSeconds)));
  std::puts("middle of the pairs (Hodges-Lehmann), and where it lies with 95 % confidence");
}

std::string PairedSteps::json() const {
  std::ostringstream out;
  out << "{\"ranks\": " << comm_.size() << ", \"pairs\": " << samples_[0].seconds.size()
      << ", \"candidates\": [" << jsonText(runs_.backends[0]) << ", " << jsonText(runs_.backends[1])
      << "],\n \"step_seconds\": [" << listOf(samples_[0].seconds) << ",\n  "
      << listOf(samples_[1].seconds) << "],\n \"cpu_seconds\": [" << listOf(samples_[0].cpuSeconds)
      << ",\n  " << listOf(samples_[1].cpuSeconds) << "],\n \"step_ratio\": "
      << objectOf(middleOf(ratiosOf(samples_[1].seconds, samples_[0].seconds)))
      << ",\n \"cpu_ratio\": "
      << objectOf(middleOf(ratiosOf(samples_[1].cpuSeconds, samples_[0].cpuSeconds))) << "}";
  return out.str();
}

}  // namespace bundleio
