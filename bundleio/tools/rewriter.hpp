// Writes steps again through another back end. A step is divided into parts, which ranks read,
// write and, once its files are closed, read back; it becomes visible if all checksums agree.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/options.hpp"
#include "model/parts.hpp"
#include "readers/reader.hpp"
#include "step/run.hpp"

namespace bundleio {

/// Throws if these options let a back end store other values than it is given: no step that was
/// rewritten would equal its source.
void requireExact(const Options& options);

class Rewriter {
 public:
  /// Is told how many bytes this rank has written since it was told last, and may take its time.
  using Pace = std::function<void(std::int64_t bytes)>;

  Rewriter(const Communicator& comm, Run& run, Pace pace);

  /// Defines in the run what `source` holds, and divides it among the ranks. Collective.
  void define(const Reader& source);
  /// `source` holds what was defined.
  [[nodiscard]] bool fits(const Reader& source) const;
  /// The next step of the run, from the same definitions: that of `folder`, which `source` reads.
  /// Throws BIO_MISMATCH on all ranks if what was written reads back otherwise, BIO_FORMAT if what
  /// was read is not what the checksums in `folder` say: then the step is not there. Collective.
  void rewrite(Reader& source, const std::filesystem::path& folder);

 private:
  void divide(const Reader& source, const std::map<int, int>& copies);
  /// Part by part, where the back end takes them: a rank holds one at a time.
  void fill(Reader& source, const BoxSink& sink);
  /// All that the rank owns at once.
  void put(Reader& source);
  void verify(const Schema& source, const std::filesystem::path& made) const;
  void readBack(const Schema& source, const std::filesystem::path& made) const;
  void compareChecksums(const std::filesystem::path& from, const std::filesystem::path& made) const;

  struct Copied {
    Part part;  // of the source
    int target;
    std::uint64_t checksum;
  };

  const Communicator& comm_;
  Run& run_;
  Pace pace_;
  std::string defined_;        // the layout of the source
  std::vector<Copied> parts_;  // of this rank
  long long partsMax_ = 0;     // of any rank
};

}  // namespace bundleio
