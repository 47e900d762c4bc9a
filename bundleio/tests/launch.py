"""Starts programs of this build under MPI, each with a bound on its time."""

import atexit
import concurrent.futures
import contextlib
import fcntl
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import sanitizers

BUILD = os.environ["BUNDLEIO_BUILD"]
PYTHON = os.environ["BUNDLEIO_PYTHON"]
# That of the MPI library of this build.
MPIRUN = os.environ["BUNDLEIO_MPIRUN"]
# For what hangs; a busy machine takes several times as long as an idle one.
SECONDS_MAX = 300
POLL_SECONDS = 0.05
POLLS_MAX = 1200
# Jobs that a test starts beside each other: most of their time is mpirun's, which waits for ranks to end.
JOBS_AT_ONCE = 3

# Jobs of one user share a session folder, and a job that ends removes it while another starts.
# So each thread of a suite has a folder of its own.
SESSIONS = tempfile.mkdtemp(prefix="bio-mpi-")
atexit.register(shutil.rmtree, SESSIONS, ignore_errors=True)
os.environ["OMPI_MCA_orte_tmpdir_base"] = SESSIONS
_threads = threading.local()
_numbers = itertools.count()

# As in ../mpi-environment: only what any user needs to set.
_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
if subprocess.run([os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "can-read-siblings")], check=False).returncode != 0:
    _MPI["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none"


def binary(name):
    return os.path.join(BUILD, "bin", name)


def mpi_environment():
    if not hasattr(_threads, "sessions"):
        _threads.sessions = os.path.join(SESSIONS, str(next(_numbers)))
        os.mkdir(_threads.sessions)
    return dict(os.environ, OMPI_MCA_orte_tmpdir_base=_threads.sessions, **_MPI)


def another_user(user):
    """How to start a process as that user, who has a folder of jobs of its own."""
    sessions = os.path.join(tempfile.gettempdir(), f"bio-mpi-of-{user}-{os.getpid()}")
    if not os.path.exists(sessions):
        os.mkdir(sessions, 0o700)
        os.chown(sessions, user, user)
        atexit.register(shutil.rmtree, sessions, ignore_errors=True)
    own = {"OMPI_MCA_orte_tmpdir_base": sessions, "TMPDIR": sessions, "HOME": sessions}
    return {"user": user, "group": user, "extra_groups": []}, own


def mpi(ranks, *command, folder=None, user=None, seconds=SECONDS_MAX, **environment):
    """Runs `command` on `ranks` ranks, in `folder`, as `user`, who is a number, for at most so many seconds; returns the finished
    process, its outputs as text."""
    words = [MPIRUN, "-n", str(ranks), *command]
    how, own = another_user(user) if user is not None else ({}, {})
    with subprocess.Popen(words, env={**mpi_environment(), **own, **environment}, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **how) as process:
        try:
            out, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            # mpirun ends its ranks when it is asked to end; killed, it would leave them.
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=SECONDS_MAX)
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, error)


def several(runs):
    """The words of several runs as those of one job (several_runs.hpp)."""
    return [word for run_words in runs for word in ["--then", *run_words]][1:]


class RamDisk:
    """A file system of its own in memory, which root may mount; as large as `size` says, such as "7m". Of kind ramfs it has no limit."""

    def __init__(self, path, size, kind="tmpfs"):
        self.path = path
        self.size = size
        self.kind = kind

    def __enter__(self):
        os.makedirs(self.path, exist_ok=True)
        subprocess.run(["mount", "-t", self.kind, "-o", "size=" + self.size, self.kind, self.path], check=True)
        return self.path

    def __exit__(self, *_):
        # Ranks of a job that was aborted may outlive mpirun for a moment.
        for _ in range(POLLS_MAX):
            if subprocess.run(["umount", self.path], capture_output=True, check=False).returncode == 0:
                return
            time.sleep(POLL_SECONDS)
        subprocess.run(["umount", self.path], check=True)


