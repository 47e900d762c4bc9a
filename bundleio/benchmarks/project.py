"""Fits a model of cost to runs of the bench, says how well it fits, and projects it: to more ranks of
this machine, and to a cluster, beside what the paper printed.

  project measure --to RUNS    runs the bench at several rank counts and sizes; a line of JSON each
  project RUNS                 fits and projects

Source: Liu (Auburn 2015), sections 2.2 and 4.2. Deviation: the curves of its figures were never
printed as numbers, so what its text states of them is what is compared.
"""

import argparse
import json
import os
import sys
import tempfile

from cost_model import TERMS, Cluster, Model, Workload
from launched import json_of, numbers, refuse

# Grid and percent of the planes: bytes and planes vary apart.
SIZES = (("144x288", 100), ("72x144", 100), ("144x288", 25))
RANKS = (2, 4, 8, 16, 32, 64)
TARGETS = (32, 64, 128, 256, 512, 960, 100000)
RANK_COUNTS_MIN = 3
# Source: Liu, section 4.2.1: bundle Moist alone, 1 GB. Own: the grid that gives 1 GB; 72 levels a variable, as in the bench.
MOIST = Workload(0, 361, 576, 1, 65, 1201, 1201)
# Source: section 4.2.2: all seven bundles. Own: the same grid; planes and variables of the bench.
SEVEN = Workload(0, 361, 576, 7, 235, 2933, 1201)


def measure(tool, path, ranks_list, sizes, backends, repeats):
    """Shared files are written as the paper's model wrote them: MPI-IO sorts what ranks hold."""
    options = ["--options", "exchange=no"] if {"pnetcdf", "netcdf4"} & set(backends) else []
    try:
        out = open(path, "w", encoding="utf-8")
    except OSError as error:
        refuse("project", f"--to {path}: {error.strerror}")
    with out:
        for ranks in ranks_list:
            for grid, percent in sizes:
                print(f"project: {ranks} ranks, {grid}, {percent} % of the planes", file=sys.stderr, flush=True)
                with tempfile.TemporaryDirectory(prefix="bundleio-project-") as folder:
                    run = json_of("project", ranks, tool, "--path", folder, "--steps", "2", "--repeats", str(repeats), "--grid", grid,
                                  "--planes", str(percent), "--backends", ",".join(backends), *options)
                out.write(json.dumps(kept(run)) + "\n")
                out.flush()


def kept(run):
    """Without what the model does not use, so that runs can be kept."""
    keys = ("agree", "create", "define", "exchange", "write", "sync", "close", "publish", "step_seconds_max", "cpu_seconds_sum",
            "bundles", "variables", "planes", "planes_largest")
    run["backends"] = {name: {key: round(facts[key], 6) for key in keys} for name, facts in run["backends"].items()}
    return run


def models_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            runs = [json.loads(line) for line in file if line.strip()]
        samples = {}
        for run in runs:
            for name, facts in run["backends"].items():
                work = Workload(run["ranks"], run["lat"], run["lon"], *(int(facts[key]) for key in
                                                                        ("bundles", "variables", "planes", "planes_largest")))
                samples.setdefault(name, []).append((work, facts))
    except OSError as error:
        refuse("project", f"{path}: {error.strerror}: measure first (project measure --to {path})")
    except (ValueError, KeyError, TypeError):
        refuse("project", f"{path} does not hold runs of the bench: make it by project measure")
    if "gather" not in samples:
        refuse("project", f"{path} holds no run of back end gather, to which all are compared: measure it")
    counts = {work.ranks for work, _ in samples["gather"]}
    if len(counts) < RANK_COUNTS_MIN:
        refuse("project", f"{path} holds {len(counts)} rank counts: measure at {RANK_COUNTS_MIN} or more (--ranks)")
    return {name: Model(name, samples[name]) for name in TERMS if name in samples}


def total(pairs):
    return tuple(sum(values) for values in zip(*pairs.values()))


def change_percent(models, cluster, name, work):
    """How much longer than gather; both with what grows by ranks low, and both high."""
    mine, base = (total(models[key].on_cluster(cluster, work)) for key in (name, "gather"))
    values = sorted(100 * (a / b - 1) for a, b in zip(mine, base))
    return values[0], values[1]


def share_percent(model, cluster, work, phases):
    by_phase = model.on_cluster(cluster, work)
    values = sorted(100 * sum(by_phase[phase][i] for phase in phases) / sum(value[i] for value in by_phase.values()) for i in (0, 1))
    return values[0], values[1]


def comparisons(models, cluster):
    """What the paper says, its number, and the model's range: in percent."""
    if "pnetcdf" in models:
        small = [change_percent(models, cluster, "pnetcdf", MOIST.at(ranks)) for ranks in (32, 64, 96)]
        yield "PnetCDF against the original scheme, below 128", -36.9, (min(low for low, _ in small), min(high for _, high in small))
        yield "PnetCDF against the original scheme, 960", 110.0, change_percent(models, cluster, "pnetcdf", MOIST.at(960))
        yield "creation and close in PnetCDF's time, 960", 99.0, share_percent(models["pnetcdf"], cluster, MOIST.at(960), ("open", "close"))
    if "bp5" in models:
        yield "ADIOS against the original scheme, 960", -58.2, change_percent(models, cluster, "bp5", SEVEN.at(960))
        yield "writing in ADIOS's time, 32", 90.0, share_percent(models["bp5"], cluster, SEVEN.at(32), ("write",))
        yield "writing in ADIOS's time, 960", 56.0, share_percent(models["bp5"], cluster, SEVEN.at(960), ("write",))
    base = [total(models["gather"].on_cluster(cluster, SEVEN.at(ranks))) for ranks in (256, 960)]
    change = sorted(100 * (last / first - 1) for first, last in zip(*base))
    yield "the original scheme, 960 against 256", 0.0, (change[0], change[1])


