#include "readers/classic_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "model/status.hpp"

namespace bundleio {

namespace {

// Source: The CDF-5 format specification (PnetCDF), a header in the notation of BNF: numbers are
// big-endian; counts, lengths and offsets have 8 bytes, tags and types 4; names and attribute
// values are padded to 4 bytes.
class ClassicHeader {
 public:
  explicit ClassicHeader(std::istream& in) : in_(in) {}

  /// Where the last value ends, in bytes, as a double: a damaged header may say anything.
  double endOfValues() {
    const double records = number(8);
    readDimensions();
    skipAttributes();
    double end = 0;
    double recordBytes = 0;
    double lastRecordEnd = 0;
    number(4);
    for (double left = number(8); left > 0; --left) {
      const Extent variable = readVariable();
      if (!variable.isRecord) {
        end = std::max(end, variable.begin + variable.bytes);
        continue;
      }
      recordBytes += variable.paddedBytes;
      lastRecordEnd = std::max(lastRecordEnd, variable.begin + variable.bytes);
    }
    if (records > 0) end = std::max(end, lastRecordEnd + (records - 1) * recordBytes);
    return end;
  }

 private:
  struct Extent {
    double begin;
    double bytes;  // of one record, if it has any
    double paddedBytes;
    bool isRecord;
  };

  double number(std::streamsize bytes) {
    std::array<unsigned char, 8> raw{};
    in_.read(reinterpret_cast<char*>(raw.data()), bytes);
    if (!in_) throw Failure(BIO_FORMAT, "its header is cut off");
    std::uint64_t value = 0;
    for (std::streamsize i = 0; i < bytes; ++i) {
      value = value << 8U | raw[static_cast<std::size_t>(i)];
    }
    return static_cast<double>(value);
  }

  // Behind the end, the next number is missed.
  void skip(double bytes) {
    const double padded = std::ceil(bytes / 4) * 4;
    in_.seekg(static_cast<std::streamoff>(std::min(padded, 1e18)), std::ios::cur);
  }

  void skipName() { skip(number(8)); }

  void readDimensions() {
    number(4);
    for (double left = number(8); left > 0; --left) {
      skipName();
      lengths_.push_back(number(8));
    }
  }

  double typeBytes() {
    static constexpr std::array<double, 12> bytes{0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const double type = number(4);
    if (type < 1 || type >= static_cast<double>(bytes.size())) {
      throw Failure(BIO_FORMAT, "its header is damaged");
    }
    return bytes.at(static_cast<std::size_t>(type));
  }

  void skipAttributes() {
    number(4);
    for (double left = number(8); left > 0; --left) {
      skipName();
      const double width = typeBytes();
      skip(number(8) * width);
    }
  }

  Extent readVariable() {
    skipName();
    double cells = 1;
    bool isRecord = false;
    for (double left = number(8); left > 0; --left) {
      const double dimension = number(8);
      if (dimension >= static_cast<double>(lengths_.size())) {
        throw Failure(BIO_FORMAT, "its header is damaged");
      }
      const double length = lengths_[static_cast<std::size_t>(dimension)];
      // A length of 0 is that of the dimension that grows.
      isRecord = isRecord || length == 0;
      if (length > 0) cells *= length;
    }
    skipAttributes();
    const double bytes = cells * typeBytes();
    const double padded = number(8);
    const double begin = number(8);
    return {begin, bytes, padded, isRecord};
  }

  std::istream& in_;
  std::vector<double> lengths_;  // of the dimensions
};

}  // namespace

void checkNotCutOff(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 4> magic{};
  in.read(magic.data(), magic.size());
  if (!in || std::memcmp(magic.data(), "CDF\x05", magic.size()) != 0) return;
  double end = 0;
  try {
    end = ClassicHeader(in).endOfValues();
  } catch (const Failure& failure) {
    throw Failure(failure.status(), "read " + path.string() + ": " + failure.what());
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  if (bytes >= end) return;
  throw Failure(BIO_FORMAT, path.string() + " has " +
                                std::to_string(static_cast<std::int64_t>(bytes)) +
                                " bytes instead of at least " +
                                std::to_string(static_cast<std::int64_t>(std::min(end, 9e18))) +
                                ": it is cut off");
}

}  // namespace bundleio
