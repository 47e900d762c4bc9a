#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

#include "status.hpp"

namespace bundleio {

namespace {

struct Setting {
  std::string_view key;
  std::string_view standard;
};

// README.md explains them.
constexpr std::array<Setting, 22> settings{{{"sync", "no"},
                                            {"exchange", "yes"},
                                            {"space_check", "yes"},
                                            {"give_up_seconds", "120"},
                                            {"blocking", "no"},
                                            {"window_mib", "0"},
                                            {"deflate", "0"},
                                            {"chunks", "library"},
                                            {"keep_bits", "0"},
                                            {"compress", "none"},
                                            {"accuracy", ""},
                                            {"async", "no"},
                                            {"aggregation", "everyone"},
                                            {"aggregators", "0"},
                                            {"header_kib", "64"},
                                            {"auto_probe", "yes"},
                                            {"fast_tier", ""},
                                            {"reserve_mib", "1024"},
                                            {"drain", "no"},
                                            {"drain_mib_per_second", "0"},
                                            {"drain_to", ""},
                                            {"record", ""}}};
constexpr std::string_view hintPrefix = "hint.";

const Setting* find(std::string_view key) {
  const auto* found = std::find_if(settings.begin(), settings.end(),
                                   [&](const Setting& setting) { return setting.key == key; });
  return found == settings.end() ? nullptr : found;
}

[[noreturn]] void refuse(const std::string& key, const std::string& value,
                         const std::string& want) {
  throw Failure(BIO_BAD_ARGUMENT, "option " + key + "=" + value + ": use " + want);
}

}  // namespace

std::vector<std::string> optionKeys() {
  std::vector<std::string> keys;
  for (const Setting& setting : settings) keys.emplace_back(setting.key);
  return keys;
}

Options::Options(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos || (find(key) == nullptr && key.rfind(hintPrefix, 0) != 0)) {
      std::string known;
      for (const Setting& setting : settings) known += std::string(setting.key) + " ";
      throw Failure(BIO_BAD_ARGUMENT,
                    "unknown option '" + word + "': use key=value with one of " + known + "hint.*");
    }
    values_[key] = word.substr(equals + 1);
  }
}

std::string Options::text(const std::string& key) const {
  const auto given = values_.find(key);
  return given != values_.end() ? given->second : std::string(find(key)->standard);
}

bool Options::flag(const std::string& key) const {
  const std::string value = text(key);
  if (value != "yes" && value != "no") refuse(key, value, "yes or no");
  return value == "yes";
}

std::int64_t Options::number(const std::string& key, std::int64_t least, std::int64_t most) const {
  const std::string value = text(key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < least ||
      number > most) {
    refuse(key, value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

std::string Options::textWithout(const std::set<std::string>& keys) const {
  std::string text;
  for (const auto& [key, value] : values_) {
    if (keys.count(key) == 0) text += (text.empty() ? "" : " ") + key + "=" + value;
  }
  return text;
}

std::map<std::string, std::string> Options::hints() const {
  std::map<std::string, std::string> hints;
  for (const auto& [key, value] : values_) {
    if (key.rfind(hintPrefix, 0) == 0) hints[key.substr(hintPrefix.size())] = value;
  }
  return hints;
}

}  // namespace bundleio
