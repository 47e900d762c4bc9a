# Two MPI libraries in one process crash it, and nothing says so when it is linked: Debian's PnetCDF, say, brings Open MPI along.
#   bundleio_has_one_mpi(RESULT HEADER CALL LIBRARY...)
# RESULT (cached): a program that makes CALL, of HEADER, is linked with LIBRARY and loads no MPI library but the one found.
include_guard()

function(bundleio_has_one_mpi result header call)
  if(DEFINED ${result})
    return()
  endif()
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(${result} TRUE CACHE INTERNAL "not tried here")
    return()
  endif()
  set(source ${CMAKE_BINARY_DIR}/one-mpi-${result}.c)
  file(WRITE ${source} "#define _GNU_SOURCE
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include \"${header}\"
static int count(struct dl_phdr_info* object, size_t bytes, void* libraries) {
  (void)bytes;
  const char* name = strrchr(object->dlpi_name, '/');
  *(int*)libraries += name && (!strncmp(name, \"/libmpi.so\", 10) || !strncmp(name, \"/libmpich.so\", 12));
  return 0;
}
int main(void) {
  int libraries = 0, isInitialized = 0;
  MPI_Initialized(&isInitialized);
  printf(\"%s\", ${call});
  dl_iterate_phdr(count, &libraries);
  return libraries == 1 ? 0 : 1;
}
")
  try_run(status compiled ${CMAKE_BINARY_DIR} ${source} LINK_LIBRARIES ${ARGN} MPI::MPI_C)
  if(compiled AND status EQUAL 0)
    set(${result} TRUE CACHE INTERNAL "its MPI library is ours")
  else()
    set(${result} FALSE CACHE INTERNAL "it has another MPI library")
  endif()
endfunction()
