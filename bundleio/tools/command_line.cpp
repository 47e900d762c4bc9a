#include "command_line.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "command_table.hpp"
#include "model/status.hpp"

namespace bundleio {

CommandLine::CommandLine(const CommandRule& rule, const std::vector<std::string>& words) {
  const std::string help = ": see bundleio " + rule.name + " --help";
  bool onlyOperands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (onlyOperands || words[i].size() < 2 || words[i][0] != '-') {
      operands_.push_back(words[i]);
      continue;
    }
    if (words[i] == "--") {
      onlyOperands = true;
      continue;
    }
    const auto option =
        std::find_if(rule.options.begin(), rule.options.end(),
                     [&](const OptionRule& known) { return "--" + known.name == words[i]; });
    if (option == rule.options.end()) {
      throw Failure(BIO_BAD_ARGUMENT, "unknown option '" + words[i] + "'" + help);
    }
    if (option->shown.empty()) {
      flags_.insert(option->name);
    } else if (i + 1 == words.size() || words[i + 1].rfind("--", 0) == 0) {
      throw Failure(BIO_BAD_ARGUMENT, words[i] + " needs a value" + help);
    } else {
      values_[option->name] = words[++i];
    }
  }
  if (operands_.size() < rule.operandsLeast || operands_.size() > rule.operandsMost) {
    throw Failure(BIO_BAD_ARGUMENT, rule.name + " takes " +
                                        (rule.operands.empty() ? "options only" : rule.operands) +
                                        ", not " + std::to_string(operands_.size()) +
                                        (operands_.size() == 1 ? " word" : " words") + help);
  }
}

std::string CommandLine::text(const std::string& key, const std::string& standard) const {
  const auto given = values_.find(key);
  return given == values_.end() ? standard : given->second;
}

std::int64_t CommandLine::number(const std::string& key, std::int64_t standard, std::int64_t least,
                                 std::int64_t most) const {
  const std::string value = text(key, std::to_string(standard));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < least ||
      number > most) {
    throw Failure(BIO_BAD_ARGUMENT, "--" + key + " " + value + ": use a number from " +
                                        std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  std::string part;
  while (std::getline(in, part, separator)) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace bundleio
