#include "guard/value_sums.hpp"

#include <algorithm>
#include <utility>

namespace bundleio {

namespace {

// Own: large enough that the sums are a few millionths of the values, small enough to say where
// the damage is.
constexpr std::int64_t sectionBytesMax = 1 << 20;
// Own: four rows are summed at once, and the processor fetches slowly what it reads in four places
// further apart than this. Measured, from memory: four places 256 bytes apart 17 GB/s, 512 bytes 6.
constexpr std::size_t laneBytes = 256;
constexpr std::size_t runBytes = 4 * laneBytes;

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

// Bytes from one entry of each dimension to the next.
std::vector<std::int64_t> stridesOf(const Variable& variable) {
  std::vector<std::int64_t> strides(variable.lengths.size());
  auto bytes = static_cast<std::int64_t>(bytesOf(variable.type));
  for (std::size_t dim = strides.size(); dim-- > 0;) {
    strides[dim] = bytes;
    bytes *= variable.lengths[dim];
  }
  return strides;
}

}  // namespace

Sections Sections::of(const Variable& variable) {
  Sections made;
  made.entryBytes = static_cast<std::int64_t>(bytesOf(variable.type));
  if (variable.bytes() == 0) return made;
  made.count = 1;
  if (variable.lengths.empty()) return made;
  const std::vector<std::int64_t> strides = stridesOf(variable);
  while (strides[made.dimension] > sectionBytesMax) {
    made.count *= variable.lengths[made.dimension++];
  }
  made.entryBytes = strides[made.dimension];
  made.entries = sectionBytesMax / made.entryBytes;
  made.runs = (variable.lengths[made.dimension] + made.entries - 1) / made.entries;
  made.count *= made.runs;
  return made;
}

ValueSums::ValueSums(const Schema& schema) : schema_(schema) {
  firsts_.push_back(0);
  for (const Variable& variable : schema.variables()) {
    sections_.push_back(Sections::of(variable));
    Strides& strides = strides_.emplace_back();
    strides.bytes = stridesOf(variable);
    for (const std::int64_t bytes : strides.bytes) {
      strides.shifts.push_back(&shift(static_cast<std::uint64_t>(bytes)));
    }
    firsts_.push_back(firsts_.back() + size(sections_.back().count));
  }
  sums_.resize(firsts_.back());
}

void ValueSums::clear() { std::fill(sums_.begin(), sums_.end(), 0); }

void ValueSums::clear(int index) {
  const auto first = sums_.begin() + static_cast<std::ptrdiff_t>(firsts_[size(index)]);
  std::fill_n(first, sections_[size(index)].count, 0);
}

template <class Visit>
void ValueSums::forCuts(int index, const Block& box, Visit&& visit) const {
  const Variable& variable = schema_.variable(index);
  const Sections& sections = sections_[size(index)];
  if (sections.count == 0 || box.cells() == 0) return;
  const std::size_t first = firsts_[size(index)];
  if (variable.lengths.empty()) return visit(Cut{box, first, 0, 1});
  const std::size_t divided = sections.dimension;
  const std::vector<std::int64_t>& strides = strides_[size(index)].bytes;
  std::int64_t missed = 0;  // of an entry, behind the last cell of the box
  Cut cut{box, 0, 0, 0};
  std::int64_t entryCells = 1;
  for (std::size_t dim = divided + 1; dim < strides.size(); ++dim) {
    missed += (variable.lengths[dim] - box.start[dim] - box.count[dim]) * strides[dim];
    entryCells *= box.count[dim];
  }
  std::fill_n(cut.box.count.begin(), divided, 1);
  while (true) {
    std::int64_t slice = 0;
    for (std::size_t dim = 0; dim < divided; ++dim) {
      slice = slice * variable.lengths[dim] + cut.box.start[dim];
    }
    const std::int64_t end = box.start[divided] + box.count[divided];
    for (std::int64_t at = box.start[divided]; at < end;) {
      const std::int64_t run = at / sections.entries;
      const std::int64_t stop = std::min(end, (run + 1) * sections.entries);
      const std::int64_t last = std::min(variable.lengths[divided], (run + 1) * sections.entries);
      cut.box.start[divided] = at;
      cut.box.count[divided] = stop - at;
      cut.section = first + size(slice * sections.runs + run);
      cut.behindBytes = static_cast<std::uint64_t>((last - stop) * sections.entryBytes + missed);
      cut.cells = size((stop - at) * entryCells);
      visit(cut);
      at = stop;
    }
    std::size_t dim = divided;
    while (dim > 0 && ++cut.box.start[dim - 1] == box.start[dim - 1] + box.count[dim - 1]) {
      --dim;
      cut.box.start[dim] = box.start[dim];
    }
    if (dim == 0) return;
  }
}

void ValueSums::add(int index, const Block& box, const std::byte* values) {
  const std::size_t cellBytes = bytesOf(schema_.variable(index).type);
  forCuts(index, box, [&](const Cut& cut) {
    sums_[cut.section] ^= shifted(remainderOfBox(index, cut, values), cut.behindBytes);
    values += cut.cells * cellBytes;
  });
}

void ValueSums::addFill(int index, const Block& box, const std::vector<std::byte>& value) {
  const std::vector<std::int64_t>& strides = strides_[size(index)].bytes;
  forCuts(index, box, [&](const Cut& cut) {
    std::uint32_t sum = remainderOf(value.data(), value.size());
    for (std::size_t dim = strides.size(); dim-- > sections_[size(index)].dimension;) {
      sum = repeated(sum, static_cast<std::uint64_t>(strides[dim]),
                     static_cast<std::uint64_t>(cut.box.count[dim]));
    }
    sums_[cut.section] ^= shifted(sum, cut.behindBytes);
  });
}

const Shift& ValueSums::shift(std::uint64_t zeros) {
  return shifts_.try_emplace(zeros, zeros).first->second;
}

ValueSums::Run ValueSums::runOf(std::size_t bytes) {
  Run run{bytes, bytes / runBytes * 4, nullptr, 0, nullptr};
  if (run.lanes > 0) run.lane = &shift(laneBytes);
  const std::size_t rest = bytes % runBytes;
  if (rest < laneBytes) return run;
  run.quarterBytes = rest / 32 * 8;
  run.quarter = &shift(run.quarterBytes);
  return run;
}

// As rows that do not wait for each other: lanes, then four quarters of the rest, then a few bytes.
std::uint32_t ValueSums::Run::remainder(const std::byte* values) const {
  std::uint32_t sum = lanes > 0 ? remainderOfRows(values, laneBytes, lanes, *lane) : 0;
  std::size_t done = lanes * laneBytes;
  if (quarter != nullptr) {
    for (int i = 0; i < 4; ++i) sum = (*quarter)(sum);
    sum ^= remainderOfRows(values + done, quarterBytes, 4, *quarter);
    done += 4 * quarterBytes;
  }
  return remainderOf(values + done, bytes - done, sum);
}

// Rows lie together in the section; from one to the next, zeros take the place of what others hold.
std::uint32_t ValueSums::remainderOfBox(int index, const Cut& cut, const std::byte* values) {
  const Variable& variable = schema_.variable(index);
  const std::size_t cellBytes = bytesOf(variable.type);
  const std::size_t first = sections_[size(index)].dimension;
  std::size_t rowBytes = cellBytes;
  std::size_t inner = variable.lengths.size();
  while (inner > first) {
    --inner;
    rowBytes *= size(cut.box.count[inner]);
    if (cut.box.count[inner] != variable.lengths[inner]) break;
  }
  const std::size_t rows = cut.cells * cellBytes / rowBytes;
  if (rows == 1) return runOf(rowBytes).remainder(values);
  const bool areShort = rowBytes <= longestRowBytes(fastestCrcWay());
  const Run run = areShort ? Run{} : runOf(rowBytes);
  const std::vector<const Shift*>& shifts = strides_[size(index)].shifts;
  const std::size_t rowDim = inner - 1;  // from one row to the next
  const auto together = size(cut.box.count[rowDim]);
  const Shift& stride = *shifts[rowDim];
  // Planes of rows, then what planes make up, each a step further in the dimensions before.
  partial_.assign(variable.lengths.size(), 0);
  at_.assign(variable.lengths.size(), 0);
  for (std::size_t done = 0; done < rows; done += together, values += together * rowBytes) {
    std::uint32_t sum = 0;
    if (areShort) {
      sum = remainderOfRows(values, rowBytes, together, stride);
    } else {
      for (std::size_t row = 0; row < together; ++row) {
        sum = stride(sum) ^ run.remainder(values + row * rowBytes);
      }
    }
    std::size_t dim = rowDim;
    while (true) {
      if (dim == first) {
        partial_[first] = sum;
        break;
      }
      --dim;
      partial_[dim] = (*shifts[dim])(partial_[dim]) ^ sum;
      if (++at_[dim] < cut.box.count[dim]) break;
      at_[dim] = 0;
      sum = std::exchange(partial_[dim], 0);
    }
  }
  return partial_[first];
}

void ValueSums::reduce(const Communicator& comm, std::size_t first, std::size_t count) {
  constexpr std::size_t most = 1 << 28;  // MPI counts in an int
  for (std::size_t done = 0; done < count; done += most) {
    std::uint32_t* sums = sums_.data() + first + done;
    const auto some = static_cast<int>(std::min(most, count - done));
    MPI_Reduce(comm.isRoot() ? MPI_IN_PLACE : sums, sums, some, MPI_UINT32_T, MPI_BXOR, 0,
               comm.handle());
  }
}

void ValueSums::combine(const Communicator& comm) { reduce(comm, 0, sums_.size()); }

void ValueSums::combine(const Communicator& comm, int index) {
  reduce(comm, firsts_[size(index)], size(sections_[size(index)].count));
}

std::vector<std::uint32_t> ValueSums::of(int index) const {
  const Variable& variable = schema_.variable(index);
  const Sections& sections = sections_[size(index)];
  std::vector<std::uint32_t> made;
  for (std::int64_t number = 0; number < sections.count; ++number) {
    std::int64_t entries = 1;
    if (!variable.lengths.empty()) {
      const std::int64_t start = number % sections.runs * sections.entries;
      entries = std::min(sections.entries, variable.lengths[sections.dimension] - start);
    }
    made.push_back(published(sums_[firsts_[size(index)] + size(number)],
                             static_cast<std::uint64_t>(entries * sections.entryBytes)));
  }
  return made;
}

}  // namespace bundleio
