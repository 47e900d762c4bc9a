#!/usr/bin/env bash
# Makes sure that what bundleio is built and tested with is there: found, installed (root on Debian), or named.
#   scripts/bundleio-setup.sh            silent when all is there
#   scripts/bundleio-setup.sh --adios2   also builds ADIOS2 from source for back end bp5 (once, half an hour)
#   scripts/bundleio-setup.sh --mpich    also installs MPICH, and builds PnetCDF for it (once, some minutes)
#   scripts/bundleio-setup.sh --fortran  also installs a second Fortran compiler
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly PACKAGES=(g++ make cmake pkg-config openmpi-bin libopenmpi-dev libpnetcdf-dev pnetcdf-bin
  libnetcdf-mpi-dev libhdf5-openmpi-dev gfortran netcdf-bin hdf5-tools python3 python3-mpi4py python3-numpy)
# The other MPI library, and netCDF-C without any: Debian has no parallel one for it.
readonly MPICH_PACKAGES=(mpich libmpich-dev libnetcdf-dev)
readonly FORTRAN_PACKAGE=flang-19 FORTRAN=flang-new-19

# One line per missing piece, in the words a user would search for.
missing() {
  local tool
  for tool in g++ make cmake pkg-config mpicc mpicxx mpirun gfortran ncdump ncvalidator h5dump; do
    command -v "$tool" >/dev/null || echo "$tool"
  done
  if command -v pkg-config >/dev/null; then
    pkg-config --exists pnetcdf || echo "PnetCDF"
    pkg-config --exists netcdf-mpi || echo "netCDF-C with MPI"
  fi
  bundleio/python3-with-mpi4py >/dev/null 2>&1 || echo "mpi4py and numpy for python3"
}

case "${1:-}" in
  "" | --adios2 | --mpich | --fortran) ;;
  *) echo "setup: unknown option '$1': use --adios2, --mpich, --fortran or nothing" >&2; exit 2 ;;
esac

if [[ -n "$(missing)" && $EUID -eq 0 ]] && command -v apt-get >/dev/null; then
  scripts/apt-install.sh setup "${PACKAGES[@]}" || true
  hash -r
fi
lacking=$(missing | paste -sd, | sed 's/,/, /g')
if [[ -n "$lacking" ]]; then
  echo "setup: missing for bundleio: $lacking: install them (on Debian: ${PACKAGES[*]})" >&2
  exit 3
fi
if [[ "${1:-}" == --mpich ]]; then
  if ! command -v mpicc.mpich >/dev/null || ! pkg-config --exists netcdf; then
    scripts/apt-install.sh setup "${MPICH_PACKAGES[@]}" || exit 3
  fi
  scripts/bundleio-mpich.sh >/dev/null
fi
if [[ "${1:-}" == --adios2 ]]; then
  scripts/bundleio-adios2.sh >/dev/null
fi
if [[ "${1:-}" == --fortran ]] && ! command -v "$FORTRAN" >/dev/null; then
  scripts/apt-install.sh setup "$FORTRAN_PACKAGE" || exit 3
fi
