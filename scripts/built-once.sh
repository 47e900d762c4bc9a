# To be sourced by what builds a library from source into the user's cache, once. It sets before
#   LABEL    that messages begin with
#   TITLE    the library and its version
#   FOLDER   its folder in the cache; the log lies beside it
# defines
#   need_tools   exits with 3 if something is missing
#   build        installs into $PREFIX; $work is an empty folder
# and calls built_once "$@": without arguments it builds if it has to and prints the folder; with --find it prints the folder if it is
# there, and exits with 1 else.

readonly CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/tierwise"
readonly PREFIX="$CACHE/$FOLDER"
readonly LOG="$PREFIX.log"

built_once() {
  case "${1:-}" in
    --find) if [[ -f "$PREFIX/complete" ]]; then echo "$PREFIX"; exit 0; fi; exit 1 ;;
    "") ;;
    *) echo "$LABEL: unknown option '$1': use --find or nothing" >&2; exit 2 ;;
  esac
  mkdir -p "$CACHE"
  # Two builds at once would write the same folder: the second waits and then finds it done.
  exec 9>"$PREFIX.lock"
  flock 9
  if [[ ! -f "$PREFIX/complete" ]]; then
    need_tools
    build_logged
  fi
  echo "$PREFIX"
}

build_logged() {
  local status
  work=$(mktemp -d "$PREFIX-build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  echo "$LABEL: building $TITLE into $PREFIX (log: $LOG)" >&2
  rm -rf "$PREFIX"
  # Not in an "if": that would switch errexit off inside.
  set +e
  (set -e; trap - EXIT; build) >"$LOG" 2>&1
  status=$?
  set -e
  if [[ $status -ne 0 ]]; then
    echo "$LABEL: the build failed, see $LOG: $(tail -1 "$LOG")" >&2
    exit 3
  fi
  touch "$PREFIX/complete"
}
