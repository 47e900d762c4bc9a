#include "step/series.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>
#include <utility>

#include "backends/bp_format.hpp"
#include "backends/bp_series.hpp"
#include "backends/classic_header.hpp"
#include "backends/posix.hpp"
#include "step/folder_lock.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

// Own: short beside a step, long beside a look at a folder.
constexpr std::chrono::milliseconds pollPause{20};

void cut(const fs::path& path, std::uintmax_t bytes) {
  std::error_code error;
  fs::resize_file(path, bytes, error);
  if (error) throw systemFailure(error.value(), "cut " + path.string());
}

// Before anything of them is changed: libraries do not say why they cannot write to a file that is
// there, and ADIOS2 then ends the job.
void requireWritable(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == seriesPendingName) continue;
    if (::access(entry.path().c_str(), W_OK) == 0) continue;
    throw systemFailure(errno, "write to " + entry.path().string());
  }
}

class Appending {
 public:
  explicit Appending(fs::path path)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw systemFailure(errno, "open " + path_.string());
  }
  ~Appending() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Appending(const Appending&) = delete;
  Appending& operator=(const Appending&) = delete;

  void write(const std::string& text) const {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(descriptor_, text.data() + at, text.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw systemFailure(errno, "write " + path_.string());
      at += static_cast<std::size_t>(written);
    }
  }
  void sync() const {
    if (::fsync(descriptor_) != 0) throw systemFailure(errno, "sync " + path_.string());
  }
  // Network file systems tell only now what became of the text.
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) {
      throw systemFailure(errno, "close " + path_.string());
    }
  }

 private:
  fs::path path_;
  int descriptor_;
};

void append(const fs::path& path, const std::string& text, bool durable) {
  Appending file(path);
  file.write(text);
  if (durable) file.sync();
  file.close();
}

Failure unsettled(const fs::path& step, std::chrono::seconds waited, bool isSeen) {
  const std::string what = step.string() + ": a run adds a step to its files for more than " +
                           std::to_string(waited.count()) + " s";
  if (isSeen) return {BIO_STATE, what + ": read it when that is done, or has ended"};
  return {BIO_STATE, what +
                         ", or was killed while it did: the file system does not tell here which "
                         "of them. Read it when that is done; if the run was killed, read it on "
                         "the machine of its rank 0, unless that was restarted since, or go on "
                         "with mode append, or put its files back with bundleio check --run-ended "
                         "once you know that no run writes there"};
}

void undoUncounted(const fs::path& folder) {
  undo(folder, static_cast<std::int64_t>(SeriesIndex::read(folder).entries().size()));
}

}  // namespace

fs::path Series::folder() const { return run_.path() / seriesName(index_->first()); }

// Leaves what the index held when a step last counted, or when it was found.
void Series::cutIndex() const { cut(folder() / seriesIndexName, indexBytes_); }

// Leaves the first `records` steps; `files` is what the index keeps of the last of them.
void Series::cutFiles(std::int64_t records, const std::string& files) const {
  if (fs::exists(folder() / posixLayoutName)) return keepPosixRecords(folder(), records);
  if (fs::exists(folder() / bpFolderName)) {
    return cutBpFolder(folder(), BpList::parsed(files, (folder() / seriesIndexName).string()));
  }
  if (isHdf5()) return undo(folder(), records);
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() == ".nc" && hasGrowing(entry.path())) {
      keepRecords(entry.path(), records);
    }
  }
}

bool Series::takes(std::int64_t number, const std::string& key) const {
  return index_ && records_ > 0 && records_ < stepsPerFile_ && index_->key() == key &&
         index_->first() + records_ == number;
}

bool Series::isHdf5() const { return index_->key().rfind("NetCDF-4 ", 0) == 0; }

void Series::begin(std::int64_t number, const std::string& key, bool durable) {
  // Nothing follows what could not be cut.
  if (!isResumed_) resume();
  isResumed_ = true;
  if (!takes(number, key)) make(number, key);
  record_ = records_;
  files_.clear();
  sums_.reset();
  if (record_ > 0 && isHdf5()) undoMaker_.make(folder(), record_, durable);
}

// The last series that there is, of an earlier run or of this one.
void Series::resume() {
  const auto firsts = seriesIn(run_.path());
  if (firsts.empty()) return;
  const fs::path folder = run_.path() / seriesName(firsts.back());
  // Whole as the entry of a failed step may be, it counts as little.
  if (index_ && index_->first() == firsts.back()) cutIndex();
  index_ = SeriesIndex::read(folder);
  records_ = static_cast<std::int64_t>(index_->entries().size());
  indexBytes_ = index_->wholeBytes();
  requireWritable(folder);
  // An index that is not even begun does not tell whose it is.
  cut(folder / seriesIndexName, indexBytes_);
  std::error_code ignored;
  fs::remove(folder / seriesPendingName, ignored);
  if (records_ == 0) return;
  const SeriesEntry& last = index_->entries().back();
  // Where nobody knows what counts, nothing is cut off, and nothing follows.
  if (last.isDamaged) return index_.reset();
  filesBefore_ = last.files;
  cutFiles(records_, filesBefore_);
  if (last.checksums.empty()) return;
  before_ = Checksums::parse(last.checksums, (folder / seriesIndexName).string());
}

