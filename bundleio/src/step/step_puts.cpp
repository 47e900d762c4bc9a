#include "step/step_puts.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "model/layout.hpp"

namespace bundleio {

void StepPuts::add(const Schema& schema, int index, std::int64_t firstPlane, std::int64_t planes,
                   const std::byte* values) {
  const Variable& variable = schema.variable(index);
  if (firstPlane < 0 || planes < 0 || firstPlane > variable.planeCount ||
      planes > variable.planeCount - firstPlane) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + variable.name + "' has " +
                                        std::to_string(variable.planeCount) +
                                        " levels: " + std::to_string(planes) + " from " +
                                        std::to_string(firstPlane) + " are not in it");
  }
  if (values == nullptr && planes * variable.decomposition->localCells() > 0) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + variable.name + "': no values");
  }
  pieces_.push_back({index, firstPlane, planes, values});
}

void StepPuts::checkComplete(const Schema& schema, const std::vector<bool>& isDue) {
  const auto key = [&](const Piece& piece) {
    return std::tuple(schema.variable(piece.variable).bundle, piece.variable, piece.firstPlane);
  };
  std::sort(pieces_.begin(), pieces_.end(),
            [&](const Piece& a, const Piece& b) { return key(a) < key(b); });
  std::vector<std::int64_t> next(schema.variables().size(), 0);
  std::vector<bool> put(schema.variables().size(), false);
  const auto refuse = [&](std::size_t index, std::int64_t plane, const char* how) {
    const Variable& variable = schema.variables()[index];
    const std::string rhythm = variable.every == 1 ? "" : ", and it is " + variable.dueText();
    throw Failure(BIO_MISMATCH, "variable '" + variable.name + "': level " + std::to_string(plane) +
                                    " was put " + how + rhythm);
  };
  for (const Piece& piece : pieces_) {
    const auto index = static_cast<std::size_t>(piece.variable);
    if (!isDue[index]) refuse(index, piece.firstPlane, "where it is not due");
    if (piece.firstPlane < next[index] || (put[index] && piece.planes == 0)) {
      refuse(index, piece.firstPlane, "twice");
    }
    if (piece.firstPlane > next[index]) refuse(index, next[index], "never");
    next[index] += piece.planes;
    put[index] = true;
  }
  for (std::size_t index = 0; index < next.size(); ++index) {
    const Variable& variable = schema.variables()[index];
    if (isDue[index] && variable.bytes() > 0 && next[index] < variable.planeCount) {
      refuse(index, next[index], "never");
    }
  }
  // Nothing is written of a variable without cells.
  pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(),
                               [&](const Piece& piece) {
                                 return piece.planes == 0 ||
                                        schema.variable(piece.variable).bytes() == 0;
                               }),
                pieces_.end());
}

void StepPuts::renumber(const std::vector<int>& numbers) {
  for (Piece& piece : pieces_) {
    piece.variable = numbers[static_cast<std::size_t>(piece.variable)];
  }
}

std::vector<bool> StepPuts::variables(const Schema& schema) const {
  std::vector<bool> put(schema.variables().size(), false);
  for (const Piece& piece : pieces_) put[static_cast<std::size_t>(piece.variable)] = true;
  return put;
}

std::uint64_t StepPuts::hash() const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += std::to_string(piece.variable) + ":" + std::to_string(piece.firstPlane) + "+" +
            std::to_string(piece.planes) + " ";
  }
  return hashOf(text);
}

std::int64_t StepPuts::bytes(const Schema& schema) const {
  std::int64_t bytes = 0;
  for (const Piece& piece : pieces_) {
    const Variable& variable = schema.variable(piece.variable);
    bytes += piece.planes * variable.decomposition->localCells() *
             static_cast<std::int64_t>(bytesOf(variable.type));
  }
  return bytes;
}

}  // namespace bundleio
