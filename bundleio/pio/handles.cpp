#include "handles.hpp"

#include <pio.h>

#include <cstdio>

namespace bundleio_pio {

namespace {

// Apart from each other, so that one number taken for another is noticed.
constexpr int kFirstSystem = 2048;
constexpr int kFirstFile = 16384;

std::map<int, std::unique_ptr<System>> systems;
std::map<int, OpenFile> files;
int nextSystem = kFirstSystem, nextFile = kFirstFile;

}  // namespace

int firstHandler = PIO_INTERNAL_ERROR;

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

int noHandle(const char* call, const char* what, int id) {
  std::fprintf(stderr, "bundleio_pio: %s: there is no %s with number %d\n", call, what, id);
  return PIO_EBADID;
}

}  // namespace bundleio_pio
