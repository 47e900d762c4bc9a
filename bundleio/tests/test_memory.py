"""The memory that a step adds to a rank, as the bench reports it."""

import json
import unittest

from launch import BACKENDS, RunTest, binary, mpi

MEBIBYTE = 1 << 20


class Memory(RunTest):
    RANKS = 8
    WINDOW = 64 * MEBIBYTE

    def test_a_bundle_root_of_the_original_scheme_holds_no_window(self):
        """A plane root holds its share of the window; a bundle root adds some planes of 0.7 MB to it, not all that come to it."""
        out = self.succeeds(mpi(self.RANKS, binary("bundleio"), "bench", "--path", self.path("run"), "--grid", "288x576", "--planes", "10",
                                "--steps", "1", "--json", "--backends", "gather", "--options", f"window_mib={self.WINDOW // MEBIBYTE} report_pss=yes"))
        facts = json.loads(out)["backends"]["gather"]
        share = self.WINDOW / self.RANKS
        self.assertGreater(facts["private_bytes"], share / 2, "the mean of ranks")
        self.assertLess(facts["private_bytes_max"], 2 * share)
        self.assertGreater(facts["mapped_bytes_max"], 0)
        self.assertGreater(facts["pss_bytes"], facts["private_bytes"] / 2)
        self.assertLess(facts["pss_bytes_max"], facts["memory_bytes_max"])

    def test_ranks_hold_little_beside_their_values(self):
        """Each back end in a process of its own, since memory that one has freed serves the next. HDF5 takes 5 MB whatever a rank holds."""
        for backend, share in (("posix", 0.25), ("pnetcdf", 0.25), ("netcdf4", 0.5), ("bp5", 0.25)):
            with self.subTest(backend=backend):
                if backend not in BACKENDS:
                    self.skipTest(backend + " is not built")
                out = self.succeeds(mpi(self.RANKS, binary("bundleio"), "bench", "--path", self.path("run"), "--grid", "288x576", "--planes", "10",
                                        "--steps", "1", "--json", "--backends", backend))
                facts = json.loads(out)["backends"][backend]
                self.assertLess(facts["private_bytes_max"], share * facts["own_bytes_max"])


if __name__ == "__main__":
    unittest.main()
