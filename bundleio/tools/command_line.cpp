#include "command_line.hpp"

#include <charconv>
#include <sstream>

#include "status.hpp"

namespace bundleio {

CommandLine::CommandLine(const std::vector<std::string>& words, const std::set<std::string>& keys,
                         const std::set<std::string>& flags) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].rfind("--", 0) != 0) {
      operands_.push_back(words[i]);
      continue;
    }
    const std::string name = words[i].substr(2);
    if (flags.count(name) > 0) {
      flags_.insert(name);
    } else if (keys.count(name) > 0) {
      if (++i == words.size()) throw Failure(BIO_BAD_ARGUMENT, "--" + name + " needs a value");
      values_[name] = words[i];
    } else {
      throw Failure(BIO_BAD_ARGUMENT, "unknown option '--" + name + "': see bundleio --help");
    }
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
