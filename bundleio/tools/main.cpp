// The command bundleio, under mpirun or alone: command_table.cpp says what it can do.
#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "command_table.hpp"
#include "model/status.hpp"
#include "plain_text.hpp"
#include "step/trial.hpp"

namespace {

int exitCode(bundleio::Status status) {
  switch (status) {
    case BIO_OK:
      return 0;
    case BIO_BAD_ARGUMENT:
    case BIO_NOT_FOUND:
      return 2;
    case BIO_INTERNAL:
      return 1;
    default:
      return 3;
  }
}

bool isHelp(const std::string& word) { return word == "--help" || word == "-h"; }

// Whether this is the first process that a launcher started, as far as it says so without MPI.
bool isFirstProcess() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
  }
  return true;
}

std::string versionText() {
  std::string text = "bundleio " BUNDLEIO_VERSION ", back ends:";
  for (const std::string& name : bundleio::backendNames()) text += " " + name;
  return text + "\n";
}

// Texts about the tool itself need no MPI, nor the half second of its start.
std::optional<std::string> ownText(const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words[0];
  const bool hasMore = words.size() > 1;
  if (command == "--version") return versionText();
  if (isHelp(command) || (command == "help" && !hasMore)) return bundleio::helpOfAll();
  if (command == "help") return bundleio::helpOf(bundleio::commandNamed(words[1]));
  if (std::any_of(words.begin(), words.end(), isHelp)) {
    return bundleio::helpOf(bundleio::commandNamed(command));
  }
  return std::nullopt;
}

void runCommand(const bundleio::Communicator& comm, const std::vector<std::string>& words) {
  const bundleio::CommandRule& rule = bundleio::commandNamed(words.empty() ? "" : words[0]);
  // The writes of convert and drain are no model's pattern, whatever the environment says.
  if (rule.name == "convert" || rule.name == "concat" || rule.name == "drain")
    unsetenv("BUNDLEIO_RECORD");
  rule.run(comm, bundleio::CommandLine(rule, {words.begin() + 1, words.end()}));
}

int unprinted(int error) {
  std::fprintf(stderr, "bundleio: write what was to be printed: %s\n", std::strerror(error));
  return exitCode(BIO_IO);
}

// Prints what went wrong, standard output's own failure among it, where `isFirst`.
int concluded(const bundleio::Failure& outcome, bool isFirst) {
  errno = EIO;  // The error of an earlier line is not known any more.
  if (outcome.status() == BIO_OK && isFirst &&
      (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
    return unprinted(errno);
  }
  if (outcome.status() != BIO_OK && isFirst)
    std::fprintf(stderr, "bundleio: %s\n", bundleio::plain(outcome.what()).c_str());
  return exitCode(outcome.status());
}

}  // namespace

int main(int argc, char** argv) {
  // A file size limit shall be an error of a write, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == bundleio::trialWord) {
    return bundleio::readTried({words.begin() + 1, words.end()});
  }
  std::optional<std::string> text;
  const auto asked = bundleio::outcomeOf([&] { text = ownText(words); });
  if (text || asked.status() != BIO_OK) {
    if (text && isFirstProcess() && std::fputs(text->c_str(), stdout) < 0) return unprinted(errno);
    return concluded(asked, isFirstProcess());
  }
  MPI_Init(&argc, &argv);
  int code = 0;
  {
    const bundleio::Communicator comm(MPI_COMM_WORLD);
    const auto outcome = bundleio::outcomeOf([&] { runCommand(comm, words); });
    code = concluded(outcome, comm.isRoot());
  }
  MPI_Finalize();
  return code;
}
