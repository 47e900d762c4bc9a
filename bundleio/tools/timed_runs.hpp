// The same steps through several back ends in turn, and where their time went, as table or JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "step/run.hpp"

namespace bundleio {

struct TableColumn;

struct TimedRuns {
  std::string command;                // for progress on stderr
  std::string path;                   // steps are written below path/BACKEND
  std::vector<std::string> backends;  // "bp5:async=yes" is back end bp5 with one more option
  std::int64_t steps;
  std::int64_t repeats;
  std::string options;
  bool keeps;
};

/// Of "bp5:async=yes".
std::string backendOf(const std::string& name);
/// The back end's part of the options for all, and those that "bp5:async=yes" adds.
std::string optionsOf(const std::string& name, const std::string& shared);
/// Where a candidate's steps lie while it is timed, in folders that are its own.
struct TimedPlace {
  std::filesystem::path folder;  // below the path of all
  std::filesystem::path fast;    // below the fast tier, which may hold steps of a model; or empty
  std::string options;           // of the run, with its own fast tier
  [[nodiscard]] std::vector<std::filesystem::path> folders() const {
    return fast.empty() ? std::vector{folder} : std::vector{folder, fast};
  }
};
TimedPlace placeOf(const TimedRuns& runs, const std::string& name);
/// Of a clock, since whenever it began.
double secondsOf(clockid_t clock);

/// The command says how many steps; back ends that are not given are left empty.
TimedRuns timedRunsFrom(const std::string& command, const CommandLine& line);

/// Throws BIO_BAD_ARGUMENT on all ranks if `folder`, which is removed in the end, holds what no
/// such command wrote. Collective.
void requireOwnFolder(const Communicator& comm, const std::filesystem::path& folder);
/// From now on `folder` may be removed. Collective.
void markOwnFolder(const Communicator& comm, const std::filesystem::path& folder);
void removeOwnFolder(const std::filesystem::path& folder);

/// Throws BIO_NO_SPACE on all ranks if values of so many bytes, shared out over the machines, are
/// more than what these have left. Collective.
void requireMemory(const Communicator& comm, std::int64_t stepBytes);
/// As a model's computation does: another rank or an asynchronous write does not get the core for
/// nothing.
void keepBusy(std::chrono::microseconds time);
/// So many passes over 64 KiB: the same work, however long it takes. Returns its processor seconds,
/// without those of other threads.
double compute(std::int64_t passes);

/// Medians over the repeats of what the meters of all ranks counted, on rank 0.
class Dissection {
 public:
  /// Defines, writes `runs.steps` steps and waits for them; returns the processor seconds of what
  /// the rank computed besides.
  using Writes = std::function<double(Run&)>;
  /// Opens a run for each back end and repeat. Collective.
  Dissection(const Communicator& comm, TimedRuns runs, const Writes& write);

  /// A table, or JSON if `line` asks for it, and a file of JSON. `subject` says in the table what
  /// was written, `members` in JSON, each as `, "name": value`. Collective; rank 0 prints.
  void print(const CommandLine& line, const std::string& subject, const std::string& members) const;

 private:
  void printTable(const std::string& subject) const;
  [[nodiscard]] std::string json(const std::string& members) const;
  void runOnce(const std::string& name, const Writes& write);
  [[nodiscard]] std::string row(const std::string& name,
                                const std::vector<TableColumn>& columns) const;
  [[nodiscard]] double middle(const std::string& name, const std::string& key) const;
  [[nodiscard]] double ratio(const std::string& name, const std::string& other) const;

  const Communicator& comm_;
  TimedRuns runs_;
  // By back end, then by quantity: one sample per repeat.
  std::map<std::string, std::map<std::string, std::vector<double>>> results_;
};

}  // namespace bundleio
