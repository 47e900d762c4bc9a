#include "rewriter.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "checksum.hpp"
#include "comparison.hpp"
#include "model/layout.hpp"
#include "readers/step_place.hpp"
#include "step/checked_step.hpp"

namespace bundleio {

namespace {

// Own: a part stays in a core's cache from being read to being written. Measured: see
// docs/results/bundleio.md.
constexpr std::size_t partBytesMax = 2 << 20;
// A back end that takes no parts has the rank's whole share in memory; what is read back then is
// large enough for the compressed chunks of NetCDF-4, which are unpacked as a whole.
constexpr std::size_t ownPartBytesMax = 1 << 26;
// Own: parts until ranks ask each other whether one has failed; few, since a pace may be slow.
constexpr long long partsOfRound = 16;

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

void requireExact(const Options& options) {
  const bool isRounded = options.number("keep_bits", 0, INT32_MAX) > 0;
  if (!isRounded && options.text("compress") != "zfp") return;
  const std::string name = isRounded ? "keep_bits=" + options.text("keep_bits") : "compress=zfp";
  throw Failure(BIO_BAD_ARGUMENT, "option " + name +
                                      ": it changes values, and a rewritten step must equal its "
                                      "source bit by bit: leave it out (values that were rounded "
                                      "before stay as they are), or let the model write so");
}

Rewriter::Rewriter(const Communicator& comm, Run& run, Pace pace)
    : comm_(comm), run_(run), pace_(std::move(pace)) {}

void Rewriter::define(const Reader& source) {
  // Decompositions are collective, definitions local: the former come first, for all shapes.
  std::map<Extent, std::shared_ptr<const Decomposition>> decompositions;
  for (const Variable& variable : source.schema().variables()) {
    if (run_.takesBoxes() || variable.lengths.empty()) continue;
    auto& made = decompositions[variable.lengths];
    if (made) continue;
    made = std::make_shared<const Decomposition>(
        Decomposition::block(comm_, variable.lengths, ownSlab(comm_, variable.lengths)));
  }
  Schema& target = run_.definitions();
  std::map<int, int> copies;
  for (const Bundle& bundle : source.schema().bundles()) {
    const int made = target.copyBundle(bundle);
    for (const int index : bundle.variables) {
      const Variable& variable = source.schema().variable(index);
      const auto found = decompositions.find(variable.lengths);
      copies[index] = target.copyVariable(made, variable,
                                          found == decompositions.end() ? nullptr : found->second);
    }
  }
  divide(source, copies);
  defined_ = layoutText(source.schema(), 0);
}

bool Rewriter::fits(const Reader& source) const {
  return layoutText(source.schema(), 0) == defined_;
}

void Rewriter::divide(const Reader& source, const std::map<int, int>& copies) {
  const Schema& schema = source.schema();
  std::vector<Part> mine;
  if (run_.takesBoxes()) {
    mine =
        shareOf(schema, comm_.rank(), comm_.size(), std::max(partBytesMax, source.chunkBytesMax()));
  } else {
    for (const auto& [index, copy] : copies) {
      const Block& own = run_.schema().variable(copy).decomposition->own();
      for (Part& part : partsOf(schema, index, own, ownPartBytesMax)) {
        mine.push_back(std::move(part));
      }
    }
  }
  parts_.clear();
  for (Part& part : mine) {
    const int copy = copies.at(part.variable);
    parts_.push_back({std::move(part), copy, 0});
  }
  partsMax_ = -comm_.minimum(-static_cast<long long>(parts_.size()));
}

void Rewriter::rewrite(Reader& source, const std::filesystem::path& folder) {
  run_.beforePublishing([&](const std::filesystem::path& made) {
    verify(source.schema(), made);
    compareChecksums(folder, made);
  });
  if (run_.takesBoxes()) {
    run_.fillStep([&](const BoxSink& sink) { fill(source, sink); });
  } else {
    put(source);
  }
}

void Rewriter::fill(Reader& source, const BoxSink& sink) {
  std::vector<std::byte> values;
  for (long long first = 0; first < partsMax_; first += partsOfRound) {
    // One agreement for several parts: a failure ends the step on all ranks before long.
    comm_.agree([&] {
      const auto end = std::min(first + partsOfRound, static_cast<long long>(parts_.size()));
      for (auto i = first; i < end; ++i) {
        auto& [part, target, checksum] = parts_[static_cast<std::size_t>(i)];
        values.resize(partBytes(source.schema(), part));
        source.read(part.variable, part.box, values.data());
        checksum = checksumOf(values.data(), values.size());
        sink(target, part.box, values.data());
        if (pace_) pace_(static_cast<std::int64_t>(values.size()));
      }
    });
  }
}

void Rewriter::put(Reader& source) {
  std::vector<std::vector<std::byte>> values(run_.schema().variables().size());
  std::int64_t ownBytes = 0;
  comm_.agree([&] {
    for (auto& [part, target, checksum] : parts_) {
      std::vector<std::byte>& own = values[static_cast<std::size_t>(target)];
      const std::size_t bytes = partBytes(source.schema(), part);
      const std::size_t before = own.size();
      if (before == 0) {
        const Variable& variable = run_.schema().variable(target);
        own.reserve(static_cast<std::size_t>(variable.decomposition->own().cells()) *
                    bytesOf(variable.type));
      }
      own.resize(before + bytes);
      source.read(part.variable, part.box, &own[before]);
      checksum = checksumOf(&own[before], bytes);
      ownBytes += static_cast<std::int64_t>(bytes);
    }
  });
  run_.stepBegin();
  for (std::size_t i = 0; i < values.size(); ++i) {
    run_.put(static_cast<int>(i), values[i].data());
  }
  run_.stepEnd();
  run_.wait();
  if (pace_) pace_(ownBytes);
}

void Rewriter::verify(const Schema& source, const std::filesystem::path& made) const {
  comm_.agree([&] {
    const Failure outcome = outcomeOf([&] { readBack(source, made); });
    if (outcome.status() == BIO_OK) return;
    if (outcome.status() != BIO_MISMATCH && outcome.status() != BIO_FORMAT) throw outcome;
    throw Failure(BIO_MISMATCH, std::string("the step reads back other than it was written (") +
                                    outcome.what() + "): it was removed; check the device");
  });
}

// Sections do not depend on the format: damage of the source ends here, and gets no new sums. Where
// the step that was made has none, it is read once more: the source may be removed next.
void Rewriter::compareChecksums(const std::filesystem::path& from,
                                const std::filesystem::path& made) const {
  std::optional<Checksums> before;
  std::optional<Checksums> after;
  comm_.agreeOnRoot([&] {
    before = checksumsOfStep(from);
    after = checksumsOfStep(made);
  });
  if (comm_.minimum(before && !after ? 0 : 1) == 0) after = storedSums(comm_, made, Summed::all);
  comm_.agreeOnRoot([&] {
    if (!before) return;
    const Failure outcome = outcomeOf([&] { before->checkEqualValues(*after); });
    if (outcome.status() == BIO_OK) return;
    throw Failure(outcome.status(), from.string() + ": " + outcome.what());
  });
}

void Rewriter::readBack(const Schema& source, const std::filesystem::path& made) const {
  const std::unique_ptr<Reader> written = Reader::open(made);
  const std::vector<int> twins = compareDefinitions(source, written->schema());
  std::vector<std::byte> values;
  for (const Copied& copied : parts_) {
    const int index = copied.part.variable;
    values.resize(partBytes(source, copied.part));
    written->read(twins[static_cast<std::size_t>(index)], copied.part.box, values.data());
    if (checksumOf(values.data(), values.size()) == copied.checksum) continue;
    throw Failure(BIO_MISMATCH,
                  "values of '" + fullName(source, source.variable(index)) + "' differ");
  }
}

}  // namespace bundleio
