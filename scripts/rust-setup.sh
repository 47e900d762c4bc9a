#!/usr/bin/env bash
# Makes sure that Rust 1.89+ is there: found (PATH, ~/.cargo/bin), installed (root on Debian), or named.
# Prints the folder that cargo lies in.
set -euo pipefail

readonly WANTED=1.89
# Debian's plain packages are older than that; these are kept up to date for its browsers.
readonly PACKAGES=(cargo-web rustfmt-web rust-web-clippy gcc libc6-dev)

# Prints the folder of the first cargo that is new enough; each folder is looked into once.
find_cargo() {
  local folder version
  for folder in "$(dirname "$(command -v cargo 2>/dev/null || echo /none/cargo)")" "$HOME/.cargo/bin"; do
    [[ -x "$folder/cargo" ]] || continue
    version=$("$folder/cargo" --version 2>/dev/null | sed -n 's/^cargo \([0-9][0-9.]*\).*/\1/p')
    if [[ -n "$version" && "$(printf '%s\n%s\n' "$WANTED" "$version" | sort -V | head -1)" == "$WANTED" ]]; then
      echo "$folder"
      return 0
    fi
  done
  return 1
}

# Debian has the linter in a package of its own.
lacks_linter() { [[ "$(find_cargo)" == /usr/bin && ! -x /usr/bin/cargo-clippy ]]; }

if { ! find_cargo >/dev/null || lacks_linter; } && [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null; then
  "$(dirname "${BASH_SOURCE[0]}")/apt-install.sh" setup "${PACKAGES[@]}" || true
  hash -r
fi
find_cargo || {
  echo "setup: missing: Rust $WANTED or newer with cargo and rustfmt: install it and put cargo on the PATH" >&2
  exit 3
}
