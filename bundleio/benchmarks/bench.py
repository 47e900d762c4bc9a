"""Runs the comparisons of `make bench-bundleio`, prints a table and, last, one JSON object.

Each section runs its candidates in turn, several times. Where a bar asks for a few percent, steps of both follow each other in
one job. Other steps in the page cache are compared by the fastest run of each: what disturbs a run, such as a host that has to
bring memory back, only ever adds to it. Steps on the disk, and what takes seconds, are compared by medians. What misses its bar
is marked in the table of figures; with --strict the exit code is then 1. The JSON object holds the figures that a bar was agreed
for as ratios; null is what --only left out.
"""

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from launched import STATE, backends_of, out_of, refuse

# The keys of the last line, in this order.
AGREED = ("bp5_vs_gather_16", "bp5_vs_gather_32", "async_visible_vs_gather_16", "pnetcdf_nonblocking_vs_blocking",
          "layer_overhead_percent_max", "convert_vs_serial_netcdf4", "convert_vs_serial", "map_memory_ratio_max",
          "map_exchanges_per_step", "checksum_cost_percent", "steps_per_file_speedup", "steps_per_file_speedup_bp5")
# The bars: key, side on which a figure must lie, value.
RANGE = re.compile(r"^(\w+): {(min|max): ([0-9.]+)}$", re.MULTILINE)
with open(os.path.join(os.path.dirname(__file__), "ranges.yaml"), encoding="utf-8") as ranges:
    BARS = {key: ("at least" if side == "min" else "at most", float(bar)) for key, side, bar in RANGE.findall(ranges.read())}
# Passes of each rank after a step: some quarter of a second of a core.
ASYNC_WORK = 60000
# Of steps of two candidates in one job: the interval is then some percents wide.
PAIRS = 40
# Variables and levels of a step by a map.
MAP_VARIABLES, MAP_LEVELS = 20, 72
BACKENDS = ("posix", "gather", "pnetcdf", "netcdf4", "bp5")


class Ratios:
    """What one candidate took by what another took: the fastest run of each, and the middle of the pairs that ran one after the other."""

    def __init__(self, results, name, other):
        samples, others = (results[each]["samples"] for each in (name, other))
        self.seconds, self.cpu = (min(samples[key]) / min(others[key]) for key in ("step_seconds_max", "cpu_seconds_sum"))
        pairs = [mine / its for mine, its in zip(samples["step_seconds_max"], others["step_seconds_max"])]
        self.pairs = statistics.median(pairs), min(pairs), max(pairs)

    def __str__(self):
        return f"fastest {self.seconds:.2f}, CPU {self.cpu:.2f}; pairs {{:.2f}} ({{:.2f}} to {{:.2f}})".format(*self.pairs)


