// One complete step, open for a model to read: by any number of ranks and any decomposition.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/communicator.hpp"
#include "readers/reader.hpp"
#include "readers/slab.hpp"
#include "step/checked_step.hpp"

namespace bundleio {

/// A model's request. All ranks ask for the same, each for its own part of it.
struct Request {
  std::string bundle;
  std::string variable;
  int type;
  std::shared_ptr<const Decomposition> decomposition;  // null: rank 0 gets the whole variable
  std::int64_t valueCount;                             // for which `values` has room
  std::byte* values;
};

/// Files are opened and read by each rank on its own, so that no library can keep ranks waiting for
/// each other; what went wrong on one is agreed on between the reads.
class StepReader {
 public:
  /// `number` may be BIO_LAST_STEP; `options` are those that the run was written with. Collective.
  StepReader(const Communicator& comm, const std::string& path, std::int64_t number,
             const std::string& options);

  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] const Schema& schema() const { return reader().schema(); }
  /// These throw BIO_NOT_FOUND with the names that there are. Local.
  [[nodiscard]] const Bundle& find(const std::string& bundle) const;
  [[nodiscard]] const Variable& find(const std::string& bundle, const std::string& variable) const;
  /// Copies a slab that fits the variable to `values`. With option verify=yes, the first slab of a
  /// variable reads and compares all of it. Local.
  void getSlab(const Variable& variable, const Slab& slab, std::byte* values);
  /// With option verify=yes, throws BIO_FORMAT on all ranks if the variable is not what was put;
  /// what of it nobody asked for is then read, too. Copies [levels][own cells] to the values of
  /// what `ask` returns; if it throws, all ranks do. After an error they are undefined. A step that
  /// a drain moves from the fast tier meanwhile, or while it is opened, is read where it moved to.
  /// Collective.
  void get(const std::function<Request()>& ask);
  /// Tells ranks that are still in another call. Collective.
  void close();

 private:
  // As many as those of a Run, with which it shares the numbers: see Communicator::agree.
  enum class Call { get, close, count = 4 };

  template <class Work>
  void enter(Call call, Work&& work);
  [[nodiscard]] std::filesystem::path locate(const std::filesystem::path& run,
                                             const std::filesystem::path& fast,
                                             std::int64_t wanted);
  void open(const std::string& folder);
  [[nodiscard]] bool follow();
  void getValues(const Request& request);
  [[nodiscard]] Reader& reader() const { return checked_ ? checked_->reader() : *reader_; }
  [[nodiscard]] int indexOf(const Variable& variable) const;
  void compareWhole(int index);
  void read(int index, const Block& box, std::byte* values);
  void readBox(int index, const Block& own, std::byte* values);
  void readHoles(int index, const Decomposition& decomposition);
  void readMap(int index, const Decomposition& decomposition, std::byte* values);

  const Communicator& comm_;
  int handle_;  // among the runs and readers of comm_
  std::int64_t number_ = 0;
  bool isVerified_ = false;
  std::chrono::seconds limit_{0};   // of what is waited for before a step is opened
  std::filesystem::path kept_;      // on rank 0, of a step of the fast tier: where it will stay
  std::shared_ptr<Reader> reader_;  // if nothing is verified
  std::shared_ptr<CheckedStep> checked_;  // else
  std::set<int> compared_;                // variables that this rank read and compared, for slabs
  std::vector<std::shared_ptr<void>> left_;  // names that a model was told of stay valid
};

}  // namespace bundleio
