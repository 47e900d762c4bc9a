"""Any MPI-IO: one that swallows errors is refused, and what no library told is found before a step is visible."""

import ctypes
import glob
import itertools
import os
import re
import signal
import subprocess
import time
import unittest

from launch import BUILD, MPIRUN, POLL_SECONDS, SECONDS_MAX, Overlay, RamDisk, RunTest, alone, binary, built, mpi, mpi_environment, patience, single

LOST = (1, 2, 4, 7)
EACH_LOST = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
SHARED = "steps_per_file=9"
SHIM = os.path.join(BUILD, "lib", "libfaulty_disk.so")
BACKENDS = ("pnetcdf", "netcdf4")
CACHESTAT = 451
ATTEMPTS = 3
SOON = "give_up_seconds=10"
# A step of 8 MB.
MODEL = ["--grid", "48x96", "--planes", "20", "--steps", "2", "--keep"]

SETTINGS = re.compile(r"--mca\b|\b(?:OMPI|PMIX|UCX|MPICH|MPIR|ROMIO)_(?!SUITES|PACKAGES)[A-Za-z_0-9]+")
START = {"launch.py", "mpi-environment"}
# The switches that are set all the same, and where: those that root, two cores and containers need of any user; MPI-IO, by the library itself, as it does for
# any user, and in tests of that choice; a folder of its own for what Open MPI's jobs share, and no daemon beside a process that is alone; and what keeps
# the search for leaks from crashing, in the build for it.
SET_HERE = {"OMPI_ALLOW_RUN_AS_ROOT": START, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": START, "OMPI_MCA_rmaps_base_oversubscribe": START,
            "OMPI_MCA_btl_vader_single_copy_mechanism": START, "OMPI_MCA_io": {"mpi_io.cpp", "auto_choice.cpp", "test_auto.py", "test_faults.py"},
            "OMPI_MCA_orte_tmpdir_base": {"launch.py"}, "OMPI_MCA_ess_singleton_isolated": {"launch.py"}, "OMPI_MCA_pml": {"sanitizers.py"}}
