#include "model/whole_file.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>

#include "model/status.hpp"

namespace bundleio {

std::string wholeFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  // An empty file sets only the other stream's failure.
  if (!in || in.bad()) throw systemFailure(errno, "read " + path.string());
  return all.str();
}

}  // namespace bundleio
