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
  if ! "$(dirname "${BASH_SOURCE[0]}")/apt-install.sh" testbed-setup "${missing[@]}"; then
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
