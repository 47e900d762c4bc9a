"""The model of cost: what it finds again, what it says of its own error, what it refuses."""

import json
import os
import random
import subprocess
import sys
import unittest

from launch import RunTest, binary, run

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.join(HERE, "..", "benchmarks")
sys.path.insert(0, BENCHMARKS)
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


if __name__ == "__main__":
    unittest.main()
