// Which ranks write which of a step's shared files.
//
// Where ranks exchange planes, a file is written by some of them alone, in proportion to its bytes:
// all files are made and written at the same time, and what a library keeps of a file it keeps on
// few ranks. See docs/decisions/0064-ranks-exchange-planes.md.
#pragma once

#include <mpi.h>

#include <vector>

#include "communicator.hpp"
#include "options.hpp"
#include "schema.hpp"

namespace bundleio {

/// Options exchange and aggregators.
struct Exchange {
  explicit Exchange(const Options& options);
  bool isWanted;         // no: MPI-IO sorts what ranks hold
  std::int64_t writers;  // at most; 0: all ranks
};

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

  /// How many ranks write the file, and how many were its equal share of all that is exchanged.
  [[nodiscard]] int writers(int bundle) const { return group(bundle).writers; }
  [[nodiscard]] double share(int bundle) const { return group(bundle).share; }
  /// The rank of writer `index` of the file.
  [[nodiscard]] int writer(int bundle, int index) const;

 private:
  struct Group {
    bool isExchanged = false;
    int firstWriter = 0;  // among all that write
    int writers = 1;
    double share = 0;
    MPI_Comm comm = MPI_COMM_NULL;
  };
  [[nodiscard]] const Group& group(int bundle) const {
    return groups_.at(static_cast<std::size_t>(bundle));
  }
  void divide(const std::vector<std::int64_t>& bytes);
  void split(const Communicator& comm);

  int ranks_;
  int writers_;  // spread evenly over the ranks
  std::vector<Group> groups_;
};

}  // namespace bundleio
