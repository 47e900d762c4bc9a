#!/usr/bin/env bash
# Runs lanes of make's targets beside each other, the targets of one lane one after the other, in the current folder:
#   scripts/side-by-side.sh "test-java" "test-rust test-bundleio"
# A target's output is shown whole when the target ends; until then it is in build/side-by-side/TARGET.log, and its last line is shown
# every minute. A target that fails stops no other; the exit status is 0 only if all succeeded, else 1. An interrupt ends them all.
# The last lines are the outcome of each target, and what any of them said was "skipped: ...", "left out: ..." or "failing test: ...", once each.
set -euo pipefail

readonly LOGS=build/side-by-side
# Between asking everything to end and ending it.
readonly SECONDS_TO_END=20

if (($# == 0)); then
  echo "side-by-side: name one or more lanes, each a list of make's targets in quotes" >&2
  exit 2
fi
rm -rf "$LOGS"
mkdir -p "$LOGS"

minutes() { printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); }

# Holds the lock while it prints: lanes share the screen.
show() { # target, status, seconds, processor seconds in user and in kernel mode
  local word=passed
  (($2 == 0)) || word="FAILED with exit status $2"
  {
    flock 9
    printf '%-16s %s, %s, processors %s s and %s s\n' "$1" "$word" "$(minutes "$3")" "$4" "$5" >"$LOGS/$1.outcome"
    printf '===== %s\n' "$1"
    cat "$LOGS/$1.log"
    printf '===== %s %s after %s\n' "$1" "$word" "$(minutes "$3")"
  } 9>"$LOGS/lock"
}

lane() { # targets
  local target status start processors TIMEFORMAT='%0U %0S'
  for target in "$@"; do
    start=$SECONDS
    status=0
    { time make --no-print-directory "$target" >"$LOGS/$target.log" 2>&1 </dev/null; } 2>"$LOGS/$target.processors" || status=$?
    read -ra processors <"$LOGS/$target.processors"
    show "$target" "$status" $((SECONDS - start)) "${processors[@]}"
  done
}

# Never ends by itself.
progress() { # targets
  local target
  while sleep 60; do
    for target in "$@"; do
      if [[ -e $LOGS/$target.outcome || ! -e $LOGS/$target.log ]]; then continue; fi
      flock "$LOGS/lock" printf 'side-by-side: %s: %s: %s\n' "$(minutes "$SECONDS")" "$target" "$(tail -n 1 "$LOGS/$target.log" | cut -c 1-100)"
    done
  done
}

some_run() { # lanes
  local lane
  for lane in "$@"; do
    if kill -0 -- "-$lane" 2>/dev/null; then return 0; fi
  done
  return 1
}

# Of all that a lane has started: it is one process group.
end_all() { # exit status
  trap '' INT TERM HUP
  local lane end=$((SECONDS + SECONDS_TO_END))
  echo "side-by-side: interrupted: ending what runs; its logs are in $LOGS" >&2
  for lane in "${lanes[@]}" "${reporter[@]}"; do kill -TERM -- "-$lane" 2>/dev/null || true; done
  while some_run "${lanes[@]}" && ((SECONDS < end)); do sleep 0.1; done
  for lane in "${lanes[@]}"; do kill -KILL -- "-$lane" 2>/dev/null || true; done
  exit "$1"
}

lanes=()
reporter=()
trap 'end_all 130' INT
trap 'end_all 143' TERM
trap 'end_all 129' HUP
# Gives each lane a process group of its own.
set -m
targets=()
for list in "$@"; do
  read -ra names <<<"$list"
  targets+=("${names[@]}")
  echo "side-by-side: started: ${names[*]}"
  lane "${names[@]}" &
  lanes+=("$!")
done
progress "${targets[@]}" &
reporter=("$!")
set +m
wait "${lanes[@]}" || true
kill -TERM -- "-${reporter[0]}" 2>/dev/null || true

status=0
echo "===== all"
for target in "${targets[@]}"; do
  # A lane that was ended from elsewhere leaves no outcome behind.
  cat "$LOGS/$target.outcome" 2>/dev/null || echo "$target was ended before it was done"
  grep -q ' passed, ' "$LOGS/$target.outcome" 2>/dev/null || status=1
done
# A runner of tests may have printed something before it on the same line.
grep -ohE '(skipped|left out|failing test): .+' "$LOGS"/*.log | sort -u || true
exit "$status"
