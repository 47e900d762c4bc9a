// The ranks that write each of a step's shared files.
//
// Where ranks exchange planes, a file is written by some of them alone, as many as it weighs:
// all files are made and written at the same time, and what a library keeps of a file it keeps on
// few ranks. See docs/decisions/0064-ranks-exchange-planes.md.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "model/communicator.hpp"
#include "model/options.hpp"
#include "model/schema.hpp"

namespace bundleio {

/// Options exchange and aggregators.
struct Exchange {
  explicit Exchange(const Options& options);
  bool isWanted;         // no: MPI-IO sorts what ranks hold
  std::int64_t writers;  // at most; 0: all ranks
};

/// The writers of a file: `count` of them from the `first`.
struct FileWriters {
  int first = 0;
  int count = 1;
  double share = 0;  // how many writers were its equal share of all; 0: not shared out
};
/// Shares `writers` out to files so that the busiest has as little to do as can be. A file of a
/// share or more has writers of its own, so that none waits for one that is busy with another file;
/// a smaller one has one writer, which may have others. A weight of 0 is left out.
std::vector<FileWriters> shareWriters(const std::vector<std::int64_t>& weights, int writers);

class FileGroups {
 public:
  /// The schema is complete. Collective.
  FileGroups(const Communicator& comm, const Schema& schema, Exchange exchange);
  ~FileGroups();
  FileGroups(const FileGroups&) = delete;
  FileGroups& operator=(const FileGroups&) = delete;

  /// False: every rank writes its own boxes into the bundle's file.
  [[nodiscard]] bool isExchanged(int bundle) const { return group(bundle).isExchanged; }
  /// This rank opens the bundle's file.
  [[nodiscard]] bool isMember(int bundle) const { return group(bundle).comm != MPI_COMM_NULL; }
  /// Of the ranks that open the file.
  [[nodiscard]] MPI_Comm comm(int bundle) const { return group(bundle).comm; }
  /// All members have the file open; each says so of itself. Collective, over all ranks.
  [[nodiscard]] bool isOpenEverywhere(const Communicator& comm, int bundle, bool isOpen) const {
    return comm.minimum(isOpen || !isMember(bundle) ? 1 : 0) == 1;
  }

  /// Ranks that write the file, and those that would be its equal share of all that is exchanged.
  [[nodiscard]] int writers(int bundle) const { return group(bundle).writers.count; }
  [[nodiscard]] double share(int bundle) const { return group(bundle).writers.share; }
  /// The rank of writer `index` of the file.
  [[nodiscard]] int writer(int bundle, int index) const;

 private:
  struct Group {
    bool isExchanged = false;
    FileWriters writers;  // among all that write
    MPI_Comm comm = MPI_COMM_NULL;
  };
  [[nodiscard]] const Group& group(int bundle) const {
    return groups_.at(static_cast<std::size_t>(bundle));
  }
  void split(const Communicator& comm);

  int ranks_;
  int writers_;  // spread evenly over the ranks
  std::vector<Group> groups_;
};

}  // namespace bundleio
