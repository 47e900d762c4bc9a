// The file `bundles.bp.sizes` beside a BP folder: what lay there when the step was written.
//
//   bundleio-sizes 2
//   BYTES NAME                  of a file with values
//   BYTES NAME SUM              of one that ADIOS2 follows, into a crash if it is damaged
//   end SUM                     of all lines before
// A list without first and last line is that of an earlier version, which had no sums. A sum is a
// CRC-32C, eight hexadecimal digits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bundleio {

class BpList {
 public:
  struct Facts {
    std::uintmax_t bytes;
    std::optional<std::uint32_t> sum;
  };

  /// Of the BP folder in `step` as it is now.
  static BpList made(const std::filesystem::path& step);
  /// Nothing if the step has none. Throws BIO_FORMAT if the list is damaged.
  static std::optional<BpList> read(const std::filesystem::path& step);

  /// Of such a text; `where` stands in the message if it is damaged.
  static BpList parsed(const std::string& text, const std::string& where);

  [[nodiscard]] std::string text() const;
  void write(const std::filesystem::path& step) const;
  [[nodiscard]] const std::map<std::string, Facts>& files() const { return files_; }
  [[nodiscard]] std::optional<Facts> find(const std::string& name) const;
  void set(const std::string& name, const Facts& facts) { files_[name] = facts; }
  /// Throws BIO_FORMAT with the name of a file that is missing or cut off.
  void checkSizes(const std::filesystem::path& step) const;
  /// The same, also with that of a file that is not as it was written.
  void check(const std::filesystem::path& step) const;
  /// There is a sum for each of these files, relative to the step.
  [[nodiscard]] bool vouchesFor(const std::vector<std::string>& files) const;

 private:
  void parse(const std::string& text);
  void readLine(const std::string& line);

  std::map<std::string, Facts> files_;  // by name in the BP folder
};

}  // namespace bundleio
