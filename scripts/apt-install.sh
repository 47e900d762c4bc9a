#!/usr/bin/env bash
# Installs Debian packages, as root; waits up to five minutes for another apt or dpkg that is at work.
#   scripts/apt-install.sh PREFIX PACKAGE...   messages begin with PREFIX
# Exit code: 0 installed; 1 not installed, why is on standard error. Silent but for one line otherwise.
# APT_WAIT_SECONDS: how long to wait instead.
set -euo pipefail

prefix=${1:?apt-install: needs a prefix and packages}
shift
if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "$prefix: not root, or no apt-get: install by hand: $*" >&2
  exit 1
fi
echo "$prefix: installing $*" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive

# apt's own waiting (DPkg::Lock::Timeout) leaves out the lock on its lists.
deadline=$((SECONDS + ${APT_WAIT_SECONDS:-300}))
said=false
apt() {
  until apt-get "$@" >"$log" 2>&1; do
    if ! grep -q 'Could not get lock' "$log" || ((SECONDS >= deadline)); then
      tail -5 "$log" >&2
      return 1
    fi
    if ! $said; then
      echo "$prefix: waiting for another apt or dpkg: $(grep -m1 -o 'It is held by .*' "$log" || echo 'its lock is held')" >&2
      said=true
    fi
    sleep 1
  done
}
# Lists that cannot be renewed may still do.
apt update || true
apt install -y --no-install-recommends "$@"
