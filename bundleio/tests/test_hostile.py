"""Models that go wrong in the middle, or on for long: no step is lost, nothing hangs, nothing piles up."""

import ctypes
import os
import shutil
import struct
import unittest

from launch import BACKENDS, BUILD, RamDisk, RunTest, alone, binary, locked, long_test, mpi

BAD_ARGUMENT, MISMATCH, STATE = 1, 2, 3
SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
FEW_SOON = "give_up_seconds=10"
# Bytes: a step has 250 KB.
STEP_HUNDREDTH = 2500
# Files that stay open, or grow.
SERIES = [(name, options) for name, options in (("pnetcdf", "steps_per_file=500"), ("netcdf4", "steps_per_file=500"), ("bp5", "steps_per_file=500"),
                                                ("bp5", "steps_per_file=500 async=yes")) if name in BACKENDS]
IN_DELETE, IN_MOVE_SELF = 0x200, 0x800


class Hostile(RunTest):

    def case(self, ranks, name, backend, options="", count=0, path="run"):
        return mpi(ranks, binary("hostile_cases"), name, self.path(path), backend, options, str(count))

    def told(self, process, rank=0):
        """The output of one rank, as (first word, rest)."""
        prefix = f"rank {rank}: "
        lines = [line[len(prefix):] for line in process.stdout.splitlines() if line.startswith(prefix)]
        return [tuple(line.split(" ", 1)) for line in lines]

    def count(self, process, name, rank):
        return int(dict(self.told(process, rank))[name])

    def all_told(self, process, ranks, status, text):
        for rank in range(ranks):
            first = self.told(process, rank)[0]
            self.assertEqual(int(first[0]), status, process.stdout + process.stderr)
            self.assertRegex(first[1], text or "^$")

    def test_ranks_that_define_with_different_maps_are_told_so(self):
        process = self.case(3, "other-maps", "posix")
        self.all_told(process, 3, MISMATCH, "rank 1: defines 'decomposition of lengths 24 40, owners .*but rank 0")

    def test_ranks_that_read_by_different_maps_are_told_so(self):
        process = self.case(3, "get-other-maps", "posix")
        self.all_told(process, 3, MISMATCH, "rank 1: asks for 'one/flat' by a map of 24 x 40 that gives other cells than rank 0's")

    def test_ranks_that_open_decompose_and_read_at_once_are_told_so(self):
        process = self.case(3, "other-calls", "posix")
        self.all_told(process, 3, STATE, "ranks are in different collective calls")

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_a_mistake_before_closing_does_not_cost_the_step_that_is_still_written(self):
        process = self.case(2, "mistake-before-close", "bp5", "async=yes")
        self.all_told(process, 2, BAD_ARGUMENT, "rank 0: variable 9999 is not defined")
        self.assertEqual(self.steps("run"), ["step-000000"])
        self.succeeds(alone("check", self.path("run")))

    def test_a_step_whose_name_is_taken_leaves_no_trace_and_can_be_tried_again(self):
        process = self.succeeds(self.case(2, "taken-name", "posix"))
        self.assertIn("rank 0: partial 0", process)
        self.assertEqual(self.steps("run"), ["step-000000", "step-000001"])

    def test_failed_steps_leave_no_file_open_and_the_next_one_is_written(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.case(2, "failed-steps", backend, FEW_SOON, 6, path=backend)
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                for rank in range(2):
                    self.assertEqual(self.count(process, "failed", rank), 1, process.stdout)
                    self.assertLessEqual(self.count(process, "descriptors", rank), 0, process.stdout)
                self.assertEqual(self.steps(backend), [f"step-00000{i}" for i in range(3)], process.stdout + process.stderr)

    def test_a_step_that_fails_leaves_the_models_readers_alone(self):
        for backend in [name for name in ("gather", "pnetcdf", "bp5", "posix") if name in BACKENDS]:
            with self.subTest(backend=backend):
                process = self.case(2, "kept-reader", backend, "steps_per_file=9 " + FEW_SOON, path="kept-" + backend)
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                for rank in range(2):
                    told = self.told(process, rank)
                    self.assertEqual([line[0] for line in told], ["0", "0", "one", "failed", "0", "other", "0", "0", "0"], process.stdout)
                    self.assertEqual([self.count(process, name, rank) for name in ("one", "failed", "other")], [1, 1, 1], process.stdout)

    def test_hdf5_is_not_trusted_any_more_after_a_write_that_failed_inside_mpi_io(self):
        for backend, statuses in (("pnetcdf", ["7", "0", "0"]), ("netcdf4", ["7", "3", "3"])):
            with self.subTest(backend=backend):
                process = mpi(2, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=fail 1 100", binary("hostile_cases"), "steps", self.path(backend),
                              backend, FEW_SOON, "3")
                for rank in range(2):
                    told = self.told(process, rank)
                    self.assertEqual([line[0] for line in told[:3]], statuses, process.stdout + process.stderr)
                if backend == "netcdf4":
                    self.assertIn("a write failed inside MPI-IO before", told[1][1])
                    self.assertIn("start again with mode append, or use back end pnetcdf", told[1][1])

    def test_room_that_was_taken_in_advance_and_not_needed_is_given_back(self):
        for backend in ("pnetcdf", "netcdf4"):
            with self.subTest(backend=backend):
                self.succeeds(self.case(2, "write", backend, path=backend))
                for entry in os.scandir(self.path(backend, "step-000000")):
                    facts = entry.stat()
                    self.assertLess(facts.st_blocks * 512, facts.st_size + (32 << 10), entry.path)

    def kept(self, backend, options, *leak):
        """What each rank keeps of a step: (descriptors in all, bytes of its heap, bytes that are resident)."""
        name = "run" + options
        process = mpi(2, binary("hostile_cases"), "many-steps", self.path(name), backend, options, "200", *leak)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.all_told(process, 2, 0, "")
        shutil.rmtree(self.path(name))
        return [tuple(self.count(process, what, rank) for what in ("descriptors", "heap_bytes_per_step", "resident_bytes_per_step"))
                for rank in range(2)]

    @long_test
    def test_many_steps_take_no_more_memory_or_files_than_few(self):
        for backend, options in [(name, "") for name in BACKENDS] + [("bp5", "async=yes")] * ("bp5" in BACKENDS) + SERIES:
            with self.subTest(backend=backend, options=options):
                # netCDF keeps a KiB of each HDF5 file that it opens again.
                most = 2 * STEP_HUNDREDTH if backend == "netcdf4" and options else STEP_HUNDREDTH
                # An asynchronous step may have files open at this moment. A leak of one file a step would be 100 files and more.
                open_most = 4 if "async" in options else 0
                for descriptors, heap, resident in self.kept(backend, options):
                    self.assertLessEqual(descriptors, open_most, "descriptors")
                    self.assertLess(heap, most, "bytes of the heap per step")
                    self.assertLess(resident, most, "resident bytes per step")

    def test_a_leak_of_a_hundredth_of_each_step_is_seen(self):
        # Of the heap: what is resident does not grow while a leak fills gaps between what is in use.
        for _, heap, _ in self.kept("posix", "", str(STEP_HUNDREDTH)):
            self.assertGreaterEqual(heap, STEP_HUNDREDTH)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_bp5_on_a_full_disk_is_one_error_wherever_it_fills(self):
        if "bp5" not in BACKENDS:
            self.skipTest("needs ADIOS2")
        for size in ("3m", "9m"):
            with self.subTest(size=size), RamDisk(self.path("disk"), size) as disk:
                process = mpi(4, binary("bundleio"), "bench", "--path", disk, "--backends", "bp5", "--grid", "30x60",
                              "--planes", "20", "--steps", "4", "--keep", "--options", "space_check=no " + FEW_SOON)
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
                self.assertTrue(len(lines) == 1 or "(give_up_seconds)" in lines[0], process.stderr)
                self.assertNotIn("Destroyed without", process.stderr)

    def test_a_damaged_step_that_is_tried_again_and_again_leaves_no_file_open(self):
        self.succeeds(self.case(1, "write", "gather"))
        with open(self.path("run", "step-000000", "other.nc"), "r+b") as damaged:
            damaged.truncate(2000)
        process = self.case(1, "open-damaged", "gather", "", 50)
        self.assertIn("is cut off", process.stdout)
        self.assertEqual(self.count(process, "descriptors", 0), 0)

    def test_a_step_that_is_replaced_is_invisible_before_the_first_of_its_files_goes(self):
        self.writes(1, "run", "posix", "--steps", "1")
        libc = ctypes.CDLL(None, use_errno=True)
        watcher = libc.inotify_init1(os.O_NONBLOCK)
        try:
            watch = libc.inotify_add_watch(watcher, self.path("run", "step-000000").encode(), IN_DELETE | IN_MOVE_SELF)
            self.assertGreater(watch, 0)
            self.writes(1, "run", "posix", "--steps", "1", "--mode", "1")
            events = os.read(watcher, 1 << 16)
        finally:
            os.close(watcher)
        first = struct.unpack_from("iIII", events)[1]
        self.assertEqual(first & (IN_DELETE | IN_MOVE_SELF), IN_MOVE_SELF)

    def test_a_run_that_a_drain_still_moves_is_not_replaced(self):
        self.writes(1, "run", "posix")
        os.makedirs(self.path("run", ".drain"))
        with locked(self.path("run", ".drain")):
            process = self.case(2, "write", "posix", "", 1)
            self.all_told(process, 2, STATE, "a drain still moves steps to " + self.path("run"))
        self.assertEqual(self.steps("run"), [".drain", "step-000000", "step-000001"])

    def test_a_fast_tier_that_is_the_runs_own_folder_is_refused(self):
        os.makedirs(self.path("run"))
        os.symlink(self.path("run"), self.path("link"))
        process = self.case(2, "write", "posix", f"fast_tier={self.path('link')}")
        self.all_told(process, 2, BAD_ARGUMENT, "option fast_tier=.*/link: that is the run's own folder")

    def test_a_fast_tier_may_have_blanks_in_its_name(self):
        fast = self.path('fast "disk" 1')
        quoted = fast.replace('"', '""')
        self.succeeds(self.case(2, "write", "posix", f'sync=yes fast_tier="{quoted}" reserve_mib=0'))
        self.assertEqual(os.listdir(fast), ["step-000000"])

    def test_bytes_are_counted_once_where_the_fast_tier_is_full(self):
        reserve = "reserve_mib=0 space_check=no"
        direct = self.case(2, "write", "posix", "", path="direct")
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk needs root")
        with RamDisk(self.path("fast"), "64k") as fast:
            staged = self.case(2, "write", "posix", f"fast_tier={fast} {reserve}")
        self.assertIn('"steps_not_on_fast_tier": 1', staged.stdout)
        for key in ("own_bytes", "messages", "message_bytes"):
            line = [part for part in staged.stdout.splitlines() if f'"{key}"' in part]
            self.assertEqual(line, [part for part in direct.stdout.splitlines() if f'"{key}"' in part])

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_fast_tier_that_fills_up_is_left_in_time_by_every_back_end(self):
        words = ["--grid", "30x60", "--planes", "20", "--steps", "4", "--keep"]
        for backend in BACKENDS:
            with self.subTest(backend=backend), RamDisk(self.path("fast"), "9m") as fast:
                process = mpi(4, binary("bundleio"), "bench", "--path", self.path("bench"), "--backends", backend, *words,
                              "--options", f"fast_tier={fast} reserve_mib=0 " + FEW_SOON)
                self.assertEqual(process.returncode, 0, process.stderr)
                self.assertEqual(process.stderr.count("fast tier"), 1, process.stderr)
                both = os.listdir(os.path.join(fast, backend)) + self.steps(os.path.join("bench", backend))
                self.assertEqual(sorted(both), [f"step-00000{i}" for i in range(4)])

    def test_options_of_another_back_end_are_refused_by_name(self):
        refused = {"posix": "deflate=4", "gather": "hint.cb_nodes=2", "pnetcdf": "async=yes", "netcdf4": "header_kib=8",
                   "bp5": "blocking=yes"}
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.case(2, "write", backend, refused[backend], path=backend)
                self.all_told(process, 2, BAD_ARGUMENT,
                              f"option {refused[backend]} is not for back end {backend}: leave it out, or use one of .*")

    def test_bounds_of_times_take_no_dimension_of_another_length(self):
        """Such as that of cells with four corners."""
        self.all_told(self.case(1, "own-bounds", "posix", "", 4), 1, BAD_ARGUMENT, "dimension 'bnds' is defined twice")
        self.all_told(self.case(1, "own-bounds", "posix", "", 2, path="two"), 1, 0, "")

    def test_a_name_that_netcdf4_keeps_for_itself_is_refused_where_it_is_given(self):
        refusal = "attribute name 'REFERENCE_LIST' is one that NetCDF-4 keeps for itself: choose another, or another back end"
        self.all_told(self.case(2, "reserved-name", "netcdf4"), 2, BAD_ARGUMENT, "^" + refusal)
        self.succeeds(self.case(2, "reserved-name", "pnetcdf", path="other"))
        self.succeeds(mpi(2, binary("bundleio"), "check", self.path("other")))
        process = mpi(2, binary("bundleio"), "convert", self.path("other"), self.path("converted"), "--to", "netcdf4")
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn(refusal, process.stderr)

    def test_auto_says_which_options_its_choice_has_no_use_for(self):
        process = self.case(2, "write", "auto", "auto_probe=no deflate=4 chunks=box sync=yes")
        self.all_told(process, 2, 0, "")
        self.assertRegex(process.stderr, "bundleio: auto: .*; not for it: chunks deflate")

    def test_bench_gives_each_back_end_what_it_takes_and_refuses_what_none_does(self):
        words = ["bench", "--path", self.path("bench"), "--grid", "8x16", "--planes", "50", "--backends", "posix,pnetcdf"]
        self.succeeds(mpi(2, binary("bundleio"), *words, "--options", "window_mib=1 sync=no"))
        process = mpi(2, binary("bundleio"), *words, "--options", "async=yes")
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn("option async=yes is not for back end posix, pnetcdf: leave it out, or use one of bp5", process.stderr)
        process = mpi(2, binary("bundleio"), "bench", "--path", self.path("bench"), "--backends", "posix:exchange=no")
        self.assertEqual(process.returncode, 2, process.stderr)

    def test_auto_probes_a_folder_whose_name_holds_a_colon(self):
        process = self.case(2, "write", "auto", "auto_probe=yes", path="run:1")
        self.all_told(process, 2, 0, "")
        self.assertRegex(process.stderr, r"probe [0-9.]+ s into files of each rank, [0-9.]+ s into one")


if __name__ == "__main__":
    unittest.main()
