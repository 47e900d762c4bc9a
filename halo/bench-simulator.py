"""Ours and libCacheSim's in turns; called by bench-simulator, which makes the trace."""

import json
import os
import subprocess
import sys
import time

try:
    import libcachesim
except ImportError:
    # bench-simulator has said why.
    libcachesim = None

CACHE_BLOCKS = 1 << 16
PEER = "libCacheSim LRU"


def ours(simulator, requests):
    """Requests per second and misses of each of our replays."""
    command = [simulator, "bench", "--requests", str(requests), "--cache-blocks", str(CACHE_BLOCKS), "--repeat", "1"]
    printed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {each["policy"]: each for each in printed["results"]}


def theirs(trace, requests):
    """Requests per second and misses of libCacheSim's LRU, which reads the same requests from a mapped file."""
    reader = libcachesim.TraceReader(
        trace=trace,
        trace_type=libcachesim.TraceType.ORACLE_GENERAL_TRACE,
        reader_init_params=libcachesim.ReaderInitParam(ignore_obj_size=True),
    )
    cache = libcachesim.LRU(cache_size=CACHE_BLOCKS)
    begun = time.process_time()
    miss_ratio, _ = cache.process_trace(reader)
    seconds = time.process_time() - begun
    return {"requests_per_second": requests / seconds, "misses": round(miss_ratio * requests)}


def main():
    simulator, trace, requests, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    best = {}
    for _ in range(rounds):
        measured = {PEER: theirs(trace, requests)} if libcachesim else {}
        measured |= ours(simulator, requests)
        for name, each in measured.items():
            if each["requests_per_second"] > best.get(name, {"requests_per_second": 0})["requests_per_second"]:
                best[name] = each
    load = os.getloadavg()[0]
    print(f"{requests:,} Zipf writes of one block, cache of {CACHE_BLOCKS:,} blocks, best of {rounds}, load {load:.1f}")
    print(f"{'replay':42} {'million requests/s':>18} {'misses':>10}")
    labels = {"lru": "LRU", "halo": "HALO", "halo-wear": "HALO with wear levelling and memory timing"}
    for name, each in best.items():
        print(f"{labels.get(name, name):42} {each['requests_per_second'] / 1e6:>18.2f} {each['misses']:>10,}")
    if libcachesim and best["lru"]["misses"] != best[PEER]["misses"]:
        sys.exit("bench-simulator: LRU misses another number of times than libCacheSim's")
    rate = {name: each["requests_per_second"] for name, each in best.items()}
    summary = {
        "simulator_requests_per_second": round(rate["halo-wear"]),
        "simulator_ratio_libcachesim": round(rate["lru"] / rate[PEER], 2) if libcachesim else None,
        "simulator_lru_requests_per_second": round(rate["lru"]),
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
