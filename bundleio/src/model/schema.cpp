#include "model/schema.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "model/layout.hpp"

namespace bundleio {

namespace {

// Source: RFC 3629, section 4.
bool isUtf8(const std::string& text) {
  const auto byteAt = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byteAt(i);
    const std::size_t more = first < 0x80   ? 0
                             : first < 0xc2 ? 4
                             : first < 0xe0 ? 1
                             : first < 0xf0 ? 2
                             : first < 0xf5 ? 3
                                            : 4;
    if (more == 4) return false;
    // Neither an overlong form, nor a surrogate, nor beyond U+10FFFF.
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (more > 0 && (byteAt(i + 1) < least || byteAt(i + 1) > most)) return false;
    for (std::size_t next = 2; next <= more; ++next) {
      if (byteAt(i + next) < 0x80 || byteAt(i + next) > 0xbf) return false;
    }
    i += more + 1;
  }
  return true;
}

// The rules of NetCDF names, the strictest of all formats, so that every back end takes every name.
void checkName(const std::string& kind, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw Failure(BIO_BAD_ARGUMENT, kind + " name '" + name + "' " + why);
  };
  if (name.empty()) refuse("is empty");
  if (name.size() > 200) refuse("is longer than 200 bytes");
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7f) refuse("holds a control character");
    if (letter == '/') refuse("holds a '/'");
  }
  const auto first = static_cast<unsigned char>(name.front());
  if (std::isalnum(first) == 0 && first != '_' && first < 0x80) {
    refuse("must start with a letter, a digit or '_'");
  }
  if (name.back() == ' ') refuse("ends with a space");
  if (!isUtf8(name)) refuse("is not UTF-8");
}

[[noreturn]] void refuseTwice(const std::string& kind, const std::string& name) {
  throw Failure(BIO_BAD_ARGUMENT, kind + " '" + name + "' is defined twice");
}

template <class Items>
void checkNew(const std::string& kind, const Items& items, const std::string& name) {
  const bool known =
      std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  if (known) refuseTwice(kind, name);
}

void checkType(int type) {
  if (!isType(type)) {
    throw Failure(BIO_BAD_ARGUMENT, "type " + std::to_string(type) + " is not one of bio_type");
  }
}

std::size_t checkedIndex(const std::string& kind, int index, std::size_t count) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    throw Failure(BIO_BAD_ARGUMENT, kind + " " + std::to_string(index) +
                                        " is not defined: there are " + std::to_string(count));
  }
  return static_cast<std::size_t>(index);
}

// The decomposition has to fit the last dimensions of the variable.
std::size_t leadingDimensions(const Variable& variable) {
  const Extent& divided = variable.decomposition->lengths();
  const auto refuse = [&] {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + variable.name +
                                        "': its last dimensions do not have the lengths of its "
                                        "decomposition");
  };
  if (divided.size() > variable.lengths.size()) refuse();
  const std::size_t leading = variable.lengths.size() - divided.size();
  const auto last = variable.lengths.begin() + static_cast<std::ptrdiff_t>(leading);
  if (!std::equal(divided.begin(), divided.end(), last)) refuse();
  return leading;
}

}  // namespace

const Attribute* Variable::ownFill() const {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == "_FillValue") return &attribute;
  }
  return nullptr;
}

std::vector<std::byte> Variable::fill() const {
  const Attribute* own = ownFill();
  return own != nullptr ? own->bytes : defaultFill(type);
}

void Variable::fillCells(std::int64_t cells, std::byte* values) const {
  const auto value = fill();
  const std::size_t bytes = static_cast<std::size_t>(cells) * value.size();
  if (bytes == 0) return;
  // The filled part is copied behind itself: few calls for many cells.
  std::memcpy(values, value.data(), value.size());
  for (std::size_t done = value.size(); done < bytes; done *= 2) {
    std::memcpy(values + done, values, std::min(done, bytes - done));
  }
}

std::string Variable::dueText() const {
  if (every == BIO_ONCE) return "written once, in step 0";
  return every == 1 ? "due in every step" : "due every " + std::to_string(every) + " steps";
}

std::int64_t Variable::bytes() const {
  return cellCount(lengths) * static_cast<std::int64_t>(bytesOf(type));
}

std::int64_t Variable::ownPlaneBytes() const {
  return decomposition->own().cells() * static_cast<std::int64_t>(bytesOf(type));
}

