// Names of files for MPI-IO, which takes what stands before a colon for the kind of the file
// system.
#pragma once

#include <filesystem>

namespace bundleio {

/// A folder and how MPI-IO may call the files in it. Where the folder's path holds a colon, that is
/// through a descriptor of the folder, open as long as this object lives: any prefix that
/// silenced the colon ("ufs:") would also choose a driver, the wrong one for NFS or Lustre. The
/// descriptor belongs to this process: ranks may know one file by different names.
class MpiFolder {
 public:
  /// Throws where the colon cannot be hidden, which needs Linux's /proc.
  explicit MpiFolder(const std::filesystem::path& folder);
  ~MpiFolder();
  MpiFolder(const MpiFolder&) = delete;
  MpiFolder& operator=(const MpiFolder&) = delete;

  /// `path` names a file in the folder.
  [[nodiscard]] std::filesystem::path forMpi(const std::filesystem::path& path) const;

 private:
  int descriptor_ = -1;
  std::filesystem::path alias_;  // empty: the folder's own path will do
};

}  // namespace bundleio
