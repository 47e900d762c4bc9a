"""The contents of a step, and slabs of it: each language reads the same from each format, and netCDF's own library, too."""

import glob
import os
import subprocess
import unittest

from launch import BACKENDS, BUILD, PYTHON, SECONDS_MAX, RunTest, alone, binary, mpi, mpi_environment, run, single
from test_readers import FOUND

HERE = os.path.dirname(os.path.abspath(__file__))
NETCDF = [name for name in ("gather", "pnetcdf", "netcdf4") if name in BACKENDS]
SERIES = BACKENDS


class Reading(RunTest):

    def setUp(self):
        super().setUp()
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(HERE, "..", "python")
        self.programs = {"c": [binary("lists_c")], "cpp": [binary("lists_cpp")],
                         "python": [PYTHON, "-B", os.path.join(HERE, "lists.py")]}

    def told(self, program, *words):
        """In no particular order but a variable's own: each format keeps its own."""
        lines = sorted(self.succeeds(single(*program, *words)).splitlines())
        self.assertGreater(len(lines), 10)
        return lines

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_who_reads_bp_leaves_no_file_behind(self):
        self.writes(2, "run", "bp5", "--steps", "1")
        temporary = self.path("temporary")
        os.mkdir(temporary)
        with subprocess.Popen([binary("bundleio"), "check", self.path("run")], env=dict(mpi_environment(), TMPDIR=temporary),
                              stdout=subprocess.DEVNULL) as process:
            self.assertEqual(process.wait(timeout=SECONDS_MAX), 0)
        # ADIOS2 names its times by what is read and by the process.
        left = [path for folder in ("/tmp", temporary) for path in glob.glob(os.path.join(folder, f"*_{process.pid:x}_*"))]
        self.assertEqual(left, [])

    def netcdf_tells(self, folder, record):
        if FOUND.returncode != 0:
            self.skipTest("no netCDF4: scripts/bundleio-readers.sh installs it")
        return sorted(self.succeeds(run(FOUND.stdout.strip(), "-B", os.path.join(HERE, "lists_netcdf.py"), folder, str(record))).splitlines())

    def test_every_language_lists_and_reads_the_same_from_every_format(self):
        fortran = {"f90": [binary("lists_f90")]}
        for backend in BACKENDS:
            self.succeeds(mpi(3, binary("verbs_c"), self.path(backend), backend))
        wanted = self.told(self.programs["c"], self.path(BACKENDS[0]))
        self.assertIn("dimension verbs/lat: 5", wanted)
        self.assertEqual(sum(line.startswith("variable ") for line in wanted), 11)
        self.assertEqual(sum(line.startswith("attribute ") for line in wanted), 20)
        for backend in BACKENDS:
            for language, program in (self.programs | fortran).items():
                with self.subTest(backend=backend, language=language):
                    self.assertEqual(self.told(program, self.path(backend)), wanted)
        for backend in NETCDF:
            with self.subTest(backend=backend):
                self.assertEqual(self.netcdf_tells(self.path(backend, "step-000001"), 0), wanted)

    def test_awkward_cases_and_steps_that_share_files_are_read_as_netcdf_reads_them(self):
        runs = {backend: (backend, "--options", "steps_per_file=4") if backend in SERIES else backend for backend in BACKENDS}
        self.writes_each(3, runs, "--grows", "--steps", "3")
        wanted = {step: self.told(self.programs["c"], self.path(BACKENDS[0]), str(step)) for step in (1, 2)}
        self.assertIn("dimension odd names/time: 1 unlimited", wanted[1])
        cases = [(1, backend, "c") for backend in BACKENDS] + [(2, *pair) for pair in self.pairs(BACKENDS, list(self.programs))]
        for step, backend, language in cases:
            with self.subTest(step=step, backend=backend, language=language):
                self.assertEqual(self.told(self.programs[language], self.path(backend), str(step)), wanted[step])
        for backend, step in self.pairs(NETCDF, (2, 1)):
            folder, record = ("series-000000", step) if backend in SERIES else (f"step-00000{step}", 0)
            with self.subTest(step=step, backend=backend):
                self.assertEqual(self.netcdf_tells(self.path(backend, folder), record), wanted[step])

    def test_the_tool_prints_slabs(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.succeeds(mpi(2, binary("verbs_c"), self.path(backend), backend))
                words = ["dump", self.path(backend), "--variable", "verbs/by rows"]
                told = alone(*words, "--start", "1,0,1", "--count", "2,2,2", "--stride", "2,3,4")
                self.assertEqual(told.stdout, "1101 1105\n1131 1135\n1301 1305\n1331 1335\n", told.stderr)
                # To the end, which is in the middle of the last step, or at its end.
                self.assertEqual(alone(*words, "--start", "1,0,1", "--stride", "2,3,4").stdout, told.stdout)
                told = alone(*words, "--start", "2,0,0", "--stride", "1,5,3")
                self.assertEqual(told.stdout, "1200 1203\n1300 1303\n", told.stderr)
                told = alone(*words, "--step", "0", "--start", "3,4,0")
                self.assertEqual(told.stdout, "340 341 342 343 344 345\n", told.stderr)
                told = alone("dump", self.path(backend), "--variable", "types/rank 0")
                self.assertEqual(told.stdout, "7\n", told.stderr)
        for more, message in ((["--start", "1,2"], "the variable has 3 dimensions"), (["--count", "1,x,1"], "the variable has 3 dimensions"),
                              (["--count", "9,1,1"], "dimension 0 has 4 entries, not 9 from 0 in steps of 1"),
                              (["--stride", "1,0,1"], "in steps of 0")):
            told = alone(*words, *more)
            self.assertEqual(told.returncode, 2, told.stdout)
            self.assertIn(message, told.stderr)
        told = alone("dump", self.path(backend), "--variable", "verbs/nosuch")
        self.assertIn("no variable 'verbs/nosuch': use ", told.stderr)

    def test_damage_is_found_by_a_slab_if_that_was_asked_for(self):
        for backend, file in (("posix", "rank-000000"), ("gather", "verbs.nc")):
            with self.subTest(backend=backend):
                self.succeeds(mpi(2, binary("verbs_c"), self.path(backend), backend))
                whole = self.told(self.programs["c"], self.path(backend), "1", "verify=yes")
                path = self.path(backend, "step-000001", file)
                with open(path, "r+b") as damaged:
                    damaged.seek(-1, os.SEEK_END)
                    damaged.write(b"\1")
                self.assertEqual(len(self.told(self.programs["c"], self.path(backend), "1")), len(whole))
                told = single(*self.programs["c"], self.path(backend), "1", "verify=yes")
                self.assertEqual(told.returncode, 1, told.stdout)
                self.assertRegex(told.stderr, "step-000001: values of '.*/.*' are damaged")

    def test_damage_is_found_again_by_who_asks_again(self):
        self.writes(2, "run", "posix", "--steps", "1")
        with open(self.path("run", "step-000000", "rank-000001"), "r+b") as damaged:
            byte = damaged.read(1)
            damaged.seek(0)
            damaged.write(bytes([byte[0] ^ 1]))
        told = single(binary("read_cases"), self.path("run"), "0", "--options", "verify=yes", "--slab", "yes", "--faults", "type").stdout
        slabs = [line for line in told.splitlines() if line.startswith("rank 0: slab: ")]
        self.assertEqual(len(slabs), 2, told)
        for slab in slabs:
            self.assertRegex(slab, "step-000000: values of 'odd names/.*' are damaged")


if __name__ == "__main__":
    unittest.main()
