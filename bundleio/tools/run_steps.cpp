#include "run_steps.hpp"

#include <cstdio>
#include <sstream>

#include "model/status.hpp"

namespace bundleio {

namespace {

// Own: long enough that quick work is silent.
constexpr std::chrono::seconds pause(5);

}  // namespace

std::vector<std::int64_t> stepsOf(const RunFolder& run) {
  std::vector<std::int64_t> steps = run.steps();
  if (!steps.empty()) return steps;
  const std::filesystem::path whole = std::filesystem::absolute(run.path()).lexically_normal();
  const std::filesystem::path above =
      (whole.has_filename() ? whole : whole.parent_path()).parent_path();
  std::string remedy = "name the folder in which step-000000 lies";
  std::error_code ignored;
  for (const std::int64_t number : RunFolder(above).steps()) {
    if (std::filesystem::equivalent(RunFolder(above).step(number), run.path(), ignored)) {
      remedy = "it is a step: name its run, " + above.string();
    }
  }
  throw Failure(BIO_NOT_FOUND, run.path().string() + " holds no complete step: " + remedy);
}

std::vector<std::int64_t> fromRoot(const Communicator& comm,
                                   const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += std::to_string(number) + " ";
  std::istringstream in(comm.broadcast(text, 0));
  std::vector<std::int64_t> roots;
  for (std::int64_t number = 0; in >> number;) roots.push_back(number);
  return roots;
}

Progress::Progress(const Communicator& comm, std::string command, std::size_t steps)
    : command_(std::move(command)), steps_(steps), speaks_(comm.isRoot()) {}

void Progress::advance() {
  ++done_;
  const auto now = std::chrono::steady_clock::now();
  if (!speaks_ || now - said_ < pause) return;
  said_ = now;
  std::fprintf(stderr, "%s: %zu of %zu steps\n", command_.c_str(), done_, steps_);
}

}  // namespace bundleio
