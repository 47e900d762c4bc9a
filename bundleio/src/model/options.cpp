#include "model/options.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "model/joined.hpp"
#include "model/status.hpp"

namespace bundleio {

namespace {

// Sets of back ends.
using Takers = unsigned;
constexpr Takers posix = 1;
constexpr Takers gather = 2;
constexpr Takers pnetcdf = 4;
constexpr Takers netcdf4 = 8;
constexpr Takers bp5 = 16;
constexpr Takers choice = 32;
constexpr Takers shared = pnetcdf | netcdf4;  // write files together
constexpr Takers all = posix | gather | shared | bp5;

struct BackendName {
  std::string_view name;
  Takers bit;
};
constexpr std::array<BackendName, 6> backends{{{"posix", posix},
                                               {"gather", gather},
                                               {"pnetcdf", pnetcdf},
                                               {"netcdf4", netcdf4},
                                               {"bp5", bp5},
                                               {"auto", choice}}};

struct Setting {
  std::string_view key;
  std::string_view standard;
  Takers takers;  // and auto, which passes on what its choice takes
};

// README.md explains them.
constexpr std::array<Setting, 28> settings{{{"sync", "no", all},
                                            {"steps_per_file", "1", all},
                                            {"checksums", "yes", all},
                                            {"verify", "auto", all},
                                            {"exchange", "yes", shared},
                                            {"space_check", "yes", all},
                                            {"give_up_seconds", "120", all},
                                            {"blocking", "no", gather | pnetcdf},
                                            {"window_mib", "0", gather | shared},
                                            {"deflate", "0", netcdf4},
                                            {"zstd", "0", netcdf4},
                                            {"fletcher32", "no", netcdf4},
                                            {"chunks", "library", netcdf4},
                                            {"keep_bits", "0", netcdf4},
                                            {"compress", "none", bp5},
                                            {"accuracy", "", bp5},
                                            {"async", "no", bp5},
                                            {"aggregation", "everyone", bp5},
                                            {"aggregators", "0", shared | bp5},
                                            {"header_kib", "64", pnetcdf},
                                            {"auto_probe", "yes", choice},
                                            {"fast_tier", "", all},
                                            {"reserve_mib", "1024", all},
                                            {"drain", "no", all},
                                            {"drain_mib_per_second", "0", all},
                                            {"drain_to", "", all},
                                            {"record", "", all},
                                            {"report_pss", "no", all}}};
constexpr std::string_view hintPrefix = "hint.";

const Setting* find(std::string_view key) {
  const auto* found = std::find_if(settings.begin(), settings.end(),
                                   [&](const Setting& setting) { return setting.key == key; });
  return found == settings.end() ? nullptr : found;
}

bool isHint(const std::string& key) { return key.rfind(hintPrefix, 0) == 0; }

Takers takersOf(const std::string& key) { return isHint(key) ? shared : find(key)->takers; }

bool takes(std::string_view backend, const std::string& key) {
  const auto* found = std::find_if(backends.begin(), backends.end(),
                                   [&](const BackendName& known) { return known.name == backend; });
  if (found == backends.end()) return false;
  return found->bit == choice || (takersOf(key) & found->bit) != 0;
}

[[noreturn]] void refuse(const std::string& key, const std::string& value,
                         const std::string& want) {
  throw Failure(BIO_BAD_ARGUMENT, "option " + key + "=" + value + ": use " + want);
}

// MPI ends the job for a hint that it cannot hold.
void checkHint(const std::string& key, const std::string& value) {
  const std::size_t name = key.size() - hintPrefix.size();
  if (name == 0 || name > MPI_MAX_INFO_KEY - 1 || value.empty() ||
      value.size() > MPI_MAX_INFO_VAL - 1) {
    refuse(key, value,
           "hint.NAME=VALUE with at most " + std::to_string(MPI_MAX_INFO_KEY - 1) + " and " +
               std::to_string(MPI_MAX_INFO_VAL - 1) + " bytes, none empty");
  }
}

bool isBlank(char letter) {
  return std::string_view(" \t\n\r\f\v").find(letter) != std::string::npos;
}

// The next word from `at` on, without its quotes; `at` goes behind it.
std::string nextWord(const std::string& text, std::size_t& at) {
  std::string word;
  bool isQuoted = false;
  for (; at < text.size() && (isQuoted || !isBlank(text[at])); ++at) {
    if (text[at] != '"') {
      word += text[at];
    } else if (isQuoted && at + 1 < text.size() && text[at + 1] == '"') {
      word += text[++at];
    } else {
      isQuoted = !isQuoted;
    }
  }
  if (!isQuoted) return word;
  throw Failure(BIO_BAD_ARGUMENT,
                "option '" + word + "': its '\"' has no end (inside of two, \"\" stands for one)");
}

std::string quoted(const std::string& value) {
  if (std::none_of(value.begin(), value.end(), [](char c) { return isBlank(c) || c == '"'; })) {
    return value;
  }
  std::string text = "\"";
  for (const char letter : value) text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + "\"";
}

}  // namespace

std::vector<std::string> optionKeys() {
  std::vector<std::string> keys;
  for (const Setting& setting : settings) keys.emplace_back(setting.key);
  return keys;
}

Options::Options(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    if (isBlank(text[at])) {
      ++at;
      continue;
    }
    const std::string word = nextWord(text, at);
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos || (find(key) == nullptr && !isHint(key))) {
      std::string known;
      for (const Setting& setting : settings) known += std::string(setting.key) + " ";
      throw Failure(BIO_BAD_ARGUMENT,
                    "unknown option '" + word + "': use key=value with one of " + known + "hint.*");
    }
    const std::string value = word.substr(equals + 1);
    if (isHint(key)) checkHint(key, value);
    values_[key] = value;
  }
}

