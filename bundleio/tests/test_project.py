"""What scripts make of the bench: the model of cost, the figures, the comparison with direct calls; what they refuse."""

import json
import os
import random
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from launch import BACKENDS, BUILD, RunTest, binary, mpi, run

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.join(HERE, "..", "benchmarks")
sys.path.insert(0, BENCHMARKS)
import bench  # noqa: E402
from chart import LETTER_WIDTH, WIDTH, text_bars, tick_step  # noqa: E402
from cost_model import PHASES, TERMS, Cluster, Model, Workload  # noqa: E402

# Seconds per unit.
TRUE = {"fixed": 0.01, "ranks": 0.002, "calls": 3e-5, "messages": 2e-6, "bytes": 1e-9, "pieces": 2e-7, "rounds": 1e-4}
WORKS = [Workload(ranks, lat, 2 * lat, 7, variables, planes, planes // 2)
         for ranks in (2, 4, 8, 16, 32) for lat, variables, planes in ((72, 235, 2933), (144, 235, 2933), (144, 60, 700))]


def made_up(backend, error=0.0):
    """Runs of a machine that is exactly as the model says, but for `error`."""
    noise = random.Random(7)
    runs = []
    for work in WORKS:
        units = work.units()
        facts = {name: 0.0 for names in PHASES.values() for name in names}
        for phase, terms in TERMS[backend].items():
            seconds = sum(TRUE[term] * units[term] for term in terms)
            facts[PHASES[phase][-1]] = seconds * (1 + noise.uniform(-error, error))
        runs.append((work, facts))
    return runs


class Fit(unittest.TestCase):

    def test_coefficients_that_made_the_runs_are_found_again(self):
        for backend, phases in TERMS.items():
            model = Model(backend, made_up(backend))
            for phase, terms in phases.items():
                for term in terms:
                    with self.subTest(backend=backend, phase=phase, term=term):
                        self.assertAlmostEqual(model.coefficients[phase][term] / TRUE[term], 1, places=4)
                self.assertLess(model.residual(phase), 1e-6)
            self.assertLess(abs(model.extrapolation_error()), 1e-6)

    def test_errors_of_the_runs_show_as_residuals_of_their_size_and_as_an_interval(self):
        model = Model("gather", made_up("gather", error=0.3))
        self.assertTrue(0.05 < model.residual("write") < 0.3)
        work = WORKS[1].at(960)
        low, high = model.interval(work)
        self.assertLess(low, high)
        truth = sum(TRUE[term] * work.units()[term] for terms in TERMS["gather"].values() for term in terms)
        self.assertLess(abs(sum(model.seconds(work).values()) / truth - 1), 0.3)

    def test_no_coefficient_is_negative_even_where_more_ranks_are_faster(self):
        runs = made_up("bp5")
        for work, facts in runs:
            facts["write"] = 1 / work.ranks
        model = Model("bp5", runs)
        self.assertGreaterEqual(min(min(terms.values()) for terms in model.coefficients.values()), 0)

    def test_a_cluster_shares_bytes_over_its_nodes_and_never_the_root_of_a_bundle(self):
        cluster = Cluster(2, 12, 1e9, 1e12)
        few, many = WORKS[1].at(48), WORKS[1].at(480)
        self.assertAlmostEqual(cluster.seconds("bp5", "bytes", 0, few)[0] / cluster.seconds("bp5", "bytes", 0, many)[0], 10)
        root = cluster.seconds("gather", "bytes", 0, many)
        self.assertEqual(root, cluster.seconds("gather", "bytes", 0, few))
        self.assertAlmostEqual(root[0], many.largest_bytes() / 1e9)
        low, high = cluster.seconds("bp5", "ranks", 0.001, many)
        self.assertLess(low, high)
        self.assertAlmostEqual(high, 0.48)


class Command(RunTest):

    def project(self, *words):
        return run(sys.executable, "-B", os.path.join(BENCHMARKS, "project.py"), "--tool", binary("bundleio"), *words)

    def write_runs(self, name, rank_counts):
        with open(self.path(name), "w", encoding="utf-8") as out:
            for number, work in enumerate(WORKS):
                if work.ranks in rank_counts:
                    backends = {}
                    for backend in TERMS:
                        facts = made_up(backend)[number][1]
                        backends[backend] = dict(facts, bundles=7, variables=work.variables, planes=work.planes,
                                                 planes_largest=work.planes_largest)
                    out.write(json.dumps({"ranks": work.ranks, "lat": work.lat, "lon": work.lon, "backends": backends}) + "\n")

    def test_every_statement_of_the_paper_gets_a_number_and_a_verdict(self):
        self.write_runs("runs", (2, 4, 8, 16, 32))
        result = json.loads(self.succeeds(self.project(self.path("runs"), "--json")))
        self.assertEqual([row["printed"] for row in result["paper"]], [-36.9, 110.0, 99.0, -58.2, 90.0, 56.0, 0.0])
        for row in result["paper"]:
            self.assertLessEqual(row["low"], row["high"])
            inside = row["low"] <= row["printed"] <= row["high"]
            self.assertEqual(row["error"] == 0, inside)
            if inside:
                self.assertEqual(row["verdict"], "reproduces" if row["high"] - row["low"] <= 30 else "not excluded")
        self.assertEqual([row["ranks"] for row in result["projections"]["bp5"]], [32, 64, 128, 256, 512, 960, 100000])
        self.assertIn("fitted to fewer: ", self.succeeds(self.project(self.path("runs"))))

    def test_runs_that_cannot_be_fitted_are_refused_with_what_to_do(self):
        self.write_runs("few", (2, 4))
        with open(self.path("text"), "w", encoding="utf-8") as out:
            out.write("no runs\n")
        for name, message in (("few", "holds 2 rank counts: measure at 3 or more"), ("text", "does not hold runs of the bench"),
                              ("absent", "measure first")):
            with self.subTest(name=name):
                process = self.project(self.path(name))
                self.assertEqual((process.returncode, process.stdout), (2, ""))
                self.assertIn(message, process.stderr)

    def test_what_the_bench_measures_is_what_the_model_reads(self):
        environment = os.path.join(HERE, "..", "project")
        process = subprocess.run([environment, "measure", "--to", self.path("runs"), "--ranks", "1,2,3", "--backends", "posix,gather",
                                  "--tool", binary("bundleio"), "--size", "9x18", "10", "--size", "9x18", "20"],
                                 capture_output=True, text=True, timeout=120, check=False)
        self.succeeds(process)
        result = json.loads(self.succeeds(self.project(self.path("runs"), "--json")))
        self.assertEqual(sorted(result["fits"]), ["gather", "posix"])


class Figures(RunTest):

    def figures(self, *words):
        command = [os.path.join(HERE, "..", "figures"), "--tool", binary("bundleio"), "--to", self.path("drawn"), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def drawn(self, name):
        """The texts of a picture: what, x, y, width at most."""
        texts = []
        for text in xml.etree.ElementTree.parse(self.path("drawn", name)).iter("{http://www.w3.org/2000/svg}text"):
            width = LETTER_WIDTH * float(text.get("font-size")) / 12 * len(text.text)
            left = float(text.get("x")) - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
            texts.append((text.text, left, float(text.get("y")), width))
        return texts

    def test_every_figure_of_the_paper_is_drawn_and_no_text_covers_another(self):
        out = self.succeeds(self.figures("--ranks", "1,2,3,4,5", "--repeats", "1", "--", "--grid", "6x12", "--planes", "3", "--steps", "1"))
        adios = ["figure-4.5.svg"] if "bp5" in BACKENDS else []
        names = [f"figure-{number}.svg" for number in ("2.2", "2.3", "2.4", "4.2", "4.3", "4.4")] + adios
        self.assertEqual(sorted(os.listdir(self.path("drawn"))), names)
        for name in names:
            self.assertIn(self.path("drawn", name), out)
            with self.subTest(name=name):
                texts = self.drawn(name)
                for number, (words, left, y, width) in enumerate(texts):
                    self.assertTrue(0 <= left and left + width <= WIDTH, words)
                    for other, their_left, their_y, their_width in texts[:number]:
                        apart = abs(y - their_y) >= 12 or left >= their_left + their_width or their_left >= left + width
                        self.assertTrue(apart, f"'{words}' covers '{other}'")
                shown = [words for words, *_ in texts]
                self.assertIn("grid 6 x 12, 0.02448 MB a step; one run", shown)
                self.assertIn("bundle" if name == "figure-2.4.svg" else "ranks", shown)

    def test_one_run_is_dissected_in_the_terminal_and_as_a_picture(self):
        self.succeeds(mpi(2, binary("bundleio"), "bench", "--path", self.path("steps"), "--grid", "6x12", "--planes", "3", "--json-to",
                          self.path("times")))
        out = self.succeeds(self.figures("--dissect", self.path("times")))
        for backend in BACKENDS:
            # The fastest may be too fast for a letter.
            self.assertRegex(out, rf"(?m)^{backend} +[#=-]* ?[0-9.]+$")
        self.assertRegex(out, r"[#=-]{20}", "the slowest")
        self.assertEqual({words for words, *_ in self.drawn("back-ends.svg")} & set(BACKENDS), set(BACKENDS))

    def test_axes_have_few_round_steps_and_bars_their_share_of_letters(self):
        self.assertEqual([tick_step(top) for top in (100, 1.94, 0.0061, 7, 6)], [20, 0.5, 0.002, 2, 1])
        bars = list(text_bars(["a", "b"], [("one", [1, 1]), ("third", [1, 3])], 8))
        self.assertEqual(bars, ["# a   = b", "one   ##== 2", "third ##====== 4"])

    def test_what_cannot_be_drawn_is_refused_in_one_line(self):
        with open(self.path("file"), "w", encoding="utf-8") as file:
            file.write("{}\n")
        for words, message in ((["--ranks", "0"], "--ranks 0: use numbers from 1"), (["--ranks", "2,x"], "--ranks 2,x: use numbers"),
                               (["--to", self.path("file", "x")], "--to .*/file/x: Not a directory"),
                               (["--dissect", self.path("none")], "none: No such file"),
                               (["--dissect", self.path("file")], "file does not hold what bundleio bench --json-to writes"),
                               (["--ranks", "1", "--", "--grid", "3"], "1 ranks ended with 2: bundleio: --grid 3: use LATxLON")):
            with self.subTest(words=words):
                process = self.figures(*words)
                lines = [line for line in process.stderr.splitlines() if line != "figures: 1 ranks"]
                self.assertEqual((process.returncode, process.stdout, len(lines)), (2, "", 1), process.stderr)
                self.assertRegex(lines[0], "^figures: .*" + message)


class Comparisons(RunTest):

    def own_bytes(self, ranks, scaling):
        """Of all ranks, and of the rank with most."""
        out = self.succeeds(mpi(ranks, binary("bundleio"), "bench", "--json", "--path", self.path("steps"), "--grid", "4x8", "--planes", "3",
                                "--steps", "1", "--backends", "posix", "--scaling", scaling))
        facts = json.loads(out)["backends"]["posix"]
        return facts["own_bytes_sum"], facts["own_bytes_max"]

    def test_strong_scaling_shares_a_step_out_and_weak_scaling_gives_each_rank_as_much(self):
        one = self.own_bytes(1, "strong")
        self.assertEqual(self.own_bytes(4, "strong"), (one[0], one[1] / 4))
        self.assertEqual(self.own_bytes(4, "weak"), (4 * one[0], one[1]))

    def test_the_last_line_holds_the_agreed_figures_and_nothing_else(self):
        agreed = ["bp5_vs_gather_16", "bp5_vs_gather_32", "async_visible_vs_gather_16", "pnetcdf_nonblocking_vs_blocking",
                  "layer_overhead_percent_max", "convert_vs_serial", "map_memory_ratio_max", "map_exchanges_per_step"]
        line = json.loads(bench.last_line({"pnetcdf_vs_gather_16": 0.6, "bp5_vs_gather_32": 0.26004}))
        self.assertEqual(list(line), agreed)
        self.assertEqual(line, dict.fromkeys(agreed) | {"bp5_vs_gather_32": 0.26})

    def test_without_bp5_the_other_back_ends_are_compared_and_what_cannot_be_had_is_null(self):
        compared = bench.Bench(BUILD, "no readers", 1, self.folder, ["posix", "gather", "pnetcdf", "netcdf4"])
        seconds = {"gather": 2.0, "pnetcdf": 1.0, "netcdf4": 4.0, "posix": 0.5}
        compared.run = lambda ranks, backends, *options: {name: {"step_seconds_max": seconds[name]} for name in compared.present(backends)}
        for section in (compared.orders16, compared.orders32, compared.async16, compared.convert):
            section()
        self.assertEqual(compared.figures, {"pnetcdf_vs_gather_16": 0.5, "netcdf4_vs_gather_16": 2.0})
        self.assertEqual(set(json.loads(bench.last_line(compared.figures)).values()), {None})

    def test_the_table_names_what_misses_its_bar_on_either_side(self):
        figures = {"bp5_vs_gather_16": 0.6, "bp5_vs_gather_32": 0.5, "convert_vs_serial": 4.9, "pnetcdf_vs_gather_16": 9.0}
        self.assertEqual([line.endswith("  MISSED") for line in bench.table_of(figures)], [True, False, True, False])


if __name__ == "__main__":
    unittest.main()
