# Servers of the demonstration and the bench: to be sourced. They end, and their folder goes, with the script.

readonly BIN=$PWD/target/release DISK_PLUGIN=$PWD/target/release/examples/libhalo_disk_nbdkit.so
work=$(mktemp -d)
# fio leaves files of its own where it runs.
cd "$work"
declare -A pids=()
trap 'for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || true; done; wait; rm -rf "$work"' EXIT

uri() { echo "nbd+unix:///?socket=$work/$1"; }

# Starts a server in the background and waits until it takes clients: start SOCKET COMMAND...
start() {
  local socket=$1
  shift
  rm -f "$work/$socket"
  "$@" >>"$work/log" 2>&1 &
  pids[$socket]=$!
  for _ in $(seq 300); do
    if nbdinfo --size "$(uri "$socket")" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  echo "halo: $* takes no clients:" >&2
  tail -5 "$work/log" >&2
  exit 3
}

stop() {
  kill "-$2" "${pids[$1]}"
  wait "${pids[$1]}" 2>/dev/null || true
  unset "pids[$1]"
}

emulated_disk() { start "$1" nbdkit -f -t 64 -U "$work/$1" "${@:3}" "$DISK_PLUGIN" "file=$work/$2"; }

# fio on a server, in its terse format: load SERVER OPTIONS... Percentiles are of whole latencies: a request may spend its time in the
# submission, which the completion latency leaves out.
load() {
  fio --name=load --ioengine=nbd --uri="$(uri "$1")" --bs=4k --norandommap --lat_percentiles=1 --clat_percentiles=0 \
    --output-format=terse "${@:2}" | grep '^3;'
}
