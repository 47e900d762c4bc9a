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
    if (variable.decomposition->own().cells() == 0) return;
    if (!rounding_.changes(variable)) return addOwn(index, firstPlane, planes, values);
    const auto planeBytes = static_cast<std::size_t>(variable.ownPlaneBytes());
    // One by one, so that no more than a plane is copied.
    for (std::int64_t plane = 0; plane < planes; ++plane, values += planeBytes) {
      addOwn(index, firstPlane + plane, 1, rounding_.rounded(variable, values, planeBytes));
    }
  });
}

void StepSums::addOwn(int index, std::int64_t firstPlane, std::int64_t planes,
                      const std::byte* values) {
  const Variable& variable = schema_.variable(index);
  for (const Hyperslab& slab :
       hyperslabs(variable, variable.decomposition->own(), firstPlane, planes)) {
    sums_.add(index, blockOf(slab), values);
    values += slabBytes(slab, variable.type);
  }
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
  made().write(folder);
}

Checksums StepSums::made() const {
  if (!rounding_.isOn()) return {schema_, sums_};
  return {rounding_.described(schema_), sums_};
}

void StepSums::raise() const {
  if (met_.status() != BIO_OK) throw Failure(met_);
}

}  // namespace bundleio
