"""Models read their steps back: every cell, by other ranks and decompositions, and go on as if never interrupted."""

import os
import shutil
import subprocess
import time
import unittest

from launch import BACKENDS, MPIRUN, POLL_SECONDS, SECONDS_MAX, RunTest, alone, binary, mpi, mpi_environment

# Wrong calls, and the line that every rank gets.
MISTAKES = {
    "bundle": "9 rank 0: step 1 has no bundle 'mush': it holds ",
    "variable": "9 rank 0: step 1 has no variable 'odd names/temp': the bundle holds ",
    "type": "2 rank 0: variable 'odd names/t\u00e9mp (9) @ 2m' is of type float32, not float64",
    "decomposition": "1 rank 0: decomposition 77 was not created",
    "length": "2 rank 0: variable 'odd names/t\u00e9mp (9) @ 2m' is 1 x 5 x 7 x 11: the decomposition, of 8 x 11, does not",
    "room": "2 rank 0: variable 'odd names/t\u00e9mp (9) @ 2m' has 5 levels of 11 cells for this rank, but there is room for 56",
    "one variable": "2 rank 1: asks for 'odd names/temp' by boxes of 7 x 11, but rank 0 for 'odd names/t\u00e9mp",
    "one room": "2 rank 1: variable 'odd names/t\u00e9mp (9) @ 2m' has 5 levels of 66 cells for this rank, but",
    "one null": "1 rank 1: variable 'odd names/t\u00e9mp (9) @ 2m': no values",
    "one decomposition": "1 rank 1: decomposition 77 was not created",
}


# netCDF-C gives zeros for what is missing at the end of a CDF-5 file.
CLASSIC = ("gather", "pnetcdf")


