"""xarray and ADIOS2's own wheel read what we write, where they are installed (scripts/bundleio-readers.sh)."""

import os
import subprocess
import unittest

from launch import BACKENDS, RunTest, run

HERE = os.path.dirname(os.path.abspath(__file__))
SETUP = os.path.join(HERE, "..", "..", "scripts", "bundleio-readers.sh")
FOUND = subprocess.run([SETUP, "--find"], capture_output=True, text=True, check=False)


@unittest.skipUnless(FOUND.returncode == 0, "no xarray and adios2: scripts/bundleio-readers.sh installs them")
class Readers(RunTest):

    def compared(self):
        last = "step-000001"
        bp = self.path("bp5", last) if "bp5" in BACKENDS else "-"
        return run(FOUND.stdout.strip(), "-B", os.path.join(HERE, "compare_others.py"), self.path("pnetcdf", last),
                   self.path("netcdf4", last), bp)

    def test_xarray_and_adios2_find_equal_values_in_all_formats(self):
        for backend in {"pnetcdf", "netcdf4", "bp5"} & set(BACKENDS):
            self.writes(4, backend, backend)
        self.succeeds(self.compared())

    def test_a_value_that_differs_is_found(self):
        self.writes(2, "pnetcdf", "pnetcdf")
        self.writes(2, "netcdf4", "netcdf4")
        if "bp5" in BACKENDS:
            self.writes(2, "bp5", "bp5")
        # Step 0 in the place of step 1: other values in all variables but those without time.
        os.rename(self.path("netcdf4", "step-000000"), self.path("netcdf4", "step-000001", "kept"))
        for name in ("mesh.nc", "odd%20names.nc"):
            os.replace(self.path("netcdf4", "step-000001", "kept", name), self.path("netcdf4", "step-000001", name))
        process = self.compared()
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn("mesh.nc: scalar differs", process.stdout)


if __name__ == "__main__":
    unittest.main()
