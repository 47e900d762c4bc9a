# Two MPI libraries in one process crash it, and nothing says so when it is linked: Debian's PnetCDF, say, brings Open MPI along.
#   bundleio_has_one_mpi(RESULT WHAT LIBRARY... [HEADER NAME] [CALL EXPRESSION] [HDF5 HEADER] [LANGUAGE C|CXX])
# RESULT: a program that makes CALL, of HEADER, is linked with LIBRARY and has one MPI library, whatever its file is called (Cray's
# is libmpi_gnu_91.so.12, a static one has no file): so many objects of the process as have a PMPI_Init of their own. Profilers have
# an MPI_Init, too. The same for HDF5, whose headers must also be those of the library that is loaded.
# RESULT_WHY: else, what speaks against it, for a message about WHAT. -DRESULT=ON or OFF decides without a trial. What was refused is
# tried again the next time: its cause may be gone.
include_guard()

set(BUNDLEIO_ONE_MPI_SOURCE ${CMAKE_CURRENT_LIST_DIR}/one_mpi.c.in)

function(bundleio_has_one_mpi result what)
  cmake_parse_arguments(PARSE_ARGV 2 its "" "HEADER;CALL;HDF5;LANGUAGE" "")
  set(libraries ${its_UNPARSED_ARGUMENTS})
  if(NOT its_LANGUAGE)
    set(its_LANGUAGE C)
  endif()
  if(DEFINED CACHE{${result}})
    set(${result}_WHY "${result} says so" PARENT_SCOPE)
    return()
  endif()
  set(${result} FALSE PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING)
    set(${result} TRUE PARENT_SCOPE)
    return()
  endif()
  string(TOLOWER ${its_LANGUAGE} extension)
  string(REPLACE cxx cpp extension ${extension})
  set(source ${CMAKE_BINARY_DIR}/one-mpi-${result}.${extension})
  set(HEADER ${its_HEADER})
  set(CALL ${its_CALL})
  set(HDF5 "")
  if(its_HDF5)
    set(HDF5 "#include \"${its_HDF5}\"")
  endif()
  configure_file(${BUNDLEIO_ONE_MPI_SOURCE} ${source} @ONLY)
  set(includes)
  foreach(each ${its_HEADER} ${its_HDF5})
    if(each MATCHES "^/")
      get_filename_component(folder ${each} DIRECTORY)
      list(APPEND includes ${folder})
    endif()
  endforeach()
  try_run(status compiled ${CMAKE_BINARY_DIR} ${source}
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${includes}"
    # Else a function's address may be that of a jump in the program.
    COMPILE_DEFINITIONS -fPIC
    LINK_LIBRARIES ${libraries} MPI::MPI_${its_LANGUAGE} ${CMAKE_DL_LIBS}
    COMPILE_OUTPUT_VARIABLE told RUN_OUTPUT_VARIABLE said)
  if(compiled AND status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  elseif(NOT compiled)
    file(WRITE ${source}.log "${told}")
    set(why "${what} does not link with this MPI, see ${source}.log")
  elseif(status EQUAL 3)
    set(why "${what} brings ${said}")
  else()
    set(why "a program with ${what} does not run here (${status})")
  endif()
  unset(status CACHE)
  unset(compiled CACHE)
  if(why)
    set(${result}_WHY "${why}; -D${result}=ON builds it all the same" PARENT_SCOPE)
  endif()
endfunction()
