#include "step/series.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "backends/classic_header.hpp"
#include "backends/posix.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

// Leaves the first `records` steps in the files of a series.
void cutFiles(const fs::path& folder, std::int64_t records) {
  if (fs::exists(folder / posixLayoutName)) return keepPosixRecords(folder, records);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".nc" && hasGrowing(entry.path())) {
      keepRecords(entry.path(), records);
    }
  }
}

void cut(const fs::path& path, std::uintmax_t bytes) {
  std::error_code error;
  fs::resize_file(path, bytes, error);
  if (error) throw systemFailure(error.value(), "cut " + path.string());
}

class Appending {
 public:
  explicit Appending(fs::path path)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw systemFailure(errno, "open " + path_.string());
  }
  ~Appending() { ::close(descriptor_); }
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

 private:
  fs::path path_;
  int descriptor_;
};

}  // namespace

fs::path Series::folder() const { return run_.path() / seriesName(index_->first()); }

bool Series::takes(std::int64_t number, const std::string& key) const {
  return index_ && records_ > 0 && records_ < stepsPerFile_ && index_->key() == key &&
         index_->first() + records_ == number;
}

void Series::begin(std::int64_t number, const std::string& key) {
  if (!std::exchange(isResumed_, true)) resume();
  if (!takes(number, key)) make(number, key);
  record_ = records_;
  sums_.reset();
}

// The last series that an earlier run left.
void Series::resume() {
  const auto firsts = seriesIn(run_.path());
  if (firsts.empty()) return;
  const fs::path folder = run_.path() / seriesName(firsts.back());
  index_ = SeriesIndex::read(folder);
  records_ = static_cast<std::int64_t>(index_->entries().size());
  indexBytes_ = index_->wholeBytes();
  cut(folder / seriesIndexName, indexBytes_);
  std::error_code ignored;
  fs::remove(folder / seriesPendingName, ignored);
  if (records_ == 0) return;
  cutFiles(folder, records_);
  const SeriesEntry& last = index_->entries().back();
  if (last.isDamaged || last.checksums.empty()) return;
  before_ = Checksums::parse(last.checksums, (folder / seriesIndexName).string());
}

void Series::make(std::int64_t number, const std::string& key) {
  index_.emplace(number, key);
  records_ = 0;
  before_.reset();
  std::error_code error;
  fs::remove_all(folder(), error);
  if (!error) fs::create_directory(folder(), error);
  if (error) throw systemFailure(error.value(), "make folder " + folder().string());
  const std::string text = index_->headerText();
  Appending(folder() / seriesIndexName).write(text);
  indexBytes_ = text.size();
}

void Series::sum(const Schema& schema, const Checksums& checksums) {
  for (std::size_t i = 0; before_ && i < schema.variables().size(); ++i) {
    const Variable& variable = schema.variables()[i];
    const Bundle& bundle = schema.bundleOf(variable);
    const auto index = static_cast<int>(i);
    if (bundle.isUnlimited(variable) || checksums.hasEqualValues(*before_, schema, index)) continue;
    throw Failure(BIO_MISMATCH, "'" + bundle.name + "/" + variable.name +
                                    "' is not what it was in the step before, and has no "
                                    "unlimited dimension: with steps_per_file it is stored once "
                                    "for several steps; give it one, or leave the option out");
  }
  sums_ = checksums;
}

void Series::showPending(std::int64_t number) const {
  const fs::path path = folder() / seriesPendingName;
  std::error_code ignored;
  fs::remove(path, ignored);
  Appending(path).write(SeriesIndex::entryText(number, sums_ ? sums_->text() : ""));
}

void Series::publish(std::int64_t number, bool durable) {
  const fs::path path = folder() / seriesIndexName;
  const std::string text = SeriesIndex::entryText(number, sums_ ? sums_->text() : "");
  std::error_code ignored;
  fs::remove(folder() / seriesPendingName, ignored);
  try {
    const Appending index(path);
    index.write(text);
    if (durable) index.sync();
    if (durable && record_ == 0) syncPath(run_.path());
  } catch (const Failure&) {
    fs::resize_file(path, indexBytes_, ignored);
    discard();
    throw;
  }
  indexBytes_ += text.size();
  ++records_;
  before_ = std::move(sums_);
  sums_.reset();
}

void Series::discard() const noexcept {
  std::error_code ignored;
  fs::remove(folder() / seriesPendingName, ignored);
  if (record_ > 0) {
    // The next run cuts off what stays of it; it never counts.
    (void)outcomeOf([&] { cutFiles(folder(), record_); });
    return;
  }
  // A library that keeps a file open after a failure would keep its room.
  for (const auto& entry : fs::directory_iterator(folder(), ignored)) {
    fs::resize_file(entry.path(), 0, ignored);
  }
  fs::remove_all(folder(), ignored);
}

}  // namespace bundleio
