#!/usr/bin/env bash
# Makes sure that the tools of `tierwise testbed` are there: found, installed (root on Debian), or named.
set -euo pipefail

# Tool, and the Debian package that has it.
tools=(ip:iproute2 tc:iproute2 mkfs.ext4:e2fsprogs losetup:mount mount:mount nsenter:util-linux
  unshare:util-linux setsid:util-linux hostname:hostname)
export PATH=$PATH:/usr/sbin:/sbin

missing_packages() {
  local entry
  for entry in "${tools[@]}"; do
    command -v "${entry%%:*}" >/dev/null || echo "${entry##*:}"
  done | sort -u
}

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} > 0)) && [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null; then
  echo "testbed-setup: installing ${missing[*]}" >&2
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -5 "$log" >&2
    echo "testbed-setup: apt-get could not install ${missing[*]}: install them by hand" >&2
    exit 3
  fi
  hash -r
  mapfile -t missing < <(missing_packages)
fi
if ((${#missing[@]} > 0)); then
  echo "testbed-setup: missing packages: ${missing[*]}: install them as root" >&2
  exit 3
fi
