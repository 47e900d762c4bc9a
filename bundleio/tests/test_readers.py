"""Programs that know nothing of bundleio read what it writes, where they are installed (scripts/bundleio-readers.sh, ADIOS2)."""

import os
import subprocess
import unittest

from launch import BACKENDS, BUILD, PYTHON, RunTest, mpi, run

HERE = os.path.dirname(os.path.abspath(__file__))
SETUP = os.path.join(HERE, "..", "..", "scripts", "bundleio-readers.sh")
ADIOS2_SETUP = os.path.join(HERE, "..", "..", "scripts", "bundleio-adios2.sh")
os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
os.environ["PYTHONPATH"] = os.path.join(HERE, "..", "python")
FOUND = subprocess.run([SETUP, "--find"], capture_output=True, text=True, check=False)


@unittest.skipUnless(FOUND.returncode == 0, "no xarray and adios2: scripts/bundleio-readers.sh installs them")
class Readers(RunTest):

    def compared(self):
        last = "step-000001"
        bp = self.path("bp5", last) if "bp5" in BACKENDS else "-"
        return run(FOUND.stdout.strip(), "-B", os.path.join(HERE, "compare_others.py"), self.path("pnetcdf", last),
                   self.path("netcdf4", last), bp)

    def test_xarray_and_adios2_find_equal_values_in_all_formats(self):
        self.writes_each(4, {backend: backend for backend in ("pnetcdf", "netcdf4", "bp5") if backend in BACKENDS})
        self.succeeds(self.compared())

    def test_a_value_that_differs_is_found(self):
        self.writes_each(2, {backend: backend for backend in ("pnetcdf", "netcdf4", "bp5") if backend in BACKENDS})
        # Step 0 in the place of step 1: other values in all variables but those without time.
        os.rename(self.path("netcdf4", "step-000000"), self.path("netcdf4", "step-000001", "kept"))
        for name in ("mesh.nc", "odd%20names.nc"):
            os.replace(self.path("netcdf4", "step-000001", "kept", name), self.path("netcdf4", "step-000001", name))
        process = self.compared()
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn("mesh.nc: scalar differs", process.stdout)

    def checked(self, backend, *without):
        """The compliance checker's answer about a file with CF attributes, and its exit code."""
        self.succeeds(mpi(2, PYTHON, "-B", os.path.join(HERE, "cf_case.py"), self.path(backend), backend, *without))
        checker = os.path.join(os.path.dirname(FOUND.stdout.strip()), "compliance-checker")
        return run(checker, "--test", "cf:1.8", "--criteria", "strict", self.path(backend, "step-000000", "Air.nc"))

    def test_a_cf_checker_accepts_files_whose_attributes_follow_cf(self):
        for backend in ("gather", "pnetcdf", "netcdf4"):
            with self.subTest(backend=backend):
                self.succeeds(self.checked(backend))

    def test_a_cf_checker_misses_an_attribute_that_was_left_out(self):
        process = self.checked("pnetcdf", "units")
        self.assertNotEqual(process.returncode, 0, process.stdout)
        self.assertIn("units attribute is required for T", process.stdout)


class LibrariesOwnTools(RunTest):

    def test_bpls_lists_every_variable_and_its_values(self):
        prefix = subprocess.run([ADIOS2_SETUP, "--find"], capture_output=True, text=True, check=False).stdout.strip()
        if not prefix or "bp5" not in BACKENDS:
            self.skipTest("no bpls: scripts/bundleio-setup.sh --adios2 builds it")
        self.writes(3, "bp5", "bp5")
        folder = self.path("bp5", "step-000001", "bundles.bp")
        listed = self.succeeds(run(os.path.join(prefix, "bin", "bpls"), folder))
        for name in ("mesh/scalar", "mesh/holes"):
            self.assertIn(name, listed)
        self.assertIn("1234567890124", self.succeeds(run(os.path.join(prefix, "bin", "bpls"), "-d", folder, "mesh/scalar")))

    def test_a_netcdf4_bundle_may_hold_thousands_of_variables(self):
        count = 2100
        self.succeeds(mpi(2, PYTHON, "-B", os.path.join(HERE, "many_variables.py"), self.path("run"), "netcdf4", str(count)))
        path = self.path("run", "step-000000", "many.nc")
        header = self.succeeds(run("ncdump", "-h", path))
        self.assertEqual(header.count("(lat, lon)"), count)
        self.assertIn(f"{count - 1}, {count - 1}", self.succeeds(run("ncdump", "-v", f"v{count - 1}", path)))


if __name__ == "__main__":
    unittest.main()
