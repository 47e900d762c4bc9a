// The settings of an open file: "key=value key=value", checked against one table.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bundleio {

class Options {
 public:
  /// Throws for an unknown key, naming it and those that exist.
  explicit Options(const std::string& text);

  [[nodiscard]] bool flag(const std::string& key) const;
  [[nodiscard]] std::int64_t number(const std::string& key, std::int64_t least,
                                    std::int64_t most) const;
  /// The value, or the table's default.
  [[nodiscard]] std::string text(const std::string& key) const;
  /// All that were given, as the constructor takes them, but for these keys.
  [[nodiscard]] std::string textWithout(const std::set<std::string>& keys) const;
  /// Keys "hint.NAME": handed to MPI-IO as NAME.
  [[nodiscard]] std::map<std::string, std::string> hints() const;

 private:
  std::map<std::string, std::string> values_;
};

/// All keys but hints, in the order of the README.
std::vector<std::string> optionKeys();

}  // namespace bundleio
