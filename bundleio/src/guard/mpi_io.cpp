#include "guard/mpi_io.hpp"

#include <cstdlib>
#include <string>

namespace bundleio {

namespace {

constexpr const char* setting = "OMPI_MCA_io";

// A disk that is always full. Where there is none, nothing is known against this MPI-IO.
bool tellsFailedWrites() {
  MPI_File full = MPI_FILE_NULL;
  if (MPI_File_open(MPI_COMM_SELF, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &full) !=
      MPI_SUCCESS) {
    return true;
  }
  MPI_File_set_errhandler(full, MPI_ERRORS_RETURN);
  const char byte = 0;
  const int code = MPI_File_write_at(full, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&full);
  return code != MPI_SUCCESS;
}

std::string remedy() {
  const char* value = std::getenv(setting);
  const std::string asked = value == nullptr ? "" : value;
  if (asked.empty() || asked == "^ompio") {
    return "the program opened a file before, with the MPI's own choice: start it with " +
           std::string(setting) + "=^ompio in its environment";
  }
  return "unset " + std::string(setting) + "=" + asked + ", or make it ^ompio";
}

}  // namespace

void preferTellingMpiIo() { setenv(setting, "^ompio", 0); }

void requireTellingMpiIo(const Communicator& comm) {
  preferTellingMpiIo();
  comm.agreeOnRoot([] {
    static const bool tells = tellsFailedWrites();
    if (tells) return;
    throw Failure(
        BIO_STATE,
        "this MPI-IO says that writes went well which failed (ompio of Open MPI 4 does): " +
            remedy());
  });
}

}  // namespace bundleio
