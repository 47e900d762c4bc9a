"""The script behind `make bench-bundleio`: its last line names every figure that was agreed on, and a figure beyond its bar is marked."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from launch import BUILD, IS_OPEN_MPI, SECONDS_MAX, RunTest, mpi_environment

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "benchmarks")
AGREED = {"bp5_vs_gather_16", "bp5_vs_gather_32", "async_visible_vs_gather_16", "pnetcdf_nonblocking_vs_blocking", "layer_overhead_percent_max",
          "convert_vs_serial", "map_memory_ratio_max", "map_exchanges_per_step", "checksum_cost_percent", "steps_per_file_speedup"}


@unittest.skipUnless(IS_OPEN_MPI, "it starts the mpirun that is found first")
class Bench(RunTest):

    def bench(self, scripts, *words):
        return subprocess.run([sys.executable, "-B", os.path.join(scripts, "bench.py"), "--build", BUILD, "--readers", self.path("none"), "--path",
                               self.folder, "--repeats", "1", *words], env=mpi_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=SECONDS_MAX, check=False)

    def test_the_last_line_has_every_figure_that_was_agreed_on_and_what_misses_its_bar_is_marked(self):
        """Of one section; of what was left out it says nothing, and not that it went well."""
        scripts, steps = self.path("scripts"), self.path("steps")
        shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("*.cpp", "*.hpp", "__pycache__"))
        with open(os.path.join(scripts, "ranges.yaml"), "a", encoding="utf-8") as ranges:
            ranges.write("steps_per_file_speedup: {min: 1000000}\nsteps_per_file_speedup_gather: {max: 1000000}\n")
        os.mkdir(steps)
        process = self.bench(scripts, "--only", "series", "--strict", "--path", steps)
        self.assertEqual(process.returncode, 1, process.stderr)
        lines = process.stdout.splitlines()
        figures = json.loads(lines[-1])
        self.assertLessEqual(AGREED, set(figures))
        self.assertGreater(figures.pop("steps_per_file_speedup"), 0)
        figures.pop("steps_per_file_speedup_bp5")
        self.assertEqual(set(figures.values()), {None})
        told = {line.split()[0]: line for line in lines if line.startswith("steps_per_file_speedup")}
        self.assertRegex(told["steps_per_file_speedup"], "at least 1000000.0 +MISSED$")
        self.assertRegex(told["steps_per_file_speedup_gather"], "at most 1000000.0$")
        self.assertEqual(os.listdir(steps), [])

    def test_sections_and_folders_that_are_not_there_are_named(self):
        for words, code, line in ((("--only", "nosuch"), 2, "unknown section 'nosuch': use orders16, "), (("--repeats", "0"), 2, "--repeats 0: use 1 or more"),
                                  (("--path", self.path("nowhere")), 2, "--path .*nowhere: No such file or directory")):
            process = self.bench(SCRIPTS, *words)
            self.assertEqual(process.returncode, code, process.stderr)
            self.assertRegex(process.stderr.splitlines()[-1], line)


if __name__ == "__main__":
    unittest.main()
