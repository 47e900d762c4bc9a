#include "input.hpp"

#include <pio.h>

#include "place.hpp"

namespace bundleio_pio {

namespace {

// No type that a variable has: bio_get is then an error on all ranks, and nobody waits.
constexpr int kNoType = -2;
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
  open_ = frame;
}

bool Input::has(const std::string& variable) const {
  int type = 0, dimensions = kDimensionsMax;
  int64_t lengths[kDimensionsMax];
  return bio_read_shape(reader_, kBundle, variable.c_str(), &type, &dimensions, lengths) == BIO_OK;
}

void Input::read(const std::string& variable, int64_t frame, const Decomposition& decomposition,
                 int64_t length, void* values) {
  if (reader_ == nullptr) open(0);
  int type = 0, dimensions = kDimensionsMax;
  int64_t lengths[kDimensionsMax];
  system_.check(bio_read_shape(reader_, kBundle, variable.c_str(), &type, &dimensions, lengths));
  const size_t more = static_cast<size_t>(dimensions) - decomposition.lengths.size();
  if (more > 1 || (more == 1 && lengths[0] != 1)) {
    throw Failure(PIO_EINVAL, "variable '" + variable + "' has " + std::to_string(dimensions) +
                                  " dimensions, the decomposition " +
                                  std::to_string(decomposition.lengths.size()) +
                                  ": it covers all of them but the unlimited one");
  }
  if (more == 1) {
    if (frame < 0)
      throw Failure(PIO_EINVAL, "variable '" + variable + "': say by setframe which frame to read");
    open(frame);
  }
  const int wanted =
      length < decomposition.localCount ? kNoType : typeOf(decomposition.pioType).bio;
  system_.check(bio_get(reader_, kBundle, variable.c_str(), wanted, decomposition.bio,
                        decomposition.localCount, values));
}

}  // namespace bundleio_pio
