// Reads one complete step, whatever its format: for the tools, and for models by step_reader.hpp.
#pragma once

#include <filesystem>
#include <memory>

#include "model/schema.hpp"

namespace bundleio {

class Reader {
 public:
  virtual ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Finds out which back end wrote the step `folder`, and where it lies. Local: each rank reads on
  /// its own.
  static std::unique_ptr<Reader> open(const std::filesystem::path& folder);

  /// Bundles sorted by name; variables as if rank 0 held them all.
  [[nodiscard]] const Schema& schema() const { return schema_; }
  /// The name of the format, as users know it.
  [[nodiscard]] virtual const char* format() const = 0;
  /// Copies the box `box` (over all dimensions of the variable) to `values`, densely.
  virtual void read(int variable, const Block& box, std::byte* values) = 0;
  /// Meets what damaged files could make a library do that reads them, without reading them all.
  virtual void probe() {}
  /// Boxes should not be smaller, since the format unpacks so many bytes together; 0: it does not.
  [[nodiscard]] virtual std::size_t chunkBytesMax() const { return 0; }

 protected:
  Reader() : schema_(1, 0) {}
  /// Makes schema() of what several ranks wrote; returns the index there of each variable here.
  std::vector<int> adopt(const Schema& written);

  Schema schema_;
};

}  // namespace bundleio
