"""Back end auto: one choice for all ranks, explained, repeatable when asked, leaving nothing behind."""

import json
import os
import re
import unittest

from launch import BACKENDS, BUILD, IS_OPEN_MPI, PYTHON, RunTest, binary, mpi

REPORTING = """
import json
import sys
import bundleio
from mpi4py import MPI
context = bundleio.Context(MPI.COMM_WORLD)
with context.open(sys.argv[1], bundleio.REPLACE, "auto") as run:
    hours = run.variable(run.bundle("Moist"), "hours", "float64", [])
    run.step_begin()
    run.put(hours, [6.0])
    run.step_end()
    report = run.report()
    if MPI.COMM_WORLD.rank == 0:
        print(json.dumps(report))
context.finish()
"""


class Auto(RunTest):

    def chooses(self, ranks, name, *more):
        """Writes the awkward cases; returns the back end that was chosen and the whole explanation."""
        process = mpi(ranks, binary("write_cases"), self.path(name), "auto", *more)
        self.succeeds(process)
        lines = re.findall(r"bundleio: auto: (.*)", process.stderr)
        self.assertEqual(len(lines), 1, process.stderr)
        self.assertIn(f"{ranks} ranks on 1 nodes", lines[0])
        return re.split(r"[ :]", lines[0])[0], lines[0]

    def test_what_it_chooses_is_said_once_and_writes_the_same_values(self):
        self.writes(2, "reference", "posix")
        for ranks in (1, 3, 9):
            with self.subTest(ranks=ranks):
                chosen, reason = self.chooses(ranks, str(ranks))
                self.assertIn(chosen, BACKENDS)
                self.assertRegex(reason, r"probe [0-9.]+ s into files of each rank, [0-9.]+ s into one")
                self.equal("reference", str(ranks))
                self.assertEqual(sorted(os.listdir(self.path(str(ranks)))), ["step-000000", "step-000001"])

    def test_it_names_the_mpi_io_that_opened_the_probe(self):
        self.assertIn("MPI-IO ROMIO, probe", self.chooses(2, "romio")[1])

    @unittest.skipUnless(IS_OPEN_MPI and "pnetcdf" in BACKENDS, "asks Open MPI for another MPI-IO")
    def test_without_an_mpi_io_that_tells_it_chooses_what_needs_none_and_says_why(self):
        """Open MPI's own, asked for as a user would, and none at all, as where Open MPI was built without ROMIO."""
        self.writes(2, "reference", "posix")
        for setting, why in (("ompio", "this MPI-IO says that writes went well which failed"), ("^ompio,romio321", "this MPI opens no file by MPI-IO")):
            for options in ("", "auto_probe=no"):
                with self.subTest(setting=setting, options=options):
                    name = setting.strip("^") + options
                    process = mpi(2, "env", "OMPI_MCA_io=" + setting, binary("write_cases"), self.path(name), "auto", "--options", options)
                    self.succeeds(process)
                    chosen = "bp5: " if "bp5" in BACKENDS else "gather: bp5 is not built, and "
                    self.assertRegex(process.stderr, f"bundleio: auto: {chosen}pnetcdf cannot be used: {why}.*OMPI_MCA_io={re.escape(setting)}")
                    self.equal("reference", name)

    def test_without_probe_equal_platforms_get_equal_choices(self):
        reasons = {self.chooses(4, f"option-{i}", "--options", "auto_probe=no") for i in range(2)}
        os.environ["BUNDLEIO_AUTO_PROBE"] = "no"
        try:
            reasons.add(self.chooses(4, "environment"))
        finally:
            del os.environ["BUNDLEIO_AUTO_PROBE"]
        self.assertEqual(len(reasons), 1, reasons)
        chosen, reason = reasons.pop()
        self.assertEqual(chosen, "bp5" if "bp5" in BACKENDS else "pnetcdf")
        self.assertTrue(reason.endswith("not probed)"), reason)

    def test_one_rank_needs_no_parallel_format(self):
        self.assertEqual(self.chooses(1, "run")[0], "gather")
        self.assertTrue(os.path.exists(self.path("run", "step-000000", "mesh.nc")))

    def test_the_report_tells_the_choice(self):
        os.environ["BUNDLEIO_LIBRARY"] = os.path.join(BUILD, "lib", "libbundleio.so")
        os.environ["PYTHONPATH"] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python")
        out = self.succeeds(mpi(2, PYTHON, "-B", "-c", REPORTING, self.path("run")))
        report = json.loads(out)
        self.assertTrue(report["chosen_by_auto"].startswith(report["backend"]), out)
        self.assertIn("2 ranks on 1 nodes", report["chosen_by_auto"])


if __name__ == "__main__":
    unittest.main()
