// The file that a recording goes to: rank 0's alone, and never in the way of the model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bundleio {

/// Own: the tools read a pattern into memory, on every rank.
inline constexpr std::uintmax_t patternBytesMax = std::uintmax_t{1} << 30U;

/// Written as PATH.partial; PATH appears when it is complete. A PATH that is taken is never
/// overwritten: PATH.2, PATH.3 and so on are used then. Whatever fails is said once on stderr, and
/// the partial file is removed; so is one of more bytes than can be read back.
class PatternFile {
 public:
  explicit PatternFile(const std::string& path, std::uintmax_t bytesMax = patternBytesMax);
  /// Leaves the partial file where it is, as a killed process does.
  ~PatternFile();
  PatternFile(const PatternFile&) = delete;
  PatternFile& operator=(const PatternFile&) = delete;

  [[nodiscard]] bool isOpen() const { return descriptor_ >= 0; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// In the hands of the operating system when it returns. Nothing happens once something failed.
  void append(std::string_view text);
  /// Gives the file its name; false if that failed, now or before.
  bool publish();
  /// Gives up, for this reason.
  void abandon(const std::string& why);

 private:
  bool claim(const std::string& path);
  [[nodiscard]] std::string partial() const { return path_ + ".partial"; }

  std::string path_;
  std::uintmax_t bytesLeft_;
  int descriptor_ = -1;
  bool owns_ = false;  // the partial file
};

}  // namespace bundleio
