// Memory of planes that are under way, used again.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace bundleio {

using Buffer = std::vector<std::byte>;

/// Keeps buffers for the next plane, since planes are of one size, or nearly so.
class BufferPool {
 public:
  Buffer take(std::size_t bytes) {
    Buffer buffer;
    if (!free_.empty()) {
      buffer = std::move(free_.back());
      free_.pop_back();
    }
    buffer.resize(bytes);
    return buffer;
  }
  void giveBack(Buffer& buffer) {
    if (buffer.capacity() > 0) free_.push_back(std::move(buffer));
    buffer = Buffer();
  }

 private:
  std::vector<Buffer> free_;
};

}  // namespace bundleio
