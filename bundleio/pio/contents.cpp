#include "contents.hpp"

#include <pio.h>

#include "system.hpp"

namespace bundleio_pio {

namespace {

Failure notThere(int code, const std::string& text) {
  Failure failure(code, text);
  failure.isAnswer = code == PIO_ENOTVAR || code == PIO_ENOTATT;
  return failure;
}

// PIO counts its own numbers from 0; a model that counts otherwise is told which there are.
template <class Item>
const Item& numbered(const std::vector<Item>& items, int id, int code, const char* what) {
  if (id < 0 || static_cast<size_t>(id) >= items.size()) {
    throw notThere(code, std::string("there is no ") + what + " " + std::to_string(id) +
                             ": the file has " + std::to_string(items.size()));
  }
  return items[static_cast<size_t>(id)];
}

template <class Item>
size_t placeOf(const std::vector<Item>& items, const std::string& name, int code,
               const char* what) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return i;
  }
  throw notThere(code, std::string("there is no ") + what + " '" + name + "'");
}

}  // namespace

const Contents::Dimension& Contents::dimension(int id) const {
  return numbered(dimensions, id, PIO_EBADDIM, "dimension");
}

int Contents::dimensionNamed(const std::string& name) const {
  return static_cast<int>(placeOf(dimensions, name, PIO_EBADDIM, "dimension"));
}

int Contents::unlimited() const {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].isUnlimited) return static_cast<int>(i);
  }
  return -1;
}

const Contents::Variable& Contents::variable(int id) const {
  return numbered(variables, id, PIO_ENOTVAR, "variable");
}

int Contents::variableNamed(const std::string& name) const {
  return static_cast<int>(placeOf(variables, name, PIO_ENOTVAR, "variable"));
}

bool Contents::grows(int id) const {
  const std::vector<int>& its = variable(id).dimensions;
  return !its.empty() && dimension(its.front()).isUnlimited;
}

const std::vector<Contents::Attribute>& Contents::attributesOf(int id) const {
  return id == PIO_GLOBAL ? attributes : variable(id).attributes;
}

const Contents::Attribute& Contents::attribute(int id, const std::string& name) const {
  const std::vector<Attribute>& all = attributesOf(id);
  return all[placeOf(all, name, PIO_ENOTATT, "attribute")];
}

}  // namespace bundleio_pio
