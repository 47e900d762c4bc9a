#include "step/checked_step.hpp"

#include <algorithm>
#include <functional>

#include "model/parts.hpp"
#include "readers/step_place.hpp"

namespace bundleio {

namespace {

// Own: a part stays in a core's cache from being read to being summed.
constexpr std::size_t partBytesMax = 2 << 20;

// Does work that needs no other rank.
template <class Work>
void watchedBy(Watchdog* watchdog, const std::filesystem::path& folder, Work&& work) {
  std::optional<CallWatch> watch;
  if (watchdog != nullptr) {
    watch.emplace(*watchdog,
                  Failure(BIO_IO, "read back " + folder.string() + ": nothing comes back"));
  }
  work();
}

// Hands this rank's share of a step, part by part, to `take`, which reads it.
void readParts(Reader& reader, int rank, int ranks, Summed which,
               const std::function<void(const Part& part, std::byte* values)>& take) {
  std::vector<std::byte> values;
  const std::size_t bytesMax = std::max(partBytesMax, reader.chunkBytesMax());
  for (const Part& part : shareOf(reader.schema(), rank, ranks, bytesMax)) {
    if (which == Summed::storedOnce && reader.schema().grows(part.variable)) continue;
    values.resize(partBytes(reader.schema(), part));
    take(part, values.data());
  }
}

// A failure names the step.
template <class Work>
void within(const std::filesystem::path& folder, Work&& work) {
  const Failure outcome = outcomeOf(std::forward<Work>(work));
  if (outcome.status() == BIO_OK) return;
  throw Failure(outcome.status(), folder.string() + ": " + outcome.what());
}

}  // namespace

CheckedStep::CheckedStep(std::filesystem::path folder)
    : folder_(std::move(folder)),
      reader_(Reader::open(folder_)),
      checksums_(checksumsOfStep(folder_)) {
  if (!checksums_) return;
  within(folder_, [&] { checksums_->checkDefinitions(reader_->schema()); });
  sums_.emplace(reader_->schema());
}

void CheckedStep::begin(int variable) {
  if (sums_) sums_->clear(variable);
}

void CheckedStep::read(int variable, const Block& box, std::byte* values) {
  reader_->read(variable, box, values);
  if (sums_) sums_->add(variable, box, values);
}

void CheckedStep::readShare(int rank, int ranks, Watchdog* watchdog) {
  readParts(*reader_, rank, ranks, Summed::all, [&](const Part& part, std::byte* values) {
    watchedBy(watchdog, folder_, [&] { read(part.variable, part.box, values); });
  });
}

void CheckedStep::compare(const Communicator& comm, int variable) {
  if (!sums_) return;
  sums_->combine(comm, variable);
  comm.agreeOnRoot([&] {
    within(folder_, [&] { checksums_->checkValues(reader_->schema(), *sums_, variable); });
  });
}

void CheckedStep::compareAlone(int variable) {
  if (!sums_) return;
  within(folder_, [&] { checksums_->checkValues(reader_->schema(), *sums_, variable); });
}

void CheckedStep::compare(const Communicator& comm) {
  // A file system may not show every machine the same files; summing needs all ranks.
  const bool areSeen = comm.minimum(sums_ ? 0 : 1) == 0;
  comm.agree([&] {
    if (!areSeen || sums_) return;
    throw Failure(BIO_IO, folder_.string() + ": this rank sees no checksums, but others do");
  });
  if (!areSeen) return;
  sums_->combine(comm);
  comm.agreeOnRoot(
      [&] { within(folder_, [&] { checksums_->checkValues(reader_->schema(), *sums_); }); });
}

void verifyStep(const Communicator& comm, const std::filesystem::path& folder, Watchdog* watchdog) {
  std::optional<CheckedStep> step;
  comm.agree([&] {
    watchedBy(watchdog, folder, [&] { step.emplace(folder); });
    if (!step->hasChecksums()) {
      throw Failure(BIO_FORMAT, folder.string() + " has no checksums, with which it was made");
    }
    step->readShare(comm.rank(), comm.size(), watchdog);
  });
  step->compare(comm);
}

std::optional<Checksums> storedSums(const Communicator& comm, const std::filesystem::path& folder,
                                    Summed which, Watchdog* watchdog) {
  std::unique_ptr<Reader> reader;
  std::optional<ValueSums> sums;
  comm.agree([&] {
    watchedBy(watchdog, folder, [&] { reader = Reader::open(folder); });
    sums.emplace(reader->schema());
    readParts(*reader, comm.rank(), comm.size(), which, [&](const Part& part, std::byte* values) {
      watchedBy(watchdog, folder, [&] { reader->read(part.variable, part.box, values); });
      sums->add(part.variable, part.box, values);
    });
  });
  sums->combine(comm);
  if (!comm.isRoot()) return std::nullopt;
  return Checksums(reader->schema(), *sums);
}

}  // namespace bundleio
