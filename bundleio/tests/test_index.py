"""The index of steps that share files: whatever becomes of it, no step vanishes, none is written over, and none counts that is not whole."""

import os
import re
import shutil
import unittest

from launch import BACKENDS, alone, binary, single
from series_runs import FAULTY, SeriesTest


class Index(SeriesTest):
    def test_steps_whose_index_is_lost_or_empty_are_not_written_over(self):
        lost = {"lost": (os.remove, "is lost")}
        empty = {"empty": (lambda path: os.truncate(path, 0), "is empty"), "torn": (lambda path: os.truncate(path, 9), "is empty")}
        runs = {f"{backend}-{way}": (backend, *how) for backend in BACKENDS
                for way, how in (lost | (empty if backend == "pnetcdf" else {})).items()}
        backends = {name: backend for name, (backend, _, _) in runs.items()}
        self.puts_each(2, backends, 9, "--steps", "3")
        for name, (backend, lose, said) in runs.items():
            with self.subTest(name=name):
                index = self.path(name, "series-000000", "steps")
                kept = self.index(name)
                lose(index)
                files = self.files(name)
                for mode in ("0", "2"):
                    told = self.puts(2, name, backend, 9, "--steps", "1", "--mode", mode)
                    self.assertNotEqual(told.returncode, 0)
                    self.assertIn(f"{index} {said}, but files with steps lie beside it: bring it back, or give these steps up: move the folder away, or write with mode replace", told.stdout + told.stderr)
                self.assertEqual(self.files(name), files)
                with open(index, "wb") as back:
                    back.write(kept)
                self.assertIn("3 complete steps, all readable, as their checksums say", self.checked(name))
                lose(index)
        self.puts_each(2, backends, 9, "--steps", "1", "--mode", "1")
        for name in runs:
            with self.subTest(name=name):
                self.assertIn("1 complete steps, all readable, as their checksums say", self.checked(name))

    def test_a_run_whose_index_is_lost_can_be_replaced(self):
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "2"))
        with open(self.path("run", "series-000000", "steps"), "r+b") as index:
            index.write(b"x")
        told = alone("check", self.path("run"))
        self.assertEqual(told.returncode, 3)
        self.assertIn("steps is damaged, or another version wrote it", told.stderr)
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "1", "--mode", "1"))
        self.assertIn("1 complete steps", self.checked("run"))

    def test_damage_of_the_index_is_said_and_hides_no_step(self):
        self.succeeds(self.puts(2, "whole", "pnetcdf", 9, "--steps", "4"))
        index = self.index("whole")
        ends = [match.end() for match in re.finditer(rb"done \d+ [0-9a-f]+\n", index)]
        # The first line apart: without it there is no index. Of the last step's end each letter: without it the step could vanish.
        last = index.rindex(b"done")
        named = [ends[0] - 12, ends[0] - 1, ends[1] - 14, *range(last - 1, len(index))]
        others = range(index.index(b"\n") + 1, ends[2], 37)
        places = self.kept([*named, *others], [*named, *others[::5]])

        def is_said(at):
            name = f"hurt-{at}"
            shutil.copytree(self.path("whole"), self.path(name))
            with open(self.path(name, "series-000000", "steps"), "r+b") as hurt:
                hurt.seek(at)
                hurt.write(bytes([index[at] ^ 4]))
            told = alone("check", self.path(name))
            self.assertEqual(told.returncode, 3, told.stdout)
            self.assertRegex(told.stderr, r"steps is damaged: what it says of step|of 4 steps are damaged")
            shutil.rmtree(self.path(name))

        self.each([{"at": at} for at in places], is_said)

    def test_entries_that_are_lost_or_in_another_order_are_said_to_be_damaged(self):
        """Each that is there is whole. Without checksums nothing else tells."""
        self.succeeds(self.puts(2, "run", "pnetcdf", 9, "--steps", "4", options="checksums=no"))
        index = self.index("run")
        begin, middle, end = [match.end() for match in re.finditer(rb"done \d+ [0-9a-f]+\n", index)][:3]
        for changed in (index[:begin] + index[middle:], index[:begin] + index[middle:end] + index[begin:middle] + index[end:]):
            with open(self.path("run", "series-000000", "steps"), "wb") as file:
                file.write(changed)
            told = alone("check", self.path("run"))
            self.assertEqual(told.returncode, 3, told.stdout)
            self.assertRegex(told.stderr, "steps is damaged: what it says of step 1 is not as it was written")

    def test_an_index_that_cannot_be_read_to_its_end_loses_no_step(self):
        self.succeeds(self.puts(1, "run", "posix", 99, "--steps", "30"))
        index = self.index("run")
        bad = ["env", FAULTY, "FAULTY_DISK=bad 1 8191"]
        self.assertGreater(len(index), 2 * 8191)
        told = single(*bad, binary("bundleio"), "check", self.path("run"))
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertIn("steps: Input/output error", told.stderr)
        told = self.puts(1, "run", "posix", 99, "--steps", "1", "--first", "30", "--mode", "2", before=bad)
        self.assertIn("steps: Input/output error", told.stdout)
        self.assertEqual(self.index("run"), index)
        self.assertIn("30 complete steps, all readable, as their checksums say", self.checked("run"))

    def test_an_index_that_cannot_be_looked_at_hides_no_step(self):
        self.succeeds(self.puts(2, "run", "pnetcdf", 2, "--steps", "4"))
        index = self.path("run", "series-000002", "steps")
        os.rename(index, self.path("kept"))
        os.symlink("steps", index)
        told = alone("check", self.path("run"))
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertIn("steps: Too many levels of symbolic links", told.stderr)
        told = self.puts(2, "run", "pnetcdf", 2, "--steps", "1", "--first", "4", "--mode", "2")
        self.assertIn("steps: Too many levels of symbolic links", told.stdout)
        os.replace(self.path("kept"), index)
        self.assertIn("4 complete steps, all readable, as", self.checked("run"))

    def test_half_an_entry_of_the_index_damages_no_other(self):
        """The disk is full in the middle of it, and the model puts its step again."""
        self.expected(3)
        halved = []
        for number in range(1, 6):
            with self.subTest(number=number):
                name, notes = f"run-{number}", self.path(f"notes-{number}")
                self.succeeds(self.puts(1, name, "posix", 9, "--steps", "3", "--fault", "again",
                                        before=["env", FAULTY, "DISK_NOTES=" + notes, f"FAULTY_DISK=half {number} 200"]))
                self.equal("apart", name)
                if os.path.exists(notes):
                    with open(notes, encoding="utf-8") as lines:
                        halved += re.findall("half .*/(.*)", lines.read())
        self.assertGreaterEqual(halved.count("steps"), 2, halved)

    def test_an_entry_that_cannot_be_cut_off_again_damages_no_step(self):
        """Its write or its sync fails, and then the cut that takes it back: once, or until the run ends."""
        self.expected(3)
        # Of the second step and of the third. How often HDF5 and ADIOS2 write so little is their own affair.
        faults = [(backend, fault, "") for backend in BACKENDS if backend in ("posix", "pnetcdf") for fault in ("half 2 200", "half 3 200")]
        faults += [("posix", fault, "sync=yes") for fault in ("sync 10 0", "sync 15 0")]
        self.each([{"backend": backend, "fault": fault, "options": options, "cuts": cuts}
                   for (backend, fault, options), cuts in self.pairs(faults, (99, 1))], self.is_not_cut_off)

    def is_not_cut_off(self, backend, fault, options, cuts):
        name = f"{backend}-{fault.replace(' ', '-')}-{cuts}"
        notes = self.path("notes-" + name)
        told = self.puts(1, name, backend, 9, "--steps", "3", "--fault", "again", options=options,
                         before=["env", FAULTY, "DISK_NOTES=" + notes, f"DISK_UNCUT={cuts}", "FAULTY_DISK=" + fault])
        with open(notes, encoding="utf-8") as lines:
            self.assertRegex(lines.read(), "(half|unsynced) .*/steps\n(.*\n)*cut .*/steps\n")
        done = int(re.search(r"(\d+) complete steps, all readable", self.checked(name)).group(1))
        if cuts > 1:
            self.assertRegex(told.stdout, "cut .*/steps: Input/output error")
            self.succeeds(self.puts(1, name, backend, 9, "--steps", str(3 - done), "--first", str(done), "--mode", "2"))
        self.equal("apart", name)


if __name__ == "__main__":
    unittest.main()
