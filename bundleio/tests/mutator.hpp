// Spoils a text of lines of words, always in the same ways: letters, words, lines; one to three at
// once.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>

class Mutator {
 public:
  explicit Mutator(std::string valid) : valid_(std::move(valid)) {}

  std::string next() {
    std::string text = valid_;
    for (int left = 1 + below(3); left > 0; --left) mutate(text);
    return text;
  }

  int below(std::size_t bound) { return static_cast<int>(random_() % bound); }

 private:
  static constexpr std::array<const char*, 12> extremes{"-1",
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
