"""Steps on a fast tier reach the run's folder whole, whatever happens on the way."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from launch import BACKENDS, BUILD, RamDisk, RunTest, alone, binary, locked, mpi, mpi_environment

SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
WITHOUT_LOCKS = ["env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=nolock 1 0"]
POLL_SECONDS = 0.02
POLLS_MAX = 3000
GIB_NOBODY_HAS = 1 << 29


class Staging(RunTest):

    def fast_run(self, backend, *more):
        self.writes(3, "slow", backend, "--options", f"fast_tier={self.path('fast')} reserve_mib=0", *more)
        self.assertEqual(self.steps("slow"), [])

    def drain(self, *more, ranks=2):
        return mpi(ranks, binary("bundleio"), "drain", self.path("fast"), self.path("slow"), *more)

    def test_steps_of_every_format_are_moved_and_equal_what_was_written(self):
        self.writes(2, "reference", "posix")
        self.writes_each(3, {backend: (backend, "--options", f"fast_tier={self.path('fast-' + backend)} reserve_mib=0") for backend in BACKENDS})
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                told = mpi(2, binary("bundleio"), "drain", self.path("fast-" + backend), self.path(backend))
                self.assertIn("2 steps moved and compared", self.succeeds(told))
                self.equal("reference", backend)
                self.assertEqual(os.listdir(self.path("fast-" + backend)), [])
                self.assertEqual(sorted(os.listdir(self.path(backend))), ["step-000000", "step-000001"])
                if backend == "bp5":
                    self.assertTrue(os.path.exists(self.path(backend, "step-000000", "mesh.nc")))

    def test_a_run_goes_on_after_its_steps_were_drained(self):
        self.fast_run("posix", "--steps", "1")
        self.succeeds(self.drain())
        options = f"fast_tier={self.path('fast')} reserve_mib=0"
        self.writes(2, "slow", "posix", "--steps", "1", "--mode", "2", "--options", options)
        self.assertEqual(self.steps("fast"), ["step-000001"])

    def test_a_run_goes_on_behind_steps_that_wait_on_the_fast_tier(self):
        self.fast_run("posix")
        shutil.move(self.path("fast", "step-000000"), self.path("slow", "step-000000"))
        options = f"fast_tier={self.path('fast')} reserve_mib=0"
        self.writes(2, "slow", "posix", "--steps", "1", "--first", "2", "--mode", "2", "--options", options)
        self.assertEqual((self.steps("slow"), self.steps("fast")), (["step-000000"], ["step-000001", "step-000002"]))

    def killed_in_the_middle(self, *more):
        """Starts a slow drain, kills it once it has begun to write, and returns nothing but what is on the disks."""
        words = [binary("bundleio"), "drain", self.path("fast"), self.path("slow"), "--mib-per-second", "4", *more]
        with subprocess.Popen(words, env=mpi_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            for _ in range(POLLS_MAX):
                if self.bytes_under_way() > 0 or process.poll() is not None:
                    break
                time.sleep(POLL_SECONDS)
            self.assertIsNone(process.poll(), "the drain ended before it could be killed")
            process.send_signal(signal.SIGKILL)
            process.wait()

    def bytes_under_way(self):
        total = 0
        for folder, _, files in os.walk(self.path("slow", ".drain")):
            for name in files:
                try:
                    total += os.path.getsize(os.path.join(folder, name))
                except FileNotFoundError:
                    pass  # renamed meanwhile
        return total

    def test_a_drain_killed_in_the_middle_loses_nothing_and_can_be_repeated(self):
        for backend, form in [("posix", ()), (BACKENDS[-1], ("--to", "pnetcdf"))]:
            with self.subTest(backend=backend):
                self.succeeds(mpi(2, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "48x96", "--planes", "25",
                                  "--steps", "2", "--backends", backend, "--keep"))
                reference = os.path.join("bench", backend)
                shutil.copytree(self.path(reference), self.path("fast"))
                self.killed_in_the_middle(*form)
                visible = [name for name in os.listdir(self.path("slow")) if name != ".drain"]
                self.assertLess(len(visible), 2)
                self.succeeds(alone("check", self.path("fast")))
                self.succeeds(self.drain(*form))
                self.equal(reference, "slow")
                self.assertEqual(os.listdir(self.path("fast")), [])
                shutil.rmtree(self.path("slow"))
                shutil.rmtree(self.path("fast"))

    def test_a_step_that_is_on_both_tiers_is_compared_and_then_removed_from_the_fast_one(self):
        self.fast_run("pnetcdf")
        shutil.copytree(self.path("fast", "step-000000"), self.path("slow", "step-000000"))
        self.succeeds(self.drain())
        self.assertEqual(self.steps("fast"), [])
        self.assertEqual(self.steps("slow"), ["step-000000", "step-000001"])

    def test_what_a_killed_drain_left_of_a_removed_step_goes_and_a_step_being_written_stays(self):
        self.fast_run("posix")
        self.succeeds(self.drain())
        for number in (1, 2):
            os.makedirs(self.path("fast", f".step-00000{number}.partial", "rest"))
        self.succeeds(self.drain())
        self.assertEqual(self.steps("fast"), [".step-000002.partial"])

    def test_a_step_that_differs_on_the_two_tiers_stays_on_both(self):
        self.fast_run("posix")
        shutil.copytree(self.path("fast", "step-000001"), self.path("slow", "step-000000"))
        process = self.drain()
        self.assertEqual(process.returncode, 3)
        self.assertRegex(process.stderr, "values of '.*' differ")
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])

    def test_a_step_is_on_the_disk_under_its_name_before_its_fast_copy_goes(self):
        for backend, form in (("posix", ()), ("posix", ("--to", "gather"))):
            with self.subTest(form=form):
                self.fast_run(backend, "--steps", "1")
                notes = self.path("notes")
                self.succeeds(mpi(2, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, binary("bundleio"), "drain", self.path("fast"),
                                  self.path("slow"), *form))
                with open(notes, encoding="utf-8") as lines:
                    told = lines.read().splitlines()
                os.remove(notes)
                shown = max(at for at, line in enumerate(told) if re.fullmatch("rename .*/slow/.drain/.*step-000000.*", line))
                gone = told.index("rename " + self.path("fast", "step-000000"))
                files = {line.split(" ", 1)[1] for line in told[:shown] if line.startswith("sync ")}
                for name in os.listdir(self.path("slow", "step-000000")):
                    self.assertTrue(any(os.path.basename(path) == name for path in files), (name, told))
                self.assertIn("sync " + self.path("slow"), told[shown:gone])
                shutil.rmtree(self.path("slow"))

    def test_a_step_of_the_run_that_cannot_be_looked_at_is_one_error_of_all_ranks(self):
        self.fast_run("posix")
        os.symlink("step-000000", self.path("slow", "step-000000"))
        process = self.drain()
        self.assertEqual(process.returncode, 3, process.stdout)
        self.assertEqual(process.stderr.count("bundleio: rank 0: use " + self.path("slow", "step-000000") + ": Too many levels"), 1, process.stderr)
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])

    def test_without_room_on_the_fast_tier_steps_go_to_the_run_and_that_is_said_once(self):
        options = f"fast_tier={self.path('fast')} reserve_mib={GIB_NOBODY_HAS}"
        process = mpi(2, binary("write_cases"), self.path("slow"), "pnetcdf", "--options", options)
        self.succeeds(process)
        self.assertEqual(process.stderr.count("fast tier"), 1, process.stderr)
        self.assertIn(f"are written to {self.path('slow')}", process.stderr)
        self.assertEqual(self.steps("slow"), ["step-000000", "step-000001"])

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_steps_that_wait_on_the_fast_tier_take_room_there_and_the_reserve_stays_free(self):
        """Two steps of 10 MiB leave 15 MiB: enough for a third, but 10 are kept."""
        with RamDisk(self.path("fast"), "36m"):
            process = mpi(2, binary("bundleio"), "bench", "--path", self.path("slow"), "--backends", "posix", "--grid", "48x96", "--planes", "20",
                          "--steps", "3", "--keep", "--options", f"fast_tier={self.path('fast')} reserve_mib=10")
            self.succeeds(process)
            self.assertRegex(process.stderr, "fast tier .*: less than a step and reserve_mib=10 is free")
            self.assertEqual(self.steps(os.path.join("fast", "posix")), ["step-000000", "step-000001"])
            self.assertEqual(self.steps(os.path.join("slow", "posix")), ["step-000002"])

    def test_a_second_drain_of_the_same_run_is_refused(self):
        self.fast_run("posix")
        os.makedirs(self.path("slow", ".drain"))
        with locked(self.path("slow", ".drain")):
            process = self.drain()
        self.assertEqual(process.returncode, 3)
        self.assertIn("another drain is at work in " + self.path("slow"), process.stderr)
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])

    def test_without_locks_a_drain_moves_nothing_until_it_is_told_that_no_other_runs(self):
        self.fast_run("posix")
        words = [*WITHOUT_LOCKS, binary("bundleio"), "drain", self.path("fast"), self.path("slow")]
        process = mpi(2, *words)
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        self.assertRegex(process.stderr, f"lock {self.path('slow', '.drain', '.lock')}: No locks available: .*-o flock.* --no-other-drain")
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])
        self.assertIn("2 steps moved", self.succeeds(mpi(2, *words, "--no-other-drain")))

    def test_a_run_without_a_lock_says_why_and_leaves_the_lock_file_of_another_machine(self):
        os.makedirs(self.path("run"))
        with locked(self.path("run")):
            process = mpi(2, *WITHOUT_LOCKS, binary("write_cases"), self.path("run"), "posix")
            self.assertTrue(os.path.exists(self.path("run", ".lock")), "the file of the other's lock is gone")
        self.succeeds(process)
        said = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
        self.assertEqual(said, [f"bundleio: lock {self.path('run', '.lock')}: No locks available: another run that writes there would not be "
                                "noticed: see to it that none does"])
        self.assertEqual(self.steps("run"), ["step-000000", "step-000001"])
        process = mpi(2, *WITHOUT_LOCKS, binary("write_cases"), self.path("other"), "posix", "--options",
                      f"fast_tier={self.path('fast')} reserve_mib=0 drain=yes")
        self.assertIn(f"option drain=yes: lock {self.path('fast', '.lock')}: No locks available: a drain sees by this lock", process.stdout)
        self.assertEqual(os.listdir(self.path("fast")), [])

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_full_slow_tier_is_one_error_and_the_fast_copy_stays(self):
        self.fast_run("posix")
        os.makedirs(self.path("slow"), exist_ok=True)
        with RamDisk(self.path("slow"), "8k"):
            process = self.drain()
            # Else it would keep others from writing.
            self.assertEqual(self.bytes_under_way(), 0)
        self.assertEqual(process.returncode, 3)
        self.assertIn("No space left on device", process.stderr)
        self.succeeds(alone("check", self.path("fast")))
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])

    def test_a_run_is_not_drained_into_itself_under_whatever_name(self):
        self.writes(2, "fast", "posix")
        os.symlink(self.path("fast"), self.path("slow"))
        for slow in (self.path("fast"), self.path("slow"), self.path("fast") + "/."):
            with self.subTest(slow=slow):
                process = alone("drain", self.path("fast"), slow)
                self.assertEqual(process.returncode, 2, process.stdout)
                self.assertIn(f"{self.path('fast')} and {slow} are one folder", process.stderr)
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])

    def test_bad_arguments_are_named(self):
        process = mpi(2, binary("bundleio"), "drain", self.path("nowhere"), self.path("slow"))
        self.assertEqual(process.returncode, 2)
        self.assertIn(self.path("nowhere") + " is not a folder", process.stderr)


if __name__ == "__main__":
    unittest.main()
