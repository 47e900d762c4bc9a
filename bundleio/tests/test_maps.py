"""Maps: any cells on any rank, written and read back equal, by few messages and in little memory."""

import json
import os
import re
import unittest

from launch import BACKENDS, BUILD, IS_OPEN_MPI, LONG, RunTest, binary, built, job, mpi, several, single

VARIABLES, LEVELS = 20, 72


class Maps(RunTest):

    def cases(self, ranks, runs):
        """Each of a name, a back end and perhaps its options; all by one job."""
        self.succeeds(job(ranks, binary("map_cases"), *several(["cases", self.path(name), *how] for name, *how in runs)))

    def test_all_back_ends_and_rank_counts_write_equal_maps_and_read_them_by_others(self):
        """Of all types; scattered, in blocks, all on one rank, none on another, with cells of nobody and values without a cell."""
        self.succeeds(single(binary("map_cases"), "cases", self.path("one"), "posix"))
        for ranks in self.kept((1, 2, 4, 7), (1, 4)):
            names = {f"{backend}-{ranks}": backend for backend in BACKENDS}
            self.cases(ranks, names.items())
            for name in names:
                with self.subTest(name=name):
                    self.equal("one", name)

    def test_options_change_how_maps_flow_and_not_what_is_stored(self):
        self.succeeds(single(binary("map_cases"), "cases", self.path("one"), "posix"))
        cases = [("gather", "blocking=yes"), ("pnetcdf", "exchange=no"), ("pnetcdf", "blocking=yes"), ("pnetcdf", "aggregators=2"),
                 ("netcdf4", "exchange=no deflate=1")]
        cases += [("bp5", "async=yes"), ("bp5", "aggregation=shared"), ("bp5", "compress=null")]
        self.cases(3, [(f"{backend} {options}", backend, options) for backend, options in built(cases)])
        for backend, options in built(cases):
            with self.subTest(backend=backend, options=options):
                self.equal("one", f"{backend} {options}")


class Windows(RunTest):

    def test_values_of_a_window_are_stored_before_the_next_takes_its_place(self):
        """22 MB in some dozens of windows, each put of a rank larger than what libraries copy by themselves."""
        self.succeeds(single(binary("map_cases"), "step", self.path("one"), "posix", "4", "72", "19000", "1"))
        for backend, options in [(name, "") for name in BACKENDS] + built([("bp5", "async=yes")]):
            with self.subTest(backend=backend, options=options):
                self.succeeds(mpi(3, binary("map_cases"), "step", self.path("many"), backend, "4", "72", "19000", "1", options))
                self.equal("one", "many")

    def test_values_that_are_read_in_several_windows_are_those_that_were_put(self):
        """30 MB of one variable: two windows of a map, and of a rank that reads all of it; some dozens of sections have sums."""
        self.succeeds(mpi(2, binary("map_cases"), "step", self.path("run"), "posix", "1", "400", "19000", "1"))
        for options in ("", "verify=yes"):
            with self.subTest(options=options):
                self.succeeds(mpi(3, binary("map_cases"), "back", self.path("run"), "400", "19000", options))


class Holes(RunTest):

    def test_a_large_hole_is_filled_from_end_to_end(self):
        """300,000 cells: more than the piece of fill values that is put at once."""
        words = ("1", "2", "600000", "1", "", "half")
        self.succeeds(single(binary("map_cases"), "step", self.path("one"), "posix", *words))
        for backend in BACKENDS[1:]:
            with self.subTest(backend=backend):
                self.succeeds(mpi(2, binary("map_cases"), "step", self.path(backend), backend, *words))
                self.equal("one", backend)


