"""Draws what the paper's Figures 2.2 to 2.4 and 4.2 to 4.5 show, from runs on this machine, as SVG
files without further packages.

Source: Liu (Auburn 2015), sections 2.2.2 and 4.2. Deviation: ranks of one machine instead of 32 to
960 of a cluster; bp5 (ADIOS2) stands for ADIOS's MPI method, posix for its POSIX method; steps hold
what the bench's model holds. As in the paper, MPI-IO sorts what PnetCDF writes: option exchange=no.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile

from chart import Chart, text_bars
from launched import backends_of, json_of, numbers, refuse

PHASES = {"create": ("agree", "create", "define"), "write": ("exchange", "write"), "close": ("sync", "close", "publish")}
# The names of the back ends in the paper.
NAMES = {"gather": "gather (serial NetCDF)", "pnetcdf": "pnetcdf", "bp5": "bp5 (ADIOS2)", "posix": "posix (a file per rank)"}
BAR_LETTERS = 70


def shares_of(facts):
    return [sum(facts[phase] for phase in phases) for phases in PHASES.values()]


def subtitle_of(run):
    """The written data, from JSON as bench and replay print it."""
    facts = next(iter(run["backends"].values()))
    repeats = "one run" if run["repeats"] == 1 else f"medians of {run['repeats']} runs"
    if run.get("scaling") == "weak":
        return f"weak scaling, {facts['own_bytes'] / 1e6:.4g} MB a step on each rank; {repeats}"
    # A replay tells no grid.
    grid = f"grid {run['lat']} x {run['lon']}, " if "lat" in run else ""
    return f"{grid}{facts['own_bytes_sum'] / 1e6:.4g} MB a step; {repeats}"


def draw_stacks(path, title, subtitle, unit, axis, parts, bars):
    """`bars`: label and shares of each, one share for each of `parts`."""
    chart = Chart(title, subtitle, unit, axis, max(sum(shares) for _, shares in bars))
    chart.labels([label for label, _ in bars])
    chart.legend(parts, chart.square)
    for i, (_, shares) in enumerate(bars):
        chart.stack(i, len(bars), shares)
    chart.save(path)


def draw_dissection(path, title, subtitle, axis, bars):
    """`bars`: label and facts of each."""
    draw_stacks(path, title, subtitle, "seconds a step, mean of ranks", axis, list(PHASES),
                [(label, shares_of(facts)) for label, facts in bars])


def waiting_shares(facts):
    """Figure 2.3: what a rank does while the original scheme collects planes without blocking."""
    return [facts["gather " + part] for part in ("post", "wait", "copy")]


def bundle_shares(facts, bundle):
    """Figure 2.4, in percent. Plane roots collect beside each other: the slowest counts. A bundle has one root: its sum is its own."""
    seconds = [facts[f"gather collect {bundle}_max"], facts[f"gather forward {bundle}_sum"], facts[f"gather store {bundle}_sum"]]
    return [100 * part / sum(seconds) for part in seconds]


def bundles_of(facts):
    """Those that take longest to write first."""
    prefix, suffix = "gather store ", "_sum"
    names = [key[len(prefix):-len(suffix)] for key in facts if key.startswith(prefix) and key.endswith(suffix)]
    return sorted(names, key=lambda name: -facts[f"{prefix}{name}{suffix}"])


def draw_curves(path, title, subtitle, runs, names):
    curves = [[run["backends"][name]["step_seconds_max"] for run in runs] for name in names]
    chart = Chart(title, subtitle, "seconds a step, slowest rank", "ranks", max(map(max, curves)))
    chart.labels([str(run["ranks"]) for run in runs])
    for number, values in enumerate(curves):
        chart.line(number, values)
    chart.legend([NAMES[name] for name in names], chart.mark)
    chart.save(path)


def draw_chapter_2(folder, runs, subtitle):
    draw_curves(f"{folder}/figure-2.2.svg", "Figure 2.2: the original scheme, by ranks", subtitle, runs, ["gather"])
    draw_stacks(f"{folder}/figure-2.3.svg", "Figure 2.3: collecting planes without blocking, dissected", subtitle,
                "seconds a step, mean of ranks", "ranks", ["post", "wait", "copy"],
                [(str(run["ranks"]), waiting_shares(run["backends"]["gather"])) for run in runs])
    facts = runs[-1]["backends"]["gather"]
    shares = [(bundle, bundle_shares(facts, bundle)) for bundle in bundles_of(facts)]
    draw_stacks(f"{folder}/figure-2.4.svg", f"Figure 2.4: collecting and storing, by bundle, {runs[-1]['ranks']} ranks", subtitle,
                "percent of the bundle's time", "bundle", ["plane roots collect", "plane root to bundle root", "write"], shares)
    for bundle, (collect, forward, store) in shares:
        print(f"figures: {runs[-1]['ranks']} ranks, {bundle}: {collect:.1f} % collecting, {forward:.1f} % from plane to bundle root, "
              f"{store:.1f} % writing")


def draw_chapter_4(folder, runs, subtitle, backends):
    if "pnetcdf" in backends:
        draw_curves(f"{folder}/figure-4.2.svg", "Figure 4.2: serial NetCDF and PnetCDF", subtitle, runs, ["gather", "pnetcdf"])
        pairs = [(f"{name}\n{run['ranks']}", run["backends"][name]) for run in runs for name in ("gather", "pnetcdf")]
        draw_dissection(f"{folder}/figure-4.3.svg", "Figure 4.3: serial NetCDF and PnetCDF, dissected", subtitle, "ranks", pairs)
    adios = [name for name in ("gather", "bp5", "posix") if name in backends]
    draw_curves(f"{folder}/figure-4.4.svg", "Figure 4.4: the original scheme and ADIOS", subtitle, runs, adios)
    if "bp5" in backends:
        draw_dissection(f"{folder}/figure-4.5.svg", "Figure 4.5: ADIOS, dissected", subtitle, "ranks",
                        [(str(run["ranks"]), run["backends"]["bp5"]) for run in runs])


def draw_one_run(folder, path):
    """Where the time of each back end goes, of what bench --json-to wrote."""
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        bars = sorted(run["backends"].items(), key=lambda item: sum(shares_of(item[1])))
        title = f"Where the time of a step goes, {run['ranks']} ranks"
        subtitle = subtitle_of(run)
    except OSError as error:
        refuse("figures", f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        refuse("figures", f"{path} does not hold what bundleio bench --json-to writes")
    print(f"{title}: seconds, mean of ranks")
    print("\n".join(text_bars(list(PHASES), [(label, shares_of(facts)) for label, facts in bars], BAR_LETTERS)))
    draw_dissection(f"{folder}/back-ends.svg", title, subtitle, "back end", bars)


def measure(tool, ranks, options):
    folder = tempfile.mkdtemp(prefix="bundleio-figures-")
    try:
        print(f"figures: {ranks} ranks", file=sys.stderr, flush=True)
        return json_of("figures", ranks, tool, "--path", folder, *options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="bundleio/figures", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--to", metavar="DIR", help="folder for the pictures (default build/bundleio/figures)")
    parser.add_argument("--ranks", default="2,4,8,16,32", metavar="A,B", help="default %(default)s")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="of each run, in turn; medians are drawn (default 3)")
    parser.add_argument("--dissect", metavar="FILE", help="one picture instead: all back ends of what bundleio bench or replay --json-to FILE measured")
    parser.add_argument("bench_options", nargs="*", metavar="OPTION",
                        help="after --: options of bundleio bench, such as --grid 72x144 --scaling weak")
    arguments = parser.parse_args()
    ranks = numbers("figures", "--ranks", arguments.ranks)
    folder = os.path.abspath(arguments.to)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        refuse("figures", f"--to {arguments.to}: {error.strerror}")
    if arguments.dissect:
        draw_one_run(folder, arguments.dissect)
        return
    backends = [name for name in NAMES if name in backends_of("figures", arguments.tool)]
    options = ["--repeats", str(arguments.repeats), "--options", "exchange=no", "--backends", ",".join(backends), *arguments.bench_options]
    runs = [measure(arguments.tool, number, options) for number in ranks]
    draw_chapter_2(folder, runs, subtitle_of(runs[0]))
    draw_chapter_4(folder, runs, subtitle_of(runs[0]), backends)


if __name__ == "__main__":
    main()
