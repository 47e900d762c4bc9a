// The command bundleio, under mpirun or alone: command_table.cpp says what it can do.
#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "backend.hpp"
#include "command_table.hpp"
#include "status.hpp"

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

void print(const bundleio::Communicator& comm, const std::string& text) {
  if (comm.isRoot()) std::fputs(text.c_str(), stdout);
}

std::string versionText() {
  std::string text = "bundleio " BUNDLEIO_VERSION ", back ends:";
  for (const std::string& name : bundleio::backendNames()) text += " " + name;
  return text + "\n";
}

int run(const bundleio::Communicator& comm, const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words[0];
  const std::vector<std::string> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  const bundleio::Failure outcome = bundleio::outcomeOf([&] {
    if (command == "--version") return print(comm, versionText());
    if (isHelp(command) || (command == "help" && rest.empty())) {
      return print(comm, bundleio::helpOfAll());
    }
    if (command == "help") return print(comm, bundleio::helpOf(bundleio::commandNamed(rest[0])));
    const bundleio::CommandRule& rule = bundleio::commandNamed(command);
    if (std::any_of(rest.begin(), rest.end(), isHelp)) return print(comm, bundleio::helpOf(rule));
    // What convert and drain rewrite is no model's pattern, whoever's environment they have.
    if (command == "convert" || command == "drain") unsetenv("BUNDLEIO_RECORD");
    rule.run(comm, bundleio::CommandLine(rule, rest));
  });
  errno = EIO;  // What an earlier line met is not known any more.
  if (outcome.status() == BIO_OK && comm.isRoot() &&
      (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
    std::fprintf(stderr, "bundleio: write what was to be printed: %s\n", std::strerror(errno));
    return exitCode(BIO_IO);
  }
  if (outcome.status() != BIO_OK && comm.isRoot()) {
    std::fprintf(stderr, "bundleio: %s\n", outcome.what());
  }
  return exitCode(outcome.status());
}

}  // namespace

int main(int argc, char** argv) {
  // A file size limit shall be an error of a write, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  // Open MPI's own MPI-IO is several times slower here than ROMIO; a choice of the user stays.
  setenv("OMPI_MCA_io", "romio321", 0);
  MPI_Init(&argc, &argv);
  int code = 0;
  {
    const bundleio::Communicator comm(MPI_COMM_WORLD);
    code = run(comm, {argv + 1, argv + argc});
  }
  MPI_Finalize();
  return code;
}
