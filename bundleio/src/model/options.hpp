// The settings of an open run: "key=value key=value", checked against one table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bundleio {

class Options {
 public:
  /// Pairs are separated by blanks; what stands between double quotes holds blanks, and "" for a
  /// double quote. Throws for an unknown key, naming it and those that exist.
  explicit Options(const std::string& text);

  /// "key=value", as the constructor takes it.
  [[nodiscard]] static std::string pair(const std::string& key, const std::string& value);

  [[nodiscard]] bool flag(const std::string& key) const;
  /// For a setting that the program may decide itself: yes or no, or nothing where it says auto.
  [[nodiscard]] std::optional<bool> flagOrAuto(const std::string& key) const;
  [[nodiscard]] std::int64_t number(const std::string& key, std::int64_t least,
                                    std::int64_t most) const;
  /// The value, or the table's default.
  [[nodiscard]] std::string text(const std::string& key) const;
  /// All that were given, as the constructor takes them, but for these keys.
  [[nodiscard]] std::string textWithout(const std::set<std::string>& keys) const;
  /// Keys "hint.NAME": handed to MPI-IO as NAME.
  [[nodiscard]] std::map<std::string, std::string> hints() const;

  /// Throws if one was given that none of the back ends `names` has a use for.
  void checkTakenBy(const std::vector<std::string>& names) const;
  /// Those that it has a use for, as the constructor takes them.
  [[nodiscard]] std::string textTakenBy(const std::string& backend) const;
  /// The keys of the others, but for those of the choice itself, separated by blanks.
  [[nodiscard]] std::string keysNotTakenBy(const std::string& backend) const;

 private:
  [[nodiscard]] std::string textOf(
      const std::function<bool(const std::string& key)>& isWanted) const;

  std::map<std::string, std::string> values_;
};

/// All keys but hints, in the order of the README.
std::vector<std::string> optionKeys();

}  // namespace bundleio
