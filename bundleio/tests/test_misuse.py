"""Programs that use the interface wrongly, or in the wrong place, are told so on all ranks; nothing waits and nothing is mixed up."""

import os
import subprocess
import time
import unittest

from launch import BACKENDS, MPIRUN, SECONDS_MAX, RunTest, alone, binary, mpi, mpi_environment

POLLS_MAX = 3000
POLL_SECONDS = 0.02


class Misuse(RunTest):

    def reports(self, process, count):
        """The one status and message that `count` lines of ranks tell."""
        lines = [line.split(" ", 2)[2] for line in process.stdout.splitlines() if line.startswith("rank ")]
        self.assertEqual((len(lines), len(set(lines))), (count, 1), process.stdout + process.stderr)
        return lines[0]

    def test_a_rank_that_leaves_after_its_own_mistake_leaves_nobody_waiting(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = mpi(3, binary("write_cases"), self.path(backend), backend, "--fault", "unknown")
                lines = [line for line in process.stdout.splitlines() if "variable 9999 is not defined" in line]
                self.assertEqual(process.returncode, 3, process.stderr)
                # Rank 1 when it put, and again, with the others, when it closed; those closed, too.
                self.assertEqual({line.split(":")[0] for line in lines}, {"rank 0", "rank 1", "rank 2"}, process.stdout)
                self.assertEqual(self.steps(backend), ["step-000000"])
        self.writes_each(3, {backend: backend for backend in BACKENDS}, "--mode", "2", "--steps", "1")

    def test_closing_inside_a_step_is_an_error_on_all_ranks(self):
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                process = mpi(ranks, binary("write_cases"), self.path(str(ranks)), "pnetcdf", "--fault", "unfinished")
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                speaker = min(1, ranks - 1)
                for rank in range(ranks):
                    self.assertIn(f"rank {rank}: 3 rank {speaker}: closed inside a step, which is not written", process.stdout)

    def test_ranks_in_different_calls_are_told_so(self):
        process = mpi(3, binary("write_cases"), self.path("run"), "posix", "--fault", "missing")
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        for rank in range(3):
            self.assertIn(f"rank {rank}: 3 ranks are in different collective calls", process.stdout)

    def test_digits_that_the_application_groups_do_not_reach_the_files(self):
        self.writes(2, "plain", "posix")
        self.writes_each(2, {backend: (backend, "--options", "record=" + self.path(backend + ".pattern")) for backend in BACKENDS}, "--fault", "locale")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.equal("plain", backend)
                self.succeeds(alone("record", self.path(backend + ".pattern")))

    def test_an_absolute_path_needs_no_current_folder(self):
        script = 'mkdir gone-$$ && cd gone-$$ && rmdir ../gone-$$ && exec "$0" "$@"'
        self.succeeds(mpi(2, "sh", "-c", script, binary("write_cases"), self.path("run"), "posix", folder=self.folder))
        self.assertEqual(self.steps("run"), ["step-000000", "step-000001"])

    def test_a_run_that_another_has_open_is_refused_and_goes_on_unharmed(self):
        words = [MPIRUN, "-n", "2", binary("write_cases"), self.path("run"), "posix", "--hold", self.path("go")]
        with subprocess.Popen(words, env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as first:
            for _ in range(POLLS_MAX):
                if os.path.isdir(self.path("run", "step-000000")) or first.poll() is not None:
                    break
                time.sleep(POLL_SECONDS)
            for mode in ("1", "2"):
                process = mpi(2, binary("write_cases"), self.path("run"), "posix", "--mode", mode)
                self.assertIn("3 rank 0: another run writes to " + self.path("run"), self.reports(process, 2))
            with open(self.path("go-1"), "w", encoding="utf-8"):
                pass
            out, error = first.communicate(timeout=SECONDS_MAX)
            self.assertEqual(first.returncode, 0, out + error)
        self.assertEqual(self.steps("run"), ["step-000000", "step-000001"])
        self.writes(2, "run", "posix", "--mode", "2")

    def started(self, name, go):
        """A run of two steps that has written the first, and waits."""
        words = [MPIRUN, "-n", "2", binary("write_cases"), self.path(name), "posix", "--hold", self.path(go)]
        process = subprocess.Popen(words, env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.kill)
        for _ in range(POLLS_MAX):
            if os.path.isdir(self.path(name, "step-000000")) or process.poll() is not None:
                return process
            time.sleep(POLL_SECONDS)
        self.fail("no step within a minute")

    def ended(self, process, go):
        with open(self.path(go + "-1"), "w", encoding="utf-8"):
            pass
        return process.communicate(timeout=SECONDS_MAX)[0]

    def test_a_run_whose_folder_was_moved_away_leaves_the_run_alone_that_got_its_name(self):
        """It writes no step there, and takes no lock with it when it ends."""
        first = self.started("run", "first")
        os.rename(self.path("run"), self.path("moved"))
        second = self.started("run", "second")
        self.assertIsNone(second.poll())
        told = self.ended(first, "first")
        self.assertEqual(first.returncode, 3, told)
        for rank in range(2):
            self.assertIn(f"rank {rank}: 3 rank 0: {self.path('run')} is another folder than the one that was opened", told)
        self.assertEqual(self.steps("moved"), ["step-000000"])
        self.assertTrue(os.path.exists(self.path("run", ".lock")))
        process = mpi(2, binary("write_cases"), self.path("run"), "posix", "--mode", "2")
        self.assertIn("3 rank 0: another run writes to " + self.path("run"), self.reports(process, 2))
        told = self.ended(second, "second")
        self.assertEqual(second.returncode, 0, told)
        self.assertEqual(self.steps("run"), ["step-000000", "step-000001"])


if __name__ == "__main__":
    unittest.main()
