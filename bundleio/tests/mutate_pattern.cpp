// Spoils a valid pattern file in thousands of ways, always the same: each is either refused with
// one line that names its line, or a pattern whose bytes can be counted. Prints the counts.
//   mutate_pattern FILE COUNT
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "mutator.hpp"
#include "pattern.hpp"

namespace {

struct Counts {
  int accepted = 0;
  int refused = 0;
};

bool isOneLineThatNamesItsPlace(const std::string& message) {
  return message.rfind("file, line ", 0) == 0 && message.find('\n') == std::string::npos;
}

// False if something else than a pattern or a proper refusal came out.
bool parse(const std::string& text, Counts& counts) {
  try {
    const bundleio::Pattern pattern = bundleio::parsePattern("file", text);
    ++counts.accepted;
    return pattern.stepBytes() >= 0;
  } catch (const bundleio::Failure& failure) {
    ++counts.refused;
    if (failure.status() == BIO_BAD_ARGUMENT && isOneLineThatNamesItsPlace(failure.what())) {
      return true;
    }
    std::fprintf(stderr, "refused with status %d: %s\n", failure.status(), failure.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not refused but failed: %s\n", error.what());
  }
  std::fprintf(stderr, "%s\n", text.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  const std::string valid = all.str();
  Counts whole;
  if (!parse(valid, whole) || whole.accepted != 1) return 1;
  Counts cut;
  // The last newline may be missing.
  for (std::size_t length = 0; length + 1 < valid.size(); ++length) {
    if (!parse(valid.substr(0, length), cut)) return 1;
  }
  if (cut.accepted != 0) return 1;
  Counts spoiled;
  Mutator mutator(valid);
  for (int number = std::stoi(argv[2]); number > 0; --number) {
    if (!parse(mutator.next(), spoiled)) return 1;
  }
  std::printf("%d accepted, %d refused\n", spoiled.accepted, cut.refused + spoiled.refused);
  return 0;
}
