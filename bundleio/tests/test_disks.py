"""Disks that fail in the middle: what a step and a drain promise of data that shall be durable, and of a fast tier that fills up."""

import itertools
import os
import pathlib
import re
import shutil
import time
import unittest

from launch import BACKENDS, BUILD, Btrfs, Ext4, RunTest, alone, binary, job, mpi, patience

SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
LONE_RANKS = os.path.join(BUILD, "lib", "liblone_ranks.so")
# Other ways of a back end to write.
WAYS = BACKENDS + (["bp5:async=yes"] if "bp5" in BACKENDS else [])
IO = 7
MIB = 1 << 20
# HDF5 asks MPI-IO to sync as well, and keeps ranks waiting where that fails.
SYNCED_BY_BUNDLEIO = [name for name in BACKENDS if name != "netcdf4"]


class Disks(RunTest):

    def faulty(self, fault, ranks, *words):
        return job(ranks, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=" + fault, *words)

    def written(self, fault, name, backend, *more):
        return self.faulty(fault, 3, binary("write_cases"), self.path(name), backend, "--steps", "1", *more)

    def drain(self, *more, fault=None, fast="fast", slow="slow"):
        words = [binary("bundleio"), "drain", self.path(fast), self.path(slow), *more]
        return self.faulty(fault, 2, *words) if fault else mpi(2, *words)

    def fast_run(self):
        self.writes(3, "fast", "posix")

    def nothing_lost(self):
        visible = [name for name in self.steps("slow") if name.startswith("step-")]
        self.assertEqual(visible, [])
        self.succeeds(alone("check", self.path("fast")))
        self.assertEqual(self.steps("fast"), ["step-000000", "step-000001"])

    def test_a_step_that_cannot_be_synced_is_one_error_on_all_ranks_and_never_visible(self):
        for backend in SYNCED_BY_BUNDLEIO:
            with self.subTest(backend=backend):
                process = self.written("sync 1 0", backend, backend, "--options", "sync=yes")
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                lines = {line.split(" ", 2)[2] for line in process.stdout.splitlines() if line.startswith("rank ")}
                self.assertEqual((process.stdout.count("rank 0: sync "), len(lines)), (3, 1), process.stdout)
                self.assertTrue(lines.pop().startswith(f"{IO} rank 0: sync {self.path(backend)}"), process.stdout)
                self.assertEqual(self.steps(backend), [])

    def test_a_step_whose_name_cannot_be_synced_is_an_error_and_not_visible(self):
        for backend in ("posix", "pnetcdf"):
            with self.subTest(backend=backend):
                process = self.written("shown 1 0", backend, backend, "--options", "sync=yes")
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertEqual(process.stdout.count(f" rank 0: sync {self.path(backend)}: Input/output error"), 3, process.stdout)
                self.assertEqual(self.steps(backend), [])

    def test_whichever_write_of_a_step_finds_no_room_it_is_one_error_and_nothing_else_is_said(self):
        """The last ones come while files are closed. None of the libraries prints anything, or ends the process."""
        cases = [{"ranks": ranks, "backend": backend, "number": number} for ranks, backend, numbers in
                 ((1, "gather", range(1, 12)), (3, "gather", (4, 5, 6, 7)), (3, "posix", (1, 5))) for number in numbers]
        self.each(cases, self.has_no_room)

    def has_no_room(self, ranks, backend, number):
        name = f"{backend}-{ranks}-{number}"
        process = self.faulty(f"full {number} 1", ranks, binary("write_cases"), self.path(name), backend, "--steps", "1", "--grows")
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        lines = process.stdout.splitlines()
        self.assertEqual((len(lines), len({line.split(" ", 2)[2] for line in lines})), (ranks, 1), process.stdout)
        self.assertRegex(lines[0], "^rank [0-9]: 6 rank [0-9]: .*: No space left on device$")
        self.assertEqual(self.steps(name), [])

    def test_whatever_a_file_system_says_when_a_file_is_closed_is_an_error_of_the_step(self):
        """One far away takes what is written, and tells only then that it could not be stored. NetCDF's library does not look."""
        for options, least in (("", 3), ("steps_per_file=9", 6)):
            for number in itertools.count(1):
                name = f"closed-{bool(options)}-{number}"
                notes = self.path(name + "-notes")
                with self.subTest(options=options, number=number):
                    process = job(1, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, f"FAULTY_DISK=close {number} 0", binary("write_cases"),
                                  self.path(name), "gather", "--steps", "2", "--grows", "--options", options)
                    if not os.path.exists(notes) or "close " not in pathlib.Path(notes).read_text(encoding="utf-8"):
                        self.succeeds(process)
                        break
                    self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                    self.assertRegex(process.stdout, "rank 0: close .*: Input/output error")
                    # The step that was not closed well is none.
                    left = alone("check", self.path(name))
                    self.assertRegex(left.stdout + left.stderr, "holds no complete step|: 1 complete steps, all readable, as their checksums say")
            self.assertGreater(number, least)

    @unittest.skipIf(Ext4.MISSING, Ext4.MISSING)
    def test_a_file_system_that_dies_while_a_library_writes_is_told_as_the_system_tells_it(self):
        """The libraries say that an error is unknown, or that permission was denied."""
        for backend, said in itertools.product((name for name in ("pnetcdf", "netcdf4") if name in BACKENDS), ("Input/output error", "Read-only file system")):
            for fault, action in (("dead 1 0", "create"), ("dying 2 1000", "write")):
                disk = Ext4(self.path(f"{backend}-{action}-{said[:4]}"), "64M")
                with self.subTest(backend=backend, action=action, said=said), disk as folder:
                    run = os.path.join(folder, "run")
                    process = mpi(2, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=" + fault, "DISK_DEATH=" + disk.endings()[said], binary("hostile_cases"),
                                  "steps", run, backend, patience(backend), "2")
                    lines = re.findall(f"rank [01]: [57] (rank [01]: {action}.*)", process.stdout)
                    self.assertEqual((len(lines), len(set(lines))), (2, 1), process.stdout + process.stderr)
                    self.assertRegex(lines[0], f"{action}.* {run}/.step-00000[01].partial/(one|other).nc: {said}$")

    @unittest.skipIf(Btrfs.MISSING, Btrfs.MISSING)
    def test_a_quota_that_is_used_up_is_told_as_the_system_tells_it(self):
        """A step has 7 MB. Of a file system that has room, so that nobody asked for it in vain before."""
        for backend, (quota, steps, options) in itertools.product(BACKENDS, (("3M", "1", ""), ("11M", "2", "steps_per_file=2"))):
            with self.subTest(backend=backend, quota=quota), Btrfs(self.path(backend + quota), quota) as folder:
                process = mpi(2, binary("bundleio"), "bench", "--path", folder, "--grid", "48x96", "--planes", "16", "--steps", steps, "--backends", backend,
                              "--keep", "--options", f"{patience(backend)} {options}")
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertRegex(process.stderr, "bundleio: .*: Disk quota exceeded")
                left = alone("check", os.path.join(folder, backend))
                told = "holds no complete step" if steps == "1" else ": 1 complete steps, all readable, as their checksums say"
                self.assertIn(told, left.stdout + left.stderr)

    @unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")
    def test_a_step_that_meets_the_failure_of_the_one_before_is_said_to_be_lost_too(self):
        process = self.faulty("sync 1 0", 3, binary("write_cases"), self.path("run"), "bp5", "--steps", "2", "--options", "sync=yes async=yes")
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        said = ": step 0, which was put before, is lost, and the step that was put now was not written either: the next one is step 0\n"
        self.assertEqual(process.stdout.count(said), 3, process.stdout)
        self.assertEqual(self.steps("run"), [])

    def test_a_sync_that_never_comes_back_ends_the_job(self):
        """Before it, all files are written and closed."""
        for backend in ("pnetcdf",):
            process = self.faulty("nap 1 600", 2, binary("write_cases"), self.path(backend), backend, "--steps", "1", "--options", "sync=yes give_up_seconds=3")
            self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
            self.assertRegex(process.stderr, r"bundleio: rank 0: write .*step-000000: nothing more is stored.*\(give_up_seconds\)")
            self.assertEqual([name for name in self.steps(backend) if name.startswith("step-")], [])

    def test_what_need_not_be_durable_is_not_synced(self):
        for backend in SYNCED_BY_BUNDLEIO:
            with self.subTest(backend=backend):
                self.succeeds(self.written("sync 1 0", backend, backend))
                self.assertEqual(self.steps(backend), ["step-000000"])

    def events(self, name, backend, *more):
        """What was synced and renamed, in that order."""
        notes = self.path(name + "-events")
        self.succeeds(mpi(2, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, binary("write_cases"), self.path(name), backend, *more))
        with open(notes, encoding="utf-8") as lines:
            return lines.read().splitlines()

    def test_a_durable_step_is_synced_with_its_folders_before_it_is_visible_and_its_name_after(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                events = self.events(backend, backend, "--steps", "1", "--options", "sync=yes")
                visible = next(at for at, event in enumerate(events) if event.startswith("rename ") and "/.step-" in event)
                partial = events[visible].removeprefix("rename ")
                step = self.path(backend, "step-000000")
                entries = [os.path.join(folder, name) for folder, folders, files in os.walk(step) for name in folders + files]
                wanted = {f"sync {partial}"} | {"sync " + path.replace(step, partial) for path in entries}
                self.assertEqual(wanted - set(events[:visible]), set())
                self.assertIn("sync " + self.path(backend), events[visible:])

    def test_each_machine_syncs_what_its_ranks_wrote(self):
        """On a parallel file system nobody else can: it still has the values in its own cache. Also where no rank knows what it has open."""
        for backend, fault in [(backend, "none 1 0") for backend in WAYS] + [(backend, "noname 1 0") for backend in ("posix", "pnetcdf")]:
            with self.subTest(backend=backend, fault=fault):
                backend, _, way = backend.partition(":")
                name = backend + way + fault[:6]
                notes = self.path(name + "-notes")
                os.mkdir(notes)
                # A file for each process.
                self.succeeds(mpi(3, "bash", "-c", 'export DISK_NOTES="$0/$$-synced" DISK_WRITES="$0/$$-written"; exec "$@"', notes,
                                  "env", f"LD_PRELOAD={SHIM} {LONE_RANKS}", "FAULTY_DISK=" + fault, binary("write_cases"), self.path(name), backend, "--steps", "1",
                                  "--options", "sync=yes " + way))
                ranks = {file.partition("-")[0] for file in os.listdir(notes)}
                self.assertGreater(len(ranks), 1)
                for rank in ranks:
                    self.assertEqual(self.noted(notes, rank, "write ") - self.noted(notes, rank, "sync "), set())

    def noted(self, notes, rank, what):
        path = os.path.join(notes, rank + ("-written" if what == "write " else "-synced"))
        if not os.path.exists(path):
            return set()
        with open(path, encoding="utf-8") as lines:
            return {line.removeprefix(what) for line in lines if line.startswith(what)}

    def test_a_durable_step_of_a_series_is_synced_before_the_index_names_it(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                name = "series-" + backend
                series = self.path(name, "series-000000")
                events = self.events(name, backend, "--grows", "--steps", "2", "--options", "sync=yes steps_per_file=9")
                self.assertIn("sync " + self.path(name), events)
                # Each time with all files, and then with the new entry.
                index = "sync " + os.path.join(series, "steps")
                self.assertEqual(events.count(index), 4)
                self.assertEqual(events[-1], index)
                for folder, folders, files in os.walk(series):
                    for entry in folders + files:
                        self.assertGreaterEqual(events.count("sync " + os.path.join(folder, entry)), 2, entry)
                if backend == "netcdf4":
                    copied = events.index("rename " + os.path.join(series, ".undo.partial"))
                    self.assertEqual((events[copied - 1], events[copied + 1]), (f"sync {series}/.undo.partial", "sync " + series))

    def test_a_drain_that_cannot_sync_what_it_moved_keeps_the_fast_copy(self):
        self.fast_run()
        for form in ((), ("--to", "pnetcdf")):
            with self.subTest(form=form):
                process = self.drain(*form, fault="sync 1 0")
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertRegex(process.stderr, "rank [01]: sync .*: Input/output error")
                self.nothing_lost()

    def test_a_bit_that_is_copied_wrongly_is_found_and_the_fast_copy_stays(self):
        self.fast_run()
        process = self.drain(fault="copy 1 1000")
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        self.assertRegex(process.stderr, "reads back other than it was written: the fast copy stays")
        self.nothing_lost()
        self.succeeds(self.drain())
        self.assertEqual(self.steps("fast"), [])

    def test_a_drain_that_copies_is_not_faster_than_its_limit(self):
        self.succeeds(mpi(2, binary("bundleio"), "bench", "--path", self.path("bench"), "--grid", "48x96", "--planes", "10", "--steps", "1",
                          "--backends", "posix", "--keep"))
        fast = os.path.join("bench", "posix")
        moved = sum(entry.stat().st_size for entry in os.scandir(self.path(fast, "step-000000")))
        start = time.monotonic()
        self.succeeds(self.drain("--mib-per-second", "4", fast=fast))
        # Ranks move whole files, each at its share of the rate: at best at the same time.
        self.assertGreater(time.monotonic() - start, 0.9 * moved / (4 * MIB))

    def test_the_drain_of_a_run_gets_the_limit_and_the_format_that_the_run_was_told(self):
        with open(self.path("tool"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$@" > {self.path("words")}\nexec {binary("bundleio")} "$@"\n')
        os.chmod(self.path("tool"), 0o755)
        self.succeeds(mpi(2, "env", "BUNDLEIO_TOOL=" + self.path("tool"), binary("write_cases"), self.path("slow"), "posix", "--steps", "1",
                          "--options", f"fast_tier={self.path('fast')} reserve_mib=0 drain=yes drain_mib_per_second=17 drain_to=netcdf4"))
        for _ in range(3000):
            if not os.path.isdir(self.path("slow", ".drain")) and os.path.isdir(self.path("slow", "step-000000")):
                break
            time.sleep(0.02)
        with open(self.path("words"), encoding="utf-8") as file:
            words = file.read()
        self.assertRegex(words, "--mib-per-second 17 .*--to netcdf4")
        self.assertTrue(os.path.exists(self.path("slow", "step-000000", "mesh.nc")))

    def test_a_fast_tier_that_fills_up_within_a_step_is_left_for_the_run_and_that_is_said_once(self):
        self.writes(2, "reference", "posix")
        for backend in ("posix", "gather", "pnetcdf"):
            with self.subTest(backend=backend):
                # The first write of each process fails; what is tried again goes well.
                process = self.faulty("full 1 1", 3, binary("write_cases"), self.path("slow"), backend, "--options",
                                      f"fast_tier={self.path('fast')} reserve_mib=0")
                self.succeeds(process)
                said = re.findall("bundleio: fast tier .*No space left on device.*are written to", process.stderr)
                self.assertEqual(len(said), 1, process.stderr)
                self.assertEqual((self.steps("slow"), self.steps("fast")), (["step-000000"], ["step-000001"]))
                shutil.move(self.path("fast", "step-000001"), self.path("slow", "step-000001"))
                self.equal("reference", "slow")
                shutil.rmtree(self.path("slow"))


if __name__ == "__main__":
    unittest.main()
