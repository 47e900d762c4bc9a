// Spoils a valid pattern file in thousands of ways, always the same: each is either refused with
// one line that names its line, or a pattern that can be redistributed. Prints the counts.
//   mutate_pattern FILE COUNT
#include <array>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "pattern.hpp"

namespace {

constexpr std::array<const char*, 12> extremes{"-1",
                                               "0",
                                               "1",
                                               "2",
                                               "16777216",
                                               "4611686018427387904",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "99999999999999999999999",
                                               "1e9",
                                               "0:9223372036854775807:9223372036854775807",
                                               "3*9223372036854775807"};

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
    try {
      bundleio::redistributed(pattern, 5);
    } catch (const bundleio::Failure& failure) {
      if (failure.status() != BIO_BAD_ARGUMENT) throw;
    }
    return true;
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

class Mutator {
 public:
  explicit Mutator(std::string valid) : valid_(std::move(valid)) {}

  std::string next() {
    std::string text = valid_;
    for (int left = 1 + below(3); left > 0; --left) mutate(text);
    return text;
  }

 private:
  int below(std::size_t bound) { return static_cast<int>(random_() % bound); }

  void mutate(std::string& text) {
    if (text.empty()) return;
    const auto at = static_cast<std::size_t>(below(text.size()));
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, static_cast<std::size_t>(below(9)));
        break;
      case 2:
        text.erase(line, end > line ? end - line : 0);
        break;
      case 3:
        text.insert(line, text.substr(line, end > line ? end - line : 0));
        break;
      default:
        replaceWord(text, at);
    }
  }

  void replaceWord(std::string& text, std::size_t at) {
    const std::size_t first = text.find_last_of(" \n", at) + 1;
    const std::size_t last = std::min(text.find_first_of(" \n", first), text.size());
    const auto choice = static_cast<std::size_t>(below(extremes.size()));
    text.replace(first, last - first, extremes.at(choice));
  }

  std::string valid_;
  std::mt19937 random_{20261122};
};

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
