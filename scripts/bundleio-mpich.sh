#!/usr/bin/env bash
# Builds PnetCDF for MPICH from Debian's source package into the user's cache, once; prints the folder. Debian's own package of it,
# like those of parallel netCDF-C, is for Open MPI, and two MPI libraries in one process crash it.
#   bundleio-mpich.sh            build it if it is not there (three minutes on one core; the log lies beside the result)
#   bundleio-mpich.sh --find     print the folder if it is there, else exit 1
set -euo pipefail

readonly VERSION=1.12.3
readonly SHA256=8f54023ffbbd3c8137e5422b44e32324113d5690f1da0cb7ecd5842c2de850a9
readonly LABEL=mpich TITLE="PnetCDF $VERSION" FOLDER="pnetcdf-mpich-$VERSION"
source "$(dirname "${BASH_SOURCE[0]}")/built-once.sh"
readonly PACKAGES=(mpich libmpich-dev autoconf automake libtool m4 make xz-utils)

missing() {
  local tool
  for tool in mpicc.mpich autoreconf automake libtoolize m4 make xz; do command -v "$tool" >/dev/null || echo "$tool"; done
}

need_tools() {
  local lacking
  if [[ -n "$(missing)" && $EUID -eq 0 ]]; then "$(dirname "${BASH_SOURCE[0]}")/apt-install.sh" mpich "${PACKAGES[@]}" || true; fi
  lacking=$(missing | paste -sd, | sed 's/,/, /g')
  if [[ -n "$lacking" ]]; then
    echo "mpich: missing: $lacking: install them (on Debian: ${PACKAGES[*]})" >&2
    exit 3
  fi
}

# The machine's lists need not name source packages: copies of them that do are read instead.
download() {
  mkdir -p "$work/lists/partial" "$work/parts"
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >"$work/sources.list" || true
  local list
  for list in /etc/apt/sources.list.d/*.sources; do
    [[ -e $list ]] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/parts/${list##*/}"
  done
  local apt=(apt-get -o "Dir::Etc::sourcelist=$work/sources.list" -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::State::lists=$work/lists"
    -o APT::Sandbox::User=root)
  "${apt[@]}" update
  (cd "$work" && "${apt[@]}" source --download-only "pnetcdf=$VERSION-1")
  echo "$SHA256  $work/pnetcdf_$VERSION.orig.tar.xz" | sha256sum --check --quiet
}

build() {
  download
  mkdir "$work/source"
  tar -xJf "$work/pnetcdf_$VERSION.orig.tar.xz" -C "$work/source" --strip-components=1
  cd "$work/source"
  autoreconf --install
  ./configure --prefix="$PREFIX" --with-mpi=/usr --disable-fortran --disable-cxx --enable-shared --disable-static \
    MPICC=mpicc.mpich SEQ_CC=gcc
  make -j "$(nproc)"
  make install
}

built_once "$@"