class Overlay(RamDisk):
    """A file system whose files lie in `layers`, on another one, as those of containers do."""

    def __init__(self, path, layers):
        super().__init__(path, "", "overlay")
        self.layers = layers

    def __enter__(self):
        folders = {name: os.path.join(self.layers, name) for name in ("lowerdir", "upperdir", "workdir")}
        for folder in (self.path, *folders.values()):
            os.makedirs(folder)
        options = ",".join(f"{name}={folder}" for name, folder in folders.items())
        subprocess.run(["mount", "-t", self.kind, "-o", options, self.kind, self.path], check=True)
        return self.path


class Ext4(RamDisk):
    """A file system of the kind that most disks have, in a file, on which root may end it in the middle."""

    MISSING = (os.geteuid() != 0 and "mounting a disk needs root" or not os.path.exists("/dev/loop-control") and "no /dev/loop-control"
               or not os.path.exists("/sbin/mkfs.ext4") and "no mkfs.ext4")

    def __enter__(self):
        subprocess.run(["truncate", "-s", self.size, self.path + ".image"], check=True)
        subprocess.run(["/sbin/mkfs.ext4", "-q", self.path + ".image"], check=True)
        os.makedirs(self.path, exist_ok=True)
        subprocess.run(["mount", "-o", "loop,errors=remount-ro", self.path + ".image", self.path], check=True)
        return self.path

    def endings(self):
        """Commands after which every write finds it shut down, or read-only, each with what the system then says."""
        device = run("findmnt", "-no", "SOURCE", self.path).stdout.strip()
        shut = f"import fcntl, os; fcntl.ioctl(os.open('{self.path}', os.O_RDONLY), 0x8004587d, b'\\2\\0\\0\\0')"
        return {"Input/output error": f'{sys.executable} -c "{shut}"',
                "Read-only file system": f"echo 1 >/sys/fs/ext4/{os.path.basename(device)}/trigger_fs_error"}


class Btrfs(RamDisk):
    """A file system in a file, with a quota on all that it holds, of as many bytes as `quota` says, such as "4M". It ends root's writes, too."""

    MISSING = (os.geteuid() != 0 and "mounting a disk needs root" or not os.path.exists("/dev/loop-control") and "no /dev/loop-control"
               or not shutil.which("mkfs.btrfs", path="/sbin:/usr/sbin:/usr/local/sbin") and "no mkfs.btrfs (Debian: btrfs-progs)")

    def __init__(self, path, quota):
        super().__init__(path, "256M")
        self.quota = quota

    def __enter__(self):
        os.makedirs(self.path, exist_ok=True)
        image = self.path + ".image"
        for words in (["truncate", "-s", self.size, image], ["mkfs.btrfs", "-q", image], ["mount", "-o", "loop", image, self.path],
                      ["btrfs", "quota", "enable", self.path], ["btrfs", "qgroup", "limit", self.quota, self.path]):
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return self.path


@contextlib.contextmanager
def locked(folder):
    """Holds a folder as a run or a drain on another machine does: network file systems show its lock of fcntl on a file, and have none on folders."""
    with open(os.path.join(folder, ".lock"), "w", encoding="utf-8") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield
    os.remove(file.name)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace",
                          timeout=SECONDS_MAX, check=False)


def single_environment():
    """Of a program without mpirun: Open MPI would start a daemon for it, which only a program needs that starts further ranks."""
    return dict(mpi_environment(), OMPI_MCA_ess_singleton_isolated="1")


def single(*command):
    """A program on one rank, without mpirun, whose start and end cost more than most of them."""
    return subprocess.run(command, env=single_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=SECONDS_MAX, check=False)


def job(ranks, *command):
    """The same on one rank, else as `mpi`."""
    return single(*command) if ranks == 1 else mpi(ranks, *command)