class Bench:
    def __init__(self, build, readers, repeats, folder, built):
        self.tool = os.path.join(build, "bin", "bundleio")
        self.map_cases = os.path.join(build, "bin", "map_cases")
        self.counter = os.path.join(build, "lib", "libcount_collectives.so")
        self.raw = os.path.join(build, "bin", "bundleio_raw")
        self.readers = readers
        self.repeats = repeats
        self.folder = folder
        self.built = built
        self.figures = {}

    def present(self, names):
        """Without those whose back end is not built: "bp5:async=yes" is one of bp5."""
        return [name for name in names if name.split(":")[0] in self.built]

    def mpi(self, ranks, *words):
        print(f"bench: {ranks} ranks: " + " ".join(os.path.basename(word) for word in words), file=sys.stderr, flush=True)
        return out_of("bench", ranks, *words)

    def run(self, ranks, backends, *options):
        out = self.mpi(ranks, self.tool, "bench", "--path", self.folder, "--json", "--repeats", str(self.repeats),
                       "--backends", ",".join(self.present(backends)), *options)
        results = json.loads(out)["backends"]
        for name in self.present(backends):
            facts = results[name]
            print(f"{ranks:3d} ranks  {name:32s} {facts['step_seconds_max']:6.3f} s a step, CPU {facts['cpu_seconds_sum']:5.2f}, "
                  f"create {facts['create'] + facts['define']:5.3f}, write {facts['exchange'] + facts['write']:5.3f}, "
                  f"sync {facts['sync']:5.3f}, close {facts['close'] + facts['publish']:5.3f}")
        return results

    def compare(self, ranks, name, results, runs=""):
        """With gather, if that back end is built; `runs` ends the figure's name."""
        if name in results:
            what = "async_visible" if name == "bp5:async=yes" else name
            ratios = Ratios(results, name, "gather")
            print(f"{ranks:3d} ranks  {name:32s} to gather: {ratios}")
            self.figures[f"{what}_vs_gather_{ranks}{runs}"] = ratios.seconds

    def pairs(self, ranks, name, other):
        """Steps of both in turn within one job: both find the same memory, and a difference of a percent shows. Returns ratios of time
        and of processor time, each with its middle, low and high."""
        out = self.mpi(ranks, self.tool, "bench", "--path", self.folder, "--json", "--pairs", str(PAIRS), "--backends", f"{other},{name}")
        facts = json.loads(out)
        percents = {kind: {key: 100 * (value - 1) for key, value in facts[kind + "_ratio"].items()} for kind in ("step", "cpu")}
        print(f"{ranks:3d} ranks  {name:32s} by {other}: " + ", ".join(
            f"{what} {{middle:+.1f}} % ({{low:+.1f}} to {{high:+.1f}})".format(**percents[kind]) for what, kind in (("time", "step"), ("CPU", "cpu")))
            + f"; {statistics.median(facts['step_seconds'][0]):.3f} s a step of {other}")
        return facts["step_ratio"], facts["cpu_ratio"]

    def bp5_to_gather(self, ranks):
        """The figure of the bar: whole runs also time memory that the host has to bring back (docs/results/bundleio.md)."""
        if "bp5" not in self.built:
            return
        ratio, _ = self.pairs(ranks, "bp5", "gather")
        for key, suffix in (("middle", ""), ("low", "_low"), ("high", "_high")):
            self.figures[f"bp5_vs_gather_{ranks}{suffix}"] = ratio[key]

    def orders16(self):
        results = self.run(16, ["gather", "bp5", "pnetcdf", "netcdf4", "posix"])
        for name in ("bp5", "pnetcdf", "netcdf4"):
            self.compare(16, name, results, "_runs")
        self.bp5_to_gather(16)

    def pnetcdf16(self):
        """The library's forms as a model has them that sets nothing: behind the exchange of planes, which leaves nothing to sort. Beside
        them both where MPI-IO sorts what all ranks hold, as for a model that calls PnetCDF itself."""
        blocking, waiting = "pnetcdf:exchange=no:blocking=yes", "pnetcdf:exchange=no"
        results = self.run(16, [blocking, waiting, "pnetcdf", "pnetcdf:blocking=yes"])
        for key, slow, fast in (("pnetcdf_nonblocking_vs_blocking", "pnetcdf:blocking=yes", "pnetcdf"),
                                ("pnetcdf_nonblocking_vs_blocking_mpi_io", blocking, waiting),
                                ("pnetcdf_exchange_vs_mpi_io", waiting, "pnetcdf")):
            self.figures[key] = Ratios(results, slow, fast).seconds

    def orders32(self):
        self.compare(32, "bp5", self.run(32, ["gather", "bp5", "pnetcdf", "posix"]), "_runs")
        self.bp5_to_gather(32)

    def async16(self):
        """Every rank does the same work after each step, however long that takes. Visible: what bundleio's calls took, the last wait
        among them. Beside it what nobody can hide: the time of the whole run, and the processor time of all threads without the work."""
        names = ["gather", "bp5", "bp5:async=yes"]
        results = self.run(16, names, "--steps", "3", "--work", str(ASYNC_WORK))
        self.compare(16, "bp5:async=yes", results)
        for name in self.present(names):
            facts = results[name]
            print(f" 16 ranks  {name:32s} {facts['run_seconds']:6.3f} s a step and its work, CPU without the work {facts['run_cpu_seconds_sum']:5.2f}")
        if "bp5" in results:
            for other in ("gather", "bp5"):
                self.figures[f"async_total_vs_{other}_16"] = results["bp5:async=yes"]["run_seconds"] / results[other]["run_seconds"]
                self.figures[f"async_cpu_vs_{other}_16"] = (results["bp5:async=yes"]["run_cpu_seconds_sum"]
                                                            / results[other]["run_cpu_seconds_sum"])

    def synced16(self):
        """A step that is on the disk, not in memory, before it is visible."""
        results = self.run(16, list(BACKENDS), "--options", "sync=yes")
        for name in ("bp5", "pnetcdf", "netcdf4"):
            if name in results:
                self.figures[f"{name}_vs_gather_16_synced"] = results[name]["step_seconds_max"] / results["gather"]["step_seconds_max"]

    def series(self):
        """Many small steps, 0.8 MB each: a file per bundle and step (for bp5 a folder) beside one per bundle for all of them, in turn."""
        steps = 100
        for backend in self.present([name for name in BACKENDS if name != "posix"]):
            many = f"{backend}:steps_per_file={steps}"
            results = self.run(4, [backend, many], "--grid", "18x36", "--planes", "10", "--steps", str(steps))
            self.figures[f"steps_per_file_speedup_{backend}"] = Ratios(results, backend, many).seconds
        if "pnetcdf" in self.built:
            self.figures["steps_per_file_speedup"] = self.figures["steps_per_file_speedup_pnetcdf"]

    def netcdf4(self):
        results = self.run(32, ["netcdf4"], "--steps", "1")
        self.figures["netcdf4_create_seconds_32"] = results["netcdf4"]["create_max"] + results["netcdf4"]["define_max"]

    def overhead(self):
        """As many ranks as cores: then nobody's processor time is spent on waiting for a core. Like with like: direct calls hand each
        rank's own box to the library, so bundleio does (exchange=no), and neither makes checksums. The original scheme is in no library:
        there is nothing to compare gather with."""
        percents = {}
        for backend in self.present([name for name in BACKENDS if name != "gather"]):
            # The first pair only warms up: it finds no memory of the process and none of the page cache in place.
            out = self.mpi(2, self.raw, self.folder, backend, str(self.repeats + 3), "2", "144", "288")
            facts = json.loads(out)
            layer, raw = min(facts["layer_cpu_seconds"][1:]), min(facts["raw_cpu_seconds"][1:])
            percents[backend] = 100 * (layer / raw - 1)
            print(f"  2 ranks  {backend:32s} {layer:6.4f} CPU s a step, by direct calls {raw:6.4f}: {percents[backend]:+.1f} %")
        self.figures["layer_overhead_percent_max"] = max(percents.values())

    def checksums(self):
        """With and without them. Of the back ends that leave a step as others read it: posix, the floor, writes as fast as memory is
        copied, so that a look at every byte is a good part of it. First what the measurement makes of no difference."""
        nothing, _ = self.pairs(16, "pnetcdf:checksums=no", "pnetcdf:checksums=no")
        self.figures["checksum_cost_percent_of_nothing"] = 100 * (nothing["middle"] - 1)
        percents = {}
        for backend in self.present(BACKENDS):
            ratio, cpu = self.pairs(16, backend, f"{backend}:checksums=no")
            percents[backend] = 100 * (ratio["middle"] - 1)
            self.figures[f"checksum_cost_percent_{backend}"] = percents[backend]
            self.figures[f"checksum_cost_percent_{backend}_low"] = 100 * (ratio["low"] - 1)
            self.figures[f"checksum_cost_percent_{backend}_high"] = 100 * (ratio["high"] - 1)
            self.figures[f"checksum_cpu_percent_{backend}"] = 100 * (cpu["middle"] - 1)
        self.figures["checksum_cost_percent"] = max(value for name, value in percents.items() if name != "posix")

    def memory(self):
        """One back end per process, since memory that one has freed serves the next. By the kernel's proportional set (smaps_rollup), at
        its peak: a page that ranks share counts in parts of equal size. Resident memory counts such a page in every rank that touched
        it, though the machine has it once."""
        ranks = 16
        ratios, residents = [], []
        for backend in self.present(BACKENDS):
            out = self.mpi(ranks, self.tool, "bench", "--path", self.folder, "--json", "--steps", "1", "--backends", backend,
                           "--options", "report_pss=yes")
            facts = json.loads(out)["backends"][backend]
            own = facts["own_bytes_max"]
            ratio, mean, resident = (1 + facts[key] / own for key in ("pss_bytes_max", "pss_bytes", "memory_bytes_max"))
            ratios.append(ratio)
            residents.append(resident)
            print(f"{ranks:3d} ranks  {backend:10s} needs {ratio:.2f} times its own data at most, mean {mean:.2f}; resident {resident:.2f}")
        self.figures["memory_per_own_data_max"] = max(ratios)
        self.figures["memory_resident_per_own_data_max"] = max(residents)

    def maps(self):
        """Cells strewn over all ranks at random, 30 MB of values on each: the worst of maps. Memory as in the section above; the
        calls of all ranks on values."""
        ranks = 16
        ratios, exchanges = [], []
        for backend in self.present(BACKENDS):
            facts = json.loads(self.map_step(ranks, backend, 5300 * ranks, 1, ()).stdout)
            rows = zip(*(facts[key]["ranks"] for key in ("pss_bytes", "own_bytes")))
            ratios.append(max(1 + share / own for share, own in rows))
            print(f"{ranks:3d} ranks  {backend:10s} a map: {facts['step_seconds']['max']:6.3f} s a step, "
                  f"needs {ratios[-1]:.2f} times its own data at most")
            exchanges.append(self.exchanges(backend))
        self.figures["map_memory_ratio_max"] = max(ratios)
        self.figures["map_exchanges_per_step"] = max(exchanges)

    def exchanges(self, backend):
        counts = []
        for steps in (1, 3):
            told = self.map_step(4, backend, 2000, steps, ("env", "LD_PRELOAD=" + self.counter)).stderr
            counts.append(int(re.search(r"collectives: (\d+)", told)[1]))
        return (counts[1] - counts[0]) / 2

    def map_step(self, ranks, backend, cells, steps, before):
        sizes = map(str, (MAP_VARIABLES, MAP_LEVELS, cells, steps))
        words = ["mpirun", "-n", str(ranks), *before, self.map_cases, "step", os.path.join(self.folder, "map"), backend, *sizes,
                 "report_pss=yes"]
        process = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if process.returncode != 0:
            refuse("bench", f"map_cases {backend}: {(process.stdout + process.stderr).strip().splitlines()[0]}", 1)
        return process

    def convert(self):
        if not os.access(self.readers, os.X_OK) or "bp5" not in self.built:
            print("           conversion: not compared, it needs bp5 and a Python with adios2 and netCDF4")
            return
        self.mpi(16, self.tool, "bench", "--path", self.folder, "--steps", "1", "--backends", "bp5", "--keep")
        source = os.path.join(self.folder, "bp5")
        script = os.path.join(os.path.dirname(__file__), "convert_serial.py")
        candidates = {
            "bundleio convert, compared": ["mpirun", "-n", "2", self.tool, "convert", source],
            "script, CDF-5": [self.readers, script, "NETCDF3_64BIT_DATA", source + "/step-000000/bundles.bp"],
            "script, NetCDF-4": [self.readers, script, "NETCDF4", source + "/step-000000/bundles.bp"],
        }
        seconds = {name: [] for name in candidates}
        for _ in range(self.repeats):
            for name, command in candidates.items():
                target = os.path.join(self.folder, "converted")
                shutil.rmtree(target, ignore_errors=True)
                start = time.monotonic()
                subprocess.run([*command, target], check=True, stdout=subprocess.DEVNULL)
                seconds[name].append(time.monotonic() - start)
        medians = {name: statistics.median(values) for name, values in seconds.items()}
        for name, value in medians.items():
            print(f"           {name:32s} {value:6.3f} s for one step of 486 MB")
        ours, classic, netcdf4 = medians.values()
        self.figures["convert_vs_serial"] = classic / ours
        self.figures["convert_vs_serial_netcdf4"] = netcdf4 / ours


