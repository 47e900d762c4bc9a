// bundleio: bench, dump, check, convert, drain, record and replay, under mpirun or alone.
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "commands.hpp"

namespace {

constexpr const char* usage =
    R"(usage: [mpirun -n RANKS] bundleio COMMAND [OPTION]...

bench    write steps of a GEOS-5-like model (7 bundles) with several back ends, and say where time goes
           --path DIR           folder for the steps (needed; written below DIR/BACKEND)
           --backends A,B,...   default: all of this build; posix and gather are the yardsticks
           --steps N            default 2        --repeats N   default 1, in turn; medians are printed
           --grid LATxLON       default 144x288  --planes N    percent of the planes, default 100
           --options "K=V ..."  for all back ends: see README.md
           --compute-ms N       busy computation between steps, default 0
           --keep               leave the steps there        --json   print JSON only
dump     RUN [--step N]         print what the last (or the Nth) step holds, with a checksum for each variable
check    RUN [OTHER]            read every step; with OTHER also compare them, bit by bit
convert  FROM TO                rewrite all steps; --to BACKEND (default pnetcdf) --options "K=V ..."
           --append             go on where an earlier conversion ended; a step is read back before it is visible
drain    FAST SLOW              move complete steps from a fast tier: made aside, read back and compared, renamed, then removed
           --to BACKEND         rewrite them (BP always is, to pnetcdf if not said otherwise; else they are copied)
           --mib-per-second N   no faster than that on average, default 0: no limit
           --idle-seconds N     go on until no step has come for so long, default 0
           --while-written      go on while a run with option drain=yes writes to FAST, which starts such a drain itself
record   FILE                   check what BUNDLEIO_RECORD=FILE recorded of a model, and print it; --json
replay   FILE                   write the same through other back ends, with other values, and say where time goes
           --path DIR           and --repeats, --options, --keep, --json as in bench
           --backends A,B,...   or all; default: the recorded one, with its options
           --steps N            default: as many as recorded; more begin again at the first
           --no-gaps            do not compute between steps as long as the model did
           --redistribute       on another number of ranks than recorded

exit codes: 0 done, 1 a defect, 2 bad input, 3 state, permission or device
)";

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

int run(const bundleio::Communicator& comm, const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words[0];
  if (command == "--help" || command == "help") {
    if (comm.isRoot()) std::fputs(usage, stdout);
    return 0;
  }
  // What convert and drain rewrite is no model's pattern, whoever's environment they have.
  if (command == "convert" || command == "drain") unsetenv("BUNDLEIO_RECORD");
  const std::vector<std::string> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  const bundleio::Failure outcome = bundleio::outcomeOf([&] {
    if (command == "bench") return bundleio::bench(comm, rest);
    if (command == "check") return bundleio::check(comm, rest);
    if (command == "convert") return bundleio::convert(comm, rest);
    if (command == "drain") return bundleio::drain(comm, rest);
    if (command == "dump") return bundleio::dump(comm, rest);
    if (command == "record") return bundleio::record(comm, rest);
    if (command == "replay") return bundleio::replay(comm, rest);
    throw bundleio::Failure(
        BIO_BAD_ARGUMENT,
        "unknown command '" + command +
            "': use bench, dump, check, convert, drain, record, replay or --help");
  });
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