void Variable::checkValues(std::int64_t planes, int typeCode, std::int64_t count) const {
  const auto refuse = [&](const std::string& why) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + name + "': " + why);
  };
  if (typeCode != BIO_ANY && typeCode != type) {
    const std::string wanted(infoOf(type).name);
    if (!isType(typeCode)) refuse("values of a type that cannot be stored as " + wanted);
    refuse("values of type " + std::string(infoOf(static_cast<Type>(typeCode)).name) +
           ", but it is of type " + wanted);
  }
  // The put itself refuses levels that there are not.
  if (planes < BIO_ANY || planes > planeCount) return;
  const std::int64_t cells = decomposition->localCells();
  const std::int64_t held = (planes == BIO_ANY ? planeCount : planes) * cells;
  if (count != BIO_ANY && count != held && cells > 0) {
    refuse(std::to_string(count) + " values, but this rank holds " + std::to_string(held));
  }
}

void Schema::clear() {
  NameRule rule = std::move(rule_);
  *this = cleared();
  rule_ = std::move(rule);
}

int Schema::addBundle(const std::string& name) {
  checkName("bundle", name);
  // The file of a bundle is named NAME.nc, and most file systems take 255 bytes.
  if (encoded(name).size() > 250) {
    throw Failure(BIO_BAD_ARGUMENT, "bundle name '" + name +
                                        "' makes a file name of more than 255 bytes: each byte but "
                                        "letters, digits and ._- takes three");
  }
  checkNew("bundle", bundles_, name);
  bundles_.push_back({name, {}, {}, {}});
  variableNames_.emplace_back();
  dimensionNames_.emplace_back();
  return static_cast<int>(bundles_.size()) - 1;
}

int Schema::addDimension(int bundleIndex, const std::string& name, std::int64_t length) {
  Bundle& target = bundle(bundleIndex);
  checkName("dimension", name);
  std::unordered_set<std::string>& known = dimensionNames_[static_cast<std::size_t>(bundleIndex)];
  if (known.count(name) > 0) refuseTwice("dimension", name);
  const bool unlimited = length == BIO_UNLIMITED;
  if (length < 0 && !unlimited) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "dimension '" + name + "' has length " + std::to_string(length));
  }
  const bool second = unlimited && std::any_of(target.dimensions.begin(), target.dimensions.end(),
                                               [](const auto& other) { return other.unlimited; });
  if (second) {
    throw Failure(BIO_BAD_ARGUMENT, "bundle '" + target.name + "' has two unlimited dimensions");
  }
  target.dimensions.push_back({name, unlimited ? 1 : length, unlimited});
  known.insert(name);
  return static_cast<int>(target.dimensions.size()) - 1;
}

int Schema::addVariable(int bundleIndex, const std::string& name, int type,
                        std::vector<int> dimensions,
                        std::shared_ptr<const Decomposition> decomposition) {
  Bundle& target = bundle(bundleIndex);
  checkName("variable", name);
  checkFree(NameOf::variable, target, name);
  checkType(type);
  if (type == BIO_TEXT) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + name + "': text is for attributes only");
  }
  std::unordered_set<std::string>& known = variableNames_[static_cast<std::size_t>(bundleIndex)];
  if (known.count(name) > 0) refuseTwice("variable", name);
  Variable made{
      name, static_cast<Type>(type), bundleIndex, std::move(dimensions), nullptr, {}, {}, 0, 1, 1};
  for (std::size_t i = 0; i < made.dimensions.size(); ++i) {
    const Dimension& dimension =
        target.dimensions[checkedIndex("dimension", made.dimensions[i], target.dimensions.size())];
    if (dimension.unlimited && i > 0) {
      throw Failure(BIO_BAD_ARGUMENT, "variable '" + name + "': the unlimited dimension '" +
                                          dimension.name + "' must come first");
    }
    made.lengths.push_back(dimension.length);
  }
  if (!isCountable(made.lengths, static_cast<std::int64_t>(bytesOf(made.type))) ||
      stepBytes_ > countMax - made.bytes()) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + name + "': a step of more than 2^60 bytes");
  }
  made.decomposition = decomposition ? std::move(decomposition) : onRoot(made.lengths);
  made.leadingCount = leadingDimensions(made);
  for (std::size_t i = 0; i < made.leadingCount; ++i) made.planeCount *= made.lengths[i];
  stepBytes_ += made.bytes();
  variables_.push_back(std::move(made));
  known.insert(name);
  target.variables.push_back(static_cast<int>(variables_.size()) - 1);
  return target.variables.back();
}

