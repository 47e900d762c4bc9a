#include "step/folder_lock.hpp"

#include <bundleio/bundleio.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "guard/file_system.hpp"
#include "model/status.hpp"
#include "model/whole_file.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* lockName = ".lock";
// Own: how often the holder before may remove the file between two of our calls.
constexpr int attemptsMax = 100;

// Of an open file, not of the process: a library that opens and closes the file releases nothing.
int lockCall(int descriptor, int command, struct flock& whole) {
  whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(descriptor, command, &whole);
}

bool isTaken(int problem) { return problem == EAGAIN || problem == EACCES; }

// The file may be gone, or be another one, since it was opened.
bool isStillNamed(const fs::path& file, int descriptor) {
  struct stat named {};
  struct stat opened {};
  return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

// The machine, since it was started, and the mounted file system: who shares both shares all locks,
// also those of which no server knows. Containers share that of their machine. Empty where that is
// not known; then it is nobody's.
std::string sharesLocks(const fs::path& folder) {
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) return "";
  std::string machine;
  (void)outcomeOf([&] { machine = wholeFile("/proc/sys/kernel/random/boot_id"); });
  return machine.empty() ? "" : machine + std::to_string(facts.st_dev) + "\n";
}

// Others shall read it while the file is open, which NFS promises only of what was synced.
// Without room it stays empty, and names nobody.
void sayWhere(const std::string& place, int descriptor) {
  const bool isEmpty = ::ftruncate(descriptor, 0) == 0;
  if (!isEmpty || ::pwrite(descriptor, place.data(), place.size(), 0) < 0) return;
  (void)::fsync(descriptor);
}

// Whoever may write to the folder may lock it.
void shareWithFolder(const fs::path& folder, int descriptor) {
  struct stat facts {};
  // A file of somebody else stays as it is.
  if (::stat(folder.c_str(), &facts) == 0) (void)::fchmod(descriptor, facts.st_mode & 0666);
}

struct LockFile {
  int descriptor;  // -1: errno says why
  bool isNew;      // no other was in its place
};

LockFile openLockFile(const fs::path& file) {
  const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made >= 0 || errno != EEXIST) return {made, true};
  return {::open(file.c_str(), O_RDWR | O_CLOEXEC), false};
}

// -1 where there are no locks, or where the file cannot be made: errno says why.
int lockedDescriptor(const fs::path& file, const std::string& refusal) {
  for (int attempt = 0; attempt < attemptsMax; ++attempt) {
    const auto [descriptor, isNew] = openLockFile(file);
    // The one before removed the file between two calls.
    if (descriptor < 0 && !isNew && errno == ENOENT) continue;
    if (descriptor < 0) return -1;
    struct flock whole {};
    if (lockCall(descriptor, F_OFD_SETLK, whole) != 0) {
      const int problem = errno;
      ::close(descriptor);
      if (isTaken(problem)) throw Failure(BIO_STATE, refusal);
      // Another machine may hold the lock of a file that was there.
      if (isNew) ::unlink(file.c_str());
      errno = problem;
      return -1;
    }
    if (isStillNamed(file, descriptor)) return descriptor;
    // The one before removed the file, and is gone.
    ::close(descriptor);
  }
  errno = ESTALE;
  return -1;
}

}  // namespace

FolderLock::FolderLock(fs::path folder, const std::string& refusal)
    : file_(std::move(folder) / lockName) {
  // Also of a file that this process may only read.
  if (isLocked(file_.parent_path())) throw Failure(BIO_STATE, refusal);
  descriptor_ = lockedDescriptor(file_, refusal);
  problem_ = descriptor_ < 0 ? errno : 0;
  if (!isHeld()) return;
  const fs::path where = file_.parent_path();
  shareWithFolder(where, descriptor_);
  if (!fileSystemOf(where).isLocal) sayWhere(sharesLocks(where), descriptor_);
}

Failure FolderLock::absence() const { return systemFailure(problem_, "lock " + file_.string()); }

FolderLock::~FolderLock() {
  if (!isHeld()) return;
  // Somebody may have moved the folder away, and another run may have its name.
  if (isStillNamed(file_, descriptor_)) ::unlink(file_.c_str());
  ::close(descriptor_);
}

bool isLocked(const fs::path& folder) {
  const int descriptor = ::open((folder / lockName).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock whole {};
  const bool isKnown = lockCall(descriptor, F_OFD_GETLK, whole) == 0;
  ::close(descriptor);
  return isKnown && whole.l_type != F_UNLCK;
}

bool seesLocksOf(const fs::path& folder) {
  if (fileSystemOf(folder).isLocal) return true;
  std::string last;
  // Where there is no such file, nobody is named.
  (void)outcomeOf([&] { last = wholeFile(folder / lockName); });
  return !last.empty() && last == sharesLocks(folder);
}

}  // namespace bundleio
