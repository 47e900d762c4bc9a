#include "guard/open_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "model/status.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

const fs::path descriptors = "/proc/self/fd";

// The folder as the kernel names what is open below it; empty where it does not, or the folder is
// gone.
std::string nameByKernel(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return "";
  std::error_code error;
  std::string name = fs::read_symlink(descriptors / std::to_string(descriptor), error).string();
  ::close(descriptor);
  return name;
}

// Calls visit(descriptor, name below the folder). Another rank may have removed the folder by now.
template <class Visit>
void forOpenBelow(const fs::path& folder, Visit&& visit) {
  std::error_code error;
  std::string name = nameByKernel(folder);
  if (name.empty()) name = fs::weakly_canonical(folder, error).string();
  if (error) return;
  const std::string below = name + "/";
  fs::directory_iterator entry(descriptors, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    const std::string file = fs::read_symlink(entry->path(), gone).string();
    if (file.rfind(below, 0) != 0) continue;
    visit(std::atoi(entry->path().filename().c_str()), file.substr(below.size()));
  }
}

// Leaves out files that are open for reading only: readers of the model go on with them.
std::vector<int> descriptorsBelow(const fs::path& folder) {
  std::vector<int> found;
  forOpenBelow(folder, [&](int descriptor, const std::string&) {
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) found.push_back(descriptor);
  });
  return found;
}

}  // namespace

DivertedToMemory::DivertedToMemory(const fs::path& folder) {
  for (const int descriptor : descriptorsBelow(folder)) {
    const int memory = ::memfd_create("bundleio-discarded", MFD_CLOEXEC);
    if (memory < 0) continue;
    ::dup3(memory, descriptor, O_CLOEXEC);
    ::close(memory);
  }
  hasLimit_ = ::getrlimit(RLIMIT_FSIZE, &limit_) == 0 && limit_.rlim_cur != RLIM_INFINITY;
  if (!hasLimit_) return;
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &none) == 0) return;
  const rlimit most{limit_.rlim_max, limit_.rlim_max};
  isLimited_ = ::setrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur != RLIM_INFINITY;
}

DivertedToMemory::~DivertedToMemory() {
  if (hasLimit_) ::setrlimit(RLIMIT_FSIZE, &limit_);
}

std::optional<std::set<std::string>> openFilesBelow(const fs::path& folder) {
  if (nameByKernel(folder).empty()) return std::nullopt;
  std::set<std::string> names;
  forOpenBelow(folder, [&](int, const std::string& name) { names.insert(name); });
  return names;
}

void requireStored(const fs::path& file) {
  forOpenBelow(file.parent_path(), [&](int descriptor, const std::string& name) {
    if (name != file.filename().string()) return;
    const int same = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (same < 0) throw systemFailure(errno, "close " + file.string());
    if (::close(same) != 0) throw systemFailure(errno, "close " + file.string());
  });
}

void requireDescriptors(int count) {
  std::vector<int> opened;
  while (static_cast<int>(opened.size()) < count) {
    opened.push_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (opened.back() < 0) break;
  }
  const int problem = errno;
  const bool isEnough = opened.empty() || opened.back() >= 0;
  for (const int descriptor : opened) ::close(descriptor);
  // Of a machine without that device nothing is known.
  if (isEnough || (problem != EMFILE && problem != ENFILE)) return;
  throw systemFailure(problem, "open " + std::to_string(count) + " more files");
}

void divertFiles(const fs::path& folder) {
  const std::vector<int> found = descriptorsBelow(folder);
  const int nowhere = found.empty() ? -1 : ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  for (const int descriptor : found) ::dup3(nowhere, descriptor, O_CLOEXEC);
  ::close(nowhere);
}

void closeFiles(const fs::path& folder) {
  for (const int descriptor : descriptorsBelow(folder)) ::close(descriptor);
}

}  // namespace bundleio
