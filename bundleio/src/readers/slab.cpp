#include "readers/slab.hpp"

#include <algorithm>
#include <cstring>

#include "model/hyperslab.hpp"

namespace bundleio {

namespace {

using ReadBox = std::function<void(const Block& box, std::byte* values)>;

class SlabReader {
 public:
  SlabReader(const Variable& variable, const Slab& slab, std::byte* values, const ReadBox& read)
      : variable_(variable),
        slab_(slab),
        values_(values),
        read_(read),
        box_{slab.start, slab.count} {}

  // The entries of the dimensions before `dim` are chosen.
  void readFrom(std::size_t dim) {
    if (dim == slab_.count.size()) return readBox();
    const std::int64_t start = slab_.start[dim];
    const std::int64_t count = slab_.count[dim];
    const std::int64_t stride = count > 1 ? slab_.stride[dim] : 1;
    const bool isLast = dim + 1 == slab_.count.size();
    if (stride == 1 || isLast) {
      box_.start[dim] = start;
      box_.count[dim] = (count - 1) * stride + 1;
      return readFrom(dim + 1);
    }
    box_.count[dim] = 1;
    for (std::int64_t i = 0; i < count; ++i) {
      box_.start[dim] = start + i * stride;
      readFrom(dim + 1);
    }
  }

 private:
  // Parts follow each other as memory does, and so do the cells that are kept of them.
  void readBox() {
    const std::size_t cellBytes = bytesOf(variable_.type);
    const bool isDense = slab_.count.empty() || slab_.count.back() == 1 || slab_.stride.back() == 1;
    const Hyperslab all{{box_.start.begin(), box_.start.end()},
                        {box_.count.begin(), box_.count.end()}};
    for (const Hyperslab& part : cut(all, readWindowBytes / cellBytes)) {
      const Block box = blockOf(part);
      const std::size_t bytes = static_cast<std::size_t>(box.cells()) * cellBytes;
      if (isDense) {
        read_(box, values_);
        values_ += bytes;
      } else {
        window_.resize(bytes);
        read_(box, window_.data());
        keep(box, cellBytes);
      }
    }
  }

  void keep(const Block& box, std::size_t cellBytes) {
    const std::int64_t stride = slab_.stride.back();
    const std::int64_t before = (box.start.back() - slab_.start.back()) % stride;
    const std::int64_t row = box.count.back();
    for (std::int64_t start = 0; start < box.cells(); start += row) {
      for (std::int64_t cell = before == 0 ? 0 : stride - before; cell < row; cell += stride) {
        std::memcpy(values_, &window_[static_cast<std::size_t>(start + cell) * cellBytes],
                    cellBytes);
        values_ += cellBytes;
      }
    }
  }

  const Variable& variable_;
  const Slab& slab_;
  std::byte* values_;
  const ReadBox& read_;
  Block box_;
  std::vector<std::byte> window_;
};

}  // namespace

Slab Slab::whole(const Variable& variable) {
  const std::size_t dimensions = variable.lengths.size();
  return {Extent(dimensions, 0), variable.lengths, Extent(dimensions, 1)};
}

void Slab::reachEnd(const Variable& variable) {
  for (std::size_t dim = 0; dim < count.size(); ++dim) {
    const std::int64_t rest =
        std::max<std::int64_t>(0, variable.lengths[dim] - std::max<std::int64_t>(0, start[dim]));
    const std::int64_t step = std::max<std::int64_t>(1, stride[dim]);
    count[dim] = rest / step + (rest % step == 0 ? 0 : 1);
  }
}

void Slab::check(const Variable& variable, const std::string& name) const {
  for (std::size_t dim = 0; dim < variable.lengths.size(); ++dim) {
    const std::int64_t length = variable.lengths[dim];
    const bool isThere =
        start[dim] >= 0 && count[dim] >= 0 && stride[dim] >= 1 &&
        (count[dim] == 0
             ? start[dim] <= length
             : start[dim] < length && (length - 1 - start[dim]) / stride[dim] >= count[dim] - 1);
    if (isThere) continue;
    throw Failure(BIO_BAD_ARGUMENT,
                  name + ": dimension " + std::to_string(dim) + " has " + std::to_string(length) +
                      " entries, not " + std::to_string(count[dim]) + " from " +
                      std::to_string(start[dim]) + " in steps of " + std::to_string(stride[dim]));
  }
}

void readSlab(const Variable& variable, const Slab& slab, std::byte* values, const ReadBox& read) {
  if (slab.cells() > 0) SlabReader(variable, slab, values, read).readFrom(0);
}

}  // namespace bundleio
