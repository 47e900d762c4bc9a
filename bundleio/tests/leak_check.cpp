// Part of every program in the build with sanitizers: looks for leaks before MPI ends. MPI, and
// the formats' libraries on it, keep memory to the end of the process: until MPI_Finalize they can
// still reach it, afterwards it would count as leaked.
#include <mpi.h>
#include <sanitizer/lsan_interface.h>

int MPI_Finalize() {
  __lsan_do_leak_check();
  return PMPI_Finalize();
}

// Components of Open MPI that it tries and unloads leave something behind: as long as they stay,
// the report can name them, and leaks-of-libraries can.
extern "C" __attribute__((visibility("default"))) int dlclose(void* /*library*/) noexcept {
  return 0;
}
