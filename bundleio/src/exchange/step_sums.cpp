#include "exchange/step_sums.hpp"

#include "model/hyperslab.hpp"

namespace bundleio {

void StepSums::begin(const Communicator& comm, const std::vector<Piece>& pieces) noexcept {
  sums_.clear();
  met_ = outcomeOf([&] {
    for (const Piece& piece : pieces) {
      const Variable& variable = schema_.variable(piece.variable);
      const bool isMine = comm.isRoot() && isSummed(piece.variable);
      if (isMine && variable.decomposition->hasHoles()) addHoles(piece);
    }
  });
}

void StepSums::addPlanes(int index, std::int64_t firstPlane, std::int64_t planes,
                         const std::byte* values) noexcept {
  if (met_.status() != BIO_OK || !isSummed(index)) return;
  met_ = outcomeOf([&] {
    const Variable& variable = schema_.variable(index);
    const Block& own = variable.decomposition->own();
    if (own.cells() == 0) return;
    for (const Hyperslab& slab : hyperslabs(variable, own, firstPlane, planes)) {
      sums_.add(index, blockOf(slab), values);
      values += slabBytes(slab, variable.type);
    }
  });
}

void StepSums::addHoles(const Piece& piece) {
  const Variable& variable = schema_.variable(piece.variable);
  const Decomposition& decomposition = *variable.decomposition;
  const auto [known, isNew] = holes_.try_emplace(&decomposition);
  if (isNew) known->second = holesBetween(decomposition.lengths(), decomposition.blocks());
  const std::vector<std::byte> fill = variable.fill();
  for (const Block& hole : known->second) {
    for (const Hyperslab& slab : hyperslabs(variable, hole, piece.firstPlane, piece.planes)) {
      sums_.addFill(piece.variable, blockOf(slab), fill);
    }
  }
}

void StepSums::write(const Communicator& comm, const std::filesystem::path& folder) const {
  raise();
  if (!comm.isRoot()) return;
  Checksums(schema_, sums_).write(folder);
}

void StepSums::raise() const {
  if (met_.status() != BIO_OK) throw Failure(met_);
}

}  // namespace bundleio
