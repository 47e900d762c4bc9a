#include "step/drain_keeper.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "model/status.hpp"
#include "step/folder_lock.hpp"
#include "step/tool_process.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr int deathsMax = 3;
constexpr const char* logName = ".drain-log";

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
  const std::string refusal = "the drain of " + fast_.path().string() + " cannot be started: ";
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) throw Failure(BIO_DRAIN, refusal + "open " + log + ": " + std::strerror(errno));
  const int code = startTool(words_, out, child_);
  ::close(out);
  if (code != 0) {
    child_ = 0;
    throw Failure(BIO_DRAIN, refusal + words_[0] + ": " + std::strerror(code) +
                                 ": name the tool in BUNDLEIO_TOOL");
  }
  movedSteps_ = slow_.steps().size();
}

std::string DrainKeeper::lastWords() const {
  std::ifstream in(fast_.path() / logName);
  std::string last;
  std::string own;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" -") != std::string::npos) last = line;
    if (line.rfind("bundleio: ", 0) == 0) own = line.substr(line.find(' ') + 1);
  }
  // Its MPI library may have ended it before it could say anything itself.
  const std::string words = own.empty() ? last : own;
  return words.empty() ? "" : " (" + words + ")";
}

bool isWrittenTo(const RunFolder& fast) { return isLocked(fast.path()); }

bool isDrained(const RunFolder& slow) { return isLocked(slow.path() / ".drain"); }

}  // namespace bundleio