class Restart(RunTest):

    def reads(self, ranks, names, *more):
        return mpi(ranks, binary("read_cases"), ",".join(self.path(name) for name in names.split(",")), *more)

    def model(self, ranks, name, steps, backend, *more):
        return mpi(ranks, binary("example_restart"), self.path(name), str(steps), backend, *more)

    def test_every_cell_comes_back_for_any_format_rank_count_and_decomposition(self):
        self.writes_each(3, {backend: backend for backend in BACKENDS}, "--zero")
        for ranks in (1, 2, 5):
            with self.subTest(ranks=ranks):
                told = self.succeeds(self.reads(ranks, ",".join(BACKENDS), "last"))
                self.assertEqual(told, len(BACKENDS) * "step 1: as it was put\n")
        self.assertEqual(self.succeeds(self.reads(2, "posix", "0")), "step 0: as it was put\n")

    def test_a_model_that_was_killed_goes_on_with_other_ranks_as_if_it_had_not_been(self):
        self.succeeds(self.model(1, "whole", 4, "posix"))
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.model(3, backend, 4, backend, "2")
                self.assertNotEqual(process.returncode, 0)
                visible = [name for name in self.steps(backend) if not name.startswith(".")]
                self.assertEqual(visible, ["step-000000", "step-000001"])
                # The last steps in another format: each is recognised by itself.
                other = BACKENDS[(BACKENDS.index(backend) + 1) % len(BACKENDS)]
                self.assertIn("goes on with step 2", self.succeeds(self.model(2, backend, 4, other)))
                self.equal("whole", backend)

    def test_what_is_asked_wrongly_is_one_line_on_all_ranks_and_the_run_goes_on(self):
        self.writes(3, "run", "posix")
        told = self.succeeds(self.reads(3, "run", "1", "--faults", ",".join(MISTAKES)))
        for mistake, line in MISTAKES.items():
            for rank in range(3):
                self.assertIn(f"rank {rank}: {mistake}: {line}", told)
        self.assertEqual(len(told.splitlines()), 3 * len(MISTAKES), told)

    def test_a_step_that_is_not_there_is_one_line_on_all_ranks(self):
        self.writes(2, "run", "posix")
        os.mkdir(self.path("empty"))
        os.mkdir(self.path("empty", ".step-000000.partial"))
        for name, step, line in (
                ("run", "7", "rank 0: " + self.path("run") + " has no complete step 7: it holds 2 from 0 to 1"),
                ("run", "-5", "rank 0: step -5: use 0 or more, or BIO_LAST_STEP"),
                ("empty", "last", "rank 0: " + self.path("empty") + " has no complete step: it holds none"),
                ("nowhere", "last", "rank 0: read " + self.path("nowhere") + ": No such file or directory")):
            with self.subTest(name=name, step=step):
                process = self.reads(2, name, step)
                self.assertEqual(process.returncode, 3)
                self.assertIn("rank 0: " + line, process.stdout)
                self.assertIn("rank 1: " + line, process.stdout)

    def test_a_file_that_is_damaged_or_gone_is_one_line_on_all_ranks(self):
        files = {"posix": "rank-000001", "gather": "odd%20names.nc", "pnetcdf": "odd%20names.nc",
                 "netcdf4": "odd%20names.nc", "bp5": os.path.join("bundles.bp", "md.0")}
        self.writes_each(3, {backend: backend for backend in BACKENDS})
        for backend in BACKENDS:
            path = self.path(backend, "step-000001", files[backend])
            with open(path, "r+b") as file:
                file.truncate(os.path.getsize(path) - 1 if backend in CLASSIC else 40)
        process = self.reads(2, ",".join(BACKENDS), "last")
        self.assertEqual(process.returncode, 3, process.stdout)
        lines = sorted(process.stdout.splitlines())
        self.assertEqual(len(lines), 2 * len(BACKENDS), process.stdout)
        for backend in BACKENDS:
            mine = [line for line in lines if self.path(backend, "step-000001") in line]
            self.assertEqual([line[:7] for line in mine], ["rank 0:", "rank 1:"], process.stdout)
            self.assertEqual(mine[0][7:], mine[1][7:])
        # The step before is whole.
        self.assertEqual(self.succeeds(self.reads(2, "posix", "0")), "step 0: as it was put\n")

    def test_steps_that_wait_on_a_fast_tier_are_found(self):
        self.writes(2, "run", "pnetcdf", "--options", "fast_tier=" + self.path("fast") + " reserve_mib=0")
        self.assertEqual(self.steps("run"), [])
        shutil.move(self.path("fast", "step-000000"), self.path("run", "step-000000"))
        options = ("--options", "fast_tier=" + self.path("fast"))
        self.assertEqual(self.succeeds(self.reads(3, "run", "last", *options)), "step 1: as it was put\n")
        self.assertEqual(self.succeeds(self.reads(3, "run", "0", *options)), "step 0: as it was put\n")
        self.assertEqual(self.succeeds(self.reads(3, "run", "last")), "step 0: as it was put\n")

    def test_where_a_step_was_moved_to_its_slabs_are_compared_again(self):
        fast, hold = self.path("fast"), self.path("hold")
        self.writes(2, "run", "posix", "--options", f"fast_tier={fast} reserve_mib=0")
        words = [MPIRUN, "-n", "2", binary("read_cases"), self.path("run"), "last", "--options", f"fast_tier={fast} verify=yes", "--hold", hold,
                 "--slab", "yes", "--faults", "type"]
        process = subprocess.Popen(words, env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not os.path.exists(hold + "-open") and process.poll() is None:
            time.sleep(POLL_SECONDS)
        self.succeeds(alone("drain", fast, self.path("run")))
        with open(self.path("run", "step-000001", "rank-000001"), "r+b") as damaged:
            byte = damaged.read(1)
            damaged.seek(0)
            damaged.write(bytes([byte[0] ^ 1]))
        with open(hold + "-go", "w", encoding="utf-8"):
            pass
        out, error = process.communicate(timeout=SECONDS_MAX)
        for rank in (0, 1):
            slabs = [line for line in out.splitlines() if line.startswith(f"rank {rank}: slab: ")]
            self.assertEqual(len(slabs), 2, out + error)
            self.assertEqual(slabs[0], f"rank {rank}: slab: 0 ")
            self.assertRegex(slabs[1], "run/step-000001: values of 'odd names/.*' are damaged")

    def test_steps_that_share_files_are_found_where_a_fast_tier_is_named(self):
        self.writes(2, "run", "posix", "--steps", "1", "--options", "steps_per_file=9")
        options = "fast_tier=" + self.path("fast")
        self.writes(2, "run", "posix", "--steps", "1", "--first", "1", "--mode", "2", "--options", options + " reserve_mib=0")
        self.assertEqual((self.steps("run"), self.steps("fast")), (["series-000000"], ["step-000001"]))
        for step in (0, 1):
            self.assertEqual(self.succeeds(self.reads(2, "run", str(step), "--options", options)), f"step {step}: as it was put\n")

    def test_a_fast_tier_that_cannot_be_looked_at_lets_no_older_step_be_the_last(self):
        self.writes(2, "run", "posix", "--steps", "1")
        os.symlink("fast", self.path("fast"))
        process = self.reads(2, "run", "last", "--options", "fast_tier=" + self.path("fast"))
        self.assertEqual(process.returncode, 3, process.stdout)
        for rank in (0, 1):
            self.assertRegex(process.stdout, f"rank {rank}: rank 0: .*fast: Too many levels of symbolic links")

    @unittest.skipUnless("bp5" in BACKENDS, "what is tried first keeps a step waiting: needs ADIOS2")
    def test_a_step_that_a_drain_moves_while_it_is_opened_is_read_where_it_went(self):
        fast = self.path("fast")
        self.writes(2, "run", "bp5", "--options", f"fast_tier={fast} reserve_mib=0 checksums=no")
        # Nothing vouches for its metadata: a process tries it before, and this one moves it meanwhile.
        os.remove(os.path.join(fast, "step-000001", "bundles.bp.sizes"))
        tool = self.path("tool")
        with open(tool, "w", encoding="ascii") as script:
            script.write(f"#!/bin/sh\nmv {fast}/step-000001 {self.path('run')} 2>/dev/null\nprintf 'tries\\nwell\\n'\n")
        os.chmod(tool, 0o755)
        process = mpi(2, "env", "BUNDLEIO_TOOL=" + tool, binary("read_cases"), self.path("run"), "last", "--options", "fast_tier=" + fast)
        self.assertEqual(self.succeeds(process), "step 1: as it was put\n")
        self.assertEqual((self.steps("run"), self.steps("fast")), (["step-000001"], ["step-000000"]))

    def test_a_run_whose_first_steps_were_taken_away_goes_on_behind_its_last(self):
        self.writes(2, "run", "posix", "--steps", "3")
        shutil.move(self.path("run", "step-000000"), self.path("archive"))
        self.writes(2, "run", "posix", "--steps", "1", "--first", "3", "--mode", "2")
        self.assertEqual(self.steps("run"), ["step-000001", "step-000002", "step-000003"])

    def test_a_step_that_a_drain_moves_while_it_is_read_is_read_to_its_end(self):
        """A restarted model reads the last step, which the drain of the run that was killed moves last."""
        cases = {f"{backend}-{verify}": (backend, verify) for backend, verify in self.pairs(BACKENDS, ("no", "yes"))}
        self.writes_each(2, {name: (backend, "--options", f"fast_tier={self.path('fast-' + name)} reserve_mib=0") for name, (backend, _) in cases.items()})
        for name, (backend, verify) in cases.items():
            with self.subTest(backend=backend, verify=verify):
                fast, hold = self.path("fast-" + name), self.path("hold-" + name)
                words = [MPIRUN, "-n", "3", binary("read_cases"), self.path(name), "last", "--options", f"fast_tier={fast} verify={verify}", "--hold", hold]
                process = subprocess.Popen(words, env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.kill)
                while not os.path.exists(hold + "-open") and process.poll() is None:
                    time.sleep(POLL_SECONDS)
                self.succeeds(alone("drain", fast, self.path(name)))
                with open(hold + "-go", "w", encoding="utf-8"):
                    pass
                out, error = process.communicate(timeout=SECONDS_MAX)
                self.assertEqual((process.returncode, out), (0, "step 1: as it was put\n"), error)


if __name__ == "__main__":
    unittest.main()
