// Checksums of the values of a step as they follow each other in a file, whoever holds them.
//
// A variable is divided into sections of about a MiB that lie together. Each has the CRC-32C of its
// bytes. Sections depend on the shape of the variable alone, and a rank adds its boxes in any
// order: the sums are the same for every decomposition, number of ranks and back end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "guard/crc32c.hpp"
#include "model/communicator.hpp"
#include "model/schema.hpp"

namespace bundleio {

/// How a variable is divided: the entries of all dimensions before `dimension` one by one, those of
/// `dimension` in runs.
struct Sections {
  std::size_t dimension = 0;
  std::int64_t entries = 1;     // of the dimension in a section; the last may have fewer
  std::int64_t runs = 1;        // of the dimension
  std::int64_t count = 0;       // of all sections; none of a variable without values
  std::int64_t entryBytes = 0;  // of an entry of the dimension
  static Sections of(const Variable& variable);
};

class ValueSums {
 public:
  /// The schema stays as it is from now on.
  explicit ValueSums(const Schema& schema);
  ValueSums(const ValueSums&) = delete;
  ValueSums& operator=(const ValueSums&) = delete;

  void clear();
  void clear(int variable);
  /// A box over all dimensions, dense in memory. Boxes must not overlap.
  void add(int variable, const Block& box, const std::byte* values);
  /// The same for a box full of one value.
  void addFill(int variable, const Block& box, const std::vector<std::byte>& value);
  /// Puts together on rank 0 what ranks added; of one variable, or of all. Collective.
  void combine(const Communicator& comm);
  void combine(const Communicator& comm, int variable);
  /// By section. After combine, on rank 0.
  [[nodiscard]] std::vector<std::uint32_t> of(int variable) const;

 private:
  // A section's part of a box, and where its sum belongs.
  struct Cut {
    Block box;
    std::size_t section;        // among all
    std::uint64_t behindBytes;  // of the section, after the last cell of the box
    std::size_t cells;
  };

  // How bytes that lie together are summed.
  struct Run {
    std::size_t bytes = 0;
    std::size_t lanes = 0;
    const Shift* lane = nullptr;
    std::size_t quarterBytes = 0;
    const Shift* quarter = nullptr;  // none: no quarters
    [[nodiscard]] std::uint32_t remainder(const std::byte* values) const;
  };

  // Of each variable: bytes from one entry of a dimension to the next, and what shifts by them.
  struct Strides {
    std::vector<std::int64_t> bytes;
    std::vector<const Shift*> shifts;
  };

  /// Calls visit(cut) for each section that the box meets, in the order of its cells.
  template <class Visit>
  void forCuts(int variable, const Block& box, Visit&& visit) const;
  [[nodiscard]] std::uint32_t remainderOfBox(int variable, const Cut& cut, const std::byte* values);
  [[nodiscard]] Run runOf(std::size_t bytes);
  const Shift& shift(std::uint64_t zeros);
  void reduce(const Communicator& comm, std::size_t first, std::size_t count);

  const Schema& schema_;
  std::vector<Sections> sections_;   // by variable
  std::vector<Strides> strides_;     // by variable
  std::vector<std::size_t> firsts_;  // sections of all variables before, and of all
  std::vector<std::uint32_t> sums_;  // remainders, by section
  // Used by remainderOfBox, by dimension: memory that would be asked for at every call.
  std::vector<std::uint32_t> partial_;
  Extent at_;
  std::map<std::uint64_t, Shift> shifts_;  // by bytes: one for each length of a row or a plane
};

}  // namespace bundleio