def verdict(printed, low, high):
    """Own: ten points of tolerance, as wide as the paper's statements are round; a range three times as wide shows nothing."""
    if low - 10 <= printed <= high + 10:
        return "reproduces" if high - low <= 30 else "not excluded"
    return "does not reproduce"


def result_of(models, cluster):
    result = {"fits": {}, "projections": {}, "paper": []}
    for name, model in models.items():
        result["fits"][name] = {"coefficients": model.coefficients, "residuals": {phase: model.residual(phase) for phase in model.coefficients},
                                "rank_counts": model.rank_counts(), "extrapolation_error": model.extrapolation_error()}
        rows = result["projections"][name] = []
        for ranks in TARGETS:
            work = SEVEN.at(ranks)
            rows.append({"ranks": ranks, "here": sum(model.seconds(work).values()), "here_interval": model.interval(work),
                         "cluster": total(model.on_cluster(cluster, work))})
    for what, printed, (low, high) in comparisons(models, cluster):
        error = 0.0 if low <= printed <= high else min(low - printed, high - printed, key=abs)
        result["paper"].append({"what": what, "printed": printed, "low": low, "high": high, "error": error,
                                "verdict": verdict(printed, low, high)})
    return result


def print_result(result):
    print("Fit: seconds of a step here = sum of the terms; residual: root mean square of the relative error")
    for name, facts in result["fits"].items():
        for phase, coefficients in facts["coefficients"].items():
            terms = " + ".join(f"{value:.3g} {term}" for term, value in coefficients.items() if value > 0) or "0"
            print(f"  {name:8s} {phase:6s} residual {100 * facts['residuals'][phase]:4.0f} %   {terms}")
        most = facts["rank_counts"][-1]
        print(f"  {name:8s} at {most} ranks, fitted to fewer: {100 * facts['extrapolation_error']:+.0f} % off")
    print("\nSeconds of a step of 7 bundles, 2.4 GB; here: ranks of this machine, and the range with one rank"
          "\ncount left out; cluster: with what grows by ranks taken as a tree of messages, and as work at"
          "\none place")
    for name, rows in result["projections"].items():
        print(f"  {name:8s} {'ranks':>7s} {'here':>8s} {'range':>20s}   {'cluster':>18s}")
        for row in rows:
            spans = [f"{low:.3g} to {high:.3g}" for low, high in (row["here_interval"], row["cluster"])]
            print(f"  {'':8s} {row['ranks']:7d} {row['here']:8.3g} {spans[0]:>20s}   {spans[1]:>18s}")
    print(f"\n{'The paper, in percent':48s} {'printed':>7s} {'projected':>14s} {'off':>6s}")
    for row in result["paper"]:
        span = f"{row['low']:+.0f} to {row['high']:+.0f}"
        print(f"  {row['what']:46s} {row['printed']:+7.1f} {span:>14s} {row['error']:+6.0f}  {row['verdict']}")


def main():
    parser = argparse.ArgumentParser(prog="bundleio/project", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help=argparse.SUPPRESS)
    parser.add_argument("runs", metavar="RUNS", help="file of runs, or 'measure'")
    parser.add_argument("--to", metavar="RUNS", help="measure: file to write")
    parser.add_argument("--ranks", default=",".join(map(str, RANKS)), metavar="A,B", help="measure: default %(default)s")
    parser.add_argument("--size", nargs=2, action="append", metavar=("GRID", "PERCENT"),
                        help="measure: grid and percent of the planes, repeatedly (default: " + ", ".join(f"{a} {b}" for a, b in SIZES) + ")")
    parser.add_argument("--backends", default=",".join(TERMS), metavar="A,B", help="measure: default %(default)s")
    parser.add_argument("--repeats", type=int, default=1, help="measure: medians are kept (default 1)")
    parser.add_argument("--cores-here", type=int, default=os.cpu_count(), help="cores that the measured ranks shared (default: of this machine)")
    parser.add_argument("--ranks-per-node", type=int, default=12, help="of the cluster (default 12, the paper's)")
    parser.add_argument("--link-mb", type=float, default=1500, help="MB/s of a node's link (default 1500: assumed, the paper gives none)")
    parser.add_argument("--files-mb", type=float, default=5000, help="MB/s of the file system (default 5000: assumed, the paper gives none)")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    arguments = parser.parse_args()
    positive = ("repeats", "cores_here", "ranks_per_node", "link_mb", "files_mb")
    for name in positive:
        if getattr(arguments, name) <= 0:
            parser.error(f"--{name.replace('_', '-')} {getattr(arguments, name)}: use a number above 0")
    if arguments.runs == "measure":
        if arguments.to is None:
            parser.error("measure needs --to RUNS")
        measure(arguments.tool, arguments.to, numbers("project", "--ranks", arguments.ranks), arguments.size or SIZES,
                arguments.backends.split(","), arguments.repeats)
        return
    cluster = Cluster(arguments.cores_here, arguments.ranks_per_node, arguments.link_mb * 1e6, arguments.files_mb * 1e6)
    result = result_of(models_of(arguments.runs), cluster)
    if arguments.json:
        print(json.dumps(result))
    else:
        print_result(result)


if __name__ == "__main__":
    main()
