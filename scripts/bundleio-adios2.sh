#!/usr/bin/env bash
# Builds ADIOS2 with MPI from its source package on PyPI into the user's cache, once; prints the folder.
#   bundleio-adios2.sh            build it if it is not there (half an hour on one core; the log lies beside the result)
#   bundleio-adios2.sh --find     print the folder if it is there, else exit 1
# ADIOS2 is optional: Debian has no package of it, and its wheels come without MPI.
set -euo pipefail

readonly VERSION=2.12.1.1001
readonly SHA256=f3bf3a6e64b800351a091d4fc70cc8437041c36c81f90f01697b81f168b6adb0
readonly LABEL=adios2 TITLE="ADIOS2 $VERSION" FOLDER="adios2-$VERSION"
source "$(dirname "${BASH_SOURCE[0]}")/built-once.sh"
# Parts that bundleio does not use only cost compile time and packages.
readonly LEFT_OUT=(SST DataMan HDF5 MHS Campaign Python Fortran BZip2 Blosc2 PNG ZFP Sodium ZeroMQ UCX AWSSDK XRootD
  CURL OpenSSL Catalyst Caliper DAOS DataSpaces IME MGARD SZ SZ3 LIBPRESSIO BigWhoop ProDM)

need_tools() {
  local tool
  for tool in cmake mpicxx python3; do
    command -v "$tool" >/dev/null || { echo "adios2: missing: $tool: run scripts/bundleio-setup.sh first" >&2; exit 3; }
  done
  python3 -m pip --version >/dev/null 2>&1 || { echo "adios2: missing: pip for python3: install python3-pip" >&2; exit 3; }
}

build() {
  local feature flags=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
    -DADIOS2_USE_MPI=ON -DBUILD_TESTING=OFF -DADIOS2_BUILD_EXAMPLES=OFF)
  for feature in "${LEFT_OUT[@]}"; do flags+=("-DADIOS2_USE_$feature=OFF"); done
  echo "adios2==$VERSION --hash=sha256:$SHA256" >"$work/requirements.txt"
  python3 -m pip download --no-deps --no-binary adios2 --require-hashes -r "$work/requirements.txt" -d "$work"
  tar -xzf "$work/adios2-$VERSION.tar.gz" -C "$work"
  cmake -S "$work/adios2-$VERSION" -B "$work/build" "${flags[@]}"
  cmake --build "$work/build" -j "${ADIOS2_BUILD_JOBS:-1}"
  cmake --install "$work/build"
}

built_once "$@"
