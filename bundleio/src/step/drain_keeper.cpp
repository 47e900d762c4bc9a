#include "step/drain_keeper.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "model/status.hpp"

extern char** environ;

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr int deathsMax = 3;
constexpr const char* logName = ".drain-log";
// A child that found these would take itself for a rank of the run.
constexpr std::array<std::string_view, 5> launcherNames{"OMPI_", "PMIX_", "PMI_", "ORTE_", "HYDI_"};

// Where the tool lies: said by BUNDLEIO_TOOL, beside this library, or found by the shell's rules.
std::string toolPath() {
  const char* said = std::getenv("BUNDLEIO_TOOL");
  if (said != nullptr) return said;
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&toolPath), &here) != 0) {
    const fs::path folder = fs::path(here.dli_fname).parent_path();
    std::error_code ignored;
    for (const fs::path& tool : {folder / "bundleio", folder / ".." / "bin" / "bundleio"}) {
      if (fs::is_regular_file(tool, ignored)) return tool.string();
    }
  }
  return "bundleio";
}

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

}  // namespace

DrainKeeper::DrainKeeper(RunFolder fast, RunFolder slow, const Options& options)
    : fast_(std::move(fast)), slow_(std::move(slow)) {
  const auto rate = options.number("drain_mib_per_second", 0, 1 << 20);
  words_ = {toolPath(),
            "drain",
            "--while-written",
            "--mib-per-second",
            std::to_string(rate),
            fs::absolute(fast_.path()).string(),
            fs::absolute(slow_.path()).string()};
  if (!options.text("drain_to").empty()) {
    words_.insert(words_.end(), {"--to", options.text("drain_to")});
  }
}

void DrainKeeper::tend() {
  const std::string end = ending();
  if (child_ != 0) return;
  if (!end.empty()) {
    const std::size_t moved = slow_.steps().size();
    deaths_ = moved > movedSteps_ ? 1 : deaths_ + 1;
    if (!wasKilled_ || deaths_ > deathsMax) {
      deaths_ = 0;
      throw Failure(BIO_DRAIN, "the drain of " + fast_.path().string() + " " + end + lastWords() +
                                   ": complete steps stay there; cure the cause, and the next step "
                                   "starts it again");
    }
    std::fprintf(stderr, "bundleio: the drain of %s %s: started again (%d of %d)\n",
                 fast_.path().c_str(), end.c_str(), deaths_, deathsMax);
  }
  if (!isDrained(slow_)) start();
}

std::string DrainKeeper::ending() {
  if (child_ == 0) return "";
  int state = 0;
  const pid_t ended = ::waitpid(child_, &state, WNOHANG);
  if (ended == 0) return "";
  child_ = 0;
  // An application that ignores its children's ends does not learn how they came.
  wasKilled_ = ended < 0 || WIFSIGNALED(state);
  if (ended < 0) return "has gone";
  if (WIFSIGNALED(state)) return "was killed by signal " + std::to_string(WTERMSIG(state));
  return "ended with exit code " + std::to_string(WEXITSTATUS(state));
}

void DrainKeeper::start() {
  const std::string log = (fast_.path() / logName).string();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  // The launcher waits for whoever holds its pipes and sockets.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", ignored)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    if (descriptor > 2) posix_spawn_file_actions_addclose(&files, descriptor);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A model may block signals by which a drain is ended.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> environment = environmentOfItsOwn();
  const int code = ::posix_spawnp(&child_, words_[0].c_str(), &files, &attributes,
                                  pointers(words_).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code != 0) {
    child_ = 0;
    throw Failure(BIO_DRAIN, "the drain of " + fast_.path().string() +
                                 " cannot be started: " + words_[0] + ": " + std::strerror(code) +
                                 ": name the tool in BUNDLEIO_TOOL");
  }
  movedSteps_ = slow_.steps().size();
}

std::string DrainKeeper::lastWords() const {
  std::ifstream in(fast_.path() / logName);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("bundleio: ", 0) == 0) last = line.substr(line.find(' ') + 1);
  }
  return last.empty() ? "" : " (" + last + ")";
}

bool isWrittenTo(const RunFolder& fast) { return isLocked(fast.path()); }

bool isDrained(const RunFolder& slow) { return isLocked(slow.path() / ".drain"); }

}  // namespace bundleio
