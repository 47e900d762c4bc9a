#include "step/tool_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace bundleio {

namespace fs = std::filesystem;

namespace {

// MPI launchers and schedulers set these. A child with them would act as a rank of the run, or, as
// Open MPI does where it finds a job step of Slurm and no PMIx, end in MPI_Init.
constexpr std::array<std::string_view, 11> launcherNames{"OMPI_", "PMIX_", "PMI_",     "ORTE_",
                                                         "PRTE_", "HYDI_", "SLURM_",   "PALS_",
                                                         "ALPS_", "FLUX_", "MPI_LOCAL"};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environmentOfItsOwn() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool isLaunchers = false;
    for (const std::string_view name : launcherNames) {
      isLaunchers = isLaunchers || text.substr(0, name.size()) == name;
    }
    if (!isLaunchers) kept.emplace_back(text);
  }
  return kept;
}

// The launcher waits for whoever holds its pipes and sockets.
void closeOthers(posix_spawn_file_actions_t& files) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", ignored)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    if (descriptor > 2) posix_spawn_file_actions_addclose(&files, descriptor);
  }
}

}  // namespace

std::string toolPath() {
  if (const char* said = std::getenv("BUNDLEIO_TOOL")) return said;
  std::error_code ignored;
  std::vector<fs::path> folders{fs::read_symlink("/proc/self/exe", ignored).parent_path()};
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&toolPath), &here) != 0) {
    // A program found on PATH has a bare name here, which tells no folder.
    const fs::path mine = here.dli_fname;
    if (mine.has_parent_path()) folders.insert(folders.begin(), mine.parent_path());
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& tool : {folder / "bundleio", folder / ".." / "bin" / "bundleio"}) {
      const bool runs = fs::is_regular_file(tool, ignored) && ::access(tool.c_str(), X_OK) == 0;
      if (runs) return fs::absolute(tool).string();
    }
  }
  return "bundleio";
}

int startTool(std::vector<std::string> words, int out, pid_t& child) {
  // In a process without standard streams `out` may be one of their numbers.
  const int said = ::fcntl(out, F_DUPFD_CLOEXEC, 3);
  if (said < 0) return errno;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, said, 1);
  posix_spawn_file_actions_adddup2(&files, said, 2);
  closeOthers(files);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A model may block signals by which such a process is ended.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> environment = environmentOfItsOwn();
  const int code = ::posix_spawnp(&child, words[0].c_str(), &files, &attributes,
                                  pointers(words).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(said);
  return code;
}

}  // namespace bundleio
