#!/usr/bin/env bash
# Installs readers that know nothing of bundleio (xarray, netCDF4, ADIOS2's own wheel), a checker of the CF conventions, the
# formatter of our sources, whose answer depends on its version, and what builds conda's packages, into a Python of their own in the
# user's cache, once; prints that Python. The tests and the benchmark use them where they are there.
#   bundleio-readers.sh           install them if they are not there
#   bundleio-readers.sh --find    print the Python if it is there, else exit 1
set -euo pipefail

readonly PACKAGES=(adios2==2.12.1.1001 netCDF4==1.7.5.1.post1 xarray==2026.9.0 numpy==2.4.6 compliance-checker==6.1.0
  clang-format==14.0.6 py-rattler-build==0.73.0)
readonly FOLDER="${XDG_CACHE_HOME:-$HOME/.cache}/tierwise/bundleio-readers"
readonly PYTHON="$FOLDER/bin/python"

# A list that has changed is installed again.
is_complete() { [[ "$(cat "$FOLDER/complete" 2>/dev/null)" == "${PACKAGES[*]}" ]]; }

case "${1:-}" in
  --find) if is_complete; then echo "$PYTHON"; exit 0; fi; exit 1 ;;
  "") ;;
  *) echo "readers: unknown option '$1': use --find or nothing" >&2; exit 2 ;;
esac

mkdir -p "$FOLDER"
# Two installations at once would write the same folder: the second waits and then finds it done.
exec 9>"$FOLDER/lock"
flock 9
if ! is_complete; then
  echo "readers: installing ${PACKAGES[*]} into $FOLDER" >&2
  if ! { python3 -m venv "$FOLDER" && "$PYTHON" -m pip install --quiet "${PACKAGES[@]}"; } >"$FOLDER/log" 2>&1; then
    echo "readers: the installation failed, see $FOLDER/log: $(tail -1 "$FOLDER/log")" >&2
    exit 3
  fi
  echo "${PACKAGES[*]}" >"$FOLDER/complete"
fi
echo "$PYTHON"
