#!/usr/bin/env bash
# The Java tests with JUnit's tag "long", which make test leaves out:
#   scripts/long-tests.sh left-out   prints one line: how many there are, and their names
#   scripts/long-tests.sh run        runs them, and fails if there are some and none ran
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Suites that are long as a whole, and suites with a long test in them.
long_suites() {
  find . -path '*/src/test/java/*' -name '*.java' -not -path './build/*' -not -path './hadoop/conformance/*' \
    -exec grep -lE '^\s*@Tag\("long"\)' {} + | sed 's|.*/||; s|\.java$||' | sort
}

mapfile -t suites < <(long_suites)
case ${1:-} in
  left-out)
    if ((${#suites[@]} > 0)); then
      echo "left out: what is long of ${#suites[@]} suites, which make test-long runs: ${suites[*]}"
    fi
    ;;
  run)
    if ((${#suites[@]} == 0)); then
      echo "test-long: no test has the tag \"long\""
      exit 0
    fi
    echo "test-long: ${suites[*]}"
    # A store that hangs is also a mount of it.
    command -v bindfs >/dev/null || scripts/apt-install.sh test-long bindfs || true
    find . -name 'TEST-*.xml' -path '*/target/*-reports/*' -delete
    mkdir -p build && touch build/test-long.begun
    # The profile makes what the test of the distribution packs.
    scripts/failed-tests.sh -Pdist -Dspotless.check.skip=true -Dtierwise.test.groups=long -Dtierwise.test.groups.excluded=none
    for suite in "${suites[@]}"; do
      if [[ -z $(find . -path '*/target/*-reports/*' -name "TEST-*.$suite.xml" -exec grep -l '<testcase' {} +) ]]; then
        echo "test-long: $suite has the tag \"long\", but nothing of it ran" >&2
        exit 1
      fi
    done
    scripts/skipped-tests.sh build/test-long.begun
    ;;
  *)
    echo "long-tests: usage: scripts/long-tests.sh left-out|run" >&2
    exit 2
    ;;
esac
