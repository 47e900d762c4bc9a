// An I/O system of PIO: a context of bundleio, its decompositions, and how its errors end.
#pragma once

#include <bundleio/bundleio.h>

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace bundleio_pio {

/// Of a job that an error ends.
inline constexpr int kExitCode = 3;

/// Why a call failed. `agreed`: every rank has the same failure, so that one of them tells.
/// `isAnswer`: an inquiry found nothing, which a program may have expected.
struct Failure : std::runtime_error {
  Failure(int pioCode, const std::string& text, bool onAll = false)
      : std::runtime_error(text), code(pioCode), agreed(onAll) {}

  int code;
  bool agreed;
  bool isAnswer = false;
};

/// A type of values as PIO and netCDF number it.
struct Type {
  int bio;
  size_t bytes;
  const char* name;
};

/// Throws for what cannot be stored in a variable.
Type typeOf(int pioType);
/// The number of a type of bundleio.
int pioTypeOf(int bioType);

struct Decomposition {
  int bio = 0;
  int pioType = 0;
  std::vector<int64_t> lengths;
  int64_t localCount = 0;
};

/// All ranks must name the same in a call. The decomposition's number is bundleio's, others PIO's.
struct Named {
  int64_t variable = 0;
  int64_t frame = 0;
  int64_t decomposition = 0;
};

/// Its calls are those of PIO, but that they throw; all collective.
class System {
 public:
  System(MPI_Comm comm, int ioTasks, int handler);
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  /// Offsets count from `first`.
  int decompose(int pioType, const std::vector<int64_t>& lengths, const MPI_Offset* cells,
                int64_t count, int first);
  void forget(int decomposition);
  const Decomposition& decomposition(int id) const;
  /// A decomposition in which nobody owns a cell: all of them have the fill value.
  int nobody(const std::vector<int64_t>& lengths);
  /// One of equal boxes; `localCount` gets the cells of this rank.
  int boxes(const std::vector<int64_t>& lengths, int64_t* localCount);

  /// Throws, if `status` is an error, with bundleio's own message.
  void check(int status) const;
  /// The failure of a call that this rank alone made.
  Failure failureOf(int status) const;
  /// The text of one rank on all ranks.
  std::string told(const std::string& text, int rank = 0) const;
  /// Rank 0's `bytes` on all ranks.
  void tell(char* values, int64_t bytes) const;
  /// Each rank works alone; where one fails, all throw its failure. Collective.
  void agree(const std::function<void()>& work) const;
  /// The same where ranks also name something: all throw where they name different things, each of
  /// which may be right by itself.
  void agreeOn(const std::function<Named()>& work) const;
  /// Ends the job, or says what failed and returns the code, as the handler wants it.
  int settle(const char* call, const Failure& failure) const;

  void finish();

  MPI_Comm comm() const { return comm_; }
  bio_context* context() const { return context_; }
  bool isFirst() const { return rank_ == 0; }
  /// Options of bio_open that keep to the number of I/O tasks, where it is less than all.
  std::string writers() const;

  int handler;
  int files = 0;

 private:
  MPI_Comm comm_;
  bio_context* context_ = nullptr;
  int rank_ = 0, size_ = 1, ioTasks_;
  std::map<int, Decomposition> decompositions_;
};

}  // namespace bundleio_pio
