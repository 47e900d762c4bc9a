#!/usr/bin/env bash
# Runs Maven's "verify" to its end, whatever fails on the way, so that one run tells of every test that fails and not of the first
# module's alone; arguments go to Maven. Fails where a test failed, and names it: "failing test: ...".
#   scripts/failed-tests.sh [ARGUMENT...]
# Of a class whose JVM died there is no report: after a run of all tests skipped-tests.sh --all tells of that, also beside failing tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build
begun=build/failed-tests.begun
touch "$begun"
whole=()
[[ -n ${TIERWISE_MVN_ARGS:-} ]] || whole=(-Dmaven.test.failure.ignore=true)
scripts/mvn.sh verify "${whole[@]}" "$@"

# side-by-side.sh shows lines that begin so again at its end.
failed=$(find . -path '*/target/*-reports/TEST-*.xml' -newer "$begun" -exec awk '
  /<testcase / {
    test = $0; suite = $0
    sub(/.*<testcase name="/, "", test); sub(/".*/, "", test)
    sub(/.* classname="/, "", suite); sub(/".*/, "", suite); sub(/.*\./, "", suite)
  }
  /^ *<(failure|error)[ >]/ {
    what = suite (test == "" ? ", before its tests" : "." test)
    if (match($0, / message="[^"]+"/)) what = what ": " substr($0, RSTART + 10, RLENGTH - 11)
    gsub(/&quot;/, "\"", what); gsub(/&apos;/, "\047", what); gsub(/&lt;/, "<", what); gsub(/&gt;/, ">", what)
    gsub(/&#10;/, " ", what); gsub(/&amp;/, "\\&", what); gsub(/  +/, " ", what)
    print "failing test: " substr(what, 1, 300)
  }' {} + | sort)
if [[ -n $failed ]]; then
  echo "$failed"
  if ((${#whole[@]} > 0)); then scripts/skipped-tests.sh "$begun" --all || true; fi
  exit 1
fi
