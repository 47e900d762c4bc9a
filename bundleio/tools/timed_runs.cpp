#include "timed_runs.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "backends/backend.hpp"
#include "model/json_text.hpp"

namespace bundleio {

// One quantity of the table.
struct TableColumn {
  const char* title;
  std::size_t width;
  int decimals;  // fewer, where they do not fit
  double scale;
  std::vector<const char*> quantities;  // whose sum it is
};

namespace {

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

// Bytes that programs can still get on this machine; -1 where the kernel does not tell.
std::int64_t availableBytes() {
  std::ifstream memory("/proc/meminfo");
  std::string line;
  while (std::getline(memory, line)) {
    if (line.rfind("MemAvailable:", 0) == 0) return std::stoll(line.substr(13)) * 1024;
  }
  return -1;
}

// Own: with these widths the table has 100 letters.
constexpr std::size_t nameLetters = 11;
constexpr std::size_t valueLetters = 5;

std::vector<TableColumn> tableColumns(double timeScale) {
  return {{"step", 6, 3, timeScale, {"step_seconds_max"}},
          {"agree", 6, 3, timeScale, {"agree"}},
          {"create", 7, 3, timeScale, {"create"}},
          {"define", 7, 3, timeScale, {"define"}},
          {"write", 6, 3, timeScale, {"exchange", "write"}},
          {"sync", 6, 3, timeScale, {"sync"}},
          {"close", 6, 3, timeScale, {"close", "publish"}},
          {"CPU", 6, 3, timeScale, {"cpu_seconds_sum"}},
          {"messages", 9, 0, 1, {"messages_sum"}},
          {"MB sent", 8, 1, 1e-6, {"message_bytes_sum"}},
          {"writes", 7, 0, 1, {"write_calls_sum"}}};
}

std::string fitted(double value, int decimals) {
  std::string text;
  for (; decimals >= 0; --decimals) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(decimals) << value;
    text = out.str();
    if (text.size() <= valueLetters) break;
  }
  return text;
}

// Of what a step took, each repeat beside the medians: candidates run in turn, so that those of
// equal number are a pair.
std::string samplesText(const std::map<std::string, std::vector<double>>& samples) {
  std::ostringstream out;
  out << std::setprecision(9) << ", \"samples\": {";
  bool first = true;
  for (const char* key : {"cpu_seconds_sum", "step_seconds_max"}) {
    out << (first ? "" : ", ") << jsonText(key) << ": [";
    first = false;
    const std::vector<double>& values = samples.at(key);
    for (std::size_t i = 0; i < values.size(); ++i) out << (i == 0 ? "" : ", ") << values[i];
    out << "]";
  }
  return out.str() + "}";
}

// Says that a folder is of these commands, also one that was kept or left by one that was killed.
// Beside it, so that a kept run is like any other.
std::filesystem::path markOf(const std::filesystem::path& folder) {
  return folder.parent_path() / (".bundleio-bench-" + folder.filename().string());
}

// The folder of a candidate's name, which may hold paths: "posix:record=/a/b".
std::string folderName(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void requireNoDrain(const Options& options) {
  if (!options.flag("drain")) return;
  throw Failure(
      BIO_BAD_ARGUMENT,
      "option drain=yes: a drain would go on beside what is timed next: leave it out, and "
      "run bundleio drain after --keep");
}

std::string toTheRight(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

std::string backendOf(const std::string& name) { return name.substr(0, name.find(':')); }

std::string optionsOf(const std::string& name, const std::string& shared) {
  std::string options = Options(shared).textTakenBy(backendOf(name));
  const std::vector<std::string> parts = split(name, ':');
  for (std::size_t i = 1; i < parts.size(); ++i) options += " " + parts[i];
  return options;
}

TimedPlace placeOf(const TimedRuns& runs, const std::string& name) {
  const Options options(optionsOf(name, runs.options));
  TimedPlace place{std::filesystem::path(runs.path) / folderName(name), {}, ""};
  place.options = options.textWithout({"fast_tier"});
  const std::string tier = options.text("fast_tier");
  if (tier.empty()) return place;
  place.fast = std::filesystem::path(tier) / folderName(name);
  place.options += " " + Options::pair("fast_tier", place.fast.string());
  return place;
}

double secondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

TimedRuns timedRunsFrom(const std::string& command, const CommandLine& line) {
  TimedRuns runs{command,
                 line.text("path", ""),
                 split(line.text("backends", ""), ','),
                 0,
                 line.number("repeats", 1, 1, 100),
                 line.text("options", ""),
                 line.has("keep")};
  if (runs.path.empty()) throw Failure(BIO_BAD_ARGUMENT, command + " needs --path DIR");
  const std::string given = line.text("backends", "all");
  if (runs.backends.empty() && given != "all") {
    throw Failure(BIO_BAD_ARGUMENT, "--backends " + given + ": name one, or all");
  }
  if (runs.backends == std::vector<std::string>{"all"}) runs.backends = backendNames();
  requireNoDrain(Options(runs.options));
  // Before the first of them has run for minutes.
  std::vector<std::string> used;
  for (const std::string& name : runs.backends) {
    const std::string backend = backendOf(name);
    const Options options(optionsOf(name, runs.options));
    if (backend != "auto") makeBackend(backend, options);
    requireNoDrain(options);
    options.checkTakenBy({backend});
    used.push_back(backend);
  }
  if (!used.empty()) Options(runs.options).checkTakenBy(used);
  return runs;
}

void requireOwnFolder(const Communicator& comm, const std::filesystem::path& folder) {
  comm.agreeOnRoot([&] {
    std::error_code none;
    const bool holdsFiles =
        std::filesystem::is_directory(folder, none) && !std::filesystem::is_empty(folder, none);
    if (!holdsFiles || std::filesystem::exists(markOf(folder), none)) return;
    throw Failure(BIO_BAD_ARGUMENT,
                  folder.string() +
                      " holds what was not written to be timed, and would be removed: "
                      "name another folder by --path, or by fast_tier");
  });
}

void markOwnFolder(const Communicator& comm, const std::filesystem::path& folder) {
  comm.agreeOnRoot([&] {
    std::ofstream mark(markOf(folder));
    mark.close();
    if (!mark) throw systemFailure(errno, "write " + markOf(folder).string());
  });
}

void removeOwnFolder(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::remove(markOf(folder));
}

void requireMemory(const Communicator& comm, std::int64_t stepBytes) {
  comm.agree([&] {
    const std::int64_t needed = stepBytes / comm.nodes();
    const std::int64_t available = availableBytes();
    if (available >= 0 && needed > available) {
      throw Failure(BIO_NO_SPACE, "a step takes " + std::to_string(needed) +
                                      " bytes of memory on a machine, but only " +
                                      std::to_string(available) + " are available");
    }
  });
}

void keepBusy(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  std::vector<float> scratch(16384, 1.0F);
  while (std::chrono::steady_clock::now() < end) {
    for (float& value : scratch) value = value * 0.999F + 0.001F;
  }
}

double compute(std::int64_t passes) {
  std::vector<float> scratch(16384, 1.0F);
  const double start = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    for (float& value : scratch) value = value * 0.999F + 0.001F;
  }
  const double seconds = secondsOf(CLOCK_THREAD_CPUTIME_ID) - start;
  // A result that nobody sees would not be computed.
  volatile float seen = scratch.front();
  (void)seen;
  return seconds;
}

Dissection::Dissection(const Communicator& comm, TimedRuns runs, const Writes& write)
    : comm_(comm), runs_(std::move(runs)) {
  std::vector<std::string> order = runs_.backends;
  for (const std::string& name : order) {
    for (const auto& folder : placeOf(runs_, name).folders()) requireOwnFolder(comm_, folder);
  }
  for (std::int64_t repeat = 0; repeat < runs_.repeats; ++repeat) {
    // There and back: what a case leaves behind (caches, pages to be freed) meets several others.
    if (repeat > 0) std::reverse(order.begin(), order.end());
    for (const std::string& name : order) {
      if (comm_.isRoot()) {
        std::cerr << runs_.command << ": " << name << ", run " << repeat + 1 << " of "
                  << runs_.repeats << "\n";
      }
      runOnce(name, write);
    }
  }
}

void Dissection::runOnce(const std::string& name, const Writes& write) {
  const TimedPlace place = placeOf(runs_, name);
  const auto steps = static_cast<double>(runs_.steps);
  MPI_Barrier(comm_.handle());
  const auto start = std::chrono::steady_clock::now();
  const double cpuStart = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  double worked = 0;
  {
    Run run(comm_, place.folder.string(), BIO_REPLACE, backendOf(name), place.options);
    for (const auto& folder : place.folders()) markOwnFolder(comm_, folder);
    worked = write(run);
    run.close();
    for (const Column& column : run.meter().columns(comm_)) {
      auto& samples = results_[name];
      samples[column.name].push_back(column.mean() / steps);
      samples[column.name + "_max"].push_back(column.max() / steps);
      samples[column.name + "_sum"].push_back(column.sum() / steps);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  // Of all threads, also between the steps; what the model computes is not the run's.
  const double cpu = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpuStart - worked;
  double cpuOfAll = 0;
  MPI_Reduce(&cpu, &cpuOfAll, 1, MPI_DOUBLE, MPI_SUM, 0, comm_.handle());
  if (comm_.isRoot()) {
    results_[name]["run_seconds"].push_back(wall.count() / steps);
    results_[name]["run_cpu_seconds_sum"].push_back(cpuOfAll / steps);
    for (const auto& folder : place.folders()) {
      if (!runs_.keeps) removeOwnFolder(folder);
    }
  }
  MPI_Barrier(comm_.handle());
}

void Dissection::print(const CommandLine& line, const std::string& subject,
                       const std::string& members) const {
  const std::string path = line.text("json-to", "");
  comm_.agreeOnRoot([&] {
    if (path.empty()) return;
    std::ofstream out(path);
    out << json(members) << "\n" << std::flush;
    if (!out) throw systemFailure(errno == 0 ? EIO : errno, "write " + path);
  });
  if (!comm_.isRoot()) return;
  if (line.has("json")) {
    std::puts(json(members).c_str());
  } else {
    printTable(subject);
  }
}

std::string Dissection::json(const std::string& members) const {
  std::ostringstream out;
  out << std::setprecision(9) << "{\"ranks\": " << comm_.size() << members
      << ", \"steps\": " << runs_.steps << ", \"repeats\": " << runs_.repeats
      << ", \"backends\": {";
  bool first = true;
  for (const auto& [name, samples] : results_) {
    out << (first ? "\n " : ",\n ") << jsonText(name) << ": {";
    first = false;
    bool inner = true;
    for (const auto& [key, values] : samples) {
      out << (inner ? "" : ", ") << jsonText(key) << ": " << median(values);
      inner = false;
    }
    out << samplesText(samples);
    out << ", \"vs_posix\": " << ratio(name, "posix")
        << ", \"vs_gather\": " << ratio(name, "gather") << "}";
  }
  out << "}}";
  return out.str();
}

double Dissection::middle(const std::string& name, const std::string& key) const {
  return median(results_.at(name).at(key));
}

double Dissection::ratio(const std::string& name, const std::string& other) const {
  if (results_.count(other) == 0) return 0;
  return middle(name, "step_seconds_max") / middle(other, "step_seconds_max");
}

void Dissection::printTable(const std::string& subject) const {
  double longest = 0;
  for (const std::string& name : runs_.backends) {
    longest = std::max(longest, middle(name, "step_seconds_max"));
  }
  // Short steps would be zeros.
  const bool isShort = longest < 0.1;
  std::printf("%d ranks, %s, %lld steps, %.4g MB a step\n", comm_.size(), subject.c_str(),
              static_cast<long long>(runs_.steps),
              middle(runs_.backends.front(), "own_bytes_sum") / 1e6);
  std::printf("%s a step, median of %lld:\n", isShort ? "milliseconds" : "seconds",
              static_cast<long long>(runs_.repeats));
  const std::vector<TableColumn> columns = tableColumns(isShort ? 1e3 : 1);
  std::string header = "back end";
  header.resize(nameLetters, ' ');
  for (const TableColumn& column : columns) header += toTheRight(column.title, column.width);
  std::printf("%s /posix /gather\n", header.c_str());
  for (const std::string& name : runs_.backends) std::printf("%s\n", row(name, columns).c_str());
  std::printf(
      "step: slowest rank; phases: mean of ranks; CPU: all ranks; messages: bundleio's own, not\n"
      "those inside a library; /posix, /gather: the step's time by theirs, - if they were not "
      "run\n");
}

std::string Dissection::row(const std::string& name,
                            const std::vector<TableColumn>& columns) const {
  std::string text = name;
  // Behind a long name the row goes on below it.
  if (text.size() >= nameLetters) text += "\n" + std::string(nameLetters, ' ');
  text.resize(std::max(text.size(), nameLetters), ' ');
  for (const TableColumn& column : columns) {
    double value = 0;
    for (const char* quantity : column.quantities) value += middle(name, quantity);
    text += toTheRight(fitted(value * column.scale, column.decimals), column.width);
  }
  for (const std::string other : {"posix", "gather"}) {
    text += toTheRight(results_.count(other) > 0 ? fitted(ratio(name, other), 2) : "-",
                       other.size() + 2);
  }
  return text;
}

}  // namespace bundleio
