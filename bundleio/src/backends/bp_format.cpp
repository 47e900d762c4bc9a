#include "backends/bp_format.hpp"

#include <algorithm>

namespace bundleio {

std::string bpMessage(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else {
      line += text[i] == '\n' ? ' ' : text[i];
    }
  }
  return line;
}

}  // namespace bundleio
