#include "output.hpp"

#include <pio.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "place.hpp"

namespace bundleio_pio {

namespace {

const char* backendOf(int ioType) {
  switch (ioType) {
    case PIO_IOTYPE_PNETCDF:
      return "pnetcdf";
    case PIO_IOTYPE_NETCDF:
      return "gather";
    case PIO_IOTYPE_NETCDF4C:
    case PIO_IOTYPE_NETCDF4P:
      return "netcdf4";
    default:
      throw Failure(PIO_EBADIOTYPE, "iotype " + std::to_string(ioType) +
                                        " is none of pnetcdf, netcdf, netcdf4c and netcdf4p");
  }
}

// All frames in one file.
std::string optionsOf(const System& system, int ioType) {
  std::string options = "steps_per_file=2147483647";
  if (ioType != PIO_IOTYPE_NETCDF) options += system.writers();
  return options;
}

template <class T>
std::vector<char> bytesOf(T value) {
  std::vector<char> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// The fill values of NetCDF.
std::vector<char> defaultFill(int pioType) {
  switch (pioType) {
    case PIO_BYTE:
      return bytesOf<int8_t>(-127);
    case PIO_SHORT:
      return bytesOf<int16_t>(-32767);
    case PIO_INT:
      return bytesOf<int32_t>(-2147483647);
    case PIO_REAL:
      return bytesOf<float>(9.9692099683868690e+36F);
    case PIO_DOUBLE:
      return bytesOf<double>(9.9692099683868690e+36);
    case PIO_UBYTE:
      return bytesOf<uint8_t>(255);
    case PIO_USHORT:
      return bytesOf<uint16_t>(65535);
    case PIO_UINT:
      return bytesOf<uint32_t>(4294967295U);
    case PIO_INT64:
      return bytesOf<int64_t>(-9223372036854775806LL);
    default:
      return bytesOf<uint64_t>(18446744073709551614ULL);
  }
}

}  // namespace

Output::Output(System& system, int ioType, const std::string& path, bool keep)
    : system_(system),
      path_(followLinks(system, path)),
      folder_(findFreePlace(system, path_, keep)),
      seen_(system, folder_) {
  system_.check(bio_open(system_.context(), folder_.c_str(), keep ? BIO_CREATE : BIO_REPLACE,
                         backendOf(ioType), optionsOf(system, ioType).c_str(), &run_));
  try {
    hideFile(system_, path_);
  } catch (const Failure&) {
    bio_close(run_);
    throw;
  }
  defineAll();
}

Output::Output(System& system, int ioType, const std::string& path, std::string folder,
               const Contents& known)
    : system_(system), path_(path), folder_(std::move(folder)), seen_(system, folder_) {
  first_ = 1;
  for (const Contents::Dimension& dimension : known.dimensions) {
    if (dimension.isUnlimited) first_ = dimension.length;
    dimensions_.push_back(
        {dimension.name, dimension.isUnlimited ? BIO_UNLIMITED : dimension.length});
  }
  const auto take = [&](int owner, const std::vector<Contents::Attribute>& attributes) {
    for (const Contents::Attribute& attribute : attributes) {
      this->attribute(owner, attribute.name, attribute.pioType, attribute.count,
                      attribute.values.data());
    }
  };
  take(PIO_GLOBAL, known.attributes);
  for (const Contents::Variable& variable : known.variables) {
    const int made =
        this->variable(variable.name, variable.pioType,
                       static_cast<int>(variable.dimensions.size()), variable.dimensions.data());
    take(made, variable.attributes);
  }
  next_ = first_;
  isDefining_ = false;
  isShown_ = true;
  system_.check(bio_open(system_.context(), folder_.c_str(), BIO_APPEND, backendOf(ioType),
                         optionsOf(system, ioType).c_str(), &run_));
}

void Output::needsDefining(bool wanted) const {
  if (isDefining_ == wanted) return;
  if (wanted)
    throw Failure(PIO_ENOTINDEFINE, "'" + path_ + "': definitions have ended: call redef first");
  throw Failure(PIO_EINDEFINE, "'" + path_ + "': call enddef before values are written or read");
}

void Output::define(bool begins) {
  needsDefining(!begins);
  if (begins && next_ > 0) {
    throw Failure(PIO_EPERM,
                  "'" + path_ + "': a frame is on the disk already, and its definitions stay");
  }
  isDefining_ = begins;
}

int Output::dimension(const std::string& name, int64_t length) {
  needsDefining(true);
  // bundleio's own sign of an unlimited one is none of PIO's.
  if (length < 0)
    throw Failure(PIO_EINVAL, "dimension '" + name + "' has length " + std::to_string(length));
  dimensions_.push_back({name, length == PIO_UNLIMITED ? BIO_UNLIMITED : length});
  settleDefinition(define(dimensions_.back()), [&] { dimensions_.pop_back(); });
  return static_cast<int>(dimensions_.size()) - 1;
}

int Output::variable(const std::string& name, int pioType, int count, const int* dimensions) {
  needsDefining(true);
  typeOf(pioType);
  Variable made;
  made.name = name;
  made.pioType = pioType;
  made.dimensions.assign(dimensions, dimensions + count);
  for (const int dimension : made.dimensions) {
    if (dimension < 0 || static_cast<size_t>(dimension) >= dimensions_.size()) {
      throw Failure(PIO_EBADDIM,
                    "variable '" + name + "': there is no dimension " + std::to_string(dimension));
    }
  }
  made.grows = count > 0 && dimensions_[static_cast<size_t>(dimensions[0])].length == BIO_UNLIMITED;
  variables_.push_back(made);
  settleDefinition(define(variables_.back()), [&] { variables_.pop_back(); });
  return static_cast<int>(variables_.size()) - 1;
}

Output::Variable& Output::variableOf(int number) {
  if (number < 0 || static_cast<size_t>(number) >= variables_.size()) {
    throw Failure(PIO_ENOTVAR, "'" + path_ + "' has no variable " + std::to_string(number));
  }
  return variables_[static_cast<size_t>(number)];
}

void Output::attribute(int variable, const std::string& name, int pioType, int64_t count,
                       const void* values) {
  needsDefining(true);
  if (variable != PIO_GLOBAL) variableOf(variable);
  const Type type = pioType == PIO_CHAR ? Type{BIO_TEXT, 1, "PIO_CHAR"} : typeOf(pioType);
  const char* first = static_cast<const char*>(values);
  Attribute made{variable, name, type.bio, count,
                 Bytes(first, first + static_cast<size_t>(count) * type.bytes)};
  // As in NetCDF, the last one counts.
  const auto same = std::find_if(attributes_.begin(), attributes_.end(), [&](const Attribute& one) {
    return one.variable == variable && one.name == name;
  });
  if (same != attributes_.end()) {
    std::swap(*same, made);
    settleDefinition(defineAll(), [&] { std::swap(*same, made); });
    return;
  }
  attributes_.push_back(std::move(made));
  settleDefinition(define(attributes_.back()), [&] { attributes_.pop_back(); });
}

// Without the unlimited one.
std::vector<int64_t> Output::lengthsOf(const Variable& variable) const {
  std::vector<int64_t> lengths;
  for (size_t i = variable.grows ? 1 : 0; i < variable.dimensions.size(); ++i) {
    lengths.push_back(dimensions_[static_cast<size_t>(variable.dimensions[i])].length);
  }
  return lengths;
}

Output::Bytes Output::fillOf(const Variable& variable, int64_t count) const {
  Bytes one = defaultFill(variable.pioType);
  for (const Attribute& attribute : attributes_) {
    if (attribute.name == "_FillValue" && attribute.variable == &variable - variables_.data() &&
        attribute.values.size() == one.size()) {
      one = attribute.values;
    }
  }
  Bytes filled;
  filled.reserve(static_cast<size_t>(count) * one.size());
  for (int64_t i = 0; i < count; ++i) filled.insert(filled.end(), one.begin(), one.end());
  return filled;
}

int64_t Output::frameOf(const Variable& variable) const {
  if (!variable.grows) return 0;
  if (variable.frame < 0)
    throw Failure(PIO_EINVAL,
                  "variable '" + variable.name + "': say by setframe which frame it is");
  return variable.frame;
}

void Output::checkWrite(const Variable& variable, const Decomposition& decomposition,
                        int64_t length, const void* fill) const {
  const std::string what = "variable '" + variable.name + "'";
  if (decomposition.pioType != variable.pioType) {
    throw Failure(PIO_EINVAL, what + " is " + typeOf(variable.pioType).name +
                                  ", the decomposition of " + typeOf(decomposition.pioType).name +
                                  ": bundleio converts nothing");
  }
  if (decomposition.lengths != lengthsOf(variable)) {
    throw Failure(
        PIO_EINVAL,
        what +
            ": the decomposition has other lengths than its dimensions without the unlimited one");
  }
  if (length < decomposition.localCount) {
    throw Failure(PIO_EINVAL, what + ": " + std::to_string(length) +
                                  " values where the decomposition has " +
                                  std::to_string(decomposition.localCount));
  }
  if (fill != nullptr &&
      std::memcmp(fill, fillOf(variable, 1).data(), typeOf(variable.pioType).bytes) != 0) {
    throw Failure(
        PIO_EINVAL,
        what + ": the fill value is not that of the file: put it as attribute _FillValue");
  }
}

// Nothing is kept before all ranks are known to have made no mistake.
void Output::write(int number, int ioid, int64_t length, const void* values, const void* fill) {
  const Decomposition* decomposition = nullptr;
  Variable* variable = nullptr;
  int64_t frame = 0;
  system_.agreeOn([&]() -> Named {
    needsDefining(false);
    variable = &variableOf(number);
    decomposition = &system_.decomposition(ioid);
    frame = frameOf(*variable);
    checkWrite(*variable, *decomposition, length, fill);
    checkKeep(*variable, frame, decomposition->bio, decomposition->localCount);
    return {number, frame, decomposition->bio};
  });
  const char* first = static_cast<const char*>(values);
  const size_t bytes =
      static_cast<size_t>(decomposition->localCount) * typeOf(variable->pioType).bytes;
  Bytes own(first, first + bytes);
  requireAsStored(*variable, *decomposition, own);
  keep(*variable, frame, decomposition->bio, decomposition->localCount, std::move(own));
  publishComplete();
}

// A field without frames stays as an earlier run wrote it; a model may write the same values again.
// They are compared here, since no frame need follow.
void Output::requireAsStored(const Variable& variable, const Decomposition& by,
                             const Bytes& values) {
  if (!isStored(variable)) return;
  // Cells that the decomposition leaves out are not read, and count as equal.
  Bytes stored = values;
  seen_.read({variable.name}, by, by.localCount, stored.data());
  requireEqual(variable, stored == values);
}

void Output::requireEqual(const Variable& variable, bool isEqual) const {
  system_.agree([&] {
    if (isEqual) return;
    throw Failure(PIO_EPERM, "variable '" + variable.name +
                                 "' is on the disk already, with other values, and stays as it is");
  });
}

void Output::checkKeep(const Variable& variable, int64_t frame, int bio, int64_t count) const {
  if (variable.grows ? frame < next_ : next_ > first_) {
    throw Failure(PIO_EPERM, "variable '" + variable.name + "': frame " + std::to_string(frame) +
                                 " is on the disk already, and stays as it is");
  }
  if (variable.isPlaced && (variable.placed != bio || variable.localCount != count)) {
    throw Failure(
        PIO_EINVAL,
        "variable '" + variable.name +
            "': written by another decomposition before: bundleio takes one for all frames");
  }
}

void Output::keep(Variable& variable, int64_t frame, int bio, int64_t count, Bytes values) {
  variable.isPlaced = true;
  variable.placed = bio;
  variable.localCount = count;
  variable.values[frame] = std::move(values);
  variable.holes.erase(frame);
}

}  // namespace bundleio_pio
