#include "guard/mpi_io.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace bundleio {

namespace {

constexpr const char* setting = "OMPI_MCA_io";
constexpr const char* ours = "^ompio";

// Linux's disk that is always full.
constexpr const char* fullDisk = "/dev/full";

std::string valueOfSetting() {
  const char* value = std::getenv(setting);
  return value == nullptr ? "" : value;
}

std::string textOf(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return text.data();
}

std::string remedyForNone() {
  const std::string asked = valueOfSetting();
  if (asked.empty() || asked == ours) {
    return "bundleio asks for any but ompio (" + std::string(setting) + "=" + ours +
           "), whose errors are lost: take an MPI that was built with ROMIO, or back end gather or "
           "posix";
  }
  return "unset " + std::string(setting) + "=" + asked + ", or make it " + ours;
}

std::string remedy() {
  const std::string asked = valueOfSetting();
  if (asked.empty() || asked == ours) {
    return "the program opened a file before, with the MPI's own choice: start it with " +
           std::string(setting) + "=" + ours + " in its environment";
  }
  return "unset " + std::string(setting) + "=" + asked + ", or make it " + ours;
}

// Names the fault of this MPI-IO; empty where it has none that shows, or the system has no disk
// that is always full.
std::string triedProblem() {
  const int there = ::open(fullDisk, O_WRONLY | O_CLOEXEC);
  if (there < 0) return "";
  ::close(there);
  MPI_File full = MPI_FILE_NULL;
  const int opened = MPI_File_open(MPI_COMM_SELF, fullDisk, MPI_MODE_WRONLY, MPI_INFO_NULL, &full);
  if (opened != MPI_SUCCESS) {
    return "this MPI opens no file by MPI-IO (" + textOf(opened) + "): " + remedyForNone();
  }
  MPI_File_set_errhandler(full, MPI_ERRORS_RETURN);
  const char byte = 0;
  const int code = MPI_File_write_at(full, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&full);
  if (code != MPI_SUCCESS) return "";
  return "this MPI-IO says that writes went well which failed (ompio of Open MPI 4 does): " +
         remedy();
}

}  // namespace

void preferTellingMpiIo() { setenv(setting, ours, 0); }

std::string problemOfMpiIo(const Communicator& comm) {
  preferTellingMpiIo();
  std::string mine;
  comm.agreeOnRoot([&] {
    // Open MPI 4 crashes where it is asked again to open a file and has no component for it.
    static const std::string problem = triedProblem();
    mine = problem;
  });
  return comm.broadcast(mine, 0);
}

void requireTellingMpiIo(const Communicator& comm) {
  const std::string problem = problemOfMpiIo(comm);
  comm.agreeOnRoot([&] {
    if (!problem.empty()) throw Failure(BIO_STATE, problem);
  });
}

}  // namespace bundleio