# Names by which sources know an MPI, or what it set for a rank.
SET_HERE.update({"MPICH_VERSION": {"watchdog.cpp"}, "OMPI_COMM_WORLD_RANK": {"main.cpp"}, "PMIX_RANK": {"main.cpp"}})


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class MpiIo(RunTest):

    def bench(self, ranks, backend, *before, options="", path="run"):
        return mpi(ranks, *before, binary("bundleio"), "bench", "--path", self.path(path), "--backends", backend, *MODEL,
                   "--options", f"space_check=no {SOON} {options}")

    def is_one_error(self, process, pattern):
        self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
        lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
        self.assertEqual(len(lines), 1, process.stderr)
        self.assertRegex(lines[0], pattern)

    def test_nothing_here_sets_what_a_user_would_not_have_set(self):
        self.assertNotIn("OMPI_MCA_io", os.environ)
        here = os.path.dirname(os.path.abspath(__file__))
        above = os.path.dirname(here)
        scripts = [path for path in glob.glob(os.path.join(above, "*")) if os.path.isfile(path) and not path.endswith((".md", ".txt"))]
        scripts += glob.glob(os.path.join(above, "..", "scripts", "bundleio-*"))
        for folder in (here, *(os.path.join(above, name) for name in ("benchmarks", "cmake", "examples", "fortran", "pio", "python", "src", "tools"))):
            scripts += [path for ending in ("py", "c", "cpp", "hpp", "h", "f90", "cmake") for path in glob.glob(os.path.join(folder, "**", "*." + ending), recursive=True)]
        found = {}
        for path in set(scripts):
            with open(path, encoding="utf-8") as file:
                for name in SETTINGS.findall(file.read()):
                    found.setdefault(name, set()).add(os.path.basename(path))
        for name, files in found.items():
            self.assertLessEqual(files - {os.path.basename(__file__)}, SET_HERE.get(name, set()), name)

    def test_no_model_here_ignores_a_signal_that_ends_a_users_model(self):
        here = os.path.dirname(os.path.abspath(__file__))
        for folder in (here, os.path.join(os.path.dirname(here), "examples")):
            for path in glob.glob(os.path.join(folder, "*.c*")) + glob.glob(os.path.join(folder, "test_*.py")):
                with open(path, encoding="utf-8") as file:
                    # Written so that this line is none of them.
                    self.assertNotRegex(file.read(), """SIG_[I]GN|trap ["']{2}""", path)

    def test_an_mpi_io_that_swallows_errors_is_refused_by_the_setting_that_chose_it(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.bench(2, backend, "env", "OMPI_MCA_io=ompio")
                self.is_one_error(process, "says that writes went well which failed .*: unset OMPI_MCA_io=ompio, or make it \\^ompio")
                process = mpi(2, binary("hostile_cases"), "own-file", self.path("own"), backend)
                self.assertIn("rank 1: 3 rank 0: this MPI-IO says", process.stdout + process.stderr)
                self.assertIn("the program opened a file before, with the MPI's own choice: start it with OMPI_MCA_io=^ompio", process.stdout)

    def test_an_mpi_io_that_opens_no_file_is_told_by_the_setting_that_left_it_none(self):
        """As Open MPI without ROMIO, of which bundleio wants that."""
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                for value, remedy in (("romio999", "unset OMPI_MCA_io=romio999, or make it \\^ompio"),
                                      ("^ompio,romio321", "unset OMPI_MCA_io=\\^ompio,romio321, or make it \\^ompio")):
                    process = self.bench(2, backend, "env", "OMPI_MCA_io=" + value)
                    self.is_one_error(process, "this MPI opens no file by MPI-IO .*: " + remedy)

    def test_the_other_one_may_be_named(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                self.succeeds(self.bench(2, backend, "env", "OMPI_MCA_io=romio321", path=backend))

    def test_where_the_system_gives_no_thread_steps_are_written_unwatched_and_that_is_said_once(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.bench(2, backend, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=thread 1 0", path=backend)
                self.succeeds(process)
                lines = [line for line in process.stderr.splitlines() if line.startswith("bundleio:")]
                self.assertEqual(len(lines), 1, process.stderr)
                self.assertRegex(lines[0], "no thread to see whether it goes on .*: if it stalls, nothing ends the job; raise the limit")

    def test_a_limit_on_files_is_one_error_whoever_has_it(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.bench(2, backend, "bash", "-c", 'ulimit -f 1000; exec "$@"', "sh", path=backend)
                self.is_one_error(process, "rank [0-9]: .* takes [0-9]+ bytes: File too large: this process may write 1024000 bytes to a file: raise that")
            for exchange in ("yes", "no"):
                with self.subTest(backend=backend, exchange=exchange):
                    name = f"{backend}-{exchange}"
                    process = mpi(4, binary("hostile_cases"), "limited-rank", self.path(name), backend, f"{SOON} exchange={exchange}")
                    self.assertEqual(process.stdout.count(": 6 rank 3: "), 4, process.stdout + process.stderr)
                    self.assertEqual(self.steps(name), ["step-000000"])

    def test_a_file_that_the_next_step_would_make_too_large_is_said_before_that_is_written(self):
        for backend in (backend for backend in BACKENDS if backend in ("pnetcdf", "netcdf4")):
            with self.subTest(backend=backend):
                self.succeeds(self.bench(2, backend, "env", options="steps_per_file=99", path="two steps"))
                files = glob.glob(self.path("two steps", backend, "series-000000", "*.nc"))
                # Room for a step and a half.
                kibibytes = max(os.path.getsize(file) for file in files) * 3 // 4 // 1024
                process = self.bench(2, backend, "bash", "-c", f'ulimit -f {kibibytes}; exec "$@"', "sh", options="steps_per_file=99", path="one step")
                self.is_one_error(process, "rank [0-9]: .* takes [0-9]+ bytes: File too large: this process may write [0-9]+ bytes to a file: raise that")
                self.assertIn("1 complete steps, all readable", self.succeeds(alone("check", self.path("one step", backend))))

    # How much packed values take is not known before they are written.
    def packed(self):
        for shared in ("", SHARED):
            with self.subTest(shared=shared):
                self.succeeds(self.bench(2, "netcdf4", "env", options="deflate=1 " + shared, path="room" + shared))
                yield "deflate=1 " + shared, glob.glob(self.path("room" + shared, "netcdf4", "*", "*.nc"))

    @unittest.skipUnless("netcdf4" in BACKENDS, "no netcdf4 in this build")
    def test_packed_values_that_outgrow_a_limit_are_one_error(self):
        for options, files in self.packed():
            kibibytes = max(os.path.getsize(file) for file in files) * 3 // 4 // 1024
            process = self.bench(2, "netcdf4", "bash", "-c", f'ulimit -f {kibibytes}; exec "$@"', "sh", options=options, path="run" + options)
            self.is_one_error(process, r"rank [0-9]: .*File too large: this process may write [0-9]+ bytes to a file: raise that \(ulimit -f\)")
            self.assertNotIn("Signal: ", process.stderr)
            if SHARED in options:
                self.assertIn("1 complete steps, all readable", self.succeeds(alone("check", self.path("run" + options, "netcdf4"))))

    @unittest.skipUnless("netcdf4" in BACKENDS and os.geteuid() == 0, "no netcdf4 in this build, or mounting a small disk needs root")
    def test_packed_values_that_fill_a_disk_are_one_error(self):
        for options, files in self.packed():
            kibibytes = sum(os.path.getsize(file) for file in files) * 3 // 4 // 1024
            with RamDisk(self.path("disk"), f"{kibibytes}k"):
                process = self.bench(2, "netcdf4", options=options, path="disk")
                self.is_one_error(process, "No space left on device")
                self.assertNotIn("Signal: ", process.stderr)
                self.assertIn("1 complete steps, all readable", self.succeeds(alone("check", self.path("disk", "netcdf4"))))

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_disk_that_is_full_is_one_error(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend), RamDisk(self.path("run"), "12m"):
                process = self.bench(4, backend)
                self.is_one_error(process, "take room for [0-9]+ bytes of .*: No space left on device")
                self.assertEqual(self.steps(os.path.join("run", backend)), ["step-000000"])

    @unittest.skipUnless(os.geteuid() == 0, "mounting a disk needs root")
    def test_a_write_that_was_lost_silently_is_found_before_the_step_is_visible(self):
        for backend in BACKENDS:
            # Of several variables and files, as far as there are so many writes.
            for number in LOST:
                notes = self.path(f"lost-{backend}-{number}")
                with self.subTest(backend=backend, number=number), RamDisk(self.path("run"), "64m"):
                    process = self.bench(2, backend, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, f"FAULTY_DISK=lose {number} 20000")
                    with open(notes, encoding="utf-8") as lines:
                        if "lose " not in lines.read():
                            break
                    self.is_one_error(process, "the I/O library reported no error, but (.* never written|the file has [0-9]+ of)")
                    self.assertEqual(self.steps(os.path.join("run", backend)), [])
            self.assertGreater(number, 2)

    @unittest.skipUnless("netcdf4" in BACKENDS and os.geteuid() == 0, "no netcdf4 in this build, or mounting a disk needs root")
    def test_a_lost_write_of_a_variable_that_the_library_fills_before_is_found(self):
        """It has a _FillValue: the library stores that all over it, and a lost write of its values leaves no hole."""
        for shared in self.kept(["", SHARED], [SHARED]):
            found = []
            for number in itertools.count(1):
                notes = self.path(f"lost-{number}-{shared}")
                with self.subTest(shared=shared, number=number), RamDisk(self.path("run"), "64m"):
                    process = single("env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, f"FAULTY_DISK=lose {number} 30000", binary("hostile_cases"),
                                     "filled", self.path("run", "model"), "netcdf4", f"{SOON} {shared}")
                    if not os.path.exists(notes) or "lose " not in read_text(notes):
                        break
                    found.append("rank 0: 7 rank 0: the step reads back other than it was put" in process.stdout)
                    # Of the fill value itself, over which values come, nothing is missed.
                    if not found[-1]:
                        self.assertIn("as their checksums say", self.succeeds(alone("check", self.path("run", "model"))))
            self.assertIn(True, found)

    @unittest.skipUnless("netcdf4" in BACKENDS and os.geteuid() == 0, "no netcdf4 in this build, or mounting a disk needs root")
    def test_where_there_are_no_locks_steps_that_are_read_back_are_written(self):
        """HDF5 locks what it reads by flock, and what it writes in parallel by nothing."""
        with RamDisk(self.path("run"), "64m", "ramfs"):
            process = self.bench(2, "netcdf4", "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=noflock 1 0", options="verify=yes")
            self.succeeds(process)
            self.assertIn("2 complete steps", self.succeeds(single("env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=noflock 1 0", binary("bundleio"), "check",
                                                                   self.path("run", "netcdf4"))))

    @unittest.skipUnless(os.geteuid() == 0, "mounting a disk needs root")
    def test_where_the_look_cannot_see_a_lost_write_the_step_is_read_back(self):
        """Of a file system that is not known, holes may be zeros; of packed values nobody knows where they lie."""
        seen = [("pnetcdf", "ramfs", ""), ("netcdf4", "tmpfs", "deflate=1"), ("netcdf4", "ramfs", "keep_bits=4")]
        for backend, kind, options in self.kept([*seen, ("netcdf4", "ramfs", ""), ("netcdf4", "tmpfs", "keep_bits=4 deflate=1")], seen):
            with self.subTest(backend=backend, kind=kind, options=options), RamDisk(self.path("run"), "64m", kind):
                notes = self.path(f"lost-{backend}-{kind}")
                process = self.bench(2, backend, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, "FAULTY_DISK=lose 1 20000", options=options)
                with open(notes, encoding="utf-8") as lines:
                    self.assertIn("lose ", lines.read())
                self.is_one_error(process, "the step reads back other than it was put .*: it was removed; check the device")
                self.assertEqual(self.steps(os.path.join("run", backend)), [])
                # As it is wanted.
                lost = self.bench(2, backend, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=lose 1 20000", options=options + " verify=no")
                self.succeeds(lost)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a disk needs root")
    def test_a_fast_tier_that_cannot_show_a_lost_write_is_read_back_though_the_disk_could(self):
        """Of many windows each rank loses the first, so that the file is as long as it should be."""
        notes = self.path("lost")
        with RamDisk(self.path("disk"), "64m"), RamDisk(self.path("layers"), "64m"), Overlay(self.path("fast"), self.path("layers")):
            process = mpi(2, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, "FAULTY_DISK=lose 1 20000", binary("map_cases"), "step",
                          self.path("disk", "run"), "pnetcdf", "4", "72", "19000", "1", f"fast_tier={self.path('fast')} reserve_mib=0 {SOON}")
            self.assertIn("lose ", read_text(notes))
            self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
            self.assertEqual(process.stdout.count("the step reads back other than it was put"), 2, process.stdout)
            self.assertEqual(self.steps("fast"), [])

    @unittest.skipUnless(os.geteuid() == 0, "mounting a disk needs root")
    def test_whatever_write_is_lost_a_step_that_is_visible_is_as_it_was_put(self):
        """Of a page at least, and of files whose values have known places; in files of one step and of several, also in a later step."""
        for options in ("", SHARED):
            found = []
            for number in EACH_LOST:
                with self.subTest(options=options, number=number), RamDisk(self.path("run"), "64m"):
                    process, was_lost = self.loses(2, "pnetcdf", f"lose {number} 8192", options)
                    if not was_lost:
                        break
                    visible = [step for step in self.steps(os.path.join("run", "pnetcdf")) if step[0] != "."]
                    found.append(len(visible))
                    if process.returncode == 0 or visible:
                        self.assertIn("as their checksums say", self.succeeds(alone("check", self.path("run", "pnetcdf"))))
            self.assertEqual(set(found), {0, 1}, "losses in the first step and in the second")

    @unittest.skipUnless(os.geteuid() == 0, "mounting a disk needs root")
    def test_whatever_write_of_a_later_step_is_lost_it_is_found_in_files_of_several_steps(self):
        """Values in the room of a step that HDF5's files have beside those of the steps before; of classic files, also the number of their entries."""
        # Of classic files, the test above has losses in a later step.
        for backend, least in self.kept(built([("pnetcdf", 1), ("netcdf4", 8192)]), built([("netcdf4", 8192)])):
            found = set()
            for number in itertools.count(1):
                notes = self.path(f"lost-{number}-{backend}")
                with self.subTest(backend=backend, number=number), RamDisk(self.path("run"), "64m"):
                    process = single("env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, f"FAULTY_DISK=lose {number} {least}", binary("hostile_cases"),
                                     "grown-steps", self.path("run", "model"), backend, f"{SOON} {SHARED}", "2")
                    if not os.path.exists(notes) or "lose " not in read_text(notes):
                        break
                    # Each step is there as it was put, or is an error.
                    statuses = re.findall("^rank 0: ([0-9]) ", process.stdout, re.MULTILINE)[:2]
                    found.add(tuple(statuses))
                    if "0" in statuses:
                        self.assertIn(f": {statuses.count('0')} complete steps, all readable, as their checksums say", self.succeeds(alone("check", self.path("run", "model"))))
            self.assertIn(("0", "7"), found, "losses in the second step")

    @unittest.skipUnless("netcdf4" in BACKENDS and os.geteuid() == 0, "no netcdf4 in this build, or mounting a small disk needs root")
    def test_a_packed_step_asks_for_no_room_that_it_does_not_take(self):
        packed = f"deflate=9 keep_bits=2 {SOON}"
        words = [binary("bundleio"), "bench", "--path", self.path("run"), "--backends", "netcdf4", *MODEL, "--options"]
        self.succeeds(mpi(2, *words, packed))
        files = glob.glob(self.path("run", "netcdf4", "*", "*.nc"))
        kibibytes = sum(os.path.getsize(file) for file in files) // 1024 + 1024
        self.assertLess(kibibytes, 6000, "less than a step before it is packed")
        with RamDisk(self.path("run"), f"{kibibytes}k"):
            self.succeeds(mpi(2, *words, packed))
            refused = mpi(2, *words, f"keep_bits=2 {SOON}")
            self.is_one_error(refused, "a step takes [0-9]+ bytes, but only [0-9]+ are free: .* option space_check=no")

    @unittest.skipUnless(os.geteuid() == 0, "mounting a disk needs root")
    def test_a_header_that_was_lost_is_found_before_the_step_is_visible(self):
        """HDF5 writes its own more than once."""
        with RamDisk(self.path("run"), "64m"):
            process, was_lost = self.loses(1, "pnetcdf", "lose 1 1", "")
            self.assertTrue(was_lost)
            self.is_one_error(process, "reported no error, but its header was never written")
            self.assertEqual(self.steps(os.path.join("run", "pnetcdf")), [])

    def loses(self, ranks, backend, fault, options):
        """A small run in which each rank loses a write, and whether one was."""
        notes = self.path(f"lost-{ranks}-{backend}-{fault}-{options}")
        process = mpi(ranks, "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, "FAULTY_DISK=" + fault, binary("bundleio"), "bench", "--path",
                      self.path("run"), "--backends", backend, "--grid", "24x48", "--planes", "4", "--steps", "2", "--keep",
                      "--options", f"space_check=no {SOON} {options}")
        return process, os.path.exists(notes) and "lose " in read_text(notes)

    def tells_what_is_stored(self):
        """Whether this system says of a file how much of it is yet to be stored: cachestat, of Linux 6.5, and not on every file system."""
        with open(self.path("fresh"), "wb") as file:
            file.write(bytes(1 << 20))
            file.flush()
            whole, facts = (ctypes.c_uint64 * 2)(), (ctypes.c_uint64 * 5)()
            told = ctypes.CDLL(None).syscall(CACHESTAT, file.fileno(), whole, facts, 0)
        return told == 0 and facts[1] + facts[2] > 0

    def test_a_sync_that_goes_on_ends_nothing_however_long_it_takes(self):
        if not self.tells_what_is_stored():
            self.skipTest("cachestat tells nothing of a fresh file here")
        for attempt in range(ATTEMPTS):
            notes = self.path(f"notes-{attempt}")
            process = self.bench(2, "netcdf4", "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, "FAULTY_DISK=slow 1 7", options="give_up_seconds=3")
            with open(notes, encoding="utf-8") as lines:
                was_early = "early " in lines.read()
            if process.returncode == 0 or not was_early:
                self.succeeds(process)
                return
        self.skipTest("the kernel stores files here before they are synced, as where others write much")

    def test_a_job_that_is_suspended_loses_no_patience_meanwhile(self):
        notes = self.path("notes")
        words = [MPIRUN, "-n", "2", "env", "LD_PRELOAD=" + SHIM, "DISK_NOTES=" + notes, "FAULTY_DISK=nap 1 14", binary("bundleio"), "bench", "--path",
                 self.path("run"), "--backends", "netcdf4", *MODEL, "--options", "give_up_seconds=9"]
        process = subprocess.Popen(words, env=mpi_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not os.path.exists(notes) and process.poll() is None:
            time.sleep(POLL_SECONDS)
        # By then nothing has been stored for a second, and the nap goes on: its time does not stop with the job.
        time.sleep(2.5)
        ranks = self.ranks_of(self.path("run"))
        self.assertEqual(len(ranks), 2)
        for sent, seconds in ((signal.SIGSTOP, 12), (signal.SIGCONT, 0)):
            for rank in ranks:
                os.kill(rank, sent)
            time.sleep(seconds)
        out, error = process.communicate(timeout=SECONDS_MAX)
        self.assertEqual(process.returncode, 0, out + error)

    def ranks_of(self, path):
        def words(process):
            try:
                with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as line:
                    return line.read().split("\0")
            except OSError:
                return []
        return [int(process) for process in os.listdir("/proc") if process.isdigit() and words(process)[0:1] == [binary("bundleio")] and path in words(process)]

    def test_a_write_that_never_returns_ends_the_job(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.bench(2, backend, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=hang 1 100000", options=patience(backend), path=backend)
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertRegex(process.stderr, "bundleio: rank 0: write .*step-000000: nothing more is stored.*\\(give_up_seconds\\)")

    def test_a_step_that_cannot_be_read_back_since_a_read_never_returns_ends_the_job(self):
        for backend in BACKENDS:
            with self.subTest(backend=backend):
                process = self.bench(2, backend, "env", "LD_PRELOAD=" + SHIM, "FAULTY_DISK=stuck 1 20000", options="verify=yes give_up_seconds=3", path=backend)
                self.assertEqual(process.returncode, 3, process.stdout + process.stderr)
                self.assertRegex(process.stderr, "bundleio: rank [01]: read back .*step-000000.*: nothing comes back;.*\\(give_up_seconds\\)")


if __name__ == "__main__":
    unittest.main()
