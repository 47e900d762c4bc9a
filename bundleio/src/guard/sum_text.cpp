#include "guard/sum_text.hpp"

#include <charconv>
#include <cstdio>

#include "guard/crc32c.hpp"
#include "model/status.hpp"

namespace bundleio {

std::string sumText(std::uint32_t sum) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", sum);
  return text;
}

std::string sumTextOf(const std::string& text) { return sumText(crc32c(text.data(), text.size())); }

std::uint32_t sumIn(const std::string& word) {
  std::uint32_t sum = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), sum, 16);
  if (error != std::errc() || end != word.data() + word.size() || word.size() != 8) {
    throw Failure(BIO_FORMAT, "'" + word + "' is no checksum");
  }
  return sum;
}

std::string withEnd(const std::string& lines) { return lines + "end " + sumTextOf(lines) + "\n"; }

std::string withoutEnd(const std::string& text, const std::string& what) {
  const std::size_t end = text.rfind("end ");
  const std::string lines = text.substr(0, end);
  if (end != std::string::npos && text == withEnd(lines)) return lines;
  throw Failure(BIO_FORMAT, what + " themselves are damaged");
}

}  // namespace bundleio
