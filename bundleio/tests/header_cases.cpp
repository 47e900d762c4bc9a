// Reads CDF-5 headers by our own code, in files that the library wrote: where values end, and where
// a file is cut to its first entries. Entries of one variable alone are not padded; those
// of several are.
#include <mpi.h>

#include <filesystem>
#include <string>
#include <vector>

#include "backends/classic_header.hpp"
#include "promise.hpp"
#include "step/run.hpp"

namespace {

using namespace bundleio;
namespace fs = std::filesystem;

constexpr std::int64_t cells = 3;  // of one byte: no entry has a length that padding keeps
constexpr int steps = 4;

struct Shape {
  const char* name;
  int growing;      // variables with an unlimited dimension
  int entryBytes;   // of all of them, in the file
  bool isPrefixed;  // by a variable of odd length that is stored once
};

std::string writtenBy(const Communicator& comm, const fs::path& folder, const Shape& shape) {
  Run run(comm, folder, BIO_CREATE, "gather", "steps_per_file=" + std::to_string(steps));
  Schema& schema = run.definitions();
  const int bundle = schema.addBundle("b");
  const int time = schema.addDimension(bundle, "time", BIO_UNLIMITED);
  const int x = schema.addDimension(bundle, "x", cells);
  std::vector<int> variables;
  for (int i = 0; i < shape.growing; ++i) {
    variables.push_back(
        schema.addVariable(bundle, "v" + std::to_string(i), BIO_INT8, {time, x}, nullptr));
  }
  if (shape.isPrefixed) {
    variables.push_back(schema.addVariable(bundle, "once", BIO_INT8, {x}, nullptr));
  }
  for (int step = 0; step < steps; ++step) {
    std::vector<std::byte> values(static_cast<std::size_t>(cells), std::byte{7});
    run.stepBegin();
    for (const int variable : variables) run.put(variable, values.data());
    run.stepEnd();
  }
  run.close();
  return folder / "series-000000" / "b.nc";
}

bool isWhole(const fs::path& file, std::int64_t records) {
  return outcomeOf([&] { checkNotCutOff(file, records); }).status() == BIO_OK;
}

void filesEndWhereTheirHeadersSay(const Communicator& comm, const fs::path& folder,
                                  const Shape& shape) {
  const std::string what = shape.name;
  const fs::path file = writtenBy(comm, folder / shape.name, shape);
  promise(isWhole(file, steps), what + ": as the library left it, whole");
  // The library pads the last entry, too, where there are several variables.
  const std::uintmax_t bytes = fs::file_size(file);
  keepRecords(file, steps - 1);
  const std::uintmax_t kept = fs::file_size(file);
  promise(bytes - kept >= static_cast<std::uintmax_t>(shape.entryBytes) - 1 &&
              bytes - kept <= static_cast<std::uintmax_t>(shape.entryBytes) + 3,
          what + ": cut by one entry");
  promise(isWhole(file, steps - 1) && hasGrowing(file), what + ": whole with those that are left");
  fs::resize_file(file, kept - 1);
  promise(!isWhole(file, steps - 1), what + ": a byte less is cut off");
  keepRecords(file, steps - 2);
  promise(isWhole(file, steps - 2) &&
              kept - fs::file_size(file) == static_cast<std::uintmax_t>(shape.entryBytes),
          what + ": by another entry, to the byte");
  const Failure lacking = outcomeOf([&] { keepRecords(file, steps); });
  promise(
      std::string(lacking.what()).find(" has 2 entries instead of at least 4") != std::string::npos,
      what + ": what is not there cannot be kept, which is said in whole entries");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  fs::remove_all(argv[1]);
  {
    const Communicator comm(MPI_COMM_WORLD);
    for (const Shape& shape : {Shape{"one", 1, 3, false}, Shape{"one behind another", 1, 3, true},
                               Shape{"several", 2, 8, false}}) {
      filesEndWhereTheirHeadersSay(comm, argv[1], shape);
    }
  }
  fs::remove_all(argv[1]);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
