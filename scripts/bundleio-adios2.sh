#!/usr/bin/env bash
# Builds ADIOS2 with MPI from its source package on PyPI into the user's cache, once; prints the folder.
#   bundleio-adios2.sh            build it if it is not there (half an hour on one core; the log lies beside the result)
#   bundleio-adios2.sh --find     print the folder if it is there, else exit 1
# ADIOS2 is optional: Debian has no package of it, and its wheels come without MPI.
set -euo pipefail

readonly VERSION=2.12.1.1001
readonly SHA256=f3bf3a6e64b800351a091d4fc70cc8437041c36c81f90f01697b81f168b6adb0
readonly CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/tierwise"
readonly PREFIX="$CACHE/adios2-$VERSION"
# Parts that bundleio does not use only cost compile time and packages.
readonly LEFT_OUT=(SST DataMan HDF5 MHS Campaign Python Fortran BZip2 Blosc2 PNG ZFP Sodium ZeroMQ UCX AWSSDK XRootD
  CURL OpenSSL Catalyst Caliper DAOS DataSpaces IME MGARD SZ SZ3 LIBPRESSIO BigWhoop ProDM)

is_built() { [[ -f "$PREFIX/complete" ]]; }

case "${1:-}" in
  --find) is_built && echo "$PREFIX" && exit 0; exit 1 ;;
  "") ;;
  *) echo "adios2: unknown option '$1': use --find or nothing" >&2; exit 2 ;;
esac

if is_built; then
  echo "$PREFIX"
  exit 0
fi
mkdir -p "$CACHE"
# Two builds at once would write the same folder: the second waits and then finds it done.
exec 9>"$CACHE/adios2.lock"
flock 9
if is_built; then
  echo "$PREFIX"
  exit 0
fi
for tool in cmake mpicxx python3; do
  command -v "$tool" >/dev/null || { echo "adios2: missing: $tool: run scripts/bundleio-setup.sh first" >&2; exit 3; }
done
python3 -m pip --version >/dev/null 2>&1 || { echo "adios2: missing: pip for python3: install python3-pip" >&2; exit 3; }

work=$(mktemp -d "$CACHE/adios2-build.XXXXXX")
trap 'rm -rf "$work"' EXIT
log="$CACHE/adios2-$VERSION.log"
echo "adios2: building $VERSION into $PREFIX (log: $log)" >&2
flags=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
  -DADIOS2_USE_MPI=ON -DBUILD_TESTING=OFF -DADIOS2_BUILD_EXAMPLES=OFF)
for feature in "${LEFT_OUT[@]}"; do flags+=("-DADIOS2_USE_$feature=OFF"); done

build() {
  echo "adios2==$VERSION --hash=sha256:$SHA256" >"$work/requirements.txt"
  python3 -m pip download --no-deps --no-binary adios2 --require-hashes -r "$work/requirements.txt" -d "$work"
  tar -xzf "$work/adios2-$VERSION.tar.gz" -C "$work"
  cmake -S "$work/adios2-$VERSION" -B "$work/build" "${flags[@]}"
  cmake --build "$work/build" -j "${ADIOS2_BUILD_JOBS:-1}"
  rm -rf "$PREFIX"
  cmake --install "$work/build"
  touch "$PREFIX/complete"
}
# Not in an "if": that would switch errexit off inside.
set +e
(set -e; trap - EXIT; build) >"$log" 2>&1
status=$?
set -e
if [[ $status -ne 0 ]]; then
  echo "adios2: the build failed, see $log: $(tail -1 "$log")" >&2
  exit 3
fi
echo "$PREFIX"
