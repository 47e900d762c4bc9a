#include "pattern_line.hpp"

#include <cctype>
#include <charconv>

#include "model/layout.hpp"
#include "plain_text.hpp"

namespace bundleio {

namespace {

constexpr std::size_t shownBytesMax = 40;

// Words of a hostile file shall not reach a terminal as they are.
std::string shown(std::string_view word) {
  const std::string safe = encoded(std::string(word.substr(0, shownBytesMax)));
  return "'" + safe + (word.size() > shownBytesMax ? "..." : "") + "'";
}

bool isEncoded(std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') continue;
    const bool complete = i + 2 < word.size() &&
                          std::isxdigit(static_cast<unsigned char>(word[i + 1])) != 0 &&
                          std::isxdigit(static_cast<unsigned char>(word[i + 2])) != 0;
    if (!complete) return false;
  }
  return true;
}

}  // namespace

PatternLine::PatternLine(std::string place, std::string_view text) : place_(std::move(place)) {
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    if (blank != 0) words_.push_back(text.substr(0, blank));
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
}

void PatternLine::fail(const std::string& what) const {
  throw LineFailure(BIO_BAD_ARGUMENT, plain(place_ + ": " + what));
}

void PatternLine::end() const {
  if (hasMore()) fail(shown(words_[next_]) + " is more than belongs there");
}

std::string_view PatternLine::word(const char* what) {
  if (!hasMore()) fail(std::string("cut off: ") + what + " is missing");
  return words_[next_++];
}

std::string PatternLine::text(const char* what) {
  const std::string_view found = word(what);
  if (!isEncoded(found)) fail(std::string(what) + " " + shown(found) + " is not percent-encoded");
  return decoded(std::string(found));
}

Type PatternLine::type() {
  const std::string_view name = word("type");
  for (const TypeInfo& info : typeTable) {
    if (info.name == name) return info.type;
  }
  fail("no type is named " + shown(name));
}

std::int64_t PatternLine::parsed(const char* what, std::string_view word) const {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) {
    fail(std::string(what) + " " + shown(word) + " is not a number");
  }
  return number;
}

std::int64_t PatternLine::number(const char* what, std::int64_t least, std::int64_t most) {
  const std::int64_t number = parsed(what, word(what));
  if (number < least || number > most) {
    fail(std::string(what) + " " + std::to_string(number) + " is not from " +
         std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

std::vector<std::int64_t> PatternLine::numbers(const char* what, char separator, std::size_t most) {
  const std::string_view whole = word(what);
  std::string_view rest = whole;
  std::vector<std::int64_t> found;
  while (true) {
    const std::size_t cut = rest.find(separator);
    found.push_back(parsed(what, rest.substr(0, cut)));
    if (cut == std::string_view::npos) return found;
    if (found.size() == most) fail(std::string(what) + " " + shown(whole) + " has too many parts");
    rest.remove_prefix(cut + 1);
  }
}

}  // namespace bundleio
