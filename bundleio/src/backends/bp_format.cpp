#include "backends/bp_format.hpp"

#include <algorithm>

namespace bundleio {

std::vector<std::string> bpMetadataFiles(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / bpFolderName)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || isBpTiming(name) || name.rfind("data.", 0) == 0) continue;
    names.push_back(std::string(bpFolderName) + "/" + name);
  }
  return names;
}

bool isBpTiming(const std::filesystem::path& file) { return file.filename() == "profiling.json"; }

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

// Own: measured with 16 ranks on one machine (docs/results/bundleio.md); a parallel file system
// must create each file at a server of metadata.
int bpDataFiles(int ranks, int nodes, bool isLocal) {
  return std::min(ranks, (isLocal ? 16 : 4) * nodes);
}

}  // namespace bundleio
