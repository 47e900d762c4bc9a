"""The build with sanitizers does again what handles memory in unusual ways: awkward cases, steps that fail, what is damaged. A test
fails for what they find in any of its processes (sanitizers.py)."""

import os
import shutil
import subprocess
import unittest

import sanitizers
from launch import BACKENDS, BUILD, SECONDS_MAX, RunTest, binary, mpi, run

# Of the other suites: a failure on each path of a step, steps that move, conversion. None that needs the library of faulty disks:
# a sanitizer stands in the same calls and comes first.
AGAIN = [
    "test_faults.Faults.test_a_mistake_of_one_rank_is_everyones_error",
    "test_faults.Faults.test_a_file_that_one_rank_cannot_write_leaves_no_trace_of_the_step",
    "test_faults.Faults.test_a_disk_that_fills_up_in_the_middle_of_a_step_stops_all_ranks",
    "test_faults.Faults.test_a_folder_without_permission_is_named",
    "test_faults.Faults.test_unknown_names_are_refused_with_what_there_is",
    "test_staging.Staging.test_steps_of_every_format_are_moved_and_equal_what_was_written",
    "test_staging.Staging.test_a_step_that_differs_on_the_two_tiers_stays_on_both",
    "test_staging.Staging.test_a_full_slow_tier_is_one_error_and_the_fast_copy_stays",
    "test_drain.KeptDrain.test_the_drain_starts_with_the_run_moves_its_steps_and_ends_after_it",
    "test_equality.Equality.test_options_change_how_data_flow_and_not_what_is_stored",
    "test_series.Series.test_a_failed_step_leaves_no_trace_and_the_steps_before",
    "test_index.Index.test_damage_of_the_index_is_said_and_hides_no_step",
    "test_equality.Equality.test_converted_steps_equal_their_source_and_go_on_after_an_interruption",
]


def load_tests(loader, own, _pattern):
    return unittest.TestSuite([own, loader.loadTestsFromNames(AGAIN)])


class Sanitized(RunTest):

    @unittest.skipUnless(sanitizers.FINDS_LEAKS, "no process may look for its own leaks here")
    def test_a_leak_is_found_and_what_threads_keep_is_none(self):
        """Beside so many threads that the values of some begin 16 bytes behind the start of a page."""
        options = dict(os.environ, ASAN_OPTIONS=os.environ["ASAN_OPTIONS"] + ":log_path=stderr")
        seen = subprocess.run([binary("leak_case"), os.path.join(BUILD, "lib", "libthread_values.so"), "300"], env=options, capture_output=True,
                              text=True, timeout=SECONDS_MAX, check=False)
        self.assertIn("SUMMARY: AddressSanitizer: 1234 byte(s) leaked in 1 allocation(s).", seen.stderr)
        self.assertEqual(seen.returncode, 99, seen.stderr)

    def test_all_back_ends_write_equal_steps_on_any_number_of_ranks(self):
        # Maps, boxes of different sizes and none, holes, no cells at all.
        self.writes(1, "reference", "posix", "--zero")
        for backend in BACKENDS:
            for ranks in (2, 7):
                with self.subTest(backend=backend, ranks=ranks):
                    name = f"{backend}-{ranks}"
                    self.writes(ranks, name, backend, "--zero")
                    self.equal("reference", name)
            self.assertIn("checksum", self.succeeds(mpi(1, binary("bundleio"), "dump", self.path(name))))
            self.assertIn("variable mesh/holes", self.succeeds(mpi(1, binary("lists_c"), self.path(name), "1", "verify=yes")))

    def test_the_example_in_c_and_its_error(self):
        self.succeeds(mpi(3, binary("example_c"), self.path("run"), "gather"))
        self.assertIn("unknown back end 'nosuch'", mpi(2, binary("example_c"), self.path("run"), "nosuch").stderr)

    def test_recording_and_replay(self):
        pattern = self.path("pattern")
        self.writes(3, "run", "posix", "--zero", "--options", f"record={pattern}")
        self.succeeds(mpi(3, binary("bundleio"), "replay", pattern, "--path", self.path("replayed"), "--backends", "all", "--steps", "3",
                          "--no-gaps", "--json"))
        self.succeeds(mpi(1, binary("bundleio"), "record", pattern))
        self.succeeds(run(binary("mutate_pattern"), pattern, "4000"))

    def test_damaged_files_of_every_format_touch_no_memory_that_is_not_theirs(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.writes(2, backend, backend, "--steps", "1")
                # Layouts are spoiled in many ways, all other files cut off.
                self.succeeds(run(binary("mutate_step"), self.path(backend, "step-000000"), "300" if backend == "posix" else "20"))

    def test_a_damaged_series_touches_no_memory_that_is_not_its_own(self):
        for backend in ("posix", "pnetcdf"):
            with self.subTest(backend=backend):
                self.succeeds(mpi(2, binary("write_cases"), self.path(backend), backend, "--grows", "--steps", "3", "--options", "steps_per_file=9"))
                self.succeeds(run(binary("mutate_step"), self.path(backend, "step-000001"), "100"))


if __name__ == "__main__":
    unittest.main()