class Collectives(RunTest):
    """Counted by a library that stands before MPI."""

    def collectives(self, backend, levels, steps, options=""):
        counter = os.path.join(BUILD, "lib", "libcount_collectives.so")
        process = mpi(4, "env", "LD_PRELOAD=" + counter, binary("map_cases"), "step", self.path("run"), backend, str(VARIABLES), str(levels),
                      "2000", str(steps), options)
        self.succeeds(process)
        return [int(word) for word in re.search(r"collectives: (\d+) (\d+) (\d+)", process.stderr).groups()]

    def test_a_model_that_asks_for_the_original_scheme_gathers_each_plane(self):
        one, two = (self.collectives("gather", LEVELS, steps, "blocking=yes")[0] for steps in (1, 2))
        self.assertGreaterEqual(two - one, VARIABLES * LEVELS)

    def test_a_step_of_many_levels_takes_few_exchanges_of_all_ranks(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                one, two = (self.collectives(backend, LEVELS, steps)[:2] for steps in (1, 2))
                self.assertLessEqual(two[0] - one[0], 8, "exchanges of a step")
                self.assertEqual(two, self.collectives(backend, 2, 2)[:2], "as many, whatever the levels")


class Memory(RunTest):
    RANKS = 8 if LONG else 4
    CELLS_OF_RANK = 7000  # 40 MB of values

    def test_ranks_hold_little_beside_the_values_of_a_map(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                out = self.succeeds(mpi(self.RANKS, binary("map_cases"), "step", self.path(backend), backend, str(VARIABLES), str(LEVELS),
                                        str(self.RANKS * self.CELLS_OF_RANK), "1"))
                facts = json.loads(out)
                # Pages that ranks have in common count once, as in bundleio/bench.
                ratios = [1 + (private + mapped / self.RANKS) / own for private, mapped, own in
                          zip(*(facts[key]["ranks"] for key in ("private_bytes", "mapped_bytes", "own_bytes")))]
                self.assertLessEqual(max(ratios), 1.25)
                # Moving cells is a phase of its own, and no part of writing.
                for rank in range(self.RANKS):
                    seconds = {phase: column["ranks"][rank] for phase, column in facts["phase_seconds"].items()}
                    self.assertGreater(min(seconds["exchange"], seconds["write"]), 0)
                    self.assertLessEqual(sum(seconds.values()), facts["step_seconds"]["ranks"][rank] + 1e-6)


class Faults(RunTest):

    @unittest.skipUnless(IS_OPEN_MPI, "MPICH's memory between ranks is files, and more than the limit allows")
    def test_a_rank_that_fails_between_two_windows_keeps_no_other_waiting(self):
        """Rank 0 may write 6 MB of its 8, or of the 29 of the file that it collects."""
        for backend in ("posix", "gather"):
            with self.subTest(backend=backend):
                words = [binary("map_cases"), "step", self.path(backend), backend, str(VARIABLES), str(LEVELS), "5000", "1"]
                limited = ["bash", "-c", 'ulimit -f 6000; exec "$@"', "limited", *words]
                process = mpi(1, *limited, ":", "-n", "3", *words)
                self.assertNotEqual(process.returncode, 0)
                for rank in range(4):
                    self.assertIn(f"rank {rank}: step: rank 0: ", process.stdout + process.stderr)
                self.assertNotIn("MPI_ABORT", process.stdout + process.stderr)
                self.assertEqual(self.steps(backend), [])


class Mistakes(RunTest):
    """One line on every rank, which names the cell."""

    def told(self, ranks, names):
        """What all ranks say alike of each of these mistakes."""
        lines = self.succeeds(mpi(ranks, binary("map_cases"), *several(["mistake", name] for name in names))).splitlines()
        each = [[line.split(": ", 1)[1] for line in lines if line.startswith(f"rank {rank}: ")] for rank in range(ranks)]
        self.assertEqual(len(lines), ranks * len(names), lines)
        for rank in range(1, ranks):
            self.assertEqual(each[rank], each[0])
        return dict(zip(names, each[0]))

    def test_mistakes_in_maps_are_told_by_cell(self):
        once = ": a map gives each cell to one rank, once"
        cases = {
            "negative": r"1 rank 1: cell -3, entry 0 of the map, is outside the lengths \(10\): cells count from 0 to 9 ",
            "beyond": r"1 rank 1: cell 10, entry 0 of the map, .* bio_decomp_map_one_based counts from 1",
            "of two": "1 rank 1: cell 4 stands in the maps of ranks 0 and 1" + once,
            "twice": "1 rank 2: cell 7 stands twice in the map of rank 1" + once,
            "one-based negative": r"1 rank 1: cell -3, .*: cells count from 1 to 10, and 0 is nowhere",
            "one-based beyond": r"1 rank 1: cell 11, .*: cells count from 1 to 10, and 0 is nowhere",
            "one-based of two": "1 rank 1: cell 4 stands in the maps of ranks 0 and 1" + once,
            "one-based twice": "1 rank 2: cell 7 stands twice in the map of rank 1" + once,
            "one-based from zero": r"1 a map that counts from 1 has one 0 on all ranks together, and no cell 10, the last: "
                                   "it seems to count from 0, which bio_decomp_map takes",
            # None: in ascending order the place of the 0 tells that the last cell has no owner.
            "one-based land": "0 $",
            "other base": r"2 rank 1: a decomposition has lengths \(10\) and cells counted from 1, "
                          r"but on rank 0 \(10\) and cells counted from 0",
        }
        told = self.told(3, list(cases))
        for name, pattern in cases.items():
            with self.subTest(name=name):
                self.assertRegex(told[name], "^" + pattern)


if __name__ == "__main__":
    unittest.main()