void Schema::setEvery(int index, std::int64_t every) {
  Variable& target = variables_[checkedIndex("variable", index, variables_.size())];
  if (every < 0) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + target.name + "': due every " +
                                        std::to_string(every) +
                                        " steps: use 1 or more, or BIO_ONCE");
  }
  target.every = every;
}

void Schema::addAttribute(int bundleIndex, int variableIndex, const std::string& name, int type,
                          std::int64_t count, const void* values) {
  Bundle& target = bundle(bundleIndex);
  checkName("attribute", name);
  checkType(type);
  if (count < 0 || (count > 0 && values == nullptr)) {
    throw Failure(BIO_BAD_ARGUMENT, "attribute '" + name + "' has no values");
  }
  if (!isCountable({count}, static_cast<std::int64_t>(bytesOf(static_cast<Type>(type))))) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "attribute '" + name + "' has " + std::to_string(count) + " values: too many");
  }
  Attribute made{name, static_cast<Type>(type), count, {}};
  made.bytes.resize(static_cast<std::size_t>(count) * bytesOf(made.type));
  if (count > 0) std::memcpy(made.bytes.data(), values, made.bytes.size());
  if (variableIndex == BIO_GLOBAL) {
    checkFree(NameOf::bundleAttribute, target, name);
    checkNew("attribute", target.attributes, name);
    target.attributes.push_back(std::move(made));
    return;
  }
  Variable& owner = variables_[checkedIndex("variable", variableIndex, variables_.size())];
  if (owner.bundle != bundleIndex) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "variable '" + owner.name + "' is not in bundle '" + target.name + "'");
  }
  checkFree(NameOf::variableAttribute, target, name);
  checkNew("attribute", owner.attributes, name);
  if (name == "_FillValue" && (made.type != owner.type || count != 1)) {
    throw Failure(BIO_BAD_ARGUMENT, "variable '" + owner.name +
                                        "': _FillValue must be one value of the variable's type");
  }
  owner.attributes.push_back(std::move(made));
}

int Schema::copyBundle(const Bundle& original) {
  const int made = addBundle(original.name);
  copyAttributes(made, BIO_GLOBAL, original.attributes);
  for (const Dimension& dimension : original.dimensions) {
    addDimension(made, dimension.name, dimension.unlimited ? BIO_UNLIMITED : dimension.length);
  }
  return made;
}

int Schema::copyVariable(int bundleIndex, const Variable& original,
                         std::shared_ptr<const Decomposition> decomposition) {
  const int made = addVariable(bundleIndex, original.name, original.type, original.dimensions,
                               std::move(decomposition));
  copyAttributes(bundleIndex, made, original.attributes);
  return made;
}

void Schema::copyAttributes(int bundleIndex, int variableIndex,
                            const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    addAttribute(bundleIndex, variableIndex, attribute.name, attribute.type, attribute.count,
                 attribute.bytes.data());
  }
}

void Schema::checkFree(NameOf kind, const Bundle& bundle, const std::string& name) const {
  const std::string why = rule_ ? rule_(kind, bundle, name) : "";
  if (why.empty()) return;
  throw Failure(BIO_BAD_ARGUMENT,
                (kind == NameOf::variable ? "variable name '" : "attribute name '") + name + "' " +
                    why + ": choose another, or another back end");
}

std::vector<const Decomposition*> Schema::decompositions() const {
  std::vector<const Decomposition*> used;
  std::unordered_set<const Decomposition*> known;
  for (const Variable& variable : variables_) {
    const Decomposition* its = variable.decomposition.get();
    if (!variable.isOnRoot() && known.insert(its).second) used.push_back(its);
  }
  return used;
}

std::shared_ptr<const Decomposition> Schema::onRoot(const Extent& lengths) {
  std::shared_ptr<const Decomposition>& shared = onRoot_[lengths];
  if (!shared) {
    shared = std::make_shared<const Decomposition>(Decomposition::onRoot(lengths, ranks_, rank_));
  }
  return shared;
}

const Variable& Schema::variable(int index) const {
  return variables_[checkedIndex("variable", index, variables_.size())];
}

Bundle& Schema::bundle(int index) {
  return bundles_[checkedIndex("bundle", index, bundles_.size())];
}

}  // namespace bundleio
