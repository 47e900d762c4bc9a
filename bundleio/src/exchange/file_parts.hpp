// The values of a step as parts that suit files shared by several ranks, a window at a time.
//
// A rank's box is a row of a few hundred bytes in the file, then another far behind it. MPI-IO
// sorts such rows by lists that weigh a good part of the values, on one rank of each node, in every
// collective call. Here ranks send rows to writers first, each of which gets slabs that lie
// together in the file: docs/decisions/0064-ranks-exchange-planes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exchange/box_planes.hpp"
#include "exchange/file_groups.hpp"
#include "model/hyperslab.hpp"

namespace bundleio {

/// This rank's part of a variable in one collective call: `values` are dense in memory, 0
/// `bytes` are nothing.
struct FilePart {
  int variable;
  Hyperslab slab;
  const std::byte* values;
  std::size_t bytes;
};

class FileParts {
 public:
  /// The most that is under way at once.
  struct Windows {
    std::int64_t bytes;   // on each rank that writes, about
    bool areWholePieces;  // whatever their bytes
  };
  /// Takes the memory for all windows. Collective.
  FileParts(const Step& step, const FileGroups& groups, const std::vector<Piece>& pieces,
            Windows windows);

  /// Goes to the next window; false behind the last. Collective.
  bool next();
  /// On all ranks that open a bundle's file equally many, of equal variables in equal order, bundle
  /// by bundle. Valid until next().
  [[nodiscard]] const std::vector<FilePart>& parts() const { return parts_; }

 private:
  // How far a bundle is.
  struct Progress {
    std::size_t piece = 0;
    std::size_t end = 0;             // behind its last piece
    std::int64_t takenPlanes = 0;    // of that piece, by own boxes
    std::vector<Hyperslab> untaken;  // slabs of that piece, the next at last
  };
  // A run of planes, or a part of one plane, that one rank writes.
  struct Slab {
    const Piece* piece;
    Hyperslab inFile;
    std::int64_t firstPlane;
    std::int64_t planes;
    Block box;  // of each plane
    std::int64_t bytes;
    int writer;
    std::size_t offset;  // in the writer's memory
  };

  void rewind();
  bool plan();
  void takeOwnBoxes(Progress& progress);
  void listOwnBoxes();
  void takeSlabs(int bundle, Progress& progress);
  [[nodiscard]] std::vector<Hyperslab> slabsOf(const Piece& piece, std::int64_t bytesMax) const;
  [[nodiscard]] Slab slabOf(const Piece& piece, const Hyperslab& inFile) const;
  void assignWriters(int bundle, std::size_t first);
  [[nodiscard]] std::vector<PlaneRange> neededPlanes() const;
  void exchange() const;
  void receive(const Slab& slab, std::vector<MPI_Request>& requests) const;
  void send(const Slab& slab, std::vector<MPI_Request>& requests) const;
  void listSlabs();
  [[nodiscard]] const Variable& variableOf(const Piece& piece) const {
    return step_.schema.variable(piece.variable);
  }

  const Step& step_;
  const FileGroups& groups_;
  const std::vector<Piece>& pieces_;
  Windows windows_;
  BoxPlanes planes_;
  std::unique_ptr<std::byte[]> memory_;  // of this rank's slabs in a window
  std::size_t usedBytes_ = 0;            // of it, in this window
  std::vector<Progress> progress_;       // by bundle
  std::vector<PlaneRange> ownPlanes_;    // of a window that is written by own boxes
  std::vector<Slab> slabs_;
  std::vector<FilePart> parts_;
};

}  // namespace bundleio
