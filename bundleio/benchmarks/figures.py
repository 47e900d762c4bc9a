"""Draws what the paper's Figures 2.2 to 2.4 and 4.2 to 4.5 show, from runs on this machine, as SVG files without further packages.

Source: Liu (Auburn 2015), sections 2.2.2 and 4.2. Deviation: ranks of one machine instead of 32 to 960 of a cluster; bp5 (ADIOS2)
stands for ADIOS's MPI method, posix for its POSIX method; steps hold what the bench's model holds. As in the paper, MPI-IO sorts what
PnetCDF writes: option exchange=no.
"""

import argparse
import html
import json
import os
import shutil
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 360, 60, 40, 60
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
PHASES = {"create": ("agree", "create", "define"), "write": ("exchange", "write"), "close": ("sync", "close", "publish")}


class Chart:
    """One picture: axes from zero, labels, and what is drawn into them."""

    def __init__(self, title, unit, top):
        self.top = top if top > 0 else 1
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', self.text(WIDTH / 2, 20, title, "middle", 14),
            self.text(8, TOP - 8, unit)]
        for i in range(5):
            y = self.y(self.top * i / 4)
            self.parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 20}" stroke="#ddd"/>')
            self.parts.append(self.text(LEFT - 6, y + 4, f"{self.top * i / 4:.3g}", "end"))

    @staticmethod
    def text(x, y, words, anchor="start", size=12):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{html.escape(words)}</text>'

    def y(self, value):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / self.top

    @staticmethod
    def x(index, count):
        return LEFT + (WIDTH - LEFT - 20) * (index + 0.5) / count

    def labels(self, names):
        for i, name in enumerate(names):
            self.parts.append(self.text(self.x(i, len(names)), HEIGHT - BOTTOM + 18, name, "middle", 11))

    def legend(self, names):
        for i, name in enumerate(names):
            x = LEFT + i * (WIDTH - LEFT) / max(4, len(names))
            self.parts.append(f'<rect x="{x:.1f}" y="{HEIGHT - 26}" width="12" height="12" fill="{COLOURS[i]}"/>')
            self.parts.append(self.text(x + 16, HEIGHT - 16, name))

    def line(self, number, values):
        points = [f"{self.x(i, len(values)):.1f} {self.y(value):.1f}" for i, value in enumerate(values)]
        self.parts.append(f'<path d="M{" L".join(points)}" fill="none" stroke="{COLOURS[number]}" stroke-width="2"/>')

    def stack(self, index, count, shares):
        width = min(60, 0.7 * (WIDTH - LEFT - 20) / count)
        base = 0
        for number, share in enumerate(shares):
            height = self.y(base) - self.y(base + share)
            self.parts.append(f'<rect x="{self.x(index, count) - width / 2:.1f}" y="{self.y(base + share):.1f}" '
                              f'width="{width:.1f}" height="{height:.1f}" fill="{COLOURS[number]}"/>')
            base += share

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([*self.parts, "</svg>"]) + "\n")
        print(path)


def shares_of(facts):
    return [sum(facts[phase] for phase in phases) for phases in PHASES.values()]


def draw_stacks(path, title, unit, parts, bars):
    """`bars`: label and shares of each, one share for each of `parts`."""
    chart = Chart(title, unit, 1.05 * max(sum(shares) for _, shares in bars))
    chart.labels([label for label, _ in bars])
    chart.legend(parts)
    for i, (_, shares) in enumerate(bars):
        chart.stack(i, len(bars), shares)
    chart.save(path)


def draw_dissection(path, title, bars):
    """`bars`: label and facts of each."""
    draw_stacks(path, title, "seconds a step, mean of ranks", list(PHASES), [(label, shares_of(facts)) for label, facts in bars])


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


def draw_curves(path, title, runs, names):
    curves = [[runs[ranks][name]["step_seconds_max"] for ranks in runs] for name in names]
    chart = Chart(title, "seconds a step, slowest rank", 1.05 * max(map(max, curves)))
    chart.labels([f"{ranks} ranks" for ranks in runs])
    chart.legend(names)
    for number, values in enumerate(curves):
        chart.line(number, values)
    chart.save(path)


