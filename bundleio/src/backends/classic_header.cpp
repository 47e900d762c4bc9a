#include "backends/classic_header.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
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
  explicit ClassicHeader(std::istream& in) : in_(in), records_(number(8)) {
    readDimensions();
    skipAttributes();
    number(4);
    for (double left = number(8); left > 0; --left) take(readVariable());
    // One alone is not padded, so that its entries follow each other.
    if (recordVariables_ == 1) recordBytes_ = onlyRecordBytes_;
  }

  /// Entries of the dimension that grows, as a double: a damaged header may say anything.
  [[nodiscard]] double records() const { return records_; }
  [[nodiscard]] bool hasGrowing() const { return recordVariables_ > 0; }
  /// Where the last value ends if there are so many entries, in bytes.
  [[nodiscard]] double endOfValues(double records) const {
    if (records <= 0) return fixedEnd_;
    return std::max(fixedEnd_, firstRecordEnd_ + (records - 1) * recordBytes_);
  }

 private:
  struct Extent {
    double begin;
    double bytes;  // of one record, if it has any
    bool isRecord;
  };

  void take(const Extent& variable) {
    if (!variable.isRecord) {
      fixedEnd_ = std::max(fixedEnd_, variable.begin + variable.bytes);
      return;
    }
    ++recordVariables_;
    onlyRecordBytes_ = variable.bytes;
    recordBytes_ += std::ceil(variable.bytes / 4) * 4;
    firstRecordEnd_ = std::max(firstRecordEnd_, variable.begin + variable.bytes);
  }

  double number(std::streamsize bytes) {
    std::array<unsigned char, 8> raw{};
    in_.read(reinterpret_cast<char*>(raw.data()), bytes);
    if (in_.bad()) throw systemFailure(errno, "its header");
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
    number(8);  // its bytes, as far as old versions of the format can say
    const double begin = number(8);
    return {begin, bytes, isRecord};
  }

  std::istream& in_;
  double records_;
  std::vector<double> lengths_;  // of the dimensions
  double fixedEnd_ = 0;
  double firstRecordEnd_ = 0;
  double recordBytes_ = 0;
  double onlyRecordBytes_ = 0;
  int recordVariables_ = 0;
};

// An error while reading says nothing about the format: it is thrown.
bool isClassic(std::istream& in, const std::filesystem::path& path) {
  if (!in) throw systemFailure(errno, "read " + path.string());
  std::array<char, 4> magic{};
  in.read(magic.data(), magic.size());
  if (in.bad()) throw systemFailure(errno, "read " + path.string());
  return in && std::memcmp(magic.data(), "CDF\x05", magic.size()) == 0;
}

ClassicHeader headerOf(std::istream& in, const std::filesystem::path& path) {
  try {
    return ClassicHeader(in);
  } catch (const Failure& failure) {
    throw Failure(failure.status(), "read " + path.string() + ": " + failure.what());
  }
}

}  // namespace

void checkNotCutOff(const std::filesystem::path& path, std::int64_t records) {
  std::ifstream in(path, std::ios::binary);
  if (!isClassic(in, path)) return;
  const ClassicHeader header = headerOf(in, path);
  const double end = header.endOfValues(std::min(header.records(), static_cast<double>(records)));
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  if (bytes >= end) return;
  throw Failure(BIO_FORMAT, path.string() + " has " +
                                std::to_string(static_cast<std::int64_t>(bytes)) +
                                " bytes instead of at least " +
                                std::to_string(static_cast<std::int64_t>(std::min(end, 9e18))) +
                                ": it is cut off");
}

void checkHeader(const std::filesystem::path& path, std::int64_t records) {
  const std::string told = path.string() + ": the I/O library reported no error, but ";
  std::ifstream in(path, std::ios::binary);
  if (!isClassic(in, path)) throw Failure(BIO_IO, told + "its header was never written");
  const Failure outcome = outcomeOf([&] {
    const auto counted = static_cast<std::int64_t>(std::min(ClassicHeader(in).records(), 9e18));
    if (counted >= records) return;
    throw Failure(BIO_IO, "its header counts " + std::to_string(counted) + " of " +
                              std::to_string(records) + " entries");
  });
  if (outcome.status() != BIO_OK) throw Failure(BIO_IO, told + outcome.what());
}

bool hasGrowing(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return isClassic(in, path) && headerOf(in, path).hasGrowing();
}

void keepRecords(const std::filesystem::path& path, std::int64_t records) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  if (!isClassic(file, path)) throw Failure(BIO_FORMAT, path.string() + " is no CDF-5 file");
  const ClassicHeader header = headerOf(file, path);
  if (header.records() == 0) return;
  if (header.records() < static_cast<double>(records)) {
    throw Failure(BIO_FORMAT, path.string() + " has " +
                                  std::to_string(static_cast<std::int64_t>(header.records())) +
                                  " entries instead of at least " + std::to_string(records));
  }
  std::array<char, 8> count{};
  for (std::size_t i = 0; i < count.size(); ++i) {
    count.at(i) = static_cast<char>(static_cast<std::uint64_t>(records) >> (8 * (7 - i)) & 0xFFU);
  }
  file.clear();
  file.seekp(4);
  file.write(count.data(), count.size());
  file.close();
  if (!file) throw systemFailure(errno, "write " + path.string());
  const double end = header.endOfValues(static_cast<double>(records));
  if (static_cast<double>(std::filesystem::file_size(path)) <= end) return;
  std::error_code error;
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(end), error);
  if (error) throw systemFailure(error.value(), "cut " + path.string());
}

}  // namespace bundleio
