// The folder of a run: one sub-folder per step, visible only when complete.
//
// A step is written as ".step-000003.partial" and renamed to "step-000003" when all ranks agree
// that it is complete. The rename is atomic, so a reader sees a whole step or none. Steps that
// share files are records of a series: see series.hpp. Used by rank 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bundleio {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Of a record a name alone, which Reader::open and placeOfStep understand.
  [[nodiscard]] std::filesystem::path step(std::int64_t number) const;
  [[nodiscard]] std::filesystem::path partial(std::int64_t number) const;

  /// Makes the folder if it is not there, and makes sure that it can be written to.
  void make() const;
  /// make(), then what bio_mode `mode` says; returns the number of the first step to write.
  std::int64_t prepare(int mode) const;
  /// An empty partial folder; what a killed run left there is removed.
  void start(std::int64_t number) const;
  /// Throws BIO_NO_SPACE if the file system says that `bytes` do not fit.
  void checkSpace(std::int64_t bytes) const;
  /// Free bytes for this user; negative where the file system does not tell.
  [[nodiscard]] std::int64_t freeBytes() const;
  /// Removes a series and all its steps; they are invisible before the first of its files goes.
  void removeSeries(std::int64_t first) const;
  /// Removes a complete step; it is invisible before the first of its files goes.
  void remove(std::int64_t number) const;
  /// Gives the step its visible name; if that fails, nothing of it is left.
  void publish(std::int64_t number, bool durable) const;
  /// Removes what was written of a step. Never throws: the first failure is the one to report.
  void discard(std::int64_t number) const noexcept;
  /// Numbers of the complete steps, ascending.
  [[nodiscard]] std::vector<std::int64_t> steps() const;

 private:
  std::filesystem::path path_;
};

/// Makes the content of a file, or the entries of a folder, durable.
void syncPath(const std::filesystem::path& path);

/// A folder that is kept open, so that its file system tells it from any other that gets its name.
class OpenedFolder {
 public:
  explicit OpenedFolder(std::filesystem::path path);
  ~OpenedFolder();
  OpenedFolder(const OpenedFolder&) = delete;
  OpenedFolder& operator=(const OpenedFolder&) = delete;
  /// False if another folder has its name by now.
  [[nodiscard]] bool hasItsName() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

/// Bytes of all files in a folder, in whole pages; of what cannot be listed, none.
[[nodiscard]] std::int64_t bytesIn(const std::filesystem::path& folder);

}  // namespace bundleio
