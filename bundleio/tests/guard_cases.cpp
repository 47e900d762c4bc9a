// Tries the guards of a step in conditions that no program brings about at will; run by one rank.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "backends/backend.hpp"
#include "guard/stall_watch.hpp"
#include "model/options.hpp"
#include "model/schema.hpp"
#include "promise.hpp"

namespace {

using namespace bundleio;
namespace fs = std::filesystem;

// In memory, where a page that was written once is never stored: nothing but its time tells of a
// write in its place. A watch that does not see that ends this process.
void writesInPlaceAreNoStall(const fs::path& folder) {
  fs::create_directories(folder);
  const int file = ::open((folder / "values").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const Communicator comm(MPI_COMM_WORLD);
  constexpr std::chrono::seconds patience{2};
  Watchdog watchdog(comm, "none", folder.string(), patience);
  {
    const StallWatch watch(watchdog, folder, "writes in place");
    const auto end = std::chrono::steady_clock::now() + 3 * patience;
    bool isWritten = true;
    while (std::chrono::steady_clock::now() < end) {
      isWritten = isWritten && ::pwrite(file, "values", 6, 0) == 6;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    promise(isWritten, "a file that is written in its place goes on");
  }
  ::close(file);
  fs::remove_all(folder);
}

bool show(const std::string& options, bool hasFill) {
  Schema schema(1, 0);
  const int bundle = schema.addBundle("b");
  const int x = schema.addDimension(bundle, "x", 8);
  schema.addVariable(bundle, "plain", BIO_FLOAT32, {x}, nullptr);
  const int made = schema.addVariable(bundle, "other", BIO_FLOAT32, {x}, nullptr);
  const float fill = -1;
  if (hasFill) schema.addAttribute(bundle, made, "_FillValue", BIO_FLOAT32, 1, &fill);
  return makeBackend("netcdf4", Options(options))->lossesShow(schema);
}

// Where a hole could be filled, or hidden by room beside values, the step is read back.
void lossesShowWhereFilesHoldValuesAlone() {
  const auto built = backendNames();
  if (std::find(built.begin(), built.end(), "netcdf4") == built.end()) return;
  promise(show("", false), "a write that is lost is a hole in a file of HDF5");
  promise(!show("", true), "but for a variable that the library fills before");
  for (const char* option : {"deflate=1", "chunks=box", "chunks=plane", "fletcher32=yes"}) {
    promise(!show(option, false), std::string("and for what is stored by ") + option);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  writesInPlaceAreNoStall(fs::path("/dev/shm") / ("bundleio-guard-" + std::to_string(::getpid())));
  lossesShowWhereFilesHoldValuesAlone();
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
