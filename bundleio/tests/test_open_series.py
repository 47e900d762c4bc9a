"""Files that stay open from step to step, and files that a kill in the middle of a step would spoil: what others see of them, and what stays."""

import glob
import os
import random
import re
import shutil
import subprocess
import time
import unittest

from launch import BACKENDS, BUILD, POLL_SECONDS, POLLS_MAX, SECONDS_MAX, RamDisk, RunTest, alone, binary, job, locked, mpi, mpi_environment, single

SHIM = "LD_PRELOAD=" + os.path.join(BUILD, "lib", "libfaulty_disk.so")
# Those that keep files open between steps, each with a file that then is.
KEEP_OPEN = {"pnetcdf": "mesh.nc", "bp5": "bundles.bp/md.idx", "bp5:async=yes": "bundles.bp/md.idx"}
# Other ways of a back end to write.
WAYS = BACKENDS + (["bp5:async=yes", "bp5:aggregation=shared"] if "bp5" in BACKENDS else [])
NEEDS_BP5 = unittest.skipUnless("bp5" in BACKENDS, "needs ADIOS2")


class OpenSeries(RunTest):
    def command(self, ranks, name, backend, *more, options="", before=()):
        backend, _, way = backend.partition(":")
        return ["mpirun", "-n", str(ranks), *before, binary("write_cases"), self.path(name), backend, "--grows", "--options",
                f"steps_per_file=9 give_up_seconds=10 {way} {options}", *more]

    def puts(self, *words, **more):
        command = self.command(*words, **more)
        return job(int(command[2]), *command[3:])

    def goes_on(self, name, backend, first, steps, ranks=2, **more):
        self.succeeds(self.puts(ranks, name, backend, "--steps", str(steps), "--first", str(first), "--mode", "2", **more))

    def expected(self, steps):
        self.succeeds(mpi(2, binary("write_cases"), self.path("apart"), "posix", "--grows", "--steps", str(steps)))

    def whole(self, name):
        """How many steps `check` finds; each must be readable, as its checksums say."""
        told = self.succeeds(alone("check", self.path(name)))
        return int(re.search(r"(\d+) complete steps, (all readable|equal)", told).group(1))

    def waits_until(self, holds):
        for _ in range(POLLS_MAX * 2):
            if holds():
                return
            time.sleep(POLL_SECONDS)
        self.fail("it never came to be so")

    def series(self, name, *parts):
        return self.path(name, "series-000000", *parts)

    def opened(self, file):
        """Processes of ours that have the file open."""
        def links(process):
            for link in glob.glob(process + "/fd/*"):
                try:
                    yield os.readlink(link)
                except OSError:
                    pass
        return [process for process in glob.glob("/proc/[0-9]*") if file in links(process)]

    def test_files_stay_open_between_steps_and_each_step_can_be_read_at_once(self):
        self.expected(3)
        for backend in BACKENDS + ["bp5:async=yes"] * ("bp5" in BACKENDS):
            with self.subTest(backend=backend):
                name = backend.replace(":", "-")
                process = subprocess.Popen(self.command(2, name, backend, "--steps", "3", "--hold", self.path("go-" + name)), env=mpi_environment(),
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(process.kill)
                # An asynchronous step counts when the next one comes.
                late = 1 if "async" in backend else 0
                for step in (0, 1):
                    if step > late - 1:
                        self.waits_until(lambda: os.path.exists(self.series(name, "steps")) and self.counted(name) == step + 1 - late)
                        if step >= late:
                            self.assertEqual(self.whole(name), step + 1 - late)
                            if backend == "pnetcdf":
                                self.assertEqual(self.entries(name, "series-000000/mesh.nc"), step + 1)
                    if backend in KEEP_OPEN and step == 1:
                        self.assertNotEqual(self.opened(self.series(name, KEEP_OPEN[backend])), [])
                    elif step == 1:
                        self.assertEqual(self.opened(self.series(name, "mesh.nc")), [])
                    with open(self.path(f"go-{name}-{step + 1}"), "w", encoding="utf-8"):
                        pass
                self.assertEqual(process.wait(timeout=SECONDS_MAX), 0)
                self.equal("apart", name)

    @unittest.skipUnless("pnetcdf" in BACKENDS, "needs PnetCDF")
    def test_a_reader_of_netcdf_sees_the_steps_that_count_where_a_conversion_is_killed(self):
        """Boxes are written by each rank alone, so that the header is behind until it is told."""
        self.expected(5)
        for number in (30, 45, 60):
            with self.subTest(number=number):
                name = f"killed-{number}"
                killed = mpi(1, "env", SHIM, f"FAULTY_DISK=kill {number} 64", binary("bundleio"), "convert", self.path("apart"), self.path(name),
                             "--to", "pnetcdf", "--options", "steps_per_file=9")
                self.assertNotEqual(killed.returncode, 0, killed.stdout)
                counted = self.whole(name)
                self.assertIn(counted, range(1, 5))
                for file in ("mesh.nc", "odd%20names.nc"):
                    self.assertGreaterEqual(self.entries(name, "series-000000/" + file), counted)

    def counted(self, name):
        with open(self.series(name, "steps"), "rb") as index:
            return index.read().count(b"\ndone ")

    @NEEDS_BP5
    def test_what_lies_behind_the_last_step_of_a_bp_folder_is_not_seen_and_goes_with_the_next_run(self):
        self.expected(4)
        for ranks in (2, 4):
            name = f"run-{ranks}"
            self.succeeds(self.puts(ranks, name, "bp5", "--steps", "2"))
            for file in ("md.idx", "md.0", "mmd.0", "data.0"):
                with open(self.series(name, "bundles.bp", file), "ab") as torn:
                    torn.write(random.Random(7).randbytes(333))
            with open(self.series(name, "bundles.bp", "data.9"), "ab") as torn:
                torn.write(b"of a run that was killed")
            self.assertEqual(self.whole(name), 2)
            self.goes_on(name, "bp5", 2, 2, ranks=ranks)
            self.assertEqual(self.steps(name), ["series-000000"])
            self.assertFalse(os.path.exists(self.series(name, "bundles.bp", "data.9")))
            self.equal("apart", name)

    @NEEDS_BP5
    def test_more_data_files_than_a_bp_folder_has_begin_another_one(self):
        self.expected(4)
        self.succeeds(self.puts(1, "run", "bp5", "--steps", "2"))
        self.goes_on("run", "bp5", 2, 2, ranks=4)
        self.assertEqual(self.steps("run"), ["series-000000", "series-000002"])
        self.equal("apart", "run")

    @NEEDS_BP5
    def test_damaged_metadata_of_a_bp_folder_with_several_steps_are_refused(self):
        for options in ("", "checksums=no"):
            name = "run" + options
            self.succeeds(self.puts(2, name, "bp5", "--steps", "3", options=options))
            dice = random.Random(20)
            flips = []
            for file in ("md.idx", "md.0", "mmd.0"):
                # Byte 39 of the index of steps says whether a writer has it open, and is not read.
                places = [at for at in range(os.path.getsize(self.series(name, "bundles.bp", file))) if (file, at) != ("md.idx", 39)]
                flips += [(file, dice.choice(places), dice.randrange(8)) for _ in range(12)]
            for file, at, bit in self.kept(flips, flips[::3]):
                with self.subTest(options=options, file=file, at=at), Flipped(self.series(name, "bundles.bp", file), at, bit):
                    told = alone("check", self.path(name))
                    self.assertEqual(told.returncode, 3, told.stdout + told.stderr)
                    self.assertRegex(told.stderr, f"{file} is damaged: it is not as it was written|of 3 steps are damaged")
            self.assertEqual(self.whole(name), 3)

    @NEEDS_BP5
    def test_a_bp_folder_that_is_cut_off_is_refused(self):
        self.succeeds(self.puts(2, "run", "bp5", "--steps", "2"))
        path = self.series("run", "bundles.bp", "data.1")
        os.truncate(path, os.path.getsize(path) - 1)
        told = alone("check", self.path("run"))
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertIn("data.1 has", told.stderr)

    @unittest.skipUnless("netcdf4" in BACKENDS, "needs netcdf4")
    def test_hdf5_files_of_a_killed_run_are_put_back_by_who_reads_them_or_goes_on(self):
        self.expected(4)
        self.succeeds(self.puts(2, "two", "netcdf4", "--steps", "2"))
        before = self.content("two")
        for number in self.kept((4, 18, 30, 41, 43, 45, 47, 48, 49), (4, 30, 41, 45, 48)):
            with self.subTest(number=number):
                name = f"killed-{number}"
                shutil.copytree(self.path("two"), self.path(name))
                killed = self.puts(2, name, "netcdf4", "--steps", "1", "--first", "2", "--mode", "2",
                                   before=["env", SHIM, f"FAULTY_DISK=kill {number} 1"])
                self.assertNotEqual(killed.returncode, 0, "the fault came")
                self.assertNotEqual(sorted(os.listdir(self.series(name))), ["mesh.nc", "odd%20names.nc", "steps"])
                if number % 2 == 0:
                    self.assertEqual(self.whole(name), 2)
                    self.assertEqual({key: value for key, value in self.content(name).items() if "partial" not in key}, before)
                self.goes_on(name, "netcdf4", 2, 2)
                self.assertEqual(sorted(os.listdir(self.series(name))), ["mesh.nc", "odd%20names.nc", "steps"])
                self.equal("apart", name)

    @unittest.skipUnless("netcdf4" in BACKENDS, "needs netcdf4")
    def test_what_was_put_back_is_on_the_disk_before_its_copy_goes(self):
        self.succeeds(self.puts(2, "run", "netcdf4", "--steps", "2"))
        killed = self.puts(2, "run", "netcdf4", "--steps", "1", "--first", "2", "--mode", "2", before=["env", SHIM, "FAULTY_DISK=kill 40 1"])
        self.assertNotEqual(killed.returncode, 0)
        # Of one step: what looks at the next puts back again.
        told = single("env", SHIM, "FAULTY_DISK=sync 1 0", binary("bundleio"), "dump", self.path("run"))
        self.assertEqual(told.returncode, 3, told.stdout)
        self.assertRegex(told.stderr, r"sync .*\.nc: Input/output error")
        self.assertTrue(os.path.exists(self.series("run", ".undo")))
        self.assertEqual(self.whole("run"), 2)
        self.assertFalse(os.path.exists(self.series("run", ".undo")))

    def content(self, name):
        contents = {}
        for file in os.listdir(self.series(name)):
            with open(self.series(name, file), "rb") as stream:
                contents[file] = stream.read()
        return contents

    @unittest.skipUnless("netcdf4" in BACKENDS, "needs netcdf4")
    def test_a_copy_that_is_damaged_or_out_of_date_changes_nothing(self):
        self.succeeds(self.puts(2, "run", "netcdf4", "--steps", "2"))
        killed = self.puts(2, "run", "netcdf4", "--steps", "1", "--first", "2", "--mode", "2", before=["env", SHIM, "FAULTY_DISK=kill 40 1"])
        self.assertNotEqual(killed.returncode, 0)
        undo = self.series("run", ".undo")
        before = self.content("run")
        for at in (3, 60, os.path.getsize(undo) - 5):
            with self.subTest(at=at), Flipped(undo, at, 1):
                told = alone("check", self.path("run"))
                self.assertEqual(told.returncode, 3, told.stdout)
                self.assertIn(".undo: ", told.stderr)
        # A copy that could not be read may still be needed: the message must not advise to remove it.
        os.rename(undo, self.path("kept"))
        for target, said in ((".undo", "Too many levels of symbolic links"), ("/proc/self/mem", "Input/output error")):
            os.symlink(target, undo)
            told = alone("check", self.path("run"))
            self.assertEqual(told.returncode, 3, told.stdout)
            self.assertIn(".undo: " + said, told.stderr)
            self.assertNotIn("remove it", told.stderr)
            os.remove(undo)
        os.rename(self.path("kept"), undo)
        self.assertEqual(self.content("run"), before)
        self.assertEqual(self.whole("run"), 2)
        self.goes_on("run", "netcdf4", 2, 1)
        # As a run leaves it that is killed when its step counts already.
        with open(undo, "wb") as late:
            late.write(before[".undo"])
        self.assertEqual(self.whole("run"), 3)
        self.assertFalse(os.path.exists(undo))

    @unittest.skipUnless("netcdf4" in BACKENDS and os.geteuid() == 0, "needs netcdf4, and root to mount a disk")
    def test_files_to_which_another_machine_may_be_writing_are_not_put_back(self):
        """A file system of which nothing is known may be one of a network, where this machine sees its own locks alone."""
        self.expected(3)
        with RamDisk(self.path("net"), "64m", "ramfs"):
            self.succeeds(self.puts(2, "net/run", "netcdf4", "--steps", "2", options="space_check=no"))
            killed = self.puts(2, "net/run", "netcdf4", "--steps", "1", "--first", "2", "--mode", "2", options="space_check=no",
                               before=["env", SHIM, "FAULTY_DISK=kill 40 1"])
            self.assertNotEqual(killed.returncode, 0)
            shutil.copytree(self.path("net/run"), self.path("net/here"))
            with open(self.path("net/run/.lock"), "w", encoding="utf-8") as lock:
                lock.write("of another machine\n")
            before = self.content("net/run")
            told = single(binary("lists_c"), self.path("net/run"), "1", "give_up_seconds=1")
            self.assertNotEqual(told.returncode, 0, told.stdout)
            self.assertIn("or was killed while it did: the file system does not tell here which of them", told.stdout + told.stderr)
            self.assertIn("unless that was restarted since, or go on with mode append, or put its files back with bundleio check --run-ended",
                          told.stdout + told.stderr)
            self.assertEqual(self.content("net/run"), before)
            # Whoever knows that it has ended, on any machine, also where it was before a restart.
            shutil.copytree(self.path("net/run"), self.path("net/known"))
            with locked(self.path("net/known")):
                refused = alone("check", "--run-ended", self.path("net/known"))
                self.assertEqual((refused.returncode, "a run writes to" in refused.stderr), (3, True), refused.stderr)
            self.assertIn("2 complete steps", self.succeeds(alone("check", "--run-ended", self.path("net/known"))))
            # The run was here, and is over.
            self.assertEqual(self.whole("net/here"), 2)
            self.goes_on("net/run", "netcdf4", 2, 1, options="space_check=no")
            self.equal("apart", "net/run")
            self.assertEqual(self.steps("net/run"), ["series-000000"])

    def test_a_run_on_another_machine_keeps_this_one_away(self):
        os.mkdir(self.path("run"))
        with locked(self.path("run")):
            told = self.puts(1, "run", "posix")
            self.assertEqual(told.returncode, 3, told.stdout)
            self.assertIn("another run writes to " + self.path("run"), told.stdout)
        self.succeeds(self.puts(1, "run", "posix"))
        self.assertEqual(os.listdir(self.path("run")), ["series-000000"])

    @unittest.skipUnless("netcdf4" in BACKENDS, "needs netcdf4")
    def test_rounded_values_of_several_steps_have_the_checksums_of_what_is_stored(self):
        self.succeeds(self.puts(2, "run", "netcdf4", "--steps", "2", options="keep_bits=4 deflate=1 verify=yes"))
        self.goes_on("run", "netcdf4", 2, 1, options="keep_bits=4 deflate=1")
        self.assertEqual(self.whole("run"), 3)

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_where_others_may_not_see_open_files_they_are_closed_after_each_step(self):
        self.expected(3)
        for backend in KEEP_OPEN:
            if backend.partition(":")[0] not in BACKENDS:
                continue
            # A file system of which nothing is known.
            with self.subTest(backend=backend), RamDisk(self.path("ram"), "64m", "ramfs"):
                process = subprocess.Popen(self.command(2, "ram/run", backend, "--steps", "3", "--hold", self.path("go-" + backend),
                                                        options="space_check=no"),
                                           env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(process.kill)
                if "async" not in backend:
                    self.waits_until(lambda: os.path.exists(self.series("ram/run", "steps")) and self.counted("ram/run") == 1)
                    self.assertEqual(self.opened(self.series("ram/run", KEEP_OPEN[backend])), [])
                for step in (1, 2):
                    with open(self.path(f"go-{backend}-{step}"), "w", encoding="utf-8"):
                        pass
                self.assertEqual(process.wait(timeout=SECONDS_MAX), 0)
                self.equal("apart", "ram/run")

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_disk_that_fills_up_costs_one_step_and_leaves_those_before(self):
        for backend in WAYS:
            # Two steps of 4.1 MB fit.
            with self.subTest(backend=backend), RamDisk(self.path("disk"), "11m") as disk:
                failed = mpi(3, binary("bundleio"), "bench", "--path", disk, "--backends", backend, "--grid", "30x60", "--planes", "20", "--steps", "5",
                             "--keep", "--options", "space_check=no give_up_seconds=5 steps_per_file=9")
                self.assertEqual(failed.returncode, 3, failed.stdout + failed.stderr)
                lines = [line for line in failed.stderr.splitlines() if line.startswith("bundleio:")]
                self.assertTrue(len(lines) == 1 or "(give_up_seconds)" in lines[0], failed.stderr)
                self.assertEqual(self.whole(os.path.join("disk", backend)), 2)

    def test_two_runs_at_once_are_refused_while_files_are_open(self):
        for backend in ("pnetcdf", "netcdf4", "bp5"):
            if backend not in BACKENDS:
                continue
            with self.subTest(backend=backend):
                process = subprocess.Popen(self.command(2, backend, backend, "--steps", "2", "--hold", self.path("go-" + backend)),
                                           env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(process.kill)
                self.waits_until(lambda: os.path.exists(self.series(backend, "steps")) and self.counted(backend) == 1)
                told = self.puts(2, backend, backend, "--steps", "1", "--first", "1", "--mode", "2")
                self.assertEqual(told.returncode, 3, told.stdout)
                self.assertIn("another run writes to", told.stdout)
                with open(self.path(f"go-{backend}-1"), "w", encoding="utf-8"):
                    pass
                self.assertEqual(process.wait(timeout=SECONDS_MAX), 0)
                self.assertEqual(self.whole(backend), 2)


class Flipped:
    """A file with one bit changed, for a while."""

    def __init__(self, path, at, bit):
        self.path, self.at, self.bit = path, at, bit

    def __enter__(self):
        self.flip()

    def __exit__(self, *_):
        self.flip()

    def flip(self):
        with open(self.path, "r+b") as file:
            file.seek(self.at)
            byte = file.read(1)[0]
            file.seek(self.at)
            file.write(bytes([byte ^ (1 << self.bit)]))


if __name__ == "__main__":
    unittest.main()
