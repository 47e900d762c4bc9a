// Steps that share files: which series and which record of it the next one gets, and how a record
// counts. Used by rank 0. docs/decisions/0080-a-record-counts-when-the-index-says-so.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "backends/hdf5_undo.hpp"
#include "readers/series_index.hpp"
#include "readers/step_place.hpp"
#include "step/run_folder.hpp"

namespace bundleio {

class Series {
 public:
  Series(RunFolder run, std::int64_t stepsPerFile)
      : run_(std::move(run)), stepsPerFile_(stepsPerFile) {}

  /// Chooses the place of step `number`: behind the step before, if that lies in files of the same
  /// `key` that hold fewer than they may, else in a new series. What a killed run left behind the
  /// last step that counts is gone before. `durable`: what takes the files back survives a loss of
  /// power.
  void begin(std::int64_t number, const std::string& key, bool durable);
  [[nodiscard]] std::int64_t first() const { return index_->first(); }
  [[nodiscard]] std::int64_t record() const { return record_; }
  /// No other step goes into the files of this one.
  [[nodiscard]] bool isLast() const { return record_ + 1 >= stepsPerFile_; }

  /// Takes what the back end wants the index to keep, see Backend::recordText.
  void keepText(std::string files) { files_ = std::move(files); }
  /// Files hold some steps of another run, and nobody wrote down what was put then.
  [[nodiscard]] bool isUnknownBefore() const { return record_ > 0 && !before_; }
  /// Takes the checksums of what was put; `isRounded`: of what is stored, these say nothing. Throws
  /// BIO_MISMATCH where a variable that files hold once is not what it was in the step before.
  void compare(const Schema& schema, const Checksums& put, bool isRounded);
  /// The same where what the files hold has these checksums.
  void compareStored(const Schema& schema, const Checksums& stored);
  /// The index gets these checksums of the step.
  void keepSums(const Checksums& stored) { sums_ = stored; }
  /// Lets the step in the making be read under its partial name.
  void showPending(std::int64_t number) const;
  /// From now on the step is there; if that fails, it is not.
  void publish(std::int64_t number, bool durable);
  /// Removes what was written of the step. Never throws.
  void discard() noexcept;

 private:
  [[nodiscard]] std::filesystem::path folder() const;
  void cutIndex() const;
  void cutFiles(std::int64_t records, const std::string& files) const;
  [[nodiscard]] std::string content() const { return files_ + (sums_ ? sums_->text() : ""); }
  [[nodiscard]] bool isHdf5() const;
  [[nodiscard]] bool takes(std::int64_t number, const std::string& key) const;
  void resume();
  void make(std::int64_t number, const std::string& key);

  RunFolder run_;
  std::int64_t stepsPerFile_;
  bool isResumed_ = false;            // the files hold the steps that count and nothing else
  std::optional<SeriesIndex> index_;  // of the series under way, as it was found or made
  std::int64_t record_ = 0;           // of the step under way
  std::int64_t records_ = 0;          // that count
  std::uintmax_t indexBytes_ = 0;
  UndoMaker undoMaker_;
  std::string files_;              // of the step under way, as all these
  std::optional<Checksums> sums_;  // of what is stored
  std::optional<Checksums> put_;
  std::string filesBefore_;          // of the last step that counts
  std::optional<Checksums> before_;  // of what was put then, if it is known
};

/// A run that was killed while it added a step to HDF5 files left them so that nobody can read
/// them: puts them back before `step` is read. If a run adds one just now, or may do so unseen on
/// another machine, waits for it, so long at most; then throws BIO_STATE.
void settleSeries(const std::filesystem::path& step, std::chrono::seconds most);

/// The same for all steps of a run of which the caller knows that it has ended, wherever it was.
/// Throws BIO_STATE if a run is seen there.
void settleEndedRun(const std::filesystem::path& run);

}  // namespace bundleio
