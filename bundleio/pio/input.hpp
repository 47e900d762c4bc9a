// Reads what is visible of a run, a frame at a time.
#pragma once

#include "contents.hpp"
#include "system.hpp"

namespace bundleio_pio {

/// A variable to be read.
struct Wanted {
  std::string variable;
  bool grows = false;  // it has an entry for each frame
  int64_t frame = -1;  // where it grows, and is read by a decomposition
};

/// Of each dimension, slowest first, `count` entries from `start`.
struct Part {
  std::vector<int64_t> start, count;

  int64_t cells() const;
  /// For ranks to compare.
  std::string text() const;
};

class Input {
 public:
  /// `run` is the folder. All collective.
  Input(System& system, std::string run) : system_(system), run_(std::move(run)) {}
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// Frees the step that is open. Collective.
  void close();
  /// Opens the step of a frame, unless it is open.
  void open(int64_t frame);
  /// The contents that are visible by now; opens the last frame.
  Contents contents();
  /// The decomposition covers all dimensions of the variable but the unlimited one.
  void read(const Wanted& wanted, const Decomposition& decomposition, int64_t length, void* values);
  /// A part of the variable, densely, on all ranks: rank 0 reads. `part` lies in the variable, and
  /// is the same on all ranks; of one that grows, its first dimension counts frames.
  void get(const Wanted& wanted, const Part& part, size_t cellBytes, char* values);
  /// The same of the step that is open, on rank 0 alone.
  void getOnFirst(const std::string& variable, const Part& part, char* values);

 private:
  std::vector<std::string> names(int list, const std::string& variable) const;
  std::vector<Contents::Attribute> attributesOf(const std::string& variable) const;
  void shape(const std::string& variable, int* type, std::vector<int64_t>* lengths) const;

  System& system_;
  std::string run_;
  bio_reader* reader_ = nullptr;
  int64_t open_ = -1;
};

}  // namespace bundleio_pio
