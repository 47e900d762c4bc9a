// Keeps writers of one folder apart: two that write to one would remove each other's steps.
//
// The lock is one of fcntl on the file `.lock` in the folder. Network file systems take such locks
// to their server, so that runs on other machines see them. They lock no folders, and flock there
// keeps out processes of this machine alone. The lock ends with the process, the file with the
// lock. A killed run leaves the file, which on network file systems says where the run was.
// docs/decisions/0097-files-of-several-steps-in-bp-and-hdf5.md.
#pragma once

#include <filesystem>
#include <string>

#include "model/status.hpp"

namespace bundleio {

class FolderLock {
 public:
  /// Throws BIO_STATE with the text `refusal` if another process holds it.
  FolderLock(std::filesystem::path folder, const std::string& refusal);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  /// There is none where a network file system has no locks, or where the file cannot be made.
  [[nodiscard]] bool isHeld() const { return descriptor_ >= 0; }
  /// Why there is none.
  [[nodiscard]] Failure absence() const;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  int problem_ = 0;
};

/// Has somebody a FolderLock on it, as far as this machine sees?
bool isLocked(const std::filesystem::path& folder);

/// This process sees all locks of the folder: no other machine can write to it, or the last holder
/// of a lock was on this one, and saw the folder by the same mount.
bool seesLocksOf(const std::filesystem::path& folder);

}  // namespace bundleio
