#!/usr/bin/env bash
# Makes sure that a JDK 17+ and Maven 3.8+ are there: found, installed (root on Debian), or named.
#   scripts/setup.sh            silent when all is there
#   scripts/setup.sh --report   also says what was found; installs nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/java-home.sh

report=false
case "${1:-}" in
  "") ;;
  --report) report=true ;;
  *) echo "setup: unknown option '$1': use --report or nothing" >&2; exit 2 ;;
esac

maven_version() {
  command -v mvn >/dev/null || return 1
  mvn -version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -1
}

# True when dotted version $1 is at least $2.
at_least() { [[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -1)" == "$2" ]]; }

# Asking Maven for its version starts a JVM: asked once per Maven, remembered in build/.
maven_ok() {
  local mvn version stamp
  mvn=$(command -v mvn) || return 1
  stamp="build/setup/maven-ok$(readlink -f "$mvn" | tr / -)"
  if [[ -f "$stamp" ]] && ! $report; then return 0; fi
  version=$(JAVA_HOME=$(find_java_home) maven_version) || return 1
  [[ -n "$version" ]] && at_least "$version" 3.8 || return 1
  mkdir -p build/setup
  echo "$version" >"$stamp"
}

# XGBoost's native library, which fits trees, needs it; nothing else does.
openmp_ok() { ! command -v ldconfig >/dev/null || [[ "$(ldconfig -p)" == *"libgomp.so.1 "* ]]; }

missing=()
find_java_home >/dev/null || missing+=(openjdk-17-jdk-headless)
# A Debian Maven without a JDK brings a Java runtime, no compiler: look for the JDK first.
if ((${#missing[@]} > 0)); then
  command -v mvn >/dev/null || missing+=(maven)
else
  maven_ok || missing+=(maven)
fi

wanted=("${missing[@]}")
openmp_ok || wanted+=(libgomp1)
if ((${#wanted[@]} > 0)) && ! $report && [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null; then
  if ! scripts/apt-install.sh setup "${wanted[@]}" && ((${#missing[@]} > 0)); then
    echo "setup: apt-get could not install ${missing[*]}: install them by hand" >&2
    exit 3
  fi
  hash -r
  missing=()
  find_java_home >/dev/null || missing+=(openjdk-17-jdk-headless)
  maven_ok || missing+=(maven)
fi

if ((${#missing[@]} > 0)); then
  echo "setup: missing: ${missing[*]} (a JDK 17 or newer and Maven 3.8 or newer): install them, or set JAVA_HOME and PATH" >&2
  exit 3
fi

openmp_ok || echo "setup: libgomp.so.1 is missing (package libgomp1): trees cannot be fitted, and tests that fit some fail" >&2

if $report; then
  home=$(find_java_home)
  echo "JDK    $(jdk_major "$home") at $home"
  echo "Maven  $(JAVA_HOME=$home maven_version) at $(command -v mvn)"
  echo "Cores  $(nproc)"
  if [[ -r /proc/meminfo ]]; then
    awk '/MemAvailable/ {printf "Memory %.1f GiB available (the demo needs 4)\n", $2 / 1048576}' /proc/meminfo
  fi
  if compgen -G 'cli/target/tierwise-cli-*.jar' >/dev/null; then
    echo "Build  done: bin/tierwise is ready; bin/tierwise doctor checks a cluster's configuration"
  else
    echo "Build  not done: run make build"
  fi
fi
