"""A user who may not read or write what another has made is told so in one line, whatever back end it is."""

import os
import re
import shutil
import tempfile
import unittest

from launch import BACKENDS, RunTest, alone, binary, mpi, run

PERMISSION = 5
# Nobody: owns nothing, and is in no group.
OTHER = 65534


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class Permissions(RunTest):
    @classmethod
    def setUpClass(cls):
        """This build may lie where only its owner looks: programs and their libraries are copied."""
        cls.place = tempfile.mkdtemp(prefix="bundleio-open-")
        cls.addClassCleanup(shutil.rmtree, cls.place)
        for name in ("bin", "lib"):
            os.mkdir(os.path.join(cls.place, name))
        os.chmod(cls.place, 0o755)
        for program in ("write_cases", "bundleio", "lists_c"):
            shutil.copy(binary(program), os.path.join(cls.place, "bin"))
            for name, path in re.findall(r"(\S+) => (/\S+)", run("ldd", binary(program)).stdout):
                if not path.startswith(("/lib/", "/usr/")):
                    shutil.copy(path, os.path.join(cls.place, "lib", name))

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        os.umask(0o022)

    def as_other(self, ranks, program, *words):
        return mpi(ranks, os.path.join(self.place, "bin", program), *words, user=OTHER, LD_LIBRARY_PATH=os.path.join(self.place, "lib"))

    def is_refused(self, process, ranks, named):
        """All ranks of a model that writes report the same line, which names what is not permitted."""
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        lines = [line.split(" ", 3) for line in process.stdout.splitlines() if line.startswith("rank ")]
        self.assertEqual((len(lines), len({tuple(line[2:]) for line in lines})), (ranks, 1), process.stdout + process.stderr)
        status, message = lines[0][2:]
        self.assertEqual(int(status), PERMISSION, message)
        self.assertRegex(message, f"{re.escape(named)}.*: Permission denied")
        self.assertNotIn("MPI_ABORT", process.stdout + process.stderr)

    def says_one_line(self, process, named):
        lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        self.assertEqual(len(lines), 1, process.stderr)
        self.assertRegex(lines[0], f"{re.escape(named)}.*: Permission denied")

    def test_a_run_in_a_folder_of_another_user_is_refused(self):
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--steps", "1")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.is_refused(self.as_other(2, "write_cases", self.path("run"), backend), 2, self.path("run"))
        for backend, mode in self.pairs(BACKENDS, ("1", "2")):
            with self.subTest(backend=backend, mode=mode):
                self.is_refused(self.as_other(2, "write_cases", self.path(backend), backend, "--mode", mode), 2, self.path(backend))
                self.assertEqual(self.steps(backend), ["step-000000"])

    def test_files_of_another_user_that_a_step_would_be_added_to_are_named_and_stay_as_they_are(self):
        """The folder and the index are everybody's, the files with values are not."""
        series = ["--grows", "--options", "steps_per_file=9"]
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--steps", "1", *series)
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                run_folder = self.path(backend)
                os.chmod(run_folder, 0o777)
                os.chmod(self.path(backend, "series-000000"), 0o777)
                os.chmod(self.path(backend, "series-000000", "steps"), 0o666)
                process = self.as_other(2, "write_cases", run_folder, backend, "--mode", "2", "--first", "1", "--steps", "1", *series)
                self.is_refused(process, 2, self.path(backend, "series-000000"))
                self.assertIn("1 complete steps, all readable, as their checksums say",
                              self.succeeds(alone("check", run_folder)))

    def test_files_that_may_not_be_read_are_named(self):
        self.writes_each(2, {backend: backend for backend in BACKENDS}, "--steps", "1")
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                step = self.path(backend, "step-000000")
                closed = [os.path.join(folder, name) for folder, _, names in os.walk(step) for name in names if name != "checksums"]
                for path in closed:
                    os.chmod(path, 0o600)
                for command in ("check", "dump"):
                    self.says_one_line(self.as_other(1, "bundleio", command, self.path(backend)), step)
                model = self.as_other(1, "lists_c", self.path(backend), "0")
                self.assertRegex(model.stderr, f"(?m)^lists_c: .*{re.escape(step)}.*: Permission denied")
                os.chmod(step, 0o700)
                self.says_one_line(self.as_other(1, "bundleio", "check", self.path(backend)), step)


if __name__ == "__main__":
    unittest.main()
