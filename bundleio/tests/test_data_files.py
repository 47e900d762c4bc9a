"""How many files BP's values are divided into: by the file system where they lie, unless the user says it."""

import os
import unittest

from launch import BACKENDS, RamDisk, RunTest, binary, mpi

RANKS = 6
ROOT = os.geteuid() == 0


@unittest.skipUnless("bp5" in BACKENDS, "bp5 is not built")
class DataFiles(RunTest):

    def setUp(self):
        super().setUp()
        self.writes(1, "reference", "posix")

    def data_files(self, folder):
        """Of each step or series below a folder, which must be alike."""
        counts = {sum(name.startswith("data.") for name in files) for place, _, files in os.walk(self.path(folder))
                  if os.path.basename(place) == "bundles.bp"}
        self.assertEqual(len(counts), 1, counts)
        return counts.pop()

    def counts(self, runs):
        """The data files of the steps of each run, with the values that posix writes; runs are given as a back end and its options."""
        self.writes_each(RANKS, {folder: (backend, "--options", options) for folder, (backend, options) in runs.items()})
        for folder in runs:
            self.equal("reference", folder)
        return {folder: self.data_files(folder) for folder in runs}

    def count(self, folder, options=""):
        return self.counts({folder: ("bp5", options)})[folder]

    def count_of_series(self, folder):
        self.succeeds(mpi(RANKS, binary("bundleio"), "bench", "--path", self.path(folder), "--grid", "12x12", "--planes", "1", "--steps", "2",
                          "--backends", "bp5", "--options", "steps_per_file=2 space_check=no", "--keep"))
        return self.data_files(folder)

    def test_on_a_disk_of_the_machine_each_rank_has_its_own(self):
        # Where tests write.
        self.assertEqual(self.count("run"), RANKS)
        self.assertEqual(self.count_of_series("series"), RANKS)

    def test_the_user_has_the_last_word(self):
        counts = self.counts({"two": ("bp5", "aggregators=2"), "shared": ("bp5", "aggregation=shared"), "auto": ("auto", "auto_probe=no"),
                              "auto-two": ("auto", "auto_probe=no aggregators=2")})
        self.assertEqual(counts, {"two": 2, "shared": 1, "auto": RANKS, "auto-two": 2})

    @unittest.skipUnless(ROOT, "mounting needs root")
    def test_elsewhere_a_node_has_four(self):
        # Of a kind that bundleio does not know, as that of a parallel file system may be. It does not tell what is free.
        with RamDisk(self.path("unknown"), "64m", kind="ramfs"):
            self.assertEqual(self.count("unknown/run", "space_check=no"), 4)
            self.assertEqual(self.count_of_series("unknown/series"), 4)
        with RamDisk(self.path("memory"), "64m"):
            self.assertEqual(self.count("memory/run"), RANKS)


if __name__ == "__main__":
    unittest.main()
