#include "record/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "model/layout.hpp"

namespace bundleio {

namespace {

constexpr int textTag = 1;
constexpr std::size_t messageBytesMax = std::size_t{1} << 20U;
constexpr int stop = -1;             // in the place of a count of ranks
constexpr std::uint64_t noHash = 0;  // of a list that is incomplete

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t microseconds(double seconds) { return std::llround(seconds * 1e6); }

}  // namespace

std::unique_ptr<Recorder> Recorder::start(const Communicator& comm, std::string path,
                                          const std::string& backend, const std::string& options) {
  std::unique_ptr<PatternFile> file;
  if (comm.isRoot()) {
    const char* wanted = std::getenv("BUNDLEIO_RECORD");
    if (path.empty() && wanted != nullptr) path = wanted;
    if (!path.empty()) file = std::make_unique<PatternFile>(path);
    if (file && !file->isOpen()) file.reset();
  }
  int records = file ? 1 : 0;
  MPI_Bcast(&records, 1, MPI_INT, 0, comm.handle());
  if (records == 0) return nullptr;
  if (file) {
    const std::string given = options.empty() ? "" : " " + encoded(options);
    file->append(std::string(patternHeader) + "\nranks " + std::to_string(comm.size()) +
                 "\nbackend " + backend + given + "\n");
  }
  return std::unique_ptr<Recorder>(new Recorder(comm, std::move(file)));
}

Recorder::Recorder(const Communicator& comm, std::unique_ptr<PatternFile> file)
    : comm_(comm),
      file_(std::move(file)),
      rows_(file_ ? static_cast<std::size_t>(comm.size()) : 0),
      received_(file_ ? messageBytesMax : 0, ' '),
      hash_(hashOf(putsText({}))) {
  leave();
}

Recorder::~Recorder() {
  if (!file_ || !file_->isOpen()) return;
  if (steps_ == 0) {
    file_->abandon("no step was completed");
    return;
  }
  file_->append("end " + std::to_string(steps_) + "\n");
  if (!file_->publish()) return;
  std::fprintf(stderr, "bundleio: recorded %lld steps of %d ranks in %s\n",
               static_cast<long long>(steps_), comm_.size(), file_->path().c_str());
}

void Recorder::stepBegun() noexcept {
  puts_.clear();
  incomplete_ = false;
}

void Recorder::put(const PutRange& range) noexcept {
  if (stopped_ || incomplete_) return;
  try {
    puts_.push_back(range);
  } catch (const std::bad_alloc&) {
    incomplete_ = true;
  }
}

void Recorder::arrived() noexcept {
  arrivedSeconds_ = wallSeconds();
  gapSeconds_ += arrivedSeconds_ - leftSeconds_;
}

void Recorder::leave() noexcept { leftSeconds_ = wallSeconds(); }

void Recorder::failed() noexcept { leave(); }

void Recorder::waited() noexcept {
  if (file_ && steps_ > 0) {
    const auto taken = microseconds(wallSeconds() - arrivedSeconds_);
    file_->append("gap " + std::to_string(microseconds(gapSeconds_)) + "*" +
                  std::to_string(comm_.size()) + "\nwait " + std::to_string(taken) + "\n");
  }
  gapSeconds_ = 0;
  leave();
}

void Recorder::stepEnded(const Schema& schema) noexcept {
  if (stopped_) return;
  const std::int64_t taken = microseconds(wallSeconds() - arrivedSeconds_);
  if (steps_ == 0) {
    // Ranks agree on how this ends: here, all stop or none.
    const Failure outcome = outcomeOf([&] { recordDefinitions(schema); });
    stopped_ = outcome.status() != BIO_OK;
    if (stopped_ && file_) file_->abandon(outcome.what());
  }
  if (!stopped_) recordStep(taken);
  if (!stopped_) ++steps_;
  gapSeconds_ = 0;
  leave();
}

void Recorder::recordDefinitions(const Schema& schema) {
  for (const Decomposition* decomposition : schema.decompositions()) {
    comm_.agreeOnRoot([&] { file_->append(decompositionText(*decomposition)); });
    if (decomposition->rearrangement() != nullptr) recordCells(*decomposition);
  }
  comm_.agreeOnRoot([&] { file_->append(definitionsText(schema)); });
}

// One rank after the other, so that rank 0 never holds more than the cells of one.
void Recorder::recordCells(const Decomposition& map) {
  const auto cells = map.rearrangement()->cells(comm_);
  std::string text;
  comm_.agree([&] { text = cellsText(comm_.rank(), cells); });
  if (!file_) return sendText(text);
  file_->append(text);
  for (int rank = 1; rank < comm_.size(); ++rank) receiveText(rank);
}

// A failure on one rank stays its own until rank 0 tells all to stop: in the next step at the
// latest.
void Recorder::recordStep(std::int64_t taken) {
  const Failure hashed = outcomeOf([&] {
    if (puts_ == hashedPuts_) return;
    hash_ = hashOf(putsText(puts_));
    hashedPuts_ = puts_;
  });
  if (hashed.status() != BIO_OK) incomplete_ = true;
  const Row mine{microseconds(gapSeconds_), taken, incomplete_ ? noHash : hash_};
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, rows_.data(), sizeof mine, MPI_BYTE, 0, comm_.handle());
  std::vector<int> senders;
  int count = 0;
  if (file_) {
    const Failure outcome = outcomeOf([&] { senders = ranksWithNewLists(); });
    if (outcome.status() != BIO_OK) file_->abandon(outcome.what());
    count = file_->isOpen() ? static_cast<int>(senders.size()) : stop;
  }
  MPI_Bcast(&count, 1, MPI_INT, 0, comm_.handle());
  stopped_ = count == stop;
  if (stopped_) return;
  senders.resize(static_cast<std::size_t>(count));
  MPI_Bcast(senders.data(), count, MPI_INT, 0, comm_.handle());
  for (const int sender : senders) recordList(sender);
  if (!file_) return;
  const Failure written = outcomeOf([&] { writeStep(); });
  if (written.status() != BIO_OK) file_->abandon(written.what());
}

