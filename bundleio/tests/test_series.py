"""Several steps in one file: each as it was put, there when its index says so, and never less for a step that fails behind it."""

import glob
import os
import re
import shutil
import unittest

from launch import BACKENDS, MAY_LEAVE_RANKS_WAITING, alone, binary, long_test, mpi, patience
from series_runs import FAULTY, SeriesTest

# Files that any reader of NetCDF sees as a time series.
NETCDF = ("gather", "pnetcdf", "netcdf4")
# Ends of a process in the place of a write that it makes: of values, headers, or the index. None: between two steps.
FAULTS = {"posix": ("", "stop 1 1", "kill 5 64", "kill 40 8", "stop 4 1"), "gather": ("", "stop 1 1", "stop 4 1", "stop 7 1", "stop 8 1", "stop 11 1"), "pnetcdf": ("", "kill 5 64", "kill 9 64", "kill 14 8", "stop 4 1"),
          "netcdf4": ("", "stop 4 1", "kill 70 1", "kill 100 1", "kill 131 1"), "bp5": ("", "stop 3 1", "stop 7 1", "stop 12 1")}


class Series(SeriesTest):
    def test_steps_share_files_and_each_is_as_it_was_put(self):
        self.expected(5)
        for ranks in self.kept((1, 2, 4), (1, 4)):
            self.puts_each(ranks, {f"{backend}-{ranks}": backend for backend in BACKENDS}, 3, "--steps", "5")
            for backend in BACKENDS:
                with self.subTest(backend=backend, ranks=ranks):
                    name = f"{backend}-{ranks}"
                    self.assertEqual(self.steps(name), ["series-000000", "series-000003"])
                    if backend not in NETCDF:
                        self.equal("apart", name)
                        continue
                    self.assertEqual(self.files(name), [os.path.join(series, file) for series in self.steps(name)
                                                        for file in ("mesh.nc", "odd%20names.nc", "steps")])
                    self.assertEqual(self.entries(name, "series-000000/mesh.nc"), 3)
                    self.assertEqual(self.entries(name, "series-000003/odd%20names.nc"), 2)
                    self.equal("apart", name)
                    self.assertIn("5 complete steps, all readable, as their checksums say", self.checked(name))

    def test_a_run_goes_on_in_its_last_file_with_another_back_end_and_ranks(self):
        self.expected(5)
        for backend, other in (("gather", "pnetcdf"), ("pnetcdf", "gather")):
            with self.subTest(backend=backend):
                self.succeeds(self.puts(3, backend, backend, 4, "--steps", "2"))
                self.succeeds(self.puts(2, backend, other, 4, "--steps", "3", "--first", "2", "--mode", "2"))
                self.assertEqual(self.steps(backend), ["series-000000", "series-000004"])
                self.equal("apart", backend)

    def test_other_definitions_begin_a_file_of_their_own(self):
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "2"))
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "2", "--first", "2", "--mode", "2", "--zero"))
        self.assertEqual(self.steps("run"), ["series-000000", "series-000002"])
        self.assertIn("4 complete steps", self.checked("run"))

    def test_series_and_folders_may_follow_each_other(self):
        self.expected(4)
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "2"))
        self.succeeds(mpi(2, binary("write_cases"), self.path("run"), BACKENDS[-1], "--grows", "--steps", "1", "--first", "2", "--mode", "2"))
        self.succeeds(self.puts(2, "run", "gather", 9, "--steps", "1", "--first", "3", "--mode", "2"))
        self.assertEqual(self.steps("run"), ["series-000000", "series-000003", "step-000002"])
        self.equal("apart", "run")

    def test_a_killed_run_keeps_what_counted_and_the_next_one_cuts_off_the_rest(self):
        """Killed by SIGKILL between steps on one rank, and in the place of a write into the shared files."""
        self.expected(5)
        counts = (2, 4, 1)
        every = [(backend, fault, ranks) for backend in BACKENDS for fault in FAULTS[backend] for ranks in counts]
        some = [(backend, fault) for backend in BACKENDS for fault in FAULTS[backend][::2]]
        some = [(*case, counts[number % len(counts)]) for number, case in enumerate(some)]
        cases = {f"{backend}-{ranks}-{fault.replace(' ', '-')}": {"backend": backend, "fault": fault, "ranks": ranks}
                 for backend, fault, ranks in self.kept(every, some)}
        self.each([{"name": name, **case} for name, case in cases.items()], self.is_killed)
        self.go_on({name: case["backend"] for name, case in cases.items()})

    def is_killed(self, name, backend, fault, ranks):
        before = ["env", FAULTY, "FAULTY_DISK=" + fault] if fault else []
        killed = self.puts(ranks, name, backend, 9, "--steps", "5", *([] if fault else ["--fault", "kill"]), before=before)
        self.assertNotEqual(killed.returncode, 0, "the fault came: " + killed.stdout)

    def go_on(self, backends):
        rest = {}
        for name, backend in backends.items():
            seen = alone("check", self.path(name))
            done = 0 if seen.returncode == 2 else int(re.search(r"(\d+) complete steps", self.succeeds(seen)).group(1))
            self.assertLess(done, 5, name)
            rest[name] = (backend, "--steps", str(5 - done), "--first", str(done), "--mode", "2")
        # Rank files go on with as many ranks; with others a series begins.
        self.puts_each(2, rest, 9)
        for name, backend in backends.items():
            with self.subTest(name=name):
                self.equal("apart", name)
                if backend in NETCDF:
                    self.assertEqual(self.entries(name, "series-000000/mesh.nc"), 5)

    def test_torn_remains_are_not_seen_and_go_with_the_next_run(self):
        """As a kill leaves them: a header that counts one more, half of its values, half an entry of the index, in any mixture."""
        self.expected(4)
        self.succeeds(self.puts(2, "whole", "pnetcdf", 9, "--steps", "3"))
        self.succeeds(self.puts(2, "two", "pnetcdf", 9, "--steps", "2"))
        index = self.index("whole")
        kept = len(self.index("two"))
        runs = {f"torn-{cut}-{backend}": (cut, backend) for cut, backend in
                self.pairs((kept, kept + 1, kept + 40, len(index) - 1), ("gather", "pnetcdf"))}
        for name, (cut, _) in runs.items():
            with self.subTest(name=name):
                shutil.copytree(self.path("whole"), self.path(name))
                with open(self.path(name, "series-000000", "steps"), "wb") as torn:
                    torn.write(index[:cut])
                os.truncate(self.path(name, "series-000000", "mesh.nc"), os.path.getsize(self.path(name, "series-000000", "mesh.nc")) - 300)
                self.assertIn("2 complete steps, all readable, as", self.checked(name))
                self.equal("two", name)
        self.puts_each(2, {name: backend for name, (_, backend) in runs.items()}, 9, "--steps", "2", "--first", "2", "--mode", "2")
        for name in runs:
            with self.subTest(name=name):
                self.equal("apart", name)

    def test_a_run_killed_as_it_began_a_file_keeps_the_steps_before(self):
        self.expected(4)
        for cut in (0, 20):
            with self.subTest(cut=cut):
                name = f"cut-{cut}"
                self.succeeds(self.puts(2, name, "pnetcdf", 2, "--steps", "2"))
                os.mkdir(self.path(name, "series-000002"))
                with open(self.path(name, "series-000002", "steps"), "wb") as torn:
                    torn.write(self.index(name)[:cut])
                self.assertIn("2 complete steps, all readable, as", self.checked(name))
                self.succeeds(self.puts(2, name, "pnetcdf", 2, "--steps", "2", "--first", "2", "--mode", "2"))
                self.equal("apart", name)

    def test_steps_without_checksums_are_said_to_have_none(self):
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "2", options="checksums=no"))
        self.assertIn("2 complete steps, all readable; no checksums", self.checked("run"))

    def test_a_drain_refuses_what_shares_files(self):
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "2"))
        told = alone("drain", self.path("run"), self.path("slow"))
        self.assertEqual(told.returncode, 2, told.stdout + told.stderr)
        self.assertIn("shares files with other steps: use convert or concat", told.stderr)
        self.assertIn("2 complete steps", self.checked("run"))

    def test_a_drain_refuses_to_make_what_shares_files_before_it_moves_anything(self):
        self.succeeds(mpi(2, binary("write_cases"), self.path("fast"), "posix", "--grows", "--steps", "2"))
        told = alone("drain", self.path("fast"), self.path("slow"), "--to", "pnetcdf", "--options", "steps_per_file=2")
        self.assertEqual((told.returncode, told.stdout), (2, ""))
        self.assertRegex(told.stderr, "^bundleio: rank 0: option steps_per_file: a drain moves steps one by one, .*bundleio concat\n$")
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])
        self.assertFalse(os.path.exists(self.path("slow")))

    def test_what_of_a_failed_step_could_not_be_cut_off_is_not_taken_for_the_next_one(self):
        self.expected(3)
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                notes = self.path("notes-" + backend)
                told = self.puts(2, backend, backend, 9, "--steps", "3", "--fault", "changes",
                                 before=["env", FAULTY, "DISK_NOTES=" + notes, "FAULTY_DISK=cut 1 0"])
                self.assertEqual(self.succeeds(told).count("'mesh/coordinate' is not what it was in the step before"), 2, told.stdout)
                if backend == "bp5":
                    with open(notes, encoding="utf-8") as lines:
                        self.assertIn("cut ", lines.read())
                self.equal("apart", backend)

    def test_a_failed_step_of_a_run_that_goes_on_costs_none_that_it_had_added(self):
        self.expected(5)
        runs = {backend: backend for backend in BACKENDS}
        self.puts_each(2, runs, 9, "--steps", "2")
        told = self.puts_each(2, runs, 9, "--steps", "3", "--first", "2", "--mode", "2", "--fault", "changes")
        self.assertEqual(told.count("'mesh/coordinate' is not what it was in the step before"), 2 * len(runs), told)
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.equal("apart", backend)

    def test_what_has_no_unlimited_dimension_may_change_where_a_file_begins(self):
        for options in ("", "checksums=no"):
            with self.subTest(options=options):
                name = "run" + options
                self.succeeds(self.puts(2, name, "pnetcdf", 2, "--steps", "1", options=options))
                told = self.puts(2, name, "pnetcdf", 2, "--steps", "2", "--first", "1", "--mode", "2", "--fault", "changes", options=options)
                self.assertEqual(self.succeeds(told), "")
                self.assertEqual(self.steps(name), ["series-000000", "series-000002"])
                self.assertIn("3 complete steps", self.checked(name))

    def test_damage_of_values_is_found_in_its_step_alone(self):
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "3"))
        path = self.path("run", "series-000000", "mesh.nc")
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) - 24)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        told = alone("check", self.path("run"))
        self.assertEqual(told.returncode, 3)
        self.assertIn(self.path("run", "step-000002") + ": values of 'mesh/", told.stderr)

    def test_a_failed_step_leaves_no_trace_and_the_steps_before(self):
        # The limit hits rank 1, which writes nothing for gather where there are 4.
        cases = [{"backend": backend, "ranks": ranks} for backend, ranks in self.pairs(BACKENDS, (4, 2, 1)) if (backend, ranks) != ("gather", 4)]
        self.each(cases, self.leaves_no_trace)

    def leaves_no_trace(self, backend, ranks):
        name = f"{backend}-{ranks}"
        failed = self.puts(ranks, name, backend, 9, "--steps", "3", "--fault", "limit", options=patience(backend))
        self.assertEqual(failed.returncode, 3, failed.stdout + failed.stderr)
        self.assertIn("1 complete steps, all readable", self.checked(name))
        if "(give_up_seconds)" in failed.stderr:
            # docs/decisions/0062-a-watchdog-for-failed-steps.md: libraries that leave ranks waiting end the job, and the next run cuts off the rest.
            self.assertIn(backend, MAY_LEAVE_RANKS_WAITING)
            self.succeeds(self.puts(2, name, backend, 9, "--steps", "2", "--first", "1", "--mode", "2"))
            self.assertIn("3 complete steps, all readable", self.checked(name))
            return
        self.assertIn("rank 0: 6 ", failed.stdout)
        if backend in NETCDF:
            self.assertEqual(self.entries(name, "series-000000/mesh.nc"), 1)

    def test_what_has_no_unlimited_dimension_must_stay_the_same(self):
        told = mpi(2, binary("write_cases"), self.path("run"), "pnetcdf", "--options", "steps_per_file=3")
        self.assertEqual(told.returncode, 3)
        for rank in (0, 1):
            self.assertIn(f"rank {rank}: 2 rank 0: 'mesh/holes' is not what it was in the step before, and has no unlimited", told.stdout)
        self.assertIn("1 complete steps", self.checked("run"))

    def test_what_has_no_unlimited_dimension_must_stay_the_same_also_without_checksums(self):
        goes_on = ("--steps", "1", "--first", "1", "--mode", "2")
        self.writes_each(2, {f"{backend}-{len(goes_on)}": backend for backend in BACKENDS}, "--steps", "1", "--options", "steps_per_file=3 checksums=no")
        for backend, words in self.pairs(BACKENDS, (goes_on, ("--steps", "2"))):
            with self.subTest(backend=backend, words=words):
                name = f"{backend}-{len(words)}"
                told = mpi(2, binary("write_cases"), self.path(name), backend, "--options", "steps_per_file=3 checksums=no", *words)
                # Every rank file of posix has every value.
                if words == goes_on and backend == "posix":
                    self.succeeds(told)
                    continue
                self.assertEqual(told.returncode, 3, told.stdout + told.stderr)
                self.assertEqual(told.stdout.count("2 rank 0: 'mesh/holes' is not what it was in the step before"), 2, told.stdout)
                self.assertIn("1 complete steps", self.checked(name))

    def test_steps_without_checksums_go_on_where_others_ended(self):
        self.expected(4)
        for first, options in ((0, "checksums=no"), (2, ""), (3, "checksums=no")):
            self.puts_each(2, {backend: backend for backend in BACKENDS}, 9, "--steps", "2" if first == 0 else "1", "--first", str(first),
                           "--mode", "0" if first == 0 else "2", options=options)
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.assertEqual(self.steps(backend), ["series-000000"])
                self.equal("apart", backend)

    def test_files_that_could_not_be_cut_get_no_further_step(self):
        steps = [binary("hostile_cases"), "steps", self.path("run"), "posix", "steps_per_file=9", "2"]
        self.succeeds(mpi(2, *steps))
        path = self.path("run", "series-000000", "rank-000001")
        os.truncate(path, os.path.getsize(path) - 1)
        steps[1] = "further-steps"
        told = mpi(2, *steps)
        self.assertEqual(told.stdout.count("rank-000001 is cut off"), 4, told.stdout + told.stderr)

    def test_steps_are_verified_before_they_count(self):
        # For netcdf4 in a file of its own: in files that are there the copy of what changes would be hit first.
        per_file = {backend: 3 if backend == "netcdf4" else 9 for backend in BACKENDS}
        self.writes_each(2, {backend: (backend, "--options", f"steps_per_file={steps} verify=yes sync=yes") for backend, steps in per_file.items()},
                         "--grows", "--steps", "3")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.assertIn("3 complete steps", self.checked(backend))
                flipped = self.puts(2, backend, backend, per_file[backend], "--steps", "1", "--first", "3", "--mode", "2", options="verify=yes",
                                    before=["env", FAULTY, "FAULTY_DISK=" + {"gather": "copy 2 64", "bp5": "copy 2 64"}.get(backend, "flip 2 64")])
                self.assertEqual(flipped.returncode, 3, flipped.stdout)
                self.assertIn("reads back other than it was put", flipped.stdout)
                self.assertIn("3 complete steps, all readable, as", self.checked(backend))

    @long_test
    def test_runs_are_replaced_and_converted_to_and_from_series(self):
        self.expected(3)
        self.succeeds(self.puts(2, "run", "pnetcdf", 2, "--steps", "4"))
        self.succeeds(self.puts(2, "run", "gather", 2, "--steps", "3", "--mode", "1"))
        self.equal("apart", "run")
        for to in BACKENDS:
            self.succeeds(alone("convert", self.path("run"), self.path("to-" + to), "--to", to))
            self.equal("apart", "to-" + to)
        for to in BACKENDS:
            self.succeeds(mpi(2, binary("bundleio"), "convert", self.path("apart"), self.path("back-" + to), "--to", to,
                              "--options", "steps_per_file=2"))
            self.assertEqual(self.steps("back-" + to), ["series-000000", "series-000002"])
            self.equal("run", "back-" + to)

    def test_steps_that_exist_are_joined_in_one_file(self):
        self.expected(3)
        self.writes_each(3, {backend: backend for backend in BACKENDS}, "--grows", "--steps", "2")
        for backend, ranks in self.pairs(BACKENDS, (4, 1, 2)):
            with self.subTest(backend=backend, ranks=ranks):
                name = f"joined-{backend}-{ranks}"
                told = self.succeeds(mpi(ranks, binary("bundleio"), "concat", self.path(backend), self.path(name)))
                self.assertIn("2 steps joined and compared, 0 were there", told)
                self.assertEqual(self.steps(name), ["series-000000"])
                self.assertEqual(self.entries(name, "series-000000/odd%20names.nc"), 2)
                self.equal(backend, name)
                told = self.succeeds(mpi(2, binary("bundleio"), "concat", self.path("apart"), self.path(name), "--append"))
                self.assertIn("1 steps joined and compared, 2 were there", told)
                self.equal("apart", name)

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_files_that_steps_share_are_closed_when_the_tool_is_through_with_them(self):
        """Also where it ends with an error. A reader of ADIOS2 waits for more of files that say that somebody writes them: a byte of their index."""
        self.expected(3)
        self.writes(2, "other", "posix", "--grows", "--steps", "2")
        damaged = glob.glob(self.path("apart", "step-000002", "*"))
        self.succeeds(mpi(2, binary("bundleio"), "concat", "--to", "bp5", self.path("other"), self.path("joined")))
        self.succeeds(mpi(2, binary("bundleio"), "convert", "--to", "bp5", "--options", "steps_per_file=9", self.path("other"), self.path("converted")))
        self.succeeds(mpi(2, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "12x24", "--planes", "2", "--steps", "2", "--backends", "bp5",
                          "--keep", "--options", "steps_per_file=9"))
        largest = max(damaged, key=os.path.getsize)
        with open(largest, "r+b") as file:
            file.seek(os.path.getsize(largest) - 9)
            file.write(b"damage")
        failed = mpi(2, binary("bundleio"), "concat", "--to", "bp5", self.path("apart"), self.path("failed"))
        self.assertEqual(failed.returncode, 3, failed.stdout + failed.stderr)
        for name in ("joined", "converted", os.path.join("bench", "bp5"), "failed"):
            with self.subTest(name=name), open(self.path(name, "series-000000", "bundles.bp", "md.idx"), "rb") as index:
                self.assertEqual(index.read(40)[39], 0)

    def test_what_cannot_be_joined_is_refused(self):
        self.writes(2, "run", "posix")
        told = alone("concat", self.path("run"), self.path("joined"))
        self.assertEqual(told.returncode, 3)
        self.assertIn("'mesh/holes' is not what it was in the step before, and has no unlimited dimension", told.stderr)

    def test_steps_of_another_run_are_not_joined_behind_those_that_are_there(self):
        self.expected(2)
        self.writes(2, "other", "posix", "--grows", "--steps", "3", "--first", "5")
        self.succeeds(alone("concat", self.path("apart"), self.path("joined")))
        told = alone("concat", "--append", self.path("other"), self.path("joined"))
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertRegex(told.stderr, "joined/step-000001 holds other values than .*other/step-000001: --append goes on with steps of the same run")
        self.equal("apart", "joined")
        # This run went another way behind its first step.
        shutil.copytree(self.path("apart"), self.path("turned"))
        shutil.rmtree(self.path("turned", "step-000001"))
        shutil.copytree(self.path("other", "step-000001"), self.path("turned", "step-000001"))
        self.assertIn("holds other values than", alone("concat", "--append", self.path("turned"), self.path("joined")).stderr)

    def test_fast_tiers_refuse(self):
        told = self.puts(2, "run", "pnetcdf", 2, options="fast_tier=" + self.path("fast"))
        self.assertIn("leave out one of the two", told.stdout)
        self.assertEqual(self.puts(2, "run", "pnetcdf", 0).returncode, 3)


if __name__ == "__main__":
    unittest.main()
