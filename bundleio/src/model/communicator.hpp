// A communicator of our own, and the agreement of all ranks on how something ended.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "model/status.hpp"

namespace bundleio {

/// Counts begin here where no run is open, for Communicator::agree. Runs and readers count on
/// from here.
enum class ContextCall { decompose = 1, open, readOpen };

/// Private copies of the application's communicator: our messages never meet theirs, and what the
/// ranks agree on never meets what an I/O library, left in the middle, still has under way. An
/// error of MPI in them ends the job, whatever the application wants for its own.
class Communicator {
 public:
  explicit Communicator(MPI_Comm original);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] MPI_Comm handle() const { return handle_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool isRoot() const { return rank_ == 0; }
  /// The number of machines (domains of shared memory) that the ranks run on.
  [[nodiscard]] int nodes() const { return nodes_; }
  /// Among the ranks of this machine.
  [[nodiscard]] int rankOnNode() const { return rankOnNode_; }
  [[nodiscard]] int ranksOnNode() const { return ranksOnNode_; }

  /// Runs `work` on every rank; if it throws anywhere, the failure of the lowest such rank is
  /// thrown on all. Costs one reduction of an integer when all is well. Collective.
  template <class Work>
  void agree(Work&& work) const {
    settle(outcomeOf(std::forward<Work>(work)));
  }
  /// The same where a call of the application begins: all ranks have to be in the same `call`, a
  /// number above 0. If they are not, all throw; nothing can be agreed on from then on, and
  /// everything here throws the same at once: no rank waits for one that left.
  template <class Work>
  void agree(int call, Work&& work) const {
    settle(outcomeOf(std::forward<Work>(work)), call);
  }
  template <class Work>
  void agree(ContextCall call, Work&& work) const {
    agree(static_cast<int>(call), std::forward<Work>(work));
  }
  /// Ranks were once in different calls.
  [[nodiscard]] bool isOutOfStep() const { return outOfStep_.has_value(); }
  /// The same, with work that only rank 0 has to do.
  template <class Work>
  void agreeOnRoot(Work&& work) const {
    agree([&] {
      if (isRoot()) work();
    });
  }

  /// Counts from 1, on all ranks alike if they ask in the same order.
  [[nodiscard]] int nextNumber() const { return ++numbers_; }

  /// The text of rank `root`. Throws on all ranks if one has no memory for it.
  [[nodiscard]] std::string broadcast(std::string text, int root) const;
  /// The texts of the ranks of this machine, one behind the other, on each of them. Collective.
  [[nodiscard]] std::string gatherOnNode(const std::string& text) const;
  /// The smallest value of all ranks.
  [[nodiscard]] long long minimum(long long value) const;

 private:
  void findNode();
  void settle(const Failure& mine, int call = 0) const;
  [[nodiscard]] Failure everyones(const Failure& mine, int speaker) const;
  void checkInStep() const;

  MPI_Comm handle_ = MPI_COMM_NULL;     // for data and libraries
  MPI_Comm agreement_ = MPI_COMM_NULL;  // for agree, broadcast and minimum
  MPI_Comm node_ = MPI_COMM_NULL;       // of those on this machine, for gatherOnNode
  int rank_ = 0;
  int size_ = 1;
  int nodes_ = 1;
  int rankOnNode_ = 0;
  int ranksOnNode_ = 1;
  mutable int numbers_ = 0;
  mutable std::optional<Failure> outOfStep_;  // ranks were once in different calls
};

}  // namespace bundleio
