#include "record/pattern_text.hpp"

#include <algorithm>
#include <locale>
#include <sstream>

#include "model/layout.hpp"

namespace bundleio {

namespace {

void writeNumbers(std::ostream& out, const Extent& numbers) {
  for (const std::int64_t number : numbers) out << ' ' << number;
}

void writeAttributeKinds(std::ostream& out, const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    out << "attribute " << encoded(attribute.name) << ' ' << infoOf(attribute.type).name << ' '
        << attribute.count << '\n';
  }
}

}  // namespace

std::string decompositionText(const Decomposition& decomposition) {
  const bool isMap = decomposition.rearrangement() != nullptr;
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << "decomposition " << (isMap ? "map " : "boxes ") << decomposition.lengths().size();
  writeNumbers(out, decomposition.lengths());
  out << '\n';
  if (isMap) return out.str();
  for (std::size_t rank = 0; rank < decomposition.blocks().size(); ++rank) {
    const Block& box = decomposition.blocks()[rank];
    if (box.cells() == 0) continue;
    out << "box " << rank;
    writeNumbers(out, box.start);
    writeNumbers(out, box.count);
    out << '\n';
  }
  return out.str();
}

std::string cellsText(int rank, const std::vector<std::int64_t>& cells) {
  if (cells.empty()) return "";
  std::string text = "cells " + std::to_string(rank);
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t end = first + 1;
    const std::int64_t stride = end < cells.size() ? cells[end] - cells[first] : 0;
    while (end < cells.size() && cells[end] - cells[end - 1] == stride) ++end;
    text += ' ' + std::to_string(cells[first]);
    if (end - first > 1) text += ':' + std::to_string(end - first);
    if (end - first > 1 && stride != 1) text += ':' + std::to_string(stride);
    first = end;
  }
  return text + '\n';
}

std::string definitionsText(const Schema& schema) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  for (const Bundle& bundle : schema.bundles()) {
    out << "bundle " << encoded(bundle.name) << '\n';
    writeAttributeKinds(out, bundle.attributes);
    for (const Dimension& dimension : bundle.dimensions) {
      out << "dimension " << encoded(dimension.name) << ' '
          << (dimension.unlimited ? BIO_UNLIMITED : dimension.length) << '\n';
    }
  }
  const std::vector<const Decomposition*> used = schema.decompositions();
  for (const Variable& variable : schema.variables()) {
    const auto found = std::find(used.begin(), used.end(), variable.decomposition.get());
    out << "variable " << encoded(variable.name) << ' ' << variable.bundle << ' '
        << infoOf(variable.type).name << ' ' << (variable.isOnRoot() ? -1 : found - used.begin());
    for (const int dimension : variable.dimensions) out << ' ' << dimension;
    out << '\n';
    writeAttributeKinds(out, variable.attributes);
  }
  return out.str();
}

std::string putsText(const std::vector<PutRange>& puts) {
  std::string text = "puts";
  for (const PutRange& put : puts) {
    text += ' ' + std::to_string(put.variable) + ':' + std::to_string(put.firstPlane) + ':' +
            std::to_string(put.planes);
  }
  return text + '\n';
}

std::string runsText(const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t first = 0; first < values.size();) {
    std::size_t end = first + 1;
    while (end < values.size() && values[end] == values[first]) ++end;
    text += ' ' + std::to_string(values[first]);
    if (end - first > 1) text += '*' + std::to_string(end - first);
    first = end;
  }
  return text;
}

}  // namespace bundleio
