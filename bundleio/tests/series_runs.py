"""Runs whose steps share files, for the suites about them."""

import glob
import os

from launch import BUILD, RunTest, alone, binary, job, mpi

FAULTY = "LD_PRELOAD=" + os.path.join(BUILD, "lib", "libfaulty_disk.so")


class SeriesTest(RunTest):
    def puts(self, ranks, name, backend, per_file, *more, options="", before=()):
        """Steps whose every variable that changes has an unlimited dimension."""
        return job(ranks, *before, binary("write_cases"), self.path(name), backend, "--grows",
                   "--options", f"steps_per_file={per_file} {options}", *more)

    def puts_each(self, ranks, runs, per_file, *more, options=""):
        """The same for several runs, by one job."""
        return self.writes_each(ranks, runs, "--grows", "--options", f"steps_per_file={per_file} {options}", *more)

    def expected(self, steps, *more):
        """The same steps, a folder each, from another back end and number of ranks."""
        self.succeeds(mpi(2, binary("write_cases"), self.path("apart"), "posix", "--grows", "--steps", str(steps), *more))

    def files(self, name):
        return sorted(os.path.relpath(path, self.path(name)) for path in glob.glob(self.path(name, "*", "*")))

    def index(self, name):
        with open(self.path(name, "series-000000", "steps"), "rb") as file:
            return file.read()

    def checked(self, name):
        return self.succeeds(alone("check", self.path(name)))
