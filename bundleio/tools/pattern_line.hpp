// One line of a pattern file as words, each checked as it is taken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/types.hpp"

namespace bundleio {

/// A Failure whose text starts with its line.
class LineFailure : public Failure {
  using Failure::Failure;
};

class PatternLine {
 public:
  /// `place` is "FILE, line N".
  PatternLine(std::string place, std::string_view text);

  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] bool hasMore() const { return next_ < words_.size(); }
  [[nodiscard]] std::size_t left() const { return words_.size() - next_; }
  /// Fails if words are left.
  void end() const;

  std::string_view word(const char* what);
  /// From percent-encoding.
  std::string text(const char* what);
  Type type();
  std::int64_t number(const char* what, std::int64_t least, std::int64_t most);
  /// A word of numbers between separators: 1 to `most` of them.
  std::vector<std::int64_t> numbers(const char* what, char separator, std::size_t most);

 private:
  [[nodiscard]] std::int64_t parsed(const char* what, std::string_view word) const;

  std::string place_;
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

}  // namespace bundleio
