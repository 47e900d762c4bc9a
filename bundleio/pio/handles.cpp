#include "handles.hpp"

#include <pio.h>

#include <cstdio>

namespace bundleio_pio {

namespace {

// Apart from each other, so that one number taken for another is noticed.
constexpr int kFirstSystem = 2048;
constexpr int kFirstFile = 16384;

// Never destroyed: that calls MPI, which a model that leaves them open has ended by then.
auto& systems = *new std::map<int, std::unique_ptr<System>>;
auto& files = *new std::map<int, OpenFile>;
int nextSystem = kFirstSystem, nextFile = kFirstFile;

}  // namespace

int firstHandler = PIO_INTERNAL_ERROR;

const System& OpenFile::itsSystem() const { return systemOf(system); }

Output& OpenFile::writable() const {
  if (!output) throw Failure(PIO_EPERM, "the file is open for reading");
  return *output;
}

int64_t& OpenFile::frameOf(int variable) {
  known.variable(variable);
  return frames[static_cast<size_t>(variable)];
}

int addSystem(std::unique_ptr<System> system) {
  systems[nextSystem] = std::move(system);
  return nextSystem++;
}

System& systemOf(int id) {
  const auto found = systems.find(id);
  if (found == systems.end()) throw Failure(PIO_EBADID, "no I/O system");
  return *found->second;
}

void removeSystem(int id) { systems.erase(id); }

int addFile(OpenFile file) {
  ++systemOf(file.system).files;
  files[nextFile] = std::move(file);
  return nextFile++;
}

OpenFile& fileOf(int id) {
  const auto found = files.find(id);
  if (found == files.end()) throw Failure(PIO_EBADID, "no file");
  return found->second;
}

void removeFile(int id) {
  --systemOf(fileOf(id).system).files;
  files.erase(id);
}

int settleWithoutSystem(const char* call, int code, const std::string& why) {
  std::fprintf(stderr, "bundleio_pio: %s: %s\n", call, why.c_str());
  int isRunning = 0;
  MPI_Initialized(&isRunning);
  if (firstHandler == PIO_INTERNAL_ERROR && isRunning != 0) MPI_Abort(MPI_COMM_WORLD, kExitCode);
  return code;
}

int noHandle(const char* call, const char* what, int id) {
  return settleWithoutSystem(
      call, PIO_EBADID, std::string("there is no ") + what + " with number " + std::to_string(id));
}

}  // namespace bundleio_pio
