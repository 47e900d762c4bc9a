// The numbers by which programs name I/O systems and files, and how an exception becomes a code.
#pragma once

#include <memory>

#include "input.hpp"
#include "output.hpp"
#include "system.hpp"

namespace bundleio_pio {

/// The header does not declare these; module pio calls them.
#define FOR_FORTRAN __attribute__((visibility("default")))

inline constexpr const char* kHasGaps = "the array is a section with gaps: give a copy of it";

struct OpenFile {
  int system;
  std::unique_ptr<Output> output;  // one of them
  std::unique_ptr<Input> input;
  // Of a file that is read.
  Contents known;
  std::vector<int64_t> frames;  // of each variable, as the program set it

  const System& itsSystem() const;
  Contents contents() const { return output ? output->contents() : known; }
  /// The contents on the disk. Throws while definitions are made.
  Input& readable() const { return output ? output->seen() : *input; }
  /// Throws where the file is open for reading.
  Output& writable() const;
  /// Of a file that is read.
  int64_t& frameOf(int variable);
};

int addSystem(std::unique_ptr<System> system);
System& systemOf(int id);
void removeSystem(int id);
int addFile(OpenFile file);
OpenFile& fileOf(int id);
void removeFile(int id);

/// The handler of systems that are yet to be made.
extern int firstHandler;

/// Runs `work`; a failure is told, or ends all ranks, as the handler of the system wants it.
template <class Work>
int callOn(const System* system, const char* call, Work&& work) {
  try {
    work();
    return 0;
  } catch (const Failure& failure) {
    return system->settle(call, failure);
  } catch (const std::exception& failure) {
    return system->settle(call, Failure(-61, failure.what()));
  }
}

/// Of a call that has no system: as the handler wants it that systems begin with.
int settleWithoutSystem(const char* call, int code, const std::string& why);
int noHandle(const char* call, const char* what, int id);

template <class Work>
int callSystem(const char* call, int id, Work&& work) {
  System* system = nullptr;
  try {
    system = &systemOf(id);
  } catch (const Failure&) {
    return noHandle(call, "I/O system", id);
  }
  return callOn(system, call, [&] { work(*system); });
}

template <class Work>
int callFile(const char* call, int id, Work&& work) {
  OpenFile* file = nullptr;
  try {
    file = &fileOf(id);
  } catch (const Failure&) {
    return noHandle(call, "open file", id);
  }
  return callOn(&systemOf(file->system), call, [&] { work(*file); });
}

}  // namespace bundleio_pio
