#include "model/communicator.hpp"

#include <algorithm>
#include <array>
#include <climits>

namespace bundleio {

namespace {

// Bytes of one broadcast; every rank has memory for them.
constexpr std::size_t pieceBytes = 1 << 20;

}  // namespace

Communicator::Communicator(MPI_Comm original) {
  MPI_Comm_dup(original, &handle_);
  MPI_Comm_dup(original, &agreement_);
  // For those who watch a job's messages.
  MPI_Comm_set_name(handle_, "bundleio values");
  MPI_Comm_set_name(agreement_, "bundleio agreements");
  // mpi4py, for one, has errors returned: a message that was cut off would pass for a whole one.
  MPI_Comm_set_errhandler(handle_, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(agreement_, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_rank(handle_, &rank_);
  MPI_Comm_size(handle_, &size_);
  findNode();
}

Communicator::~Communicator() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  MPI_Comm_free(&node_);
  MPI_Comm_free(&agreement_);
  MPI_Comm_free(&handle_);
}

void Communicator::findNode() {
  MPI_Comm_split_type(agreement_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node_);
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_rank(node_, &rankOnNode_);
  MPI_Comm_size(node_, &ranksOnNode_);
  const int isFirst = rankOnNode_ == 0 ? 1 : 0;
  MPI_Allreduce(&isFirst, &nodes_, 1, MPI_INT, MPI_SUM, agreement_);
}

void Communicator::settle(const Failure& mine, int call) const {
  checkInStep();
  // One reduction: the smallest call and the smallest negative one differ only if two calls do.
  const std::array<int, 3> row{mine.status() == BIO_OK ? INT_MAX : rank_, call, -call};
  std::array<int, 3> least{};
  MPI_Allreduce(row.data(), least.data(), 3, MPI_INT, MPI_MIN, agreement_);
  const int speaker = least[0];
  const bool callsDiffer = least[1] != -least[2];
  if (speaker == INT_MAX && !callsDiffer) return;
  const Failure outcome =
      speaker == INT_MAX
          ? Failure(BIO_STATE,
                    "ranks are in different collective calls: all must make the same, in one order")
          : everyones(mine, speaker);
  if (callsDiffer) outOfStep_ = outcome;
  throw Failure(outcome);
}

// The failure of rank `speaker`, told to all.
Failure Communicator::everyones(const Failure& mine, int speaker) const {
  int status = mine.status();
  MPI_Bcast(&status, 1, MPI_INT, speaker, agreement_);
  std::string text = mine.what();
  // A failure that already went through an agreement names its rank.
  if (rank_ == speaker && text.rfind("rank ", 0) != 0) {
    text = "rank " + std::to_string(rank_) + ": " + text;
  }
  return {static_cast<Status>(status), broadcast(text, speaker)};
}

void Communicator::checkInStep() const {
  if (outOfStep_) throw Failure(*outOfStep_);
}

std::string Communicator::broadcast(std::string text, int root) const {
  checkInStep();
  auto length = static_cast<unsigned long long>(text.size());
  MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, root, agreement_);
  if (length > pieceBytes) {
    agree([&] { text.resize(length); });
  } else {
    text.resize(length);
  }
  for (std::size_t at = 0; at < text.size(); at += pieceBytes) {
    const auto count = static_cast<int>(std::min(pieceBytes, text.size() - at));
    MPI_Bcast(&text[at], count, MPI_CHAR, root, agreement_);
  }
  return text;
}

std::string Communicator::gatherOnNode(const std::string& text) const {
  checkInStep();
  const auto mine = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranksOnNode_));
  MPI_Allgather(&mine, 1, MPI_INT, lengths.data(), 1, MPI_INT, node_);
  std::vector<int> starts;
  int end = 0;
  for (const int length : lengths) {
    starts.push_back(end);
    end += length;
  }
  std::string all(static_cast<std::size_t>(end), '\0');
  MPI_Allgatherv(text.data(), mine, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR,
                 node_);
  return all;
}

long long Communicator::minimum(long long value) const {
  checkInStep();
  long long smallest = value;
  MPI_Allreduce(&value, &smallest, 1, MPI_LONG_LONG, MPI_MIN, agreement_);
  return smallest;
}

}  // namespace bundleio
