// How variables that no decomposition divides are put, whole or in parts: the third part of class
// Output.
#include <pio.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "output.hpp"

namespace bundleio_pio {

namespace {

int64_t product(const std::vector<int64_t>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>());
}

// Calls `visit` with the first cell and the length of each row of cells that lie together, in
// order.
template <class Visit>
void eachRow(const std::vector<int64_t>& lengths, const Part& part, Visit&& visit) {
  const size_t dimensions = lengths.size();
  const int64_t cells = part.cells(), length = dimensions == 0 ? 1 : part.count.back();
  std::vector<int64_t> at = part.start;
  for (int64_t done = 0; done < cells; done += length) {
    int64_t first = 0;
    for (size_t i = 0; i < dimensions; ++i) first = first * lengths[i] + at[i];
    visit(first, length);
    for (size_t i = dimensions; i-- > 1;) {
      if (++at[i - 1] < part.start[i - 1] + part.count[i - 1]) break;
      at[i - 1] = part.start[i - 1];
    }
  }
}

}  // namespace

void Output::checkArray(int number, int type, int64_t length, const MPI_Offset* count) {
  const Variable& variable = variableOf(number);
  const std::string what = "variable '" + variable.name + "': ";
  const Type wanted = typeOf(variable.pioType);
  if (type != wanted.bio)
    throw Failure(PIO_EINVAL, what + "the array is not of its type, " + wanted.name);
  const int64_t taken = count == nullptr ? product(lengthsOf(variable))
                                         : product({count, count + variable.dimensions.size()});
  if (length >= taken) return;
  throw Failure(PIO_EINVAL, what + std::to_string(length) + " values where " +
                                std::to_string(taken) + " are put");
}

// Of each frame, without the unlimited dimension.
Part Output::partOf(const Variable& variable, const MPI_Offset* start,
                    const MPI_Offset* count) const {
  const size_t grows = variable.grows ? 1 : 0;
  const std::vector<int64_t> lengths = lengthsOf(variable);
  if (variable.grows && (start[0] < 0 || count[0] < 0))
    throw Failure(PIO_EINVAL, "variable '" + variable.name + "': a negative start or count");
  const size_t dimensions = variable.dimensions.size();
  Part part{{start + grows, start + dimensions}, {count + grows, count + dimensions}};
  for (size_t i = 0; i < lengths.size(); ++i) {
    const int64_t from = part.start[i], many = part.count[i];
    if (from >= 0 && many >= 0 && from <= lengths[i] - many) continue;
    throw Failure(PIO_EINVAL,
                  "variable '" + variable.name + "': dimension '" +
                      dimensions_[static_cast<size_t>(variable.dimensions[i + grows])].name +
                      "' has " + std::to_string(lengths[i]) + " entries: " + std::to_string(many) +
                      " from entry " + std::to_string(from) + " (counted from 0) cannot be put");
  }
  return part;
}

void Output::putWhole(int number, const void* values) {
  Variable* variable = nullptr;
  system_.agreeOn([&]() -> Named {
    needsDefining(false);
    variable = &variableOf(number);
    if (!variable->grows) return {number, 0, 0};
    throw Failure(PIO_EINVAL, "variable '" + variable->name +
                                  "' has a frame per step: put it by put_vara, with start and "
                                  "count");
  });
  const std::vector<int64_t> lengths = lengthsOf(*variable);
  const Part whole{std::vector<int64_t>(lengths.size(), 0), lengths};
  put(*variable, 0, whole, static_cast<const char*>(values));
}

void Output::putPart(int number, const MPI_Offset* start, const MPI_Offset* count,
                     const void* values) {
  Variable* variable = nullptr;
  Part part;
  // Each frame is agreed on by itself, and ranks must have as many.
  system_.agreeOn([&]() -> Named {
    needsDefining(false);
    variable = &variableOf(number);
    part = partOf(*variable, start, count);
    return {number, variable->grows ? start[0] + count[0] : 0, 0};
  });
  const int64_t first = variable->grows ? start[0] : 0, frames = variable->grows ? count[0] : 1;
  const std::string mine = part.text(), firsts = system_.told(mine);
  system_.agree([&] {
    if (mine == firsts) return;
    throw Failure(PIO_EINVAL, "variable '" + variable->name +
                                  "': this rank puts another part of it than rank 0");
  });
  const int64_t bytes = part.cells() * static_cast<int64_t>(typeOf(variable->pioType).bytes);
  if (bytes == 0) return;
  for (int64_t i = 0; i < frames; ++i)
    put(*variable, first + i, part, static_cast<const char*>(values) + i * bytes);
}

void Output::put(Variable& variable, int64_t frame, const Part& part, const char* values) {
  const int64_t cells = product(lengthsOf(variable));
  system_.agreeOn([&]() -> Named {
    checkKeep(variable, frame, BIO_ON_ROOT, cells);
    return {&variable - variables_.data(), frame, BIO_ON_ROOT};
  });
  if (isStored(variable)) {
    requireAsStored(variable, part, values);
    return;
  }
  keepPart(variable, frame, part, values);
  publishComplete();
}

void Output::requireAsStored(const Variable& variable, const Part& part, const char* values) {
  Bytes stored;
  if (system_.isFirst())
    stored.resize(static_cast<size_t>(part.cells()) * typeOf(variable.pioType).bytes);
  seen_.getOnFirst(variable.name, part, stored.data());
  requireEqual(variable, std::equal(stored.begin(), stored.end(), values));
}

// The last put of a cell counts.
void Output::keepPart(Variable& variable, int64_t frame, const Part& part, const char* values) {
  const std::vector<int64_t> lengths = lengthsOf(variable);
  const int64_t cells = product(lengths);
  const size_t bytes = typeOf(variable.pioType).bytes;
  const size_t here = system_.isFirst() ? static_cast<size_t>(cells) : 0;
  if (variable.values.count(frame) == 0) {
    keep(variable, frame, BIO_ON_ROOT, cells, Bytes(here * bytes));
    variable.holes[frame] = {std::vector<bool>(here, true), cells};
  }
  const auto found = variable.holes.find(frame);
  if (system_.isFirst()) {
    Bytes& kept = variable.values[frame];
    eachRow(lengths, part, [&](int64_t first, int64_t length) {
      const auto from = static_cast<size_t>(first), many = static_cast<size_t>(length);
      std::memcpy(kept.data() + from * bytes, values, many * bytes);
      values += many * bytes;
      if (found == variable.holes.end()) return;
      const auto begin = found->second.isHole.begin() + first, end = begin + length;
      found->second.count -= std::count(begin, end, true);
      std::fill(begin, end, false);
    });
  }
  if (found == variable.holes.end()) return;
  system_.tell(reinterpret_cast<char*>(&found->second.count), sizeof found->second.count);
  if (found->second.count == 0) variable.holes.erase(found);
}

void Output::fillHoles(Variable& variable, int64_t frame) const {
  const auto found = variable.holes.find(frame);
  if (found == variable.holes.end()) return;
  const Bytes fill = fillOf(variable, 1);
  Bytes& kept = variable.values[frame];
  const std::vector<bool>& isHole = found->second.isHole;
  for (size_t cell = 0; cell < isHole.size(); ++cell)
    if (isHole[cell]) std::copy(fill.begin(), fill.end(), &kept[cell * fill.size()]);
  variable.holes.erase(found);
}

}  // namespace bundleio_pio
