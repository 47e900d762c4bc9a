#include "rewriter.hpp"

#include "comparison.hpp"

namespace bundleio {

namespace {

// Slabs of the slowest dimension that has enough entries: what a rank reads then lies together.
Block ownSlab(const Communicator& comm, const Extent& lengths) {
  std::size_t divided = 0;
  while (divided + 1 < lengths.size() && lengths[divided] < comm.size()) ++divided;
  Block own{Extent(lengths.size(), 0), lengths};
  const std::int64_t length = lengths[divided];
  own.start[divided] = length * comm.rank() / comm.size();
  own.count[divided] = length * (comm.rank() + 1) / comm.size() - own.start[divided];
  return own;
}

}  // namespace

void Rewriter::define(const Schema& source) {
  // Decompositions are collective, definitions local: the former come first, for all shapes.
  for (const Variable& variable : source.variables()) {
    if (variable.lengths.empty() || decompositions_.count(variable.lengths) > 0) continue;
    decompositions_[variable.lengths] = std::make_shared<const Decomposition>(
        Decomposition::block(comm_, variable.lengths, ownSlab(comm_, variable.lengths)));
  }
  Schema& target = file_.definitions();
  for (const Bundle& bundle : source.bundles()) {
    const int made = target.copyBundle(bundle);
    for (const int index : bundle.variables) {
      const Variable& variable = source.variable(index);
      const auto found = decompositions_.find(variable.lengths);
      const int copy = target.copyVariable(
          made, variable, found == decompositions_.end() ? nullptr : found->second);
      copies_.push_back({index, copy});
    }
  }
}

void Rewriter::writeStep(Reader& source) {
  values_.resize(copies_.size());
  comm_.agree([&] {
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      readOwn(source, copies_[i].first, copies_[i].second, values_[i]);
    }
  });
  file_.stepBegin();
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    file_.put(copies_[i].second, values_[i].data());
  }
  file_.stepEnd();
  file_.wait();
}

void Rewriter::verify(const Reader& source, Reader& written) {
  comm_.agree([&] {
    const std::vector<int> twins = compareDefinitions(source.schema(), written.schema());
    std::vector<std::byte> there;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const int twin = twins[static_cast<std::size_t>(copies_[i].first)];
      readOwn(written, twin, copies_[i].second, there);
      if (there == values_[i]) continue;
      throw Failure(BIO_MISMATCH, "values of '" +
                                      fullName(written.schema(), written.schema().variable(twin)) +
                                      "' differ from their source");
    }
  });
}

// This rank's part of variable `index` of `reader`, which is `target` here.
void Rewriter::readOwn(Reader& reader, int index, int target,
                       std::vector<std::byte>& values) const {
  const Variable& variable = file_.schema().variable(target);
  const Block& own = variable.decomposition->own();
  values.resize(static_cast<std::size_t>(own.cells()) * bytesOf(variable.type));
  if (own.cells() > 0) reader.read(index, own, values.data());
}

}  // namespace bundleio
