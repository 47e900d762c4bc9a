// A BP folder that holds several steps: what a step's entry in the index keeps of it, how a reader
// gets it as it was when that step counted, and how it is cut back to that.
//
// Its files only grow; but for one byte of md.idx, which says whether a writer has them open. What
// lies behind the lengths of an entry is a step that does not count, or does not yet.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "backends/bp_list.hpp"

namespace bundleio {

/// Of the BP folder in `folder` as it is now. `before` is the list of the step before, if that is
/// known: then only what was written since is read. The sums are those of a folder that no writer
/// has open.
BpList grownList(const std::filesystem::path& folder, const std::optional<BpList>& before);

/// Cuts the files to the lengths of `list`, and removes those that it does not name; nobody has
/// them open, and from now on they say so. Throws BIO_FORMAT if one is shorter.
void cutBpFolder(const std::filesystem::path& folder, const BpList& list);

/// The BP folder in `folder` as `list` has it, in a temporary folder of this process: the index of
/// steps is copied as far as it counts, values are linked. ADIOS2 would read, or wait for, what a
/// killed run left behind, or one that goes on.
class BpView {
 public:
  /// Throws BIO_FORMAT with the name of a file that is missing, cut off, or not as it was written.
  BpView(const std::filesystem::path& folder, const BpList& list);
  ~BpView();
  BpView(const BpView&) = delete;
  BpView& operator=(const BpView&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace bundleio
