"""The drain that a staged run starts itself: it comes, comes back, goes, and where it cannot, all ranks are told."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from launch import MPIRUN, SECONDS_MAX, RunTest, alone, binary, mpi, mpi_environment, single_environment

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
        # Each had moved a step: neither is the second in a row.
        self.assertEqual(ended.stderr.count("was killed by signal 9: started again (1 of 3)"), 2, ended.stderr)
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

    def test_a_drain_of_a_job_step_of_slurm_is_no_rank_of_it(self):
        """Open MPI without a daemon takes such a process for one that srun started, and ends it where it finds no PMIx."""
        step = ["SLURM_NODELIST=node", "SLURM_STEP_ID=0", "SLURM_JOBID=7", "SLURM_PROCID=1"]
        self.succeeds(mpi(3, "env", *step, *self.command(2)[3:]))
        self.drained_and_equal(2)

    def test_what_a_drain_said_last_is_told_where_it_could_not_say_anything_itself(self):
        with open(self.path("tool"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nuntil [ -e {self.path('fast')}/step-000000 ]; do sleep 0.02; done\necho the MPI library finds no daemon\necho --------\nexit 1\n")
        os.chmod(file.name, 0o755)
        os.environ["BUNDLEIO_TOOL"] = file.name
        try:
            process = self.start(2)
        finally:
            del os.environ["BUNDLEIO_TOOL"]
        self.waits_until(lambda: "--------" in self.log())
        self.waits_until(lambda: not self.tools())
        self.release(1)
        ended = self.ends(process)
        self.assertEqual(ended.returncode, 3, ended.stdout + ended.stderr)
        self.assertIn(f"rank 0: the drain of {self.path('fast')} ended with exit code 1 (the MPI library finds no daemon): complete steps stay", ended.stdout)

    def tools(self):
        """Processes of the stand-in of the tool that have not ended."""
        return [pid for pid in filter(str.isdigit, os.listdir("/proc")) if self.path("tool") in self.words(pid)]

    def words(self, pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                return file.read().decode(errors="replace").split("\0")
        except OSError:
            return []

    def test_a_drain_without_a_fast_tier_is_refused(self):
        process = mpi(2, binary("write_cases"), self.path("run"), "posix", "--options", "drain=yes")
        self.assertEqual(process.stdout.count("option drain=yes: there is nothing to drain without fast_tier"), 2)
        self.assertEqual(process.stdout.count(f"rank 0: {BAD_ARGUMENT} "), 1)

    def test_a_drain_that_is_killed_whenever_it_starts_is_given_up_after_three_times(self):
        """By the killer of memory, for instance. The run tells all ranks, and no step is lost."""
        with open(self.path("tool"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho $$ >>{self.path('started')}\nuntil [ -e {self.path('fast')}/step-000000 ]; do sleep 0.02; done\nkill -9 $$\n")
        os.chmod(file.name, 0o755)
        os.environ["BUNDLEIO_TOOL"] = file.name
        try:
            process = self.start(6)
        finally:
            del os.environ["BUNDLEIO_TOOL"]
        for step in range(1, 5):
            self.waits_until(lambda: self.ended_tools() == step)
            self.release(step)
        ended = self.ends(process)
        self.assertEqual(ended.returncode, 3, ended.stdout + ended.stderr)
        self.assertEqual(re.findall(r"was killed by signal 9: (started again .*)", ended.stderr), [f"started again ({number} of 3)" for number in (1, 2, 3)])
        lines = [line.split(" ", 2)[2] for line in ended.stdout.splitlines() if line.startswith("rank ")]
        self.assertEqual((len(lines), len(set(lines))), (3, 1), ended.stdout)
        self.assertRegex(lines[0], f"^{DRAIN} rank 0: the drain of {self.path('fast')} was killed by signal 9: complete steps stay there")
        self.assertEqual([name for name in sorted(self.visible("fast")) if name != ".drain-log"], [f"step-00000{step}" for step in range(4)])
        self.succeeds(mpi(2, binary("bundleio"), "drain", self.path("fast"), self.path("slow")))
        self.drained_and_equal(4)

    def ended_tools(self):
        """How many of those that were started have ended, if the last one has."""
        if not os.path.exists(self.path("started")):
            return 0
        with open(self.path("started"), encoding="ascii") as file:
            started = file.read().split()
        try:
            with open(f"/proc/{started[-1]}/stat", encoding="ascii", errors="replace") as file:
                return len(started) if file.read().rpartition(")")[2].split()[0] == "Z" else 0
        except OSError:
            return len(started)

    def test_a_drain_holds_no_signal_back_that_the_model_does(self):
        """A scheduler ends it by one."""
        def hold_back():
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGALRM})
        words = self.command(2, "--hold", self.path("go"))[3:]
        with subprocess.Popen(words, env=single_environment(), preexec_fn=hold_back, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            self.waits_until(self.moved(1))
            held = {}
            for pid in (process.pid, *self.drains()):
                with open(f"/proc/{pid}/status", encoding="ascii") as file:
                    held[pid] = int(next(line for line in file if line.startswith("SigBlk:")).split()[1], 16)
            self.release(1)
            self.succeeds(self.ends(process))
        self.assertEqual(len(held), 2)
        self.assertNotEqual(held.pop(process.pid), 0)
        self.assertEqual(set(held.values()), {0})
        self.drained_and_equal(2)

    def test_a_tool_that_is_not_there_is_named(self):
        os.environ["BUNDLEIO_TOOL"] = "/nowhere/bundleio"
        try:
            process = mpi(2, *self.command(1)[3:])
        finally:
            del os.environ["BUNDLEIO_TOOL"]
        self.assertEqual(process.returncode, 3)
        self.assertIn(f"{DRAIN} rank 0: the drain of {self.path('fast')} cannot be started: /nowhere/bundleio: No such file", process.stdout)

    def test_a_log_that_cannot_be_made_is_named(self):
        os.makedirs(self.path("fast", ".drain-log"))
        process = mpi(2, *self.command(1)[3:])
        self.assertEqual(process.returncode, 3)
        self.assertIn(f"{DRAIN} rank 0: the drain of {self.path('fast')} cannot be started: open {self.path('fast', '.drain-log')}: Is a directory", process.stdout)

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
