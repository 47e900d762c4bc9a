"""The awkward cases under the address and undefined-behaviour sanitizers."""

import unittest

from launch import BACKENDS, RunTest, binary, mpi, run


class Sanitized(RunTest):

    def test_no_back_end_touches_memory_that_is_not_its_own(self):
        self.writes(3, "reference", "posix", "--steps", "1")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.writes(3, backend, backend, "--steps", "1")
                self.equal("reference", backend)

    def test_failing_steps_touch_no_memory_that_is_not_theirs(self):
        for fault in ("name", "forget", "limit"):
            with self.subTest(fault=fault):
                process = mpi(2, binary("write_cases"), self.path(fault), "gather", "--fault", fault)
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)

    def test_recording_and_replay_touch_no_memory_that_is_not_theirs(self):
        pattern = self.path("pattern")
        self.writes(3, "run", "posix", "--zero", "--options", f"record={pattern}")
        self.succeeds(mpi(3, binary("bundleio"), "replay", pattern, "--path", self.path("replayed"), "--steps", "3", "--no-gaps"))
        self.succeeds(run(binary("mutate_pattern"), pattern, "4000"))


if __name__ == "__main__":
    unittest.main()