def alone(*words):
    """The tool without mpirun, which would add lines of its own to an error."""
    return single(binary("bundleio"), *words)


def backends():
    """All that this build has."""
    return alone("--version").stdout.split("back ends: ")[1].split()


BACKENDS = backends()
# All cases of every sweep, of which `make test` takes some (RunTest.kept): bundleio/check --long.
LONG = os.environ.get("BUNDLEIO_LONG") == "all"


def long_test(test):
    """Leaves a test to `bundleio/check --long`."""
    return unittest.skipUnless(LONG, "bundleio/check --long runs it")(test)


# Models written in Python take Debian's mpi4py, which is Open MPI's.
IS_OPEN_MPI = os.environ["BUNDLEIO_IS_OPEN_MPI"] == "yes"


def built(names):
    """Those whose back end this build has, of names such as "bp5:async=yes", or of pairs that begin with one."""
    return [name for name in names if (name if isinstance(name, str) else name[0]).split(":")[0] in BACKENDS]


# Back ends that bundleio cannot keep from waiting: see docs/decisions/0062-a-watchdog-for-failed-steps.md. The others always end alike on all ranks.
MAY_LEAVE_RANKS_WAITING = ("netcdf4", "bp5")


def patience(backend):
    """The option that ends a wait soon, for a back end in which there may be one. In others it would end ranks that a busy machine keeps from meeting."""
    return f"give_up_seconds={5 if backend.split(':')[0] in MAY_LEAVE_RANKS_WAITING else 100}"


class RunTest(unittest.TestCase):
    """Gives each test an empty folder, and fails it for what sanitizers found in any process."""

    def setUp(self):
        # The first is run last: by then the test has ended what it started.
        self.addCleanup(sanitizers.no_findings, self)
        self.folder = tempfile.mkdtemp(prefix="bundleio-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def succeeds(self, process):
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def pairs(self, some, others):
        """All pairs; in `make test` each of `some` with one of `others`, in turn: for what is to hold alike whatever of them it is."""
        every = [(one, other) for one in some for other in others]
        return self.kept(every, [(one, others[number % len(others)]) for number, one in enumerate(some)])

    def kept(self, every, some):
        """All cases; in `make test` some of them, and how many are left out is said."""
        if not LONG:
            print(f"left out: {len(every) - len(some)} of {len(every)} cases of {self.id()}", file=sys.stderr)
        return every if LONG else some

    def each(self, cases, holds):
        """Calls `holds(**case)` for all cases, some beside each other; each is a subtest."""
        with concurrent.futures.ThreadPoolExecutor(JOBS_AT_ONCE) as pool:
            outcomes = [(case, pool.submit(holds, **case)) for case in cases]
        for case, outcome in outcomes:
            with self.subTest(**case):
                outcome.result()

    def writes(self, ranks, name, backend, *more):
        self.succeeds(job(ranks, binary("write_cases"), self.path(name), backend, *more))

    def writes_each(self, ranks, runs, *more):
        """Several runs by one job: their names, each with its back end or with that and words of its own. Returns what was said."""
        runs = [(name, [how] if isinstance(how, str) else how) for name, how in runs.items()]
        return self.succeeds(job(ranks, binary("write_cases"), *several([self.path(name), backend, *more, *own] for name, (backend, *own) in runs)))

    def equal(self, one, other):
        """By one process: what several ranks compare is test_damage's and test_equality's."""
        self.succeeds(alone("check", self.path(one), self.path(other)))

    def steps(self, name):
        """Visible entries of a run's folder; hidden ones must not be there, but for the file that a killed run had locked."""
        return sorted(entry for entry in os.listdir(self.path(name)) if entry != ".lock")

    def entries(self, name, file):
        """Of its unlimited dimension, as a reader of NetCDF sees them."""
        header = self.succeeds(run("ncdump", "-h", self.path(name, file)))
        return int(re.search(r"UNLIMITED ; // \((\d+) currently", header).group(1))
