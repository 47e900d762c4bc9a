#!/usr/bin/env bash
# Says which Java tests were skipped, and why: a line for each suite and reason, from the reports that are newer than a file:
#   scripts/skipped-tests.sh FILE
#   scripts/skipped-tests.sh FILE --all   every class of tests should have run, but for long ones and Hadoop's own tests' runner
# Fails where root skipped a test that is for root only, and where nothing of a class ran that should have: else nobody would notice
# that they never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

reports() { find . -path '*/target/*-reports/TEST-*.xml' -newer "$1" "${@:2}"; }

# Reports are named after classes; those of classes inside them have a "$" behind the name. A suite of which a test is long, and not all,
# should have run.
never_ran() { # file
  comm -23 \
    <(find . -path '*/src/test/java/*' \( -name '*Test.java' -o -name '*IT.java' \) -not -path './build/*' \
      -not -path './hadoop/conformance/*' -exec grep -LE -e '^@Tag\("long"\)' -e '^(public )?abstract class' {} + | sed 's|.*/||; s|\.java$||' | sort -u) \
    <(reports "$1" | sed 's|.*/TEST-||; s|\.xml$||; s|\$.*||; s|.*\.||' | sort -u)
}

# side-by-side.sh shows lines that begin so again at its end.
skipped=$(reports "${1:?skipped-tests: name a file}" -exec awk '
  /<testcase / {
    suite = $0
    sub(/.* classname="/, "", suite); sub(/".*/, "", suite); sub(/.*\./, "", suite)
  }
  /<skipped/ {
    why = "no reason given"
    # A reason is an attribute, or the first line of the trace.
    if (match($0, / message="[^"]+"/)) why = substr($0, RSTART + 10, RLENGTH - 11)
    else if (match($0, /CDATA\[[^:]+: .+/)) { why = substr($0, RSTART, RLENGTH); sub(/^[^:]+: /, "", why) }
    gsub(/&quot;/, "\"", why); gsub(/&apos;/, "\047", why); gsub(/&lt;/, "<", why); gsub(/&gt;/, ">", why)
    gsub(/&#10;/, " ", why); gsub(/&amp;/, "\\&", why); gsub(/  +/, " ", why)
    sub(/^Assumption failed: /, "", why)
    count[suite ": " why]++
  }
  END { for (what in count) print "skipped: " what " (tests: " count[what] ")" }' {} + | sort)
[[ -z $skipped ]] || echo "$skipped"
if (($(id -u) == 0)) && grep -q 'root only\|only root' <<<"$skipped"; then
  echo "skipped-tests: root runs the tests that are for root only, but some of them were skipped: see above" >&2
  exit 1
fi
if [[ ${2:-} == --all ]]; then
  missing=$(never_ran "$1" | paste -sd ' ')
  if [[ -n $missing ]]; then
    echo "skipped: nothing ran, and nothing says why, of $missing"
    echo "skipped-tests: classes of tests never ran: see above" >&2
    exit 1
  fi
fi
