"""The awkward cases under the address and undefined-behaviour sanitizers."""

import unittest

from launch import BACKENDS, RunTest, binary, mpi


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


if __name__ == "__main__":
    unittest.main()
