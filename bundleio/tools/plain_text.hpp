// Text from files and users, for a terminal: signs that begin a line or move the cursor are not
// printed as they are.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>

namespace bundleio {

inline bool isControl(char sign) { return std::iscntrl(static_cast<unsigned char>(sign)) != 0; }

/// For messages: each such sign becomes a question mark.
inline std::string plain(std::string text) {
  std::replace_if(text.begin(), text.end(), isControl, '?');
  return text;
}

/// For what a file holds: each such sign as C writes it, so that no two texts look alike.
inline std::string escaped(const std::string& text) {
  std::string shown;
  for (const char sign : text) {
    if (sign == '\n' || sign == '\t') {
      shown += sign == '\n' ? "\\n" : "\\t";
    } else if (isControl(sign)) {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(sign));
      shown += code;
    } else {
      shown += sign == '\\' || sign == '"' ? std::string("\\") + sign : std::string(1, sign);
    }
  }
  return shown;
}

}  // namespace bundleio
