// A step with what an earlier one holds in its place: for files that hold several steps, where
// variables that were written once are there for all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "readers/reader.hpp"

namespace bundleio {

class CompletedStep final : public Reader {
 public:
  /// `first` outlives this. Throws BIO_MISMATCH where `own` lacks a variable with an unlimited
  /// dimension, or holds what `first` does not; `name` is that of the step.
  CompletedStep(Reader& first, std::unique_ptr<Reader> own, const std::string& name);

  [[nodiscard]] const char* format() const override { return own_->format(); }
  void read(int variable, const Block& box, std::byte* values) override;
  [[nodiscard]] std::size_t chunkBytesMax() const override;

 private:
  struct Origin {
    bool isOwn;
    int variable;
  };
  void find(const Variable& variable, int inFirst, const std::string& name);

  Reader& first_;
  std::unique_ptr<Reader> own_;
  std::vector<Origin> origins_;  // by variable
};

}  // namespace bundleio
