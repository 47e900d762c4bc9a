#include "system.hpp"

#include <pio.h>

#include <algorithm>
#include <array>
#include <cstdio>

// bundleio's own, see there: as bio_decomp_map_one_based, for callers who surely count so.
extern "C" int bio_decomp_map_for_pio(bio_context* context, int dimension_count,
                                      const int64_t* lengths, int64_t cell_count,
                                      const int64_t* cells, int* decomposition);

namespace bundleio_pio {

namespace {

constexpr int kFirstDecomposition = 512;

int nextDecomposition = kFirstDecomposition;

int codeOf(int status) {
  switch (status) {
    case BIO_BAD_ARGUMENT:
    case BIO_MISMATCH:
    case BIO_STATE:
      return PIO_EINVAL;
    case BIO_EXISTS:
      return PIO_EEXIST;
    case BIO_NOT_BUILT:
      return PIO_EBADIOTYPE;
    default:
      return PIO_EIO;
  }
}

}  // namespace

Type typeOf(int pioType) {
  switch (pioType) {
    case PIO_BYTE:
      return {BIO_INT8, 1, "PIO_BYTE"};
    case PIO_SHORT:
      return {BIO_INT16, 2, "PIO_SHORT"};
    case PIO_INT:
      return {BIO_INT32, 4, "PIO_INT"};
    case PIO_REAL:
      return {BIO_FLOAT32, 4, "PIO_REAL"};
    case PIO_DOUBLE:
      return {BIO_FLOAT64, 8, "PIO_DOUBLE"};
    case PIO_UBYTE:
      return {BIO_UINT8, 1, "PIO_UBYTE"};
    case PIO_USHORT:
      return {BIO_UINT16, 2, "PIO_USHORT"};
    case PIO_UINT:
      return {BIO_UINT32, 4, "PIO_UINT"};
    case PIO_INT64:
      return {BIO_INT64, 8, "PIO_INT64"};
    case PIO_UINT64:
      return {BIO_UINT64, 8, "PIO_UINT64"};
    case PIO_CHAR:
      throw Failure(PIO_EBADTYPE, "PIO_CHAR: bundleio stores text in attributes only");
    // So module pio calls what it cannot hand over.
    case 0:
      throw Failure(PIO_EBADTYPE,
                    "values of a type that cannot be stored, or a section with gaps: give a copy");
    default:
      throw Failure(PIO_EBADTYPE,
                    "type " + std::to_string(pioType) + " is none that bundleio stores");
  }
}

int pioTypeOf(int bioType) {
  for (int type = PIO_BYTE; type <= PIO_UINT64; ++type) {
    if (type != PIO_CHAR && typeOf(type).bio == bioType) return type;
  }
  return PIO_CHAR;
}

System::System(MPI_Comm comm, int ioTasks, int onError)
    : handler(onError), comm_(comm), ioTasks_(ioTasks) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
  if (const int status = bio_init(comm, &context_); status != BIO_OK) {
    throw Failure(codeOf(status), bio_message(nullptr), true);
  }
  // Files and errors are agreed on apart from what the model sends.
  MPI_Comm_dup(comm, &comm_);
}

System::~System() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

void System::finish() {
  if (files > 0)
    throw Failure(PIO_EINVAL, std::to_string(files) +
                                  " file(s) of the I/O system are still open: close them first");
  check(bio_finish(context_));
  context_ = nullptr;
}

int System::decompose(int pioType, const std::vector<int64_t>& lengths, const MPI_Offset* cells,
                      int64_t count, int first) {
  Decomposition made;
  made.pioType = pioType;
  made.lengths = lengths;
  made.localCount = count;
  std::vector<int64_t> fromOne(cells, cells + count);
  for (int64_t& cell : fromOne) cell += 1 - first;
  // PIO in C counts from 0 for certain. A map from 1 may be one from 0 by mistake, and is checked.
  const auto map = first == 0 ? bio_decomp_map_for_pio : bio_decomp_map_one_based;
  check(map(context_, static_cast<int>(lengths.size()), lengths.data(), count, fromOne.data(),
            &made.bio));
  decompositions_[nextDecomposition] = made;
  return nextDecomposition++;
}

void System::forget(int id) {
  decomposition(id);
  decompositions_.erase(id);
}

