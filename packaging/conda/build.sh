#!/usr/bin/env bash
# Conda runs this in the source folder, with PREFIX and CPU_COUNT set.
set -euo pipefail
# CMAKE_ARGS, of conda's compilers, is a list of words.
# shellcheck disable=SC2086
cmake -S bundleio -B build-conda ${CMAKE_ARGS:-} -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" -DBUNDLEIO_TESTS=OFF
cmake --build build-conda -j "${CPU_COUNT:-1}"
cmake --install build-conda
