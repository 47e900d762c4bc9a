"""The report of a run: every figure of every rank, and sums that agree with what was written."""

import json
import os
import unittest

from launch import BACKENDS, BUILD, PYTHON, RunTest, binary, mpi

HERE = os.path.dirname(os.path.abspath(__file__))
# Rank 0 has one row of eight, rank 1 two, rank 2 five; two steps of three levels.
WRITING = """
import json
import sys
import bundleio
import numpy
from mpi4py import MPI
rank = MPI.COMM_WORLD.rank
first, count = [(0, 1), (1, 2), (3, 5)][rank]
context = bundleio.Context(MPI.COMM_WORLD)
rows = context.block([8, 1000], [first, 0], [count, 1000])
for backend, _, options in (how.partition(" ") for how in sys.argv[2:]):
    with context.open(sys.argv[1], bundleio.REPLACE, backend, options) as run:
        bundle = run.bundle("Moist")
        dimensions = [run.dimension(bundle, name, length) for name, length in (("lev", 3), ("lat", 8), ("lon", 1000))]
        field = run.variable(bundle, "Q", "float32", dimensions, rows)
        for step in range(2):
            run.step_begin()
            run.put(field, numpy.ones((3, count, 1000), dtype="float32"))
            run.step_end()
        report = run.report()
        if rank == 0:
            print(json.dumps(report))
context.finish()
"""
LEVEL_BYTES = 3 * 1000 * 4
OWN_BYTES = [2 * LEVEL_BYTES * rows for rows in (1, 2, 5)]
PHASES = {"create", "define", "write", "sync", "close"}


class Report(RunTest):

    def reports(self, *ways):
        """Of a run for each: a back end, perhaps with options behind it. One job, as Python takes longer to start than to write."""
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(HERE, "..", "python")
        lines = self.succeeds(mpi(3, PYTHON, "-B", "-c", WRITING, self.path("run"), *ways)).splitlines()
        return dict(zip(ways, map(json.loads, lines), strict=True))

    def columns(self, report):
        """Name and figures of everything that is told by rank."""
        for name, value in report.items():
            if isinstance(value, dict):
                yield from [(name, value)] if "ranks" in value else value.items()

    def test_every_figure_is_told_for_each_rank_with_their_mean_and_maximum(self):
        for backend, report in self.reports(*BACKENDS).items():
            with self.subTest(backend=backend):
                self.assertEqual((report["backend"], report["ranks"], report["steps"]), (backend, 3, 2))
                self.assertLessEqual(PHASES, set(report["phase_seconds"]))
                self.assertEqual(report["own_bytes"]["ranks"], OWN_BYTES)
                columns = dict(self.columns(report))
                self.assertGreater(len(columns), 15)
                for name, column in columns.items():
                    self.assertEqual(len(column["ranks"]), 3, name)
                    self.assertEqual(column["max"], max(column["ranks"]), name)
                    self.assertAlmostEqual(column["mean"], sum(column["ranks"]) / 3, delta=1e-9 * (1 + abs(column["max"])), msg=name)

    def test_phases_are_parts_of_the_steps_and_only_a_durable_step_is_synced(self):
        for way, report in self.reports("posix", "posix sync=yes").items():
            with self.subTest(way=way):
                for rank in range(3):
                    seconds = {name: column["ranks"][rank] for name, column in report["phase_seconds"].items()}
                    self.assertLessEqual(sum(seconds.values()), report["step_seconds"]["ranks"][rank] + 1e-6)
                    self.assertTrue(all(seconds[name] > 0 for name in ("create", "write", "close")), seconds)
                    self.assertEqual(seconds["sync"] > 0, "sync" in way)

    def test_messages_and_writes_are_counted(self):
        posix, gather = self.reports("posix", "gather").values()
        self.assertEqual(posix["messages"]["ranks"], [0, 0, 0])
        if posix["write_calls"]["max"] < 0:
            self.skipTest("this kernel does not count writes")
        for rank in range(3):
            self.assertGreaterEqual(posix["write_calls"]["ranks"][rank], 2)
            self.assertGreaterEqual(posix["written_bytes"]["ranks"][rank], OWN_BYTES[rank])
        # Each step's planes have roots in turn: every rank sends its part of two to them. The bundle's root is rank 0, to which
        # the others send the plane that they collected; it writes all.
        self.assertEqual(gather["messages"]["ranks"], [4, 6, 6])
        plane = sum(OWN_BYTES) // 6
        self.assertEqual(gather["message_bytes"]["ranks"], [own * 2 // 3 + (2 * plane if rank else 0) for rank, own in enumerate(OWN_BYTES)])
        self.assertGreaterEqual(gather["written_bytes"]["max"], sum(OWN_BYTES))

    def test_values_are_written_in_parts_only_where_they_are_summed(self):
        names = ["posix:checksums=no", "posix"]
        out = self.succeeds(mpi(1, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "96x192", "--planes", "10", "--json",
                                "--steps", "1", "--backends", ",".join(names)))
        plain, summed = (json.loads(out)["backends"][name]["write_calls_sum"] for name in names)
        if plain < 0:
            self.skipTest("this kernel does not count writes")
        # Two variables of 72 levels, 5.3 MB each; nothing else is written otherwise but the file of sums.
        self.assertGreaterEqual(summed - plain, 4)

    def test_a_bench_tells_ratios_to_the_floor_and_to_the_original_scheme(self):
        out = self.succeeds(mpi(3, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "12x24", "--planes", "10", "--json",
                                "--backends", "posix,gather,pnetcdf"))
        facts = json.loads(out)["backends"]
        for name, own in facts.items():
            for ratio, other in (("vs_posix", "posix"), ("vs_gather", "gather")):
                expected = own["step_seconds_max"] / facts[other]["step_seconds_max"]
                self.assertAlmostEqual(own[ratio] / expected, 1, delta=1e-6, msg=name)


if __name__ == "__main__":
    unittest.main()