const Decomposition& System::decomposition(int id) const {
  const auto found = decompositions_.find(id);
  if (found == decompositions_.end()) {
    throw Failure(PIO_EBADID,
                  "there is no decomposition " + std::to_string(id) + " in this I/O system");
  }
  return found->second;
}

int System::nobody(const std::vector<int64_t>& lengths) {
  const std::vector<int64_t> none(lengths.size(), 0);
  int made = 0;
  check(bio_decomp_block(context_, static_cast<int>(lengths.size()), lengths.data(), none.data(),
                         none.data(), &made));
  return made;
}

int System::boxes(const std::vector<int64_t>& lengths, int64_t* localCount) {
  std::vector<int64_t> start(lengths.size(), 0), count = lengths;
  start[0] = lengths[0] * rank_ / size_;
  count[0] = lengths[0] * (rank_ + 1) / size_ - start[0];
  *localCount = 1;
  for (const int64_t length : count) *localCount *= length;
  int made = 0;
  check(bio_decomp_block(context_, static_cast<int>(lengths.size()), lengths.data(), start.data(),
                         count.data(), &made));
  return made;
}

Failure System::failureOf(int status) const {
  return Failure(codeOf(status), bio_message(context_));
}

void System::check(int status) const {
  if (status != BIO_OK) throw Failure(codeOf(status), bio_message(context_), true);
}

std::string System::told(const std::string& text, int rank) const {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, rank, comm_);
  std::string all(text);
  all.resize(static_cast<size_t>(length));
  MPI_Bcast(all.data(), length, MPI_CHAR, rank, comm_);
  return all;
}

void System::tell(char* values, int64_t bytes) const {
  constexpr int64_t atOnce = 1 << 30;  // MPI counts in an int
  for (int64_t done = 0; done < bytes; done += atOnce) {
    const auto some = static_cast<int>(std::min(atOnce, bytes - done));
    MPI_Bcast(values + done, some, MPI_CHAR, 0, comm_);
  }
}

void System::agree(const std::function<void()>& work) const {
  agreeOn([&] {
    work();
    return Named();
  });
}

void System::agreeOn(const std::function<Named()>& work) const {
  constexpr std::array<const char*, 3> things = {"variables", "frames", "decompositions"};
  std::string text;
  int code = PIO_NOERR;
  Named named;
  try {
    named = work();
  } catch (const Failure& failure) {
    code = failure.code;
    text = failure.what();
  } catch (const std::exception& failure) {
    code = PIO_EIO;
    text = failure.what();
  }
  // The first rank with a mistake; then the smallest number that a rank names, and less the
  // largest.
  const std::array<int64_t, 7> mine = {code == PIO_NOERR ? size_ : rank_,
                                       named.variable,
                                       -named.variable,
                                       named.frame,
                                       -named.frame,
                                       named.decomposition,
                                       -named.decomposition};
  std::array<int64_t, 7> least{};
  MPI_Allreduce(mine.data(), least.data(), 7, MPI_INT64_T, MPI_MIN, comm_);
  const int speaker = static_cast<int>(least[0]);
  if (speaker < size_) {
    MPI_Bcast(&code, 1, MPI_INT, speaker, comm_);
    throw Failure(code, "rank " + std::to_string(speaker) + ": " + told(text, speaker), true);
  }
  for (size_t i = 0; i < things.size(); ++i) {
    const int64_t first = least[1 + 2 * i], last = -least[2 + 2 * i];
    if (first == last) continue;
    throw Failure(PIO_EINVAL,
                  std::string("ranks name different ") + things[i] + ", such as " +
                      std::to_string(first) + " and " + std::to_string(last) +
                      " (counted from 0): all must make the same call",
                  true);
  }
}

int System::settle(const char* call, const Failure& failure) const {
  const bool ends = handler == PIO_INTERNAL_ERROR;
  if ((ends || !failure.isAnswer) && (rank_ == 0 || !failure.agreed)) {
    std::fprintf(stderr, "bundleio_pio: %s: %s\n", call, failure.what());
  }
  if (ends) {
    // Nobody ends the job before rank 0 has told why.
    if (failure.agreed) MPI_Barrier(comm_);
    MPI_Abort(comm_, kExitCode);
  }
  return failure.code;
}

std::string System::writers() const {
  return ioTasks_ < size_ ? " aggregators=" + std::to_string(ioTasks_) : "";
}

}  // namespace bundleio_pio
