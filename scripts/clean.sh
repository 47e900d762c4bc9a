#!/usr/bin/env bash
# Removes what was built: scripts/clean.sh FOLDER..., from the project's root. While an embedded cluster or a testbed runs
# in the folder build it removes nothing: their commands could not end them without their files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

refuse() {
  echo "clean: $1; nothing was removed" >&2
  exit 3
}

# Process id and start time: the kernel gives an id anew to others. The command's name may hold blanks.
if [[ -s build/embedded.lock ]]; then
  read -r pid ticks <build/embedded.lock || true
  if stat=$(cat "/proc/$pid/stat" 2>/dev/null); then
    read -ra fields <<<"${stat##*) }"
    if [[ ${fields[0]} != [ZX] && ${fields[19]} == "$ticks" ]]; then
      refuse "an embedded cluster runs here (process $pid): end it with 'bin/tierwise embedded --stop'"
    fi
  fi
fi

# A testbed's volumes are mounted below its folder. The kernel writes blanks in names as \040.
build=$(realpath -m build)
while read -r _ point _; do
  printf -v point '%b' "$point"
  if [[ $point == "$build"/* ]]; then
    refuse "$point is mounted, as a testbed's volumes are: take it down with 'bin/tierwise testbed down' (and its --name)"
  fi
done </proc/self/mounts

rm -rf -- "$@"
