// Measures the memory that a process keeps of each step, apart from what comes and goes.
//
// Libraries take memory once, at any step: room for messages of a rank that is ahead, an arena for
// a thread. And a step that is still written in the background is there, or not. A leak grows all
// the time. So steps are taken in groups, a group counts as little as there was after one of its
// steps, and what is kept is the median of what groups add.
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

class Growth {
 public:
  // After each step.
  void note() {
    if (steps_ % group == 0) {
      heap_.push_back(std::numeric_limits<double>::max());
      resident_.push_back(std::numeric_limits<double>::max());
      descriptors_.push_back(std::numeric_limits<long>::max());
    }
    ++steps_;
    heap_.back() = std::min(heap_.back(), heapBytes());
    resident_.back() = std::min(resident_.back(), residentBytes());
    descriptors_.back() = std::min(descriptors_.back(), openFiles());
  }
  static long openFiles() {
    long count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      ++count;
    return count;
  }

  // Of memory that was taken and not given back, in all arenas.
  [[nodiscard]] long heapBytesPerStep() const { return perStep(heap_); }
  // Of all memory, the process's share of files and other processes included.
  [[nodiscard]] long residentBytesPerStep() const { return perStep(resident_); }
  // From the first group to the last.
  [[nodiscard]] long descriptors() const { return descriptors_.back() - descriptors_.front(); }

 private:
  static constexpr int group = 20;

  static long perStep(const std::vector<double>& levels) {
    std::vector<double> added;
    for (std::size_t i = 1; i < levels.size(); ++i) added.push_back(levels[i] - levels[i - 1]);
    if (added.empty()) return std::numeric_limits<long>::max();
    std::sort(added.begin(), added.end());
    const double median = (added[(added.size() - 1) / 2] + added[added.size() / 2]) / 2;
    return static_cast<long>(median / group);
  }
  static double heapBytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  }
  static double residentBytes() {
    std::ifstream status("/proc/self/statm");
    long pages = 0;
    long resident = 0;
    status >> pages >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
  }

  int steps_ = 0;
  std::vector<double> heap_;
  std::vector<double> resident_;
  std::vector<long> descriptors_;
};