void Recorder::recordList(int sender) {
  std::string text;
  const bool isMine = sender == comm_.rank();
  if (isMine) outcomeOf([&] { text = putsText(puts_); });
  if (!file_ && isMine) sendText(text);
  if (!file_) return;
  if (isMine) file_->append(text);
  const bool came = isMine ? !text.empty() : receiveText(sender);
  if (!came) file_->abandon("rank " + std::to_string(sender) + " has no memory for it");
}

// In most models every rank puts in one order, so that there is one list for all steps and ranks.
std::vector<int> Recorder::ranksWithNewLists() {
  std::vector<int> senders;
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    if (rows_[rank].hash == noHash) {
      throw Failure(BIO_INTERNAL, "rank " + std::to_string(rank) + " has no memory for it");
    }
    const auto number = static_cast<std::int64_t>(lists_.size());
    if (lists_.emplace(rows_[rank].hash, number).second) senders.push_back(static_cast<int>(rank));
  }
  return senders;
}

void Recorder::writeStep() {
  std::vector<std::int64_t> gaps;
  std::vector<std::int64_t> lists;
  std::int64_t longest = 0;
  for (const Row& row : rows_) {
    gaps.push_back(row.gapMicroseconds);
    lists.push_back(lists_.at(row.hash));
    longest = std::max(longest, row.takenMicroseconds);
  }
  file_->append("gap" + runsText(gaps) + "\nstep " + std::to_string(longest) + runsText(lists) +
                "\n");
}

// In pieces, so that rank 0 needs memory for one only.
void Recorder::sendText(const std::string& text) const {
  const auto bytes = static_cast<long long>(text.size());
  MPI_Send(&bytes, 1, MPI_LONG_LONG, 0, textTag, comm_.handle());
  for (std::size_t at = 0; at < text.size(); at += messageBytesMax) {
    const auto count = static_cast<int>(std::min(messageBytesMax, text.size() - at));
    MPI_Send(text.data() + at, count, MPI_CHAR, 0, textTag, comm_.handle());
  }
}

bool Recorder::receiveText(int rank) {
  long long bytes = 0;
  MPI_Recv(&bytes, 1, MPI_LONG_LONG, rank, textTag, comm_.handle(), MPI_STATUS_IGNORE);
  const auto size = static_cast<std::size_t>(bytes);
  for (std::size_t at = 0; at < size; at += messageBytesMax) {
    const std::size_t count = std::min(messageBytesMax, size - at);
    MPI_Recv(received_.data(), static_cast<int>(count), MPI_CHAR, rank, textTag, comm_.handle(),
             MPI_STATUS_IGNORE);
    file_->append({received_.data(), count});
  }
  return size > 0;
}

}  // namespace bundleio
