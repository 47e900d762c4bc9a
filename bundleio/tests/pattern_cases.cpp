// A recording ends where nobody could read it back, and says so; the run would go on.
#include <filesystem>
#include <string>

#include "promise.hpp"
#include "record/pattern_file.hpp"

namespace {

using namespace bundleio;
namespace fs = std::filesystem;

void aPatternIsNoLargerThanItsReaderTakes(const fs::path& folder) {
  const std::string path = folder / "large";
  PatternFile file(path, 10);
  file.append("1234567");
  file.append("890");
  promise(file.isOpen(), "as large as its bound a pattern is written");
  file.append("1");
  promise(!file.isOpen(), "a pattern ends before it is larger");
  file.append("2");
  promise(!file.publish() && fs::is_empty(folder), "nothing of it is left");
}

void whatFitsIsWhole(const fs::path& folder) {
  const std::string path = folder / "small";
  PatternFile file(path, 10);
  file.append("1234567890");
  promise(file.publish() && fs::file_size(path) == 10, "what fits is published whole");
  promise(patternBytesMax == std::uintmax_t{1} << 30U, "the bound is that of the reference page");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  fs::remove_all(argv[1]);
  fs::create_directories(argv[1]);
  aPatternIsNoLargerThanItsReaderTakes(argv[1]);
  whatFitsIsWhole(argv[1]);
  fs::remove_all(argv[1]);
  return failures == 0 ? 0 : 1;
}