SECTIONS = ("orders16", "pnetcdf16", "orders32", "async16", "synced16", "overhead", "checksums", "series", "netcdf4", "memory", "maps", "convert")


def misses(key, figures):
    """True if there is a figure on the wrong side of its bar."""
    side, bar = BARS.get(key, ("at most", math.inf))
    value = figures.get(key, bar)
    return value > bar if side == "at most" else value < bar


def table_of(figures):
    """A line for each figure: its value, and its bar if there is one."""
    for key, value in figures.items():
        bar = " ".join(map(str, BARS[key])) if key in BARS else ""
        yield f"{key:42s} {value:8.3f}  {bar:14s}{'  MISSED' if misses(key, figures) else ''}".rstrip()


def last_line(figures):
    return json.dumps({key: round(figures[key], 3) if key in figures else None for key in AGREED})


def main():
    parser = argparse.ArgumentParser(prog="bundleio/bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--readers", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="of each candidate, in turn; medians are compared (default 5)")
    parser.add_argument("--only", default=",".join(SECTIONS), metavar="A,B", help="sections: " + ", ".join(SECTIONS))
    parser.add_argument("--path", default=None, metavar="DIR", help="where the steps are written: 3 GB (default: a temporary folder)")
    parser.add_argument("--strict", action="store_true", help="end with 1 if a figure misses its bar")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown or arguments.repeats < 1:
        parser.error(f"unknown section '{unknown[0]}': use {', '.join(SECTIONS)}" if unknown
                     else f"--repeats {arguments.repeats}: use 1 or more")
    for program in ("bundleio", "bundleio_raw", "map_cases"):
        if not os.path.exists(os.path.join(arguments.build, "bin", program)):
            refuse("bench", f"{program} is not built: run bundleio/check --build", STATE)
    try:
        folder = tempfile.mkdtemp(prefix="bundleio-bench-", dir=arguments.path)
    except OSError as error:
        refuse("bench", f"--path {arguments.path}: {error.strerror}")
    try:
        built = backends_of("bench", os.path.join(arguments.build, "bin", "bundleio"))
        if "bp5" not in built:
            print("bench: bp5 is not built: scripts/bundleio-setup.sh --adios2 and bundleio/check --build make it available",
                  file=sys.stderr)
        bench = Bench(arguments.build, arguments.readers, arguments.repeats, folder, built)
        for name in chosen:
            getattr(bench, name)()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(table_of(bench.figures)))
    print(last_line(bench.figures))
    sys.exit(1 if arguments.strict and any(misses(key, bench.figures) for key in bench.figures) else 0)


if __name__ == "__main__":
    main()
