#include "input.hpp"

#include <pio.h>

#include <functional>
#include <numeric>
#include <utility>

#include "place.hpp"

namespace bundleio_pio {

namespace {

constexpr int kDimensionsMax = 1024;  // of NetCDF

}  // namespace

Input::~Input() {
  if (reader_ != nullptr) bio_read_close(reader_);
}

void Input::close() {
  bio_reader* reader = reader_;
  reader_ = nullptr;
  open_ = -1;
  if (reader != nullptr) system_.check(bio_read_close(reader));
}

void Input::open(int64_t frame) {
  if (reader_ != nullptr && open_ == frame) return;
  close();
  system_.check(bio_read_open(system_.context(), run_.c_str(), frame, nullptr, &reader_));
  system_.check(bio_read_step(reader_, &open_));
}

std::vector<std::string> Input::names(int list, const std::string& variable) const {
  int count = 0;
  const char* const* found = nullptr;
  system_.check(bio_read_names(reader_, list, kBundle, variable.c_str(), &count, &found));
  return {found, found + count};
}

std::vector<Contents::Attribute> Input::attributesOf(const std::string& variable) const {
  std::vector<Contents::Attribute> made;
  for (const std::string& name : names(BIO_ATTRIBUTES, variable)) {
    int type = 0;
    int64_t count = 0;
    system_.check(bio_read_att(reader_, kBundle, variable.c_str(), name.c_str(), &type, &count));
    const int pioType = pioTypeOf(type);
    const size_t bytes = pioType == PIO_CHAR ? 1 : typeOf(pioType).bytes;
    std::vector<char> values(static_cast<size_t>(count) * bytes);
    system_.check(
        bio_get_att(reader_, kBundle, variable.c_str(), name.c_str(), type, count, values.data()));
    made.push_back({name, pioType, count, std::move(values)});
  }
  return made;
}

void Input::shape(const std::string& variable, int* type, std::vector<int64_t>* lengths) const {
  int dimensions = kDimensionsMax;
  lengths->resize(kDimensionsMax);
  system_.check(
      bio_read_shape(reader_, kBundle, variable.c_str(), type, &dimensions, lengths->data()));
  lengths->resize(static_cast<size_t>(dimensions));
}

Contents Input::contents() {
  open(BIO_LAST_STEP);
  Contents made;
  for (const std::string& name : names(BIO_DIMENSIONS, "")) {
    int64_t length = 0;
    int unlimited = 0;
    system_.check(bio_read_dim(reader_, kBundle, name.c_str(), &length, &unlimited));
    made.dimensions.push_back({name, unlimited != 0 ? open_ + 1 : length, unlimited != 0});
  }
  for (const std::string& name : names(BIO_VARIABLES, "")) {
    int type = 0;
    std::vector<int64_t> lengths;
    shape(name, &type, &lengths);
    std::vector<int> dimensions;
    for (const std::string& dimension : names(BIO_DIMENSIONS, name))
      dimensions.push_back(made.dimensionNamed(dimension));
    made.variables.push_back({name, pioTypeOf(type), dimensions, attributesOf(name)});
  }
  made.attributes = attributesOf("");
  return made;
}

int64_t Part::cells() const {
  return std::accumulate(count.begin(), count.end(), int64_t{1}, std::multiplies<>());
}

std::string Part::text() const {
  std::string text;
  for (size_t i = 0; i < start.size(); ++i)
    text += std::to_string(start[i]) + "+" + std::to_string(count[i]) + " ";
  return text;
}

void Input::get(const Wanted& wanted, const Part& part, size_t cellBytes, char* values) {
  Part entry = part;
  int64_t frames = 1;
  if (wanted.grows) {
    frames = std::exchange(entry.count[0], 1);
    entry.start[0] = 0;
  }
  const int64_t bytes = entry.cells() * static_cast<int64_t>(cellBytes);
  for (int64_t i = 0; i < frames; ++i) {
    if (wanted.grows) open(part.start[0] + i);
    getOnFirst(wanted.variable, entry, values);
    system_.tell(values, bytes);
    values += bytes;
  }
}

void Input::getOnFirst(const std::string& variable, const Part& part, char* values) {
  if (reader_ == nullptr) open(0);
  system_.agree([&] {
    if (!system_.isFirst()) return;
    const int status = bio_get_slab(reader_, kBundle, variable.c_str(), BIO_ANY,
                                    static_cast<int>(part.start.size()), part.start.data(),
                                    part.count.data(), nullptr, part.cells(), values);
    if (status != BIO_OK) throw system_.failureOf(status);
  });
}

void Input::read(const Wanted& wanted, const Decomposition& decomposition, int64_t length,
                 void* values) {
  const std::string& variable = wanted.variable;
  system_.agree([&] {
    if (length >= decomposition.localCount) return;
    throw Failure(PIO_EINVAL, "variable '" + variable + "': room for " + std::to_string(length) +
                                  " values where the decomposition has " +
                                  std::to_string(decomposition.localCount));
  });
  if (reader_ == nullptr) open(0);
  int type = 0;
  std::vector<int64_t> lengths;
  shape(variable, &type, &lengths);
  const size_t covered = lengths.size() - (wanted.grows ? 1 : 0);
  if (decomposition.lengths.size() != covered) {
    throw Failure(PIO_EINVAL,
                  "variable '" + variable + "' has " + std::to_string(lengths.size()) +
                      " dimensions, the decomposition " +
                      std::to_string(decomposition.lengths.size()) +
                      ": it covers all of them but the unlimited one",
                  true);
  }
  if (wanted.grows) {
    if (wanted.frame < 0)
      throw Failure(PIO_EINVAL, "variable '" + variable + "': say by setframe which frame to read",
                    true);
    open(wanted.frame);
  }
  system_.check(bio_get(reader_, kBundle, variable.c_str(), typeOf(decomposition.pioType).bio,
                        decomposition.bio, decomposition.localCount, values));
}

}  // namespace bundleio_pio
