// A complete step that is read and compared with its checksums.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include "exchange/step_sums.hpp"
#include "guard/checksums.hpp"
#include "guard/value_sums.hpp"
#include "guard/watchdog.hpp"
#include "readers/reader.hpp"

namespace bundleio {

class CheckedStep {
 public:
  /// Throws BIO_FORMAT where its definitions are damaged. Local.
  explicit CheckedStep(std::filesystem::path folder);

  [[nodiscard]] Reader& reader() const { return *reader_; }
  [[nodiscard]] bool hasChecksums() const { return checksums_.has_value(); }
  /// Forgets what was read of a variable.
  void begin(int variable);
  /// As Reader::read. All ranks together read each cell once, as far as it is to be compared.
  void read(int variable, const Block& box, std::byte* values);
  /// This rank's share of the step, which nobody wants otherwise.
  void readShare(int rank, int ranks, Watchdog* watchdog = nullptr);
  /// Throws BIO_FORMAT on all ranks if what they read is not what was put: of one variable, where
  /// all ranks have checksums, or of all. Collective.
  void compare(const Communicator& comm, int variable);
  void compare(const Communicator& comm);
  /// The same where this rank alone read all of a variable. Local.
  void compareAlone(int variable);

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Reader> reader_;
  std::optional<Checksums> checksums_;
  std::optional<ValueSums> sums_;
};

/// The step in `folder` has checksums, as every rank sees, and holds what they say. Where a read
/// never comes back, the watchdog ends the job. Collective.
void verifyStep(const Communicator& comm, const std::filesystem::path& folder, Watchdog* watchdog);
/// On rank 0 the checksums of what can be read of the step in `folder`. Collective.
std::optional<Checksums> storedSums(const Communicator& comm, const std::filesystem::path& folder,
                                    Summed which, Watchdog* watchdog = nullptr);

}  // namespace bundleio
