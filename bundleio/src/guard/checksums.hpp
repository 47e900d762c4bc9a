// The file `checksums` of a step: what its values and definitions were when they were put.
//
//   bundleio-checksums 1 ORDER       of bytes in values: little or big
//   definitions BUNDLE SUM           of names, types, shapes and attributes
//   variable BUNDLE NAME SUM*        by section, see value_sums.hpp
//   end SUM                          of all lines before
// Earlier versions wrote "file NAME BYTES SUM" for the metadata of a BP folder, too, which has a
// list of its own now.
// Names are percent-encoded; a sum is a CRC-32C, eight hexadecimal digits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

inline constexpr const char* checksumsName = "checksums";

class ValueSums;

class Checksums {
 public:
  /// Nothing if the step in `folder` has none. Throws BIO_FORMAT if they are damaged, and what the
  /// system said if they cannot be read: that a step has none is only known where there is no file.
  static std::optional<Checksums> read(const std::filesystem::path& folder);

  /// Of such a text; `where` stands in the message if it is damaged.
  static Checksums parse(const std::string& text, const std::string& where);

  /// Takes the sums that `sums` holds on rank 0.
  Checksums(const Schema& schema, const ValueSums& sums);
  [[nodiscard]] std::string text() const;
  /// Into the step's folder.
  void write(const std::filesystem::path& folder) const;

  /// These throw BIO_FORMAT with what is damaged.
  void checkFiles(const std::filesystem::path& folder) const;
  void checkDefinitions(const Schema& schema) const;
  void checkValues(const Schema& schema, const ValueSums& sums) const;
  void checkValues(const Schema& schema, const ValueSums& sums, int variable) const;
  /// The values of a variable have these sums in both.
  [[nodiscard]] bool hasEqualValues(const Checksums& other, const Schema& schema,
                                    int variable) const;
  /// Those of values put, and those of the same values put elsewhere.
  void checkEqualValues(const Checksums& other) const;

 private:
  using Sums = std::vector<std::uint32_t>;
  struct OfFile {
    std::uint64_t bytes;
    std::uint32_t sum;
  };
  explicit Checksums(const std::string& text);
  void readLine(const std::string& line);

  std::map<std::string, std::uint32_t> definitions_;  // by bundle
  std::map<std::string, Sums> values_;                // by "bundle variable", encoded
  std::map<std::string, OfFile> files_;               // by name, below the step's folder
};

}  // namespace bundleio
