"""A failure on one rank ends alike on all, with one clear line, and the last complete step stays readable."""

import os
import subprocess
import unittest

from launch import BACKENDS, BUILD, IS_OPEN_MPI, MAY_LEAVE_RANKS_WAITING, RamDisk, RunTest, alone, binary, built, long_test, mpi, patience

SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
# Other ways of a back end to write, in which other ranks wait for others.
WAYS = BACKENDS + (["bp5:async=yes", "bp5:aggregation=shared"] if "bp5" in BACKENDS else [])
BAD_ARGUMENT, MISMATCH, EXISTS, PERMISSION, NO_SPACE, IO, NOT_FOUND = 1, 2, 4, 5, 6, 7, 9


class FaultCase(RunTest):

    def fails_alike(self, ranks, name, backend, *more):
        """All ranks report the same status and message; returns both."""
        return self.failed_alike(ranks, mpi(ranks, binary("write_cases"), self.path(name), backend, *more))

    def failed_alike(self, ranks, process):
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        lines = [line.split(" ", 3) for line in process.stdout.splitlines() if line.startswith("rank ")]
        reports = {(line[2], line[3]) for line in lines}
        self.assertEqual((len(lines), len(reports)), (ranks, 1), process.stdout + process.stderr)
        status, message = reports.pop()
        return int(status), message

    def was_given_up(self, process, backend, path):
        """True if a rank ended the job because the library left others waiting, and said so."""
        lines = [line for line in process.stderr.splitlines() if "(give_up_seconds)" in line]
        if not lines:
            return False
        self.assertIn(backend, MAY_LEAVE_RANKS_WAITING, process.stderr)
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        self.assertRegex(lines[0], f"^bundleio: rank [0-9]+: .*; back end {backend} then left ranks waiting")
        self.assertIn(f"The complete steps in {path} stay readable", lines[0])
        return True

    def readable(self, name, steps, partial=False):
        self.assertEqual([step for step in self.steps(name) if not partial or step[0] != "."],
                         [f"step-{i:06}" for i in range(steps)])
        self.succeeds(alone("check", self.path(name)))

    def small_disk(self):
        """A RAM disk of 7 MB: one step of 4.1 MB fits, two do not."""
        if os.geteuid() != 0:
            self.skipTest("mounting needs root")
        return RamDisk(self.path("disk"), "7m")


class WriteFaults:
    """Failures where a back end is open; subclasses say which ones, and by which MPI-IO."""

    def test_a_file_that_one_rank_cannot_write_leaves_no_trace_of_the_step(self):
        # The limit hits rank 1 in its second step. gather writes on rank 0 and rank 1 here.
        for backend in self.backends:
            with self.subTest(backend=backend):
                options = patience(backend)
                options += " hint.cb_config_list=*:* hint.cb_nodes=2" if backend == "pnetcdf" else ""
                process = mpi(2, binary("write_cases"), self.path(backend), backend, "--fault", "limit",
                              "--options", options)
                given_up = self.was_given_up(process, backend, self.path(backend))
                if not given_up:
                    status, message = self.failed_alike(2, process)
                    self.assertIn(status, (NO_SPACE, IO), message)
                    self.assertIn(": File too large: this process may write 100 bytes to a file: raise that (ulimit -f)", message)
                self.readable(backend, 1, partial=given_up)
        self.writes_each(2, {backend: backend for backend in self.backends}, "--mode", "2", "--steps", "1")
        for backend in self.backends:
            with self.subTest(backend=backend):
                self.readable(backend, 2)

    def test_a_disk_that_fills_up_in_the_middle_of_a_step_stops_all_ranks(self):
        for backend in self.ways:
            with self.subTest(backend=backend), self.small_disk() as disk:
                self.assertTrue(os.path.ismount(disk))
                process = mpi(3, binary("bundleio"), "bench", "--path", disk, "--backends", backend,
                              "--grid", "30x60", "--planes", "20", "--steps", "3", "--keep",
                              "--options", "space_check=no " + patience(backend))
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                run = os.path.join(disk, backend)
                given_up = self.was_given_up(process, backend.split(":")[0], run)
                if not given_up:
                    lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
                    self.assertEqual(len(lines), 1, process.stderr)
                self.readable(os.path.join("disk", backend), 1, partial=given_up)

    def test_a_disk_that_has_an_error_in_the_middle_of_a_step_stops_all_ranks(self):
        for backend in built(("pnetcdf", "netcdf4")):
            for number in (1, 3):
                with self.subTest(backend=backend, number=number):
                    name = f"error-{backend}-{number}"
                    process = mpi(3, "env", "LD_PRELOAD=" + SHIM, f"FAULTY_DISK=fail {number} 1000", binary("bundleio"), "bench", "--path",
                                  self.path(name), "--backends", backend, "--grid", "30x60", "--planes", "20", "--steps", "1", "--keep", "--options",
                                  patience(backend))
                    self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                    if not self.was_given_up(process, backend, self.path(name, backend)):
                        lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
                        self.assertEqual(len(lines), 1, process.stderr)
                        self.assertEqual(self.steps(os.path.join(name, backend)), [])

    def test_a_rank_without_a_descriptor_is_one_error_and_the_next_step_is_written(self):
        """Back ends that open no file on that rank need none."""
        for backend in self.backends:
            with self.subTest(backend=backend):
                process = mpi(4, binary("hostile_cases"), "few-descriptors", self.path(backend), backend, patience(backend))
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                told = {line.split(": ", 1)[1] for line in process.stdout.splitlines() if line.startswith("rank ") and ": 0 " not in line}
                self.assertLessEqual(len(told), 1, process.stdout)
                for line in told:
                    self.assertRegex(line, "^7 rank 3: .*Too many open files")
                    if backend in ("posix", "pnetcdf", "netcdf4"):
                        self.assertRegex(line, r": this process may have \d+ open: raise that \(ulimit -n\)$")
                self.assertEqual(len(told), 0 if backend == "gather" else 1, process.stdout)
                self.readable(backend, 2 if told else 3)

    def test_a_mistake_of_one_rank_is_everyones_error(self):
        faults = {
            "dimension": (BAD_ARGUMENT, "rank 1: variable .*last dimensions do not have the lengths"),
            "attribute": (MISMATCH, "rank 1: defines 'attribute _FillValue .*but rank 0"),
            "name": (BAD_ARGUMENT, "rank 1: variable name 'a/b' holds a '/'"),
            "long name": (BAD_ARGUMENT, "rank 1: bundle name 'x@*' makes a file name of more than 255 bytes"),
            "letters": (BAD_ARGUMENT, "rank 1: variable name 'a.*' is not UTF-8"),
            "forget": (MISMATCH, "rank 1: variable 'holes': level 0 was put never"),
            "levels": (MISMATCH, "ranks put different level ranges"),
        }
        for fault, (status, message) in faults.items():
            with self.subTest(fault=fault):
                got = self.fails_alike(3, fault, "pnetcdf", "--fault", fault)
                self.assertEqual(got[0], status, got)
                self.assertRegex(got[1], message)
                self.assertEqual(self.steps(fault), [])

    def test_a_killed_rank_ends_the_run_and_its_half_step_is_removed_by_the_next(self):
        for backend in self.backends:
            with self.subTest(backend=backend):
                process = mpi(3, binary("write_cases"), self.path(backend), backend, "--fault", "kill")
                self.assertNotEqual(process.returncode, 0)
                self.succeeds(alone("check", self.path(backend)))
                os.makedirs(self.path(backend, ".step-000001.partial", "rest"))
        self.writes_each(3, {backend: backend for backend in self.backends}, "--mode", "2", "--steps", "1")
        for backend in self.backends:
            self.readable(backend, 2)


