// Words as one text.
#pragma once

#include <string>
#include <vector>

namespace bundleio {

inline std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

}  // namespace bundleio
