"""Variables larger than 2 GiB, files larger than 4 GiB, and more than 2^31 values in one put. BUNDLEIO_LARGE=all tries every way
of writing them, which takes minutes."""

import contextlib
import os
import re
import shutil
import unittest

from launch import BACKENDS, RamDisk, RunTest, binary, mpi, single

ALL = os.environ.get("BUNDLEIO_LARGE") == "all"
STEP_BYTES = 4_500_008_000
GIB = 1 << 30
# Beside the step: what the roots and aggregators of a back end hold of it.
MEMORY_BYTES_MIN = 9 * GIB
# Two ranks that pack the step need a minute of a processor each, and get a fraction of one on a busy machine.
WRITING_SECONDS_MAX = 1200
WAYS = [(1, ""), (3, ""), (2, "blocking=yes"), (2, "window_mib=4096"), (2, "async=yes"), (3, "aggregation=shared"), (2, "deflate=1")]
OPTIONS_OF = {"gather": ("blocking", "window_mib"), "pnetcdf": ("blocking", "window_mib"), "netcdf4": ("deflate",),
              "bp5": ("async", "aggregation"), "posix": ()}


def free_memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        return int(re.search(r"MemAvailable:\s*(\d+) kB", file.read()).group(1)) << 10


class Large(RunTest):

    def disk(self):
        """In memory where that may be, since a disk of 1 GB/s would take a minute."""
        if os.geteuid() == 0 and free_memory() > STEP_BYTES + MEMORY_BYTES_MIN:
            return RamDisk(self.path("disk"), "6g")
        os.makedirs(self.path("disk"))
        if shutil.disk_usage(self.path("disk")).free < STEP_BYTES + GIB:
            self.skipTest("needs 6 GB of disk, or 14 GB of memory and root")
        return contextlib.nullcontext()

    def written_and_read_back(self, ranks, backend, options):
        with self.disk():
            run = self.path("disk", "run")
            self.succeeds(mpi(ranks, binary("large_case"), "write", run, backend, options, seconds=WRITING_SECONDS_MAX))
            stored = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, files in os.walk(run) for name in files)
            if "deflate" not in options:
                self.assertGreater(stored, 1 << 32)
            self.succeeds(single(binary("large_case"), "verify", run, str(ranks)))
            shutil.rmtree(run)

    def test_every_back_end_holds_a_variable_of_four_gigabytes_put_at_once(self):
        for backend in BACKENDS if ALL else self.kept(BACKENDS, BACKENDS[::2]):
            with self.subTest(backend=backend):
                self.written_and_read_back(2, backend, "")

    @unittest.skipUnless(ALL, "minutes long: bundleio/check --large runs it")
    def test_every_way_of_writing_holds_it(self):
        for ranks, options in WAYS:
            for backend in BACKENDS:
                if options and options.split("=")[0] not in OPTIONS_OF[backend]:
                    continue
                with self.subTest(backend=backend, ranks=ranks, options=options):
                    self.written_and_read_back(ranks, backend, options)

    @unittest.skipUnless(ALL, "minutes long: bundleio/check --large runs it")
    def test_a_large_step_is_compared_value_by_value(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                for name, form in (("one", "posix"), ("other", backend)):
                    self.succeeds(mpi(2, binary("large_case"), "write", self.path(name), form))
                self.equal("one", "other")
                shutil.rmtree(self.path("one"))
                shutil.rmtree(self.path("other"))

    @unittest.skipUnless(ALL, "minutes long: bundleio/check --large runs it")
    def test_what_one_rank_holds_of_a_plane_may_be_more_than_an_int_counts(self):
        for backend in ("pnetcdf", "netcdf4"):
            with self.subTest(backend=backend):
                self.succeeds(mpi(2, binary("large_case"), "wide", self.path("run"), backend))
                self.assertGreater(os.path.getsize(self.path("run", "step-000000", "large.nc")), 7.5e9)
                shutil.rmtree(self.path("run"))

    def test_what_one_rank_has_of_a_plane_for_another_may_be_more_than_a_part_of_a_message_holds(self):
        if free_memory() < 3 * GIB:
            self.skipTest("needs 3 GB of memory")
        self.assertEqual(self.succeeds(single(binary("large_case"), "parts")), "1 messages of 1078984707 bytes\n")

    def test_gather_refuses_a_plane_that_its_messages_cannot_count(self):
        process = mpi(2, binary("large_case"), "wide", self.path("run"), "gather", "space_check=no")
        self.assertEqual(process.returncode, 3, process.stderr)
        self.assertEqual(process.stdout.count("variable 'large': gather takes planes of up to 2^31 - 1 cells"), 2)
        self.assertEqual(self.steps("run"), [])


if __name__ == "__main__":
    unittest.main()