void Series::make(std::int64_t number, const std::string& key) {
  index_.emplace(number, key);
  records_ = 0;
  filesBefore_.clear();
  before_.reset();
  std::error_code error;
  fs::remove_all(folder(), error);
  if (!error) fs::create_directory(folder(), error);
  if (error) throw systemFailure(error.value(), "make folder " + folder().string());
  const std::string text = index_->headerText();
  append(folder() / seriesIndexName, text, false);
  indexBytes_ = text.size();
}

void Series::compare(const Schema& schema, const Checksums& put, bool isRounded) {
  if (isRounded && !put_) before_.reset();
  put_ = put;
  if (before_) compareStored(schema, *before_);
}

void Series::compareStored(const Schema& schema, const Checksums& stored) {
  for (std::size_t i = 0; i < schema.variables().size(); ++i) {
    const Variable& variable = schema.variables()[i];
    const auto index = static_cast<int>(i);
    if (schema.grows(index) || put_->hasEqualValues(stored, schema, index)) continue;
    throw Failure(BIO_MISMATCH, "'" + schema.bundleOf(variable).name + "/" + variable.name +
                                    "' is not what it was in the step before, and has no "
                                    "unlimited dimension: with steps_per_file it is stored once "
                                    "for several steps; give it one, or leave the option out");
  }
}

void Series::showPending(std::int64_t number) const {
  const fs::path path = folder() / seriesPendingName;
  std::error_code ignored;
  fs::remove(path, ignored);
  append(path, SeriesIndex::entryText(number, content()), false);
}

void Series::publish(std::int64_t number, bool durable) {
  const fs::path path = folder() / seriesIndexName;
  const std::string text = SeriesIndex::entryText(number, content());
  std::error_code ignored;
  fs::remove(folder() / seriesPendingName, ignored);
  try {
    append(path, text, durable);
    if (durable && record_ == 0) syncPath(run_.path());
  } catch (const Failure&) {
    discard();
    throw;
  }
  indexBytes_ += text.size();
  ++records_;
  // Out of date; where it stays, it is removed before the next step.
  if (isHdf5()) (void)outcomeOf([&] { undo(folder(), records_); });
  filesBefore_ = files_;
  before_ = put_;
  sums_.reset();
}

void Series::discard() noexcept {
  std::error_code ignored;
  fs::remove(folder() / seriesPendingName, ignored);
  // Files keep a step that the index may still have.
  const Failure outcome = outcomeOf([&] {
    cutIndex();
    if (record_ > 0) cutFiles(record_, filesBefore_);
  });
  if (record_ > 0) {
    // Where this failed, the next step cuts again: a reader would take the rest for it.
    isResumed_ = outcome.status() == BIO_OK;
    return;
  }
  // No file is left without its index, whatever ends this in the middle.
  (void)outcomeOf([&] { run_.removeSeries(index_->first()); });
}

void settleEndedRun(const fs::path& run) {
  for (const std::int64_t first : seriesIn(run)) {
    const fs::path folder = run / seriesName(first);
    if (!hasUndo(folder)) continue;
    const FolderLock alone(run, "a run writes to " + run.string() + ": it has not ended");
    undoUncounted(folder);
  }
}

void settleSeries(const fs::path& step, std::chrono::seconds most) {
  if (stepNumber(step.filename().string()) < 0 || fs::is_directory(step)) return;
  const fs::path folder = placeOfStep(step).folder;
  const fs::path run = step.parent_path();
  const auto end = std::chrono::steady_clock::now() + most;
  while (hasUndo(folder)) {
    const bool isSeen = seesLocksOf(run);
    const Failure outcome = outcomeOf([&] {
      // On another machine a run may be in the middle of its step.
      if (!isSeen) throw Failure(BIO_STATE, "");
      const FolderLock alone(run, "");
      if (!alone.isHeld()) {
        throw Failure(alone.absence().status(),
                      std::string("put back what a killed run left: ") + alone.absence().what());
      }
      undoUncounted(folder);
    });
    if (outcome.status() == BIO_OK) return;
    if (outcome.status() != BIO_STATE) throw Failure(outcome);
    if (std::chrono::steady_clock::now() >= end) throw unsettled(step, most, isSeen);
    std::this_thread::sleep_for(pollPause);
  }
}

}  // namespace bundleio
