// Files of a step that this process has open. A failed step leaves them so: a library that gives up
// a file first writes what it still holds of it; where that fails, as it does on a disk that is
// full, it keeps the file, and with it the room of a file that was removed.
#pragma once

#include <sys/resource.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace bundleio {

/// Names, below `folder`, of the files there that this process has open; nothing where the kernel
/// does not name descriptors.
[[nodiscard]] std::optional<std::set<std::string>> openFilesBelow(
    const std::filesystem::path& folder);

/// Throws where this process may not open so many files more. MPI-IO says of that nothing that
/// could be mended.
void requireDescriptors(int count);

/// Throws what the file system says when `file`, which this process has open, is closed, as far as
/// the kernel names descriptors. NFS stores then what it took before, and Lustre tells then what
/// was lost; libraries do not look at that answer. The file stays open.
void requireStored(const std::filesystem::path& file);

/// Lets this process's descriptors of files below `folder` lead to nowhere (/dev/null), so that a
/// library can close them, or a thread of it goes on writing. Both functions leave alone what is
/// open for reading only. Nothing happens where the kernel does not name descriptors.
void divertFiles(const std::filesystem::path& folder);
/// Closes these descriptors, of a library that is never asked to close them itself.
void closeFiles(const std::filesystem::path& folder);

/// Lets these descriptors lead into memory, for a library that must be able to write, read and cut
/// what it closes. While it lives, the process's limit on the size of files, which holds for
/// memory, too, is as high as the process may set it: only root may go beyond its hard limit.
class DivertedToMemory {
 public:
  explicit DivertedToMemory(const std::filesystem::path& folder);
  ~DivertedToMemory();
  DivertedToMemory(const DivertedToMemory&) = delete;
  DivertedToMemory& operator=(const DivertedToMemory&) = delete;

  /// Whether the memory has a limit all the same, so that a library may fail to close.
  [[nodiscard]] bool isLimited() const { return isLimited_; }

 private:
  rlimit limit_{};
  bool hasLimit_ = false;
  bool isLimited_ = false;
};

}  // namespace bundleio
