# The header and the library of one installation: mixed, they are of two versions that call each other by chance.
#   bundleio_find_pair(NAME HEADER NAMES LIBRARY... [SUFFIXES FOLDER...] [BESIDE FOLDER...] [DISTRIBUTION FOLDER] [REQUIRED])
# Cached, to be given by users where this guesses wrong: NAME_INCLUDE, the folder with HEADER, and NAME_LIBRARY. The folders BESIDE come
# first, then the prefixes that the user named (CMAKE_PREFIX_PATH, as Spack and conda do), then DISTRIBUTION, where the distribution
# has it, then the system. Each may have HEADER in SUFFIXES. The library is looked for in the same installation, by all NAMES in a
# folder before the next folder.
include_guard()

function(bundleio_find_pair name header)
  cmake_parse_arguments(PARSE_ARGV 2 its "REQUIRED" "DISTRIBUTION" "NAMES;SUFFIXES;BESIDE")
  find_path(${name}_INCLUDE ${header} PATHS ${its_BESIDE} PATH_SUFFIXES ${its_SUFFIXES} NO_DEFAULT_PATH)
  find_path(${name}_INCLUDE ${header} PATH_SUFFIXES ${its_SUFFIXES} NO_CMAKE_SYSTEM_PATH)
  find_path(${name}_INCLUDE ${header} PATHS ${its_DISTRIBUTION} NO_DEFAULT_PATH)
  find_path(${name}_INCLUDE ${header} PATH_SUFFIXES ${its_SUFFIXES})
  if(${name}_INCLUDE MATCHES "^(.*)/include(/.*)?$")
    find_library(${name}_LIBRARY NAMES ${its_NAMES} NAMES_PER_DIR PATHS ${CMAKE_MATCH_1} NO_DEFAULT_PATH
      PATH_SUFFIXES lib/${CMAKE_LIBRARY_ARCHITECTURE} lib64 lib)
  endif()
  # Headers may have a prefix of their own.
  find_library(${name}_LIBRARY NAMES ${its_NAMES} NAMES_PER_DIR)
  if(its_REQUIRED AND NOT (${name}_INCLUDE AND ${name}_LIBRARY))
    message(FATAL_ERROR "bundleio: no ${header} with its library (${its_NAMES}): say where by CMAKE_PREFIX_PATH")
  endif()
endfunction()
