"""The drain that a staged run starts itself: it comes, comes back, goes, and where it cannot, all ranks are told."""

import os
import shutil
import signal
import subprocess
import time
import unittest

from launch import MPIRUN, SECONDS_MAX, RunTest, alone, binary, mpi, mpi_environment

POLL_SECONDS = 0.02
POLLS_MAX = 3000
BAD_ARGUMENT, DRAIN = 1, 12


class KeptDrain(RunTest):

    def setUp(self):
        super().setUp()
        # No test leaves a process behind.
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in self.drains()])

    def waits_until(self, condition):
        for _ in range(POLLS_MAX):
            if condition():
                return
            time.sleep(POLL_SECONDS)
        self.fail("did not come about within a minute; " + self.log())

    def log(self):
        try:
            with open(self.path("fast", ".drain-log"), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return "no log"

    def drains(self):
        """Processes that drain this test's fast tier. One that is ending has no words any more, but its name and its parent."""
        ranks, children, found = set(), {}, []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    head, _, tail = file.read().rpartition(")")
                # A zombie has ended once its last thread has.
                if tail.split()[0] == "Z" and len(os.listdir(f"/proc/{pid}/task")) == 1:
                    continue
            except OSError:
                continue
            if words[0] == binary("write_cases") and self.path("slow") in words:
                ranks.add(int(pid))
            elif words[1:3] == ["drain", "--while-written"] and self.path("fast") in words:
                found.append(int(pid))
            elif head.endswith("(bundleio"):
                children[int(pid)] = int(tail.split()[1])
        return found + [pid for pid, parent in children.items() if parent in ranks]

    def moved(self, count):
        return lambda: len([name for name in self.visible("slow") if name.startswith("step-")]) == count

    def visible(self, name):
        """A run that is killed leaves the file that it had locked."""
        return [entry for entry in os.listdir(self.path(name)) if entry != ".lock"] if os.path.isdir(self.path(name)) else []

    def command(self, steps, *more):
        return [MPIRUN, "-n", "3", binary("write_cases"), self.path("slow"), "posix", "--steps", str(steps), "--options",
                f"fast_tier={self.path('fast')} reserve_mib=0 drain=yes", *more]

    def start(self, steps):
        """A run whose steps after the first wait to be released."""
        process = subprocess.Popen(self.command(steps, "--hold", self.path("go")), env=mpi_environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def release(self, step):
        with open(self.path(f"go-{step}"), "w", encoding="utf-8"):
            pass

    def ends(self, process):
        out, error = process.communicate(timeout=SECONDS_MAX)
        return subprocess.CompletedProcess(process.args, process.returncode, out, error)

    def drained_and_equal(self, steps):
        self.waits_until(self.moved(steps))
        self.waits_until(lambda: not self.drains())
        self.writes(2, "reference", "posix", "--steps", str(steps))
        for hidden in set(self.visible("slow")) - set(self.visible("reference")):
            self.fail(f"{hidden} was left in the run's folder")
        self.equal("reference", "slow")
        self.assertEqual([name for name in self.visible("fast") if name != ".drain-log"], [])

    def test_the_drain_starts_with_the_run_moves_its_steps_and_ends_after_it(self):
        process = self.start(2)
        # While the run is still there.
        self.waits_until(self.moved(1))
        self.assertEqual(len(self.drains()), 1)
        self.assertIsNone(process.poll())
        self.release(1)
        self.succeeds(self.ends(process))
        self.drained_and_equal(2)

    def test_a_killed_drain_is_started_again_at_the_next_step_and_nothing_is_lost(self):
        process = self.start(3)
        self.waits_until(self.moved(1))
        for step in (1, 2):
            for pid in self.drains():
                os.kill(pid, signal.SIGKILL)
            self.waits_until(lambda: not self.drains())
            self.release(step)
            self.waits_until(self.moved(step + 1))
        ended = self.ends(process)
        self.succeeds(ended)
        self.assertEqual(ended.stderr.count("was killed by signal 9: started again"), 2, ended.stderr)
        self.drained_and_equal(3)

    def test_a_run_that_is_killed_leaves_a_drain_that_finishes(self):
        process = self.start(3)
        self.waits_until(self.moved(1))
        for pid in self.drains():
            os.kill(pid, signal.SIGSTOP)
        stopped = self.drains()
        self.release(1)
        self.waits_until(lambda: "step-000001" in self.visible("fast"))
        process.send_signal(signal.SIGTERM)
        self.assertNotEqual(self.ends(process).returncode, 0)
        self.assertEqual(self.drains(), stopped)
        os.kill(stopped[0], signal.SIGCONT)
        self.drained_and_equal(2)

    def test_a_drain_that_cannot_work_is_one_error_on_all_ranks_and_nothing_is_lost(self):
        process = self.start(3)
        self.waits_until(self.moved(1))
        for pid in self.drains():
            os.kill(pid, signal.SIGKILL)
        self.waits_until(lambda: not self.drains())
        shutil.rmtree(self.path("slow", ".drain"))
        # A file in the place of its folder: no drain can work here.
        with open(self.path("slow", ".drain"), "w", encoding="utf-8"):
            pass
        self.release(1)
        self.waits_until(lambda: "step-000001" in self.visible("fast"))
        self.waits_until(lambda: not self.drains())
        self.release(2)
        ended = self.ends(process)
        self.assertEqual(ended.returncode, 3, ended.stdout + ended.stderr)
        lines = {line.split(" ", 2)[2] for line in ended.stdout.splitlines() if line.startswith("rank ")}
        self.assertEqual((ended.stdout.count("rank 0: the drain"), len(lines)), (3, 1), ended.stdout)
        line = lines.pop()
        self.assertTrue(line.startswith(f"{DRAIN} rank 0: the drain of {self.path('fast')} ended with exit code 2 ("), line)
        self.assertIn(self.path("slow", ".drain"), line)
        self.assertIn("step-000001", self.visible("fast"))
        self.assertNotIn("step-000002", self.visible("fast") + self.visible("slow"))
        self.succeeds(alone("check", self.path("fast")))
        self.succeeds(alone("check", self.path("slow")))
        # Closing the run tried once more.
        self.waits_until(lambda: not self.drains())
        os.remove(self.path("slow", ".drain"))
        self.succeeds(mpi(2, binary("bundleio"), "drain", self.path("fast"), self.path("slow")))
        self.drained_and_equal(2)

    def test_a_drain_without_a_fast_tier_is_refused(self):
        process = mpi(2, binary("write_cases"), self.path("run"), "posix", "--options", "drain=yes")
        self.assertEqual(process.stdout.count("option drain=yes: there is nothing to drain without fast_tier"), 2)
        self.assertEqual(process.stdout.count(f"rank 0: {BAD_ARGUMENT} "), 1)

    def test_a_tool_that_is_not_there_is_named(self):
        os.environ["BUNDLEIO_TOOL"] = "/nowhere/bundleio"
        try:
            process = mpi(2, *self.command(1)[3:])
        finally:
            del os.environ["BUNDLEIO_TOOL"]
        self.assertEqual(process.returncode, 3)
        self.assertIn(f"{DRAIN} rank 0: the drain of {self.path('fast')} cannot be started: /nowhere/bundleio: No such file", process.stdout)

    def test_two_runs_cannot_share_a_fast_tier(self):
        process = self.start(2)
        self.waits_until(self.moved(1))
        other = mpi(2, binary("write_cases"), self.path("other"), "posix", "--options", f"fast_tier={self.path('fast')} drain=yes")
        self.assertEqual(other.returncode, 3)
        self.assertIn("another run writes to the fast tier " + self.path("fast"), other.stdout)
        self.release(1)
        self.succeeds(self.ends(process))
        self.drained_and_equal(2)


if __name__ == "__main__":
    unittest.main()
