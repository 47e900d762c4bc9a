"""A conversion is whole and compared before anybody sees it, whatever happens to it or to its disk."""

import os
import shutil
import subprocess
import sys
import time
import unittest

from launch import BACKENDS, BUILD, MPIRUN, RamDisk, RunTest, alone, binary, mpi, mpi_environment

SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
SOURCE = BACKENDS[-1]
WRONG = "the step reads back other than it was written \\({}\\): it was removed"
MIB = 1 << 20
# Runs its arguments and says how much memory the largest process among them and their children needed.
PEAK = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); " \
       "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)"


class Convert(RunTest):

    def source(self, *more, backend=SOURCE):
        """Two steps of seven bundles, 7 MB each."""
        self.succeeds(mpi(3, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "48x96", "--planes", "16", "--steps",
                          "2", "--backends", backend, "--keep", *more))
        return os.path.join("bench", backend)

    def tool(self, *words, fault=None, ranks=2):
        preload = ["env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=" + fault] if fault else []
        return mpi(ranks, *preload, binary("bundleio"), *words)

    def convert(self, source, *more, fault=None, ranks=2):
        return self.tool("convert", *more, self.path(source), self.path("nc"), fault=fault, ranks=ranks)

    def visible(self):
        return [name for name in self.steps("nc") if name.startswith("step-")]

    def test_every_format_is_converted_to_equal_steps_by_any_number_of_ranks(self):
        self.writes_each(3, {"reference": "posix"} | {backend: backend for backend in BACKENDS})
        for backend, (target, ranks) in self.pairs(BACKENDS, (("pnetcdf", 1), ("pnetcdf", 5), ("netcdf4", 2), ("posix", 4))):
            with self.subTest(source=backend, target=target, ranks=ranks):
                self.succeeds(self.convert(backend, "--to", target, ranks=ranks))
                self.equal("reference", "nc")
                shutil.rmtree(self.path("nc"))

    def test_what_would_change_values_is_refused_before_anything_is_written(self):
        self.writes(1, "run", "posix", "--grows", "--steps", "1")
        for command, options in (("convert", "keep_bits=8"), ("concat", "keep_bits=8"), ("drain", "keep_bits=8"), ("convert", "compress=zfp accuracy=1")):
            with self.subTest(command=command, options=options):
                backend = "netcdf4" if "keep" in options else "bp5"
                process = self.tool(command, "--to", backend, "--options", options, self.path("run"), self.path("nc"))
                self.assertEqual(process.returncode, 2, process.stdout)
                self.assertIn(f"option {options.split()[0]}: it changes values, and a rewritten step must equal its source", process.stderr)
                self.assertFalse(os.path.exists(self.path("nc")))

    def test_steps_keep_their_numbers_where_others_of_the_run_were_removed(self):
        self.writes(2, "run", "posix", "--steps", "6", "--grows")
        for step in (0, 1, 3):
            shutil.rmtree(self.path("run", f"step-{step:06}"))
        self.assertIn("3 steps converted and compared, 0 were there", self.succeeds(self.convert("run")))
        self.assertEqual(self.visible(), ["step-000002", "step-000004", "step-000005"])
        self.equal("run", "nc")
        shutil.rmtree(self.path("nc", "step-000005"))
        self.assertIn("1 steps converted and compared, 2 were there", self.succeeds(self.convert("run", "--append")))
        self.equal("run", "nc")
        shutil.rmtree(self.path("nc"))
        refused = self.tool("concat", self.path("run"), self.path("nc"))
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertRegex(refused.stderr, "between step 2 and step 4 some are missing, .*: number them anew with --renumber, or use convert")
        self.succeeds(self.tool("concat", "--renumber", self.path("run"), self.path("nc")))
        self.assertEqual(self.entries("nc", os.path.join("series-000000", self.joined())), 3)
        self.assertIn("0 steps joined and compared, 3 were there", self.succeeds(self.tool("concat", "--renumber", "--append", self.path("run"), self.path("nc"))))
        shutil.rmtree(self.path("nc"))
        # Without the gap, from the number that is the first one.
        shutil.rmtree(self.path("run", "step-000002"))
        self.succeeds(self.tool("concat", self.path("run"), self.path("nc")))
        self.assertEqual(self.steps("nc"), ["series-000004"])
        self.equal("run", "nc")

    def joined(self):
        """The file of a bundle that grows."""
        return next(name for name in sorted(os.listdir(self.path("nc", "series-000000"))) if name.endswith(".nc"))

    @unittest.skipUnless("netcdf4" in BACKENDS, "needs netcdf4")
    def test_values_that_a_model_rounded_are_converted_as_they_are(self):
        self.writes(2, "rounded", "netcdf4", "--options", "keep_bits=4 deflate=1")
        for target in ("pnetcdf", "netcdf4"):
            with self.subTest(target=target):
                self.succeeds(self.convert("rounded", "--to", target))
                self.equal("rounded", "nc")
                shutil.rmtree(self.path("nc"))

    def test_a_bit_that_the_disk_stores_wrongly_is_found_and_the_step_is_never_visible(self):
        source = self.source()
        # A plane has 18,432 bytes, the largest header 10,696.
        for target, fault, found in (("pnetcdf", "flip 1 18432", "values of '.*' differ"), ("pnetcdf", "flip 3 18432", "values of '.*' differ"),
                                     ("pnetcdf", "flip 1 1000", ".*"), ("netcdf4", "flip 2 18432", ".*")):
            with self.subTest(target=target, fault=fault):
                process = self.convert(source, "--to", target, fault=fault)
                self.assertEqual(process.returncode, 3, process.stdout)
                self.assertRegex(process.stderr, WRONG.format(found))
                self.assertEqual(self.steps("nc"), [])
        self.succeeds(self.convert(source))
        self.equal(source, "nc")

    def test_a_conversion_killed_while_it_writes_is_repeated_and_ends_equal(self):
        source = self.source()
        for fault, whole in (("kill 2 18432", 0), ("publish 1 0", 0), ("publish 2 0", 1)):
            with self.subTest(fault=fault):
                self.assertNotEqual(self.convert(source, fault=fault).returncode, 0)
                self.assertEqual(self.visible(), [f"step-{number:06}" for number in range(whole)])
                # There is something of the step that was under way.
                self.assertEqual(len(self.steps("nc")), whole + 1)
                again = self.succeeds(self.convert(source, "--append"))
                self.assertIn(f"{2 - whole} steps converted and compared, {whole} were there", again)
                self.assertEqual(self.steps("nc"), ["step-000000", "step-000001"])
                self.equal(source, "nc")
                shutil.rmtree(self.path("nc"))

    def test_a_drain_that_rewrites_finds_a_bit_that_was_stored_wrongly_and_keeps_the_fast_copy(self):
        source = self.source()
        process = self.tool("drain", "--to", "pnetcdf", self.path(source), self.path("nc"), fault="flip 2 18432")
        self.assertEqual(process.returncode, 3, process.stdout)
        self.assertRegex(process.stderr, WRONG.format("values of '.*' differ"))
        self.assertEqual(self.visible(), [])
        self.succeeds(alone("check", self.path(source)))
        self.assertIn("2 steps moved", self.succeeds(self.tool("drain", "--to", "pnetcdf", self.path(source), self.path("nc"))))

    def test_a_drain_that_rewrites_is_not_faster_than_its_limit_from_its_first_step_on(self):
        source = self.source("--steps", "1")
        size = 3 * MIB
        start = time.monotonic()
        self.succeeds(self.tool("drain", "--to", "pnetcdf", "--mib-per-second", "3", self.path(source), self.path("nc")))
        stored = sum(entry.stat().st_size for entry in os.scandir(self.path("nc", "step-000000")))
        self.assertGreater(stored, size)
        # Both ranks move half of it, each at half of the rate.
        self.assertGreater(time.monotonic() - start, 0.9 * stored / size)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_full_disk_is_one_error_and_nothing_of_the_step_stays(self):
        source = self.source()
        for target in ("pnetcdf", "posix"):
            with self.subTest(target=target), RamDisk(self.path("nc"), "3m"):
                process = self.convert(source, "--to", target, "--options", "space_check=no")
                self.assertEqual(process.returncode, 3, process.stdout)
                self.assertEqual(process.stderr.count("No space left on device"), 1, process.stderr)
                self.assertEqual(self.steps("nc"), [])

    def test_memory_does_not_grow_with_the_variables(self):
        for source in ["netcdf4"] + [SOURCE] * (SOURCE != "netcdf4"):
            with self.subTest(source=source):
                small, large = (self.peak(source, rows) for rows in (100, 1000))
                # A variable of NetCDF-4 has up to 58 MB: less than one.
                self.assertLess(large - small, (48 if source == "netcdf4" else 24) * MIB, (small, large))

    def peak(self, source, rows):
        """The largest variable has 72 planes: 6 MB with 100 rows, 58 MB with 1000; a rank's half of the step 12 MB, then 117 MB."""
        self.succeeds(mpi(2, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", f"{rows}x200", "--steps", "1",
                          "--planes", "10", "--backends", source, "--keep"))
        command = [MPIRUN, "-n", "2", binary("bundleio"), "convert", self.path("bench", source), self.path("nc")]
        out = subprocess.run([sys.executable, "-c", PEAK, *command], env=mpi_environment(), check=True, capture_output=True, text=True)
        for name in ("bench", "nc"):
            shutil.rmtree(self.path(name))
        return int(out.stdout)


if __name__ == "__main__":
    unittest.main()
