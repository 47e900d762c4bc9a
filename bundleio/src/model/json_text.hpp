// Text as JSON has it.
#pragma once

#include <cstdio>
#include <string>

namespace bundleio {

inline std::string jsonText(const std::string& text) {
  std::string escaped = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') escaped += '\\';
    if (static_cast<unsigned char>(letter) >= ' ') {
      escaped += letter;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
      escaped += code;
    }
  }
  return escaped + '"';
}

}  // namespace bundleio
