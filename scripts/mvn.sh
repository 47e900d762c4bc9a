#!/usr/bin/env bash
# Runs Maven from the repository's root: silent but for problems and the tests' summaries.
# TIERWISE_MVN_ARGS adds arguments, for instance TIERWISE_MVN_ARGS="-o" make test
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/java-home.sh
JAVA_HOME=$(find_java_home) || { echo "mvn: no JDK 17 or newer: run scripts/setup.sh" >&2; exit 3; }
export JAVA_HOME
command -v mvn >/dev/null || { echo "mvn: no Maven on the PATH: run scripts/setup.sh" >&2; exit 3; }

# Of tests that are skipped there is no summary, only a line for each module that says so.
tests=info
for argument in "$@"; do
  if [[ "$argument" == -DskipTests ]]; then tests=warn; fi
done

log=org.slf4j.simpleLogger
# shellcheck disable=SC2086 # the arguments are meant to split
exec mvn --batch-mode --no-transfer-progress \
  -D$log.defaultLogLevel=warn \
  -D$log.log.org.apache.maven.plugin.surefire=$tests \
  -D$log.log.org.apache.maven.plugin.failsafe=$tests \
  -D$log.log.org.apache.maven.plugins.failsafe=$tests \
  -D$log.log.org.apache.maven.plugins.surefire=$tests \
  ${TIERWISE_MVN_ARGS:-} "$@"
