// Takes an HDF5 file back to its last step that counts.
//
// HDF5 adds a step to a file by changes of what is there: trees, lengths, the place of the end. A
// process that is killed meanwhile leaves a file that nobody can open, with all its steps. So
// everything but the values of steps, which stay as they are, is copied beside before:
//   bundleio-undo 1 RECORDS      steps that the files hold
//   file NAME BYTES              percent-encoded
//   piece OFFSET BYTES           of the file named before; the bytes follow the last line, in order
//   values SUM                   CRC-32C of these bytes
//   end SUM                      of all lines before
// docs/decisions/0080-a-record-counts-when-the-index-says-so.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bundleio {

/// Is there a copy in the folder: is a step being added, or was a run killed that added one?
bool hasUndo(const std::filesystem::path& folder);

/// Makes the files in `folder` what the copy says, and removes it. If the files hold more than
/// `records` steps that count by now, it is out of date, and only removed. Nothing happens where
/// there is none. Throws BIO_FORMAT if the copy is damaged; after any other failure it is still
/// there, and can be tried again.
void undo(const std::filesystem::path& folder, std::int64_t records);

/// Makes copies. Remembers where values lie, so that a step costs what it adds.
class UndoMaker {
 public:
  /// Of all HDF5 files in `folder`, which hold `records` steps. `durable`: survives a loss of
  /// power.
  void make(const std::filesystem::path& folder, std::int64_t records, bool durable);

 private:
  struct Range {
    std::uint64_t start;
    std::uint64_t end;
  };
  struct Values {
    std::int64_t records = 0;
    std::vector<Range> ranges;
  };
  static void find(const std::filesystem::path& file, std::int64_t records, Values& values);
  static void findIn(std::int64_t dataset, std::int64_t records, Values& values);
  static std::vector<Range> between(std::vector<Range> ranges, std::uint64_t end);

  std::filesystem::path folder_;
  std::map<std::string, Values> values_;  // by file
};

}  // namespace bundleio
