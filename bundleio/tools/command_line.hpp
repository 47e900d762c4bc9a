// Words and "--key value" options of one subcommand.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bundleio {

struct CommandRule;

class CommandLine {
 public:
  /// Refuses what `rule` does not name, too many or too few operands, and keys without a value.
  /// Words behind "--" are operands.
  CommandLine(const CommandRule& rule, const std::vector<std::string>& words);

  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }
  [[nodiscard]] bool has(const std::string& flag) const { return flags_.count(flag) > 0; }
  [[nodiscard]] std::string text(const std::string& key, const std::string& standard) const;
  [[nodiscard]] std::int64_t number(const std::string& key, std::int64_t standard,
                                    std::int64_t least, std::int64_t most) const;

 private:
  std::vector<std::string> operands_;
  std::map<std::string, std::string> values_;
  std::set<std::string> flags_;
};

/// Splits at `separator`; no empty parts.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace bundleio