def draw_figures(folder, runs):
    draw_curves(f"{folder}/figure-2.2.svg", "Figure 2.2: the original scheme by ranks", runs, ["gather"])
    draw_stacks(f"{folder}/figure-2.3.svg", "Figure 2.3: time of non-blocking collection, dissected", "seconds a step, mean of ranks",
                ["post", "wait", "copy"], [(f"{ranks} ranks", waiting_shares(run["gather"])) for ranks, run in runs.items()])
    most = list(runs)[-1]
    facts = runs[most]["gather"]
    shares = [(bundle, bundle_shares(facts, bundle)) for bundle in bundles_of(facts)]
    draw_stacks(f"{folder}/figure-2.4.svg", f"Figure 2.4: time of collecting and storing, by bundle, {most} ranks", "percent of the bundle's time",
                ["plane roots collect", "plane to bundle root", "write"], shares)
    for bundle, (collect, forward, store) in shares:
        print(f"figures: {most} ranks, {bundle}: {collect:.1f} % collecting, {forward:.1f} % from plane to bundle root, {store:.1f} % writing")
    if all("pnetcdf" in run for run in runs.values()):
        draw_curves(f"{folder}/figure-4.2.svg", "Figure 4.2: serial NetCDF and PnetCDF", runs, ["gather", "pnetcdf"])
        pairs = [(f"{name} {ranks}", runs[ranks][name]) for ranks in runs for name in ("gather", "pnetcdf")]
        draw_dissection(f"{folder}/figure-4.3.svg", "Figure 4.3: time of serial NetCDF and PnetCDF, dissected", pairs)
    adios = [name for name in ("gather", "bp5", "posix") if all(name in run for run in runs.values())]
    draw_curves(f"{folder}/figure-4.4.svg", "Figure 4.4: the original scheme and ADIOS", runs, adios)
    if "bp5" in adios:
        draw_dissection(f"{folder}/figure-4.5.svg", "Figure 4.5: time of ADIOS, dissected",
                        [(f"bp5 {ranks}", runs[ranks]["bp5"]) for ranks in runs])


def measure(tool, ranks, options):
    folder = tempfile.mkdtemp(prefix="bundleio-figures-")
    try:
        print(f"figures: {ranks} ranks", file=sys.stderr, flush=True)
        process = subprocess.run(["mpirun", "-n", str(ranks), tool, "bench", "--json", "--path", folder, *options],
                                 capture_output=True, text=True, check=False)
        if process.returncode != 0:
            sys.exit(f"figures: {ranks} ranks ended with {process.returncode}: {process.stderr.strip()[-300:]}")
        return json.loads(process.stdout)["backends"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="bundleio/figures", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--to", required=True, metavar="DIR", help="folder for the pictures")
    parser.add_argument("--ranks", default="2,4,8,16,32", metavar="A,B", help="default 2,4,8,16,32")
    parser.add_argument("--repeats", default="3", help="of each run, in turn; medians are drawn (default 3)")
    parser.add_argument("--dissection-only", action="store_true", help="one picture: all back ends at the first number of ranks")
    parser.add_argument("bench_options", nargs="*", metavar="OPTION", help="after --: options of bundleio bench, such as --grid 72x144")
    arguments = parser.parse_args()
    os.makedirs(arguments.to, exist_ok=True)
    options = ["--repeats", arguments.repeats, *arguments.bench_options]
    numbers = arguments.ranks.split(",")
    if arguments.dissection_only:
        results = measure(arguments.tool, numbers[0], options)
        draw_dissection(f"{arguments.to}/back-ends.svg", f"Where the time of a step goes, {numbers[0]} ranks", list(results.items()))
    else:
        options += ["--options", "exchange=no"]
        draw_figures(arguments.to, {ranks: measure(arguments.tool, ranks, options) for ranks in numbers})


if __name__ == "__main__":
    main()
