// Reads what is visible of a run, a frame at a time.
#pragma once

#include "contents.hpp"
#include "system.hpp"

namespace bundleio_pio {

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
  /// `frame` counts where the variable has a dimension more than the decomposition.
  void read(const std::string& variable, int64_t frame, const Decomposition& decomposition,
            int64_t length, void* values);

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
