# Sourced, not run. find_java_home prints the home of a JDK (with javac) of version 17 or newer:
# JAVA_HOME if it is one, else the one on the PATH, else the newest where Linux distributions put them.

# The major version of the JDK at $1, or 0.
jdk_major() {
  local version
  [[ -x "$1/bin/java" && -x "$1/bin/javac" ]] || { echo 0; return; }
  version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
  echo "${version:-0}"
}

find_java_home() {
  local candidate javac
  if [[ -n "${JAVA_HOME:-}" ]] && (( $(jdk_major "$JAVA_HOME") >= 17 )); then
    echo "$JAVA_HOME"
    return 0
  fi
  if javac=$(command -v javac); then
    candidate=$(dirname "$(dirname "$(readlink -f "$javac")")")
    if (( $(jdk_major "$candidate") >= 17 )); then
      echo "$candidate"
      return 0
    fi
  fi
  for candidate in /usr/lib/jvm/java-17-openjdk* /usr/lib/jvm/* /opt/java/* ; do
    if [[ -d "$candidate" ]] && (( $(jdk_major "$candidate") >= 17 )); then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}