std::string Options::pair(const std::string& key, const std::string& value) {
  return key + "=" + quoted(value);
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

std::optional<bool> Options::flagOrAuto(const std::string& key) const {
  const std::string value = text(key);
  if (value == "auto") return std::nullopt;
  if (value != "yes" && value != "no") refuse(key, value, "yes, no or auto");
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

std::string Options::textOf(const std::function<bool(const std::string& key)>& isWanted) const {
  std::string text;
  for (const auto& [key, value] : values_) {
    if (isWanted(key)) text += (text.empty() ? "" : " ") + pair(key, value);
  }
  return text;
}

std::string Options::textWithout(const std::set<std::string>& keys) const {
  return textOf([&](const std::string& key) { return keys.count(key) == 0; });
}

std::string Options::textTakenBy(const std::string& backend) const {
  return textOf([&](const std::string& key) { return takes(backend, key); });
}

std::string Options::keysNotTakenBy(const std::string& backend) const {
  std::string keys;
  for (const auto& [key, value] : values_) {
    if (takes(backend, key) || takersOf(key) == choice) continue;
    keys += (keys.empty() ? "" : " ") + key;
  }
  return keys;
}

void Options::checkTakenBy(const std::vector<std::string>& names) const {
  for (const auto& [key, value] : values_) {
    if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return takes(name, key); }))
      continue;
    std::vector<std::string> takers;
    for (const BackendName& known : backends) {
      if (takes(known.name, key)) takers.emplace_back(known.name);
    }
    throw Failure(BIO_BAD_ARGUMENT, "option " + key + "=" + value + " is not for back end " +
                                        joined(names, ", ") + ": leave it out, or use one of " +
                                        joined(takers, ", "));
  }
}

std::map<std::string, std::string> Options::hints() const {
  std::map<std::string, std::string> hints;
  for (const auto& [key, value] : values_) {
    if (isHint(key)) hints[key.substr(hintPrefix.size())] = value;
  }
  return hints;
}

}  // namespace bundleio
