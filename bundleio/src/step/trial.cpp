#include "step/trial.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "backends/bp_format.hpp"
#include "backends/bp_list.hpp"
#include "model/status.hpp"
#include "readers/reader.hpp"
#include "step/series.hpp"
#include "step/tool_process.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

// The process writes these to its pipe. The exit code is not used: an application may collect its
// children itself, or ignore their ends.
constexpr const char* begun = "tries\n";
constexpr const char* well = "tries\nwell\n";
constexpr const char* refused = "tries\nrefused ";

bool startsWith(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// A process of the tool that reads a step.
class Trial {
 public:
  using Clock = std::chrono::steady_clock;

  Trial(const std::string& tool, const fs::path& folder, std::chrono::seconds limit)
      : end_(Clock::now() + limit) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw systemFailure(errno, "make a pipe");
    from_ = ends[0];
    const int code =
        startTool({tool, trialWord, fs::absolute(folder).string(), std::to_string(limit.count())},
                  ends[1], child_);
    ::close(ends[1]);
    if (code == 0) return;
    child_ = 0;
    failed_ = std::strerror(code);
  }
  ~Trial() {
    ::close(from_);
    if (child_ == 0) return;
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // All that it says until it ends or its time is over. Whoever else holds the pipe's other end
  // keeps nobody waiting.
  std::string listen() {
    while (child_ != 0 && Clock::now() < end_) {
      hear(pauseMax);
      collect();
    }
    while (hear(std::chrono::milliseconds(0))) {
    }
    return said_;
  }

  [[nodiscard]] const std::string& failed() const { return failed_; }
  /// How it ended, after a verb, if it said nothing of it.
  [[nodiscard]] std::string ending(std::chrono::seconds limit) const {
    if (child_ != 0) return "was not done in " + std::to_string(limit.count()) + " s";
    if (signal_ == 0) return "came to no end";
    return "was ended by signal " + std::to_string(signal_) + " (" + ::strsignal(signal_) + ")";
  }

 private:
  static constexpr std::chrono::milliseconds pauseMax{20};
  static constexpr std::size_t saidMax = 1 << 16;

  // Waits for a word, so long at most. False where there was none.
  bool hear(std::chrono::milliseconds most) {
    if (isSilent_) {
      std::this_thread::sleep_for(std::min(most, std::chrono::milliseconds(1)));
      return false;
    }
    pollfd waited{from_, POLLIN, 0};
    if (::poll(&waited, 1, static_cast<int>(most.count())) <= 0) return false;
    std::array<char, 4096> some{};
    const ssize_t got = ::read(from_, some.data(), some.size());
    if (got > 0 && said_.size() < saidMax) said_.append(some.data(), static_cast<std::size_t>(got));
    isSilent_ = got <= 0;
    return got > 0;
  }

  void collect() {
    int state = 0;
    const pid_t ended = ::waitpid(child_, &state, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return;
    child_ = 0;
    if (ended > 0 && WIFSIGNALED(state)) signal_ = WTERMSIG(state);
  }

  Clock::time_point end_;
  int from_ = -1;
  pid_t child_ = 0;
  int signal_ = 0;
  bool isSilent_ = false;  // nobody holds the pipe's other end any more
  std::string said_;
  std::string failed_;
};

bool isVouchedFor(const fs::path& folder, const std::vector<std::string>& metadata) {
  const auto list = BpList::read(folder);
  return list && list->vouchesFor(metadata);
}

// Own: 4 KiB of metadata tell of some 50 blocks, from each of which two cells are read, on a slow
// disk in 10 ms each. ADIOS2 waits for what damaged metadata promise.
std::chrono::seconds patience(const fs::path& folder, const std::vector<std::string>& metadata) {
  std::uintmax_t bytes = 0;
  for (const std::string& name : metadata) bytes += fs::file_size(folder / name);
  return std::chrono::seconds(10 + bytes / 4096);
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

void write(const std::string& text) {
  const ssize_t written = ::write(1, text.data(), text.size());
  // The parent notices a text that is cut off.
  (void)written;
}

// A hostile size may take half of the memory at most. Where memory is short, this process is ended
// before the model.
void limitMyself(std::chrono::seconds limit) {
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  const auto seconds = static_cast<rlim_t>(limit.count());
  const rlimit time{seconds, seconds};
  ::setrlimit(RLIMIT_CPU, &time);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(static_cast<unsigned>(seconds));
  std::ofstream("/proc/self/oom_score_adj") << 1000;
#ifndef __SANITIZE_ADDRESS__
  constexpr rlim_t least = rlim_t(4) << 30U;
  const auto half = static_cast<rlim_t>(::sysconf(_SC_PHYS_PAGES)) *
                    static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) / 2;
  const rlimit memory{std::max(least, half), std::max(least, half)};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  // A read beyond a buffer, or of memory that was never set, is likelier to fail here than later.
  ::mallopt(M_PERTURB, 0xa5);
  ::mallopt(M_MMAP_THRESHOLD, 4096);
}

}  // namespace

void tryStep(const fs::path& folder, std::chrono::seconds most) {
  settleSeries(folder, most);
  std::error_code absent;
  if (!fs::is_directory(folder / bpFolderName, absent)) return;
  const std::vector<std::string> metadata = bpMetadataFiles(folder);
  if (isVouchedFor(folder, metadata)) return;
  const std::string tool = toolPath();
  if (tool.empty()) return;
  const std::string path = (folder / bpFolderName).string();
  const std::chrono::seconds limit = std::min(most, patience(folder, metadata));
  Trial trial(tool, folder, limit);
  const std::string said = trial.listen();
  if (said == well) return;
  if (!startsWith(said, begun)) {
    const std::string why = trial.failed().empty() ? firstLine(said) : trial.failed();
    throw Failure(
        BIO_NOT_FOUND,
        path + " has no checksums of its metadata, and cannot be tried before it is read: " + tool +
            ": " + why +
            ": name the tool of this build in BUNDLEIO_TOOL, or let it be empty to read "
            "what you trust");
  }
  if (startsWith(said, refused)) {
    throw Failure(BIO_FORMAT, firstLine(said.substr(std::strlen(refused))));
  }
  throw Failure(BIO_FORMAT,
                path + " is damaged: the process that read it first " + trial.ending(limit));
}

int readTried(const std::vector<std::string>& words) {
  const std::string folder = words.empty() ? "" : words[0];
  limitMyself(std::chrono::seconds(words.size() < 2 ? 1 : std::atoi(words[1].c_str())));
  write(begun);
  // The parent must not see what libraries print.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, 2);
  const Failure outcome = outcomeOf([&] { Reader::open(folder)->probe(); });
  const bool isWell = outcome.status() == BIO_OK;
  write(isWell ? "well\n" : std::string("refused ") + outcome.what() + "\n");
  // Exit handlers of libraries would only add crashes of their own.
  ::_exit(isWell ? 0 : 3);
}

}  // namespace bundleio
