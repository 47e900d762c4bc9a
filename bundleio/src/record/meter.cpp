#include "record/meter.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <locale>
#include <numeric>
#include <sstream>
#include <vector>

#include "model/json_text.hpp"

namespace bundleio {

namespace {

double secondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double wallSeconds() { return secondsOf(CLOCK_MONOTONIC); }
double cpuSeconds() { return secondsOf(CLOCK_PROCESS_CPUTIME_ID); }

constexpr std::array<std::string_view, 11> totalNames{
    "step_seconds",  "cpu_seconds",   "own_bytes",     "messages",
    "message_bytes", "write_calls",   "written_bytes", "memory_bytes",
    "mapped_bytes",  "private_bytes", "pss_bytes"};

void writeColumn(std::ostream& out, const Column& column) {
  out << jsonText(column.name) << ": {\"mean\": " << column.mean() << ", \"max\": " << column.max()
      << ", \"ranks\": [";
  for (std::size_t rank = 0; rank < column.ranks.size(); ++rank) {
    out << (rank == 0 ? "" : ", ") << column.ranks[rank];
  }
  out << "]}";
}

}  // namespace

KernelWrites KernelWrites::now() {
  KernelWrites writes;
  std::ifstream io("/proc/self/io");
  std::string key;
  std::int64_t value = 0;
  while (io >> key >> value) {
    if (key == "syscw:") writes.calls = value;
    if (key == "wchar:") writes.bytes = value;
  }
  return writes;
}

ResidentMemory ResidentMemory::read(bool withShare) {
  ResidentMemory memory;
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    const std::string key = line.substr(0, line.find(':'));
    const auto bytes = [&] { return std::stoll(line.substr(key.size() + 1)) * 1024; };
    if (key == "VmRSS") memory.now = bytes();
    if (key == "VmHWM") memory.peak = bytes();
    if (key == "RssFile" || key == "RssShmem") memory.mapped += bytes();
  }
  if (!withShare) return memory;
  std::ifstream rollup("/proc/self/smaps_rollup");
  while (std::getline(rollup, line)) {
    if (line.rfind("Pss:", 0) == 0) memory.share = std::stoll(line.substr(4)) * 1024;
  }
  return memory;
}

void ResidentMemory::resetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

Meter::Lap::Lap(double& seconds) : seconds_(seconds), start_(wallSeconds()) {}

Meter::Lap::~Lap() { seconds_ += wallSeconds() - start_; }

Meter::Inset::Inset(Meter& meter, Phase inner, Phase outer)
    : inner_(meter.seconds_.at(static_cast<std::size_t>(inner))),
      outer_(meter.seconds_.at(static_cast<std::size_t>(outer))),
      start_(wallSeconds()) {}

Meter::Inset::~Inset() {
  const double seconds = wallSeconds() - start_;
  inner_ += seconds;
  outer_ -= seconds;
}

void Meter::workStarted() {
  if (memoryStart_.now < 0) {
    ResidentMemory::resetPeak();
    memoryStart_ = ResidentMemory::read(countsShares_);
  }
  stepStart_ = wallSeconds();
  cpuStart_ = cpuSeconds();
  kernelStart_ = KernelWrites::now();
}

void Meter::workEnded() {
  stepSeconds_ += wallSeconds() - stepStart_;
  cpuSeconds_ += cpuSeconds() - cpuStart_;
  const ResidentMemory memory = ResidentMemory::read(countsShares_);
  memoryBytes_ = std::max(memoryBytes_, memory.peak - memoryStart_.now);
  mappedBytes_ = std::max(mappedBytes_, memory.mapped - memoryStart_.mapped);
  if (countsShares_) {
    shareBytes_ =
        std::max(shareBytes_, memory.share - memoryStart_.share + memory.peak - memory.now);
  }
  const KernelWrites end = KernelWrites::now();
  if (end.calls < 0) {
    kernel_ = end;
    return;
  }
  kernel_.calls += end.calls - kernelStart_.calls;
  kernel_.bytes += end.bytes - kernelStart_.bytes;
}

double Column::sum() const { return std::accumulate(ranks.begin(), ranks.end(), 0.0); }

double Column::max() const { return *std::max_element(ranks.begin(), ranks.end()); }

std::vector<Column> Meter::columns(const Communicator& comm) const {
  std::vector<double> mine(seconds_.begin(), seconds_.end());
  std::vector<std::string> names(phaseNames.begin(), phaseNames.end());
  names.insert(names.end(), totalNames.begin(), totalNames.end());
  for (const double total :
       {stepSeconds_, cpuSeconds_, static_cast<double>(counters.ownBytes),
        static_cast<double>(counters.messages), static_cast<double>(counters.messageBytes),
        static_cast<double>(kernel_.calls), static_cast<double>(kernel_.bytes),
        static_cast<double>(memoryBytes_), static_cast<double>(mappedBytes_),
        static_cast<double>(memoryBytes_ - mappedBytes_), static_cast<double>(shareBytes_)}) {
    mine.push_back(total);
  }
  for (const auto& [name, seconds] : parts_) {
    names.push_back(name);
    mine.push_back(seconds);
  }
  std::vector<double> rows(comm.isRoot() ? mine.size() * static_cast<std::size_t>(comm.size()) : 0);
  const auto width = static_cast<int>(mine.size());
  MPI_Gather(mine.data(), width, MPI_DOUBLE, rows.data(), width, MPI_DOUBLE, 0, comm.handle());
  std::vector<Column> columns;
  if (!comm.isRoot()) return columns;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    Column column{names[i], {}};
    for (std::size_t at = i; at < rows.size(); at += mine.size()) column.ranks.push_back(rows[at]);
    columns.push_back(std::move(column));
  }
  return columns;
}

std::string Meter::report(const Communicator& comm, const std::string& head) const {
  const std::vector<Column> all = columns(comm);
  if (!comm.isRoot()) return "";
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::setprecision(12) << "{" << head << ", \"ranks\": " << comm.size()
      << ", \"steps\": " << steps_ << ",\n \"phase_seconds\": {";
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == phaseNames.size()) out << "}";
    out << (i == 0 ? "\n  " : i < phaseNames.size() ? ",\n  " : ",\n ");
    writeColumn(out, all[i]);
  }
  out << "}";
  return out.str();
}

}  // namespace bundleio