@long_test
@unittest.skipUnless(IS_OPEN_MPI, "its MPI-IO is ROMIO")
class FaultsWithRomio(WriteFaults, FaultCase):
    """Named, it is what bundleio chooses where nothing is named."""

    backends = ways = ["pnetcdf", "netcdf4"]

    @classmethod
    def setUpClass(cls):
        os.environ["OMPI_MCA_io"] = "romio321"
        cls.addClassCleanup(os.environ.pop, "OMPI_MCA_io")


class Faults(WriteFaults, FaultCase):

    backends = BACKENDS
    ways = WAYS

    def test_a_disk_that_is_too_small_is_named_before_anything_is_written(self):
        with self.small_disk() as disk:
            process = mpi(2, binary("bundleio"), "bench", "--path", disk, "--backends", "gather")
            self.assertEqual(process.returncode, 3, process.stderr)
            self.assertRegex(process.stderr, "a step takes [0-9]+ bytes, but only [0-9]+ are free")

    def test_steps_that_exist_are_not_overwritten_unawares(self):
        self.writes(2, "run", "posix", "--steps", "1")
        status, message = self.fails_alike(2, "run", "posix")
        self.assertEqual(status, EXISTS)
        self.assertIn("already holds 1 steps: use another path, or mode replace or append", message)
        self.readable("run", 1)
        self.writes(2, "run", "posix", "--mode", "1")
        self.readable("run", 2)

    def test_a_folder_that_cannot_be_made_is_named(self):
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        status, message = self.fails_alike(2, "file", BACKENDS[-1])
        self.assertEqual((status, message), (EXISTS, f"rank 0: {self.path('file')} is a file: name a folder"))
        os.symlink(self.path("nowhere"), self.path("link"))
        status, message = self.fails_alike(2, "link", BACKENDS[-1])
        self.assertEqual(status, NOT_FOUND)
        self.assertEqual(message, f"rank 0: {self.path('link')} is a link to {self.path('nowhere')}, which is not there: make that folder, or name another")
        os.mkdir(self.path("nowhere"))
        self.writes(2, "link", BACKENDS[-1], "--steps", "1")
        self.readable("nowhere", 1)

    def test_a_folder_without_permission_is_named(self):
        if os.geteuid() == 0:
            # Root may write anywhere but to a disk that is mounted read-only.
            with self.small_disk() as disk:
                subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
                status, message = self.fails_alike(2, "disk", "posix")
        else:
            os.makedirs(self.path("disk"), mode=0o555)
            status, message = self.fails_alike(2, "disk", "posix")
        self.assertEqual(status, PERMISSION, message)
        self.assertIn(self.path("disk"), message)

    def test_unknown_names_are_refused_with_what_there_is(self):
        status, message = self.fails_alike(2, "run", "hdf9")
        self.assertEqual(status, BAD_ARGUMENT)
        self.assertIn("unknown back end 'hdf9': use posix, gather, pnetcdf, netcdf4, bp5 or auto", message)
        status, message = self.fails_alike(2, "run", "posix", "--options", "window=1")
        self.assertEqual(status, BAD_ARGUMENT)
        self.assertIn("unknown option 'window=1'", message)


if __name__ == "__main__":
    unittest.main()
