#include "readers/series_index.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "guard/sum_text.hpp"
#include "model/status.hpp"
#include "model/whole_file.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* header = "bundleio-series 1 ";
constexpr const char* checksumsBegin = "bundleio-checksums ";
// Names of steps have at most 18 digits.
constexpr std::int64_t numberEnd = 1'000'000'000'000'000'000;

std::optional<std::int64_t> numberIn(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  return isNumber && number >= 0 && number < numberEnd ? std::optional(number) : std::nullopt;
}

// The entry that ends in the line `done`, of which `text` has the lines before.
SeriesEntry entryOf(const std::string& text, const std::string& done) {
  const std::size_t firstLine = text.find('\n');
  const std::size_t blank = done.find(' ', 5);
  SeriesEntry entry{-1, "", "", true};
  if (blank == std::string::npos) return entry;
  const auto number = numberIn(done.substr(5, blank - 5));
  if (!number) return entry;
  entry.number = *number;
  if (firstLine == std::string::npos || done.substr(blank + 1) != sumTextOf(text) ||
      text.substr(0, firstLine) != "step " + std::to_string(*number)) {
    return entry;
  }
  const std::size_t sums = text.find(checksumsBegin, firstLine + 1);
  entry.files = text.substr(firstLine + 1, std::min(sums, text.size()) - firstLine - 1);
  if (sums != std::string::npos) entry.checksums = text.substr(sums);
  entry.isDamaged = false;
  return entry;
}

// Lines that begin an entry.
int beginsIn(const std::string& text) {
  int begins = text.rfind("step ", 0) == 0 ? 1 : 0;
  for (std::size_t at = 0; (at = text.find("\nstep ", at)) != std::string::npos; ++at) ++begins;
  return begins;
}

// The end of an entry of which one letter was changed. An entry that was cut off while it was
// written has no end.
bool isSpoiledEnd(const std::string& rest, std::int64_t number) {
  constexpr std::size_t sumLetters = 8;
  const std::string begin = "done " + std::to_string(number) + " ";
  const std::size_t letters = begin.size() + sumLetters + 1;
  if (rest.size() < letters) return false;
  const std::string end = rest.substr(rest.size() - letters);
  int others = 0;
  for (std::size_t i = 0; i < begin.size(); ++i) others += end[i] == begin[i] ? 0 : 1;
  const std::string sum = end.substr(begin.size(), sumLetters);
  return others <= 1 && sum.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::string SeriesIndex::headerText() const {
  return header + std::to_string(first_) + " " + key_ + "\n";
}

std::string SeriesIndex::entryText(std::int64_t number, const std::string& content) {
  const std::string text = "step " + std::to_string(number) + "\n" + content;
  return text + "done " + std::to_string(number) + " " + sumTextOf(text) + "\n";
}

SeriesIndex SeriesIndex::read(const fs::path& folder) {
  const fs::path path = folder / seriesIndexName;
  const std::string text = wholeFile(path);
  const std::size_t end = text.find('\n');
  // A run was killed before it wrote an entry of this series.
  if (end == std::string::npos) return {0, ""};
  const std::size_t start = std::string(header).size();
  const std::size_t blank = text.find(' ', start);
  if (text.rfind(header, 0) != 0 || blank > end) {
    throw Failure(BIO_FORMAT, path.string() + " is damaged, or another version wrote it");
  }
  const auto first = numberIn(text.substr(start, blank - start));
  if (!first) throw Failure(BIO_FORMAT, path.string() + " is damaged");
  SeriesIndex index(*first, text.substr(blank + 1, end - blank - 1));
  index.readEntries(text, end + 1);
  return index;
}

void SeriesIndex::readEntries(const std::string& text, std::size_t at) {
  wholeBytes_ = at;
  for (std::size_t line = at; line < text.size();) {
    const std::size_t end = text.find('\n', line);
    if (end == std::string::npos) break;
    if (text.compare(line, 5, "done ") == 0) {
      const std::string lines = text.substr(at, line - at);
      SeriesEntry entry = entryOf(lines, text.substr(line, end - line));
      const auto expected = first_ + static_cast<std::int64_t>(entries_.size());
      if (entry.isDamaged || entry.number != expected) {
        // One that lost its own end stands with the next: neither may vanish.
        const int steps = std::max(1, beginsIn(lines));
        for (int i = 0; i < steps; ++i) entries_.push_back({expected + i, "", "", true});
      } else {
        entries_.push_back(std::move(entry));
      }
      at = end + 1;
      wholeBytes_ = at;
    }
    line = end + 1;
  }
  // The rest was cut off and is no step yet, or it is a damaged step, which must not vanish.
  const auto expected = first_ + static_cast<std::int64_t>(entries_.size());
  if (!isSpoiledEnd(text.substr(at), expected)) return;
  entries_.push_back({expected, "", "", true});
  wholeBytes_ = text.size();
}

SeriesEntry SeriesIndex::readPending(const fs::path& folder) {
  const std::string text = wholeFile(folder / seriesPendingName);
  const std::size_t last = text.rfind("done ");
  if (last != std::string::npos && text.back() == '\n') {
    SeriesEntry entry = entryOf(text.substr(0, last), text.substr(last, text.size() - last - 1));
    if (!entry.isDamaged) return entry;
  }
  throw Failure(BIO_FORMAT, (folder / seriesPendingName).string() + " is not whole");
}

}  // namespace bundleio
