// The file `steps` of a series: a folder whose files hold several steps, one behind the other.
//
//   bundleio-series 1 FIRST FORMAT DEFINITIONS
//   step NUMBER                     then, for each step, what its back end keeps there (BP: the
//                                   sizes, see bp_list.hpp), and its checksums, if it has them
//   ...
//   done NUMBER SUM                 CRC-32C of the entry's lines before
// A step is there once its entry is whole:
// docs/decisions/0080-a-record-counts-when-the-index-says-so.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bundleio {

inline constexpr const char* seriesIndexName = "steps";
/// A whole entry of the step in the making, while it is read back.
inline constexpr const char* seriesPendingName = ".pending";

struct SeriesEntry {
  std::int64_t number;
  std::string files;      // Backend::recordText
  std::string checksums;  // as a step's folder has them; empty: none
  bool isDamaged = false;
};

class SeriesIndex {
 public:
  /// Of the series in `folder`, which is as yet without steps. `key` says in words without blanks
  /// what its files hold: only equal steps may go on there.
  SeriesIndex(std::int64_t first, std::string key) : first_(first), key_(std::move(key)) {}
  /// Throws BIO_FORMAT where not even the first line can be read; one that is cut off is a series
  /// without steps.
  static SeriesIndex read(const std::filesystem::path& folder);

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] const std::string& key() const { return key_; }
  /// The i-th is record i. An entry that is cut off at the end is none; a damaged one before others
  /// is said to be.
  [[nodiscard]] const std::vector<SeriesEntry>& entries() const { return entries_; }
  /// Where the last whole entry ends.
  [[nodiscard]] std::uintmax_t wholeBytes() const { return wholeBytes_; }

  [[nodiscard]] std::string headerText() const;
  /// `content`: what an entry keeps of its files, and its checksums.
  static std::string entryText(std::int64_t number, const std::string& content);
  /// The one entry of a pending file; throws BIO_FORMAT if it is not whole.
  static SeriesEntry readPending(const std::filesystem::path& folder);

 private:
  void readEntries(const std::string& text, std::size_t at);

  std::int64_t first_;
  std::string key_;
  std::vector<SeriesEntry> entries_;
  std::uintmax_t wholeBytes_ = 0;
};

}  // namespace bundleio
