//! Servers and commands of a test, which end with it.

use halo_media::{FileMedium, Medium};
use halo_nbd::{Address, NbdMedium};
use halo_server::{DirectIo, MaskedDisk, open_disk};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// Nothing here takes this long on a machine that works.
const BOUND: Duration = Duration::from_secs(60);

/// Where this build's programs and plugins lie. Plugins are no dependency of a test, so that they are built here.
pub(crate) fn programs() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // Of all packages, with the features of ../../../check: a choice of packages would build what they share again.
        let mut command = Command::new(env!("CARGO"));
        let profile = if cfg!(debug_assertions) { "test" } else { "release" };
        command.args(["build", "--quiet", "--locked", "--profile", profile, "--bins", "--examples"]);
        if cfg!(feature = "planted-bugs") {
            let packages = ["halo-cache", "halo-device", "halo-cli", "halo-server", "halo-nbd"];
            command.args(["--features", &packages.map(|package| format!("{package}/planted-bugs")).join(",")]);
        }
        command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        assert!(command.status().unwrap().success(), "{command:?}");
        Path::new(env!("CARGO_BIN_EXE_halo")).parent().unwrap().to_owned()
    })
}

/// A process that is killed when the test ends.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn spawn(command: &mut Command) -> Self {
        Self(command.stdin(Stdio::null()).spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn terminate(&mut self) -> ExitStatus {
        let status = Command::new("kill").arg(self.0.id().to_string()).status().unwrap();
        assert!(status.success());
        self.ended()
    }

    /// Waits until it has ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        wait_for("the end of a process", || self.0.try_wait().unwrap())
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name]).arg(self.0.id().to_string()).status().unwrap();
        assert!(status.success());
    }

    /// Stops it. On a busy machine its threads go on for a moment after the signal, and might answer what is asked next.
    pub(crate) fn stop(&self) {
        self.signal("STOP");
        let tasks = format!("/proc/{}/task", self.0.id());
        wait_for("all threads stopped", || {
            let mut threads = fs::read_dir(&tasks).unwrap();
            threads
                .all(|thread| {
                    let stat = fs::read_to_string(thread.unwrap().path().join("stat")).unwrap_or_default();
                    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
                })
                .then_some(())
        });
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Says that a test cannot run here: not by the macros, whose output of a test that passes nobody sees.
pub(crate) fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    io::stderr().write_all(format!("skipped: halo-cli, {test}: {why}\n").as_bytes()).unwrap();
}

/// Whether benches lie where files can be used past the page cache.
pub(crate) fn has_direct_io() -> bool {
    let bench = Bench::loose(1 << 20);
    let opened = FileMedium::open_direct(Path::new(&bench.disk));
    if let Err(error) = &opened {
        skipped(&error.to_string());
    }
    opened.is_ok()
}

/// Polls until there is an answer.
pub(crate) fn wait_for<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(answer) = poll() {
            return answer;
        }
        assert!(since.elapsed() < BOUND, "{what}: not within {BOUND:?}");
        sleep(Duration::from_millis(5));
    }
}

/// The lines that a drain says of its end, without those about how far it is, which a slow machine gets, too.
pub(crate) fn said_at_the_end(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains(" blocks left on ")).collect()
}

/// A thread that sleeps, and counts for how long the machine kept it from going on. A promise about time leaves that out.
pub(crate) struct Watch {
    since: Instant,
    ends: Arc<AtomicBool>,
    thread: JoinHandle<Duration>,
}

impl Watch {
    pub(crate) fn start() -> Self {
        const PAUSE: Duration = Duration::from_millis(10);
        let ends = Arc::new(AtomicBool::new(false));
        let (since, told) = (Instant::now(), Arc::clone(&ends));
        let thread = spawn(move || {
            let mut stalled = Duration::ZERO;
            while !told.load(SeqCst) {
                let before = Instant::now();
                sleep(PAUSE);
                stalled += before.elapsed().saturating_sub(PAUSE);
            }
            stalled
        });
        Self { since, ends, thread }
    }

    /// Asserts that less than `bound` has passed since the start, without the time in which this machine stood still.
    pub(crate) fn assert_within(self, bound: Duration) {
        let took = self.since.elapsed();
        self.ends.store(true, SeqCst);
        let stalled = self.thread.join().unwrap();
        assert!(took < bound + stalled, "it took {took:?}, of which the machine stood still for {stalled:?}");
    }
}

/// A folder with a cache file and a disk file.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
    /// Path or address of the disk.
    pub(crate) disk: String,
    /// Of all servers from now on.
    pub(crate) environment: Vec<(&'static str, String)>,
}

impl Bench {
    /// A cache of `cache` bytes bound to a disk file of `disk` bytes.
    pub(crate) fn bound(cache: &str, disk_bytes: u64) -> Self {
        let bench = Self::loose(disk_bytes);
        bench.create(cache);
        bench
    }

    /// A disk file and no cache.
    pub(crate) fn loose(disk_bytes: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        File::create(folder.path().join("disk")).unwrap().set_len(disk_bytes).unwrap();
        let disk = folder.path().join("disk").display().to_string();
        Self { folder, disk, environment: Vec::new() }
    }

    /// The disk file served by nbdkit with more arguments, as the disk from now on.
    pub(crate) fn disk_over_nbd(&mut self, before: &[&str], after: &[&str]) -> Process {
        self.disk = Address::unix(self.path("disk.socket")).to_string();
        self.serve_file("disk", before, after)
    }

    /// A file of this bench served by nbdkit where the disk is expected.
    pub(crate) fn serve_file(&self, file: &str, before: &[&str], after: &[&str]) -> Process {
        self.serve_file_at("disk.socket", file, before, after)
    }

    /// The same at another socket.
    pub(crate) fn serve_file_at(&self, socket: &str, file: &str, before: &[&str], after: &[&str]) -> Process {
        let socket = self.path(socket);
        // A server that was killed left it behind.
        let _ = std::fs::remove_file(&socket);
        let mut command = Command::new("nbdkit");
        command.envs(self.environment.iter().cloned());
        command.args(["--foreground", "--threads", "64", "--unix"]).arg(&socket);
        let process = Process::spawn(command.args(before).arg("file").arg(self.path(file)).args(after));
        wait_for("the disk's server", || UnixStream::connect(&socket).ok());
        process
    }

    pub(crate) fn create(&self, cache: &str) {
        let output = self.halo(&["create", "CACHE", "DISK", "--size", cache]);
        assert!(output.status.success(), "{output:?}");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.path("socket")
    }

    /// `halo` with these arguments; `CACHE`, `PMEM` (the cache as persistent memory), `DISK` and `SOCKET` stand for
    /// this bench's.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(programs().join("halo"));
        for argument in arguments {
            match *argument {
                "CACHE" => command.arg(self.path("cache")),
                "PMEM" => command.arg(format!("pmem-without-dax:{}", self.path("cache").display())),
                "DISK" => command.arg(&self.disk),
                "SOCKET" => command.arg(self.socket()),
                argument => command.arg(argument),
            };
        }
        command
    }

    pub(crate) fn halo(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The answer of a command with `--json`.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.halo(arguments);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// A server that takes clients.
    pub(crate) fn serve(&self, options: &[&str]) -> Process {
        self.serve_as("CACHE", options)
    }

    /// The same with the cache by another of its names.
    pub(crate) fn serve_as(&self, cache: &str, options: &[&str]) -> Process {
        self.serve_named(cache, "DISK", options)
    }

    /// The same with both by other names.
    pub(crate) fn serve_named(&self, cache: &str, disk: &str, options: &[&str]) -> Process {
        // A test's blocks are to stay dirty, however slow the machine is.
        let idle: &[_] = if options.contains(&"--idle-after") { &[] } else { &["--idle-after", "off"] };
        let arguments = [&["serve", cache, disk, "--socket", "SOCKET"], idle, options].concat();
        let log = File::options().create(true).append(true).open(self.path("log")).unwrap();
        let mut server = Process::spawn(self.command(&arguments).envs(self.environment.iter().cloned()).stderr(log));
        wait_for("the server", || {
            assert!(server.is_running(), "{}", self.log());
            NbdMedium::connect(&Address::unix(self.socket())).ok()
        });
        server
    }

    /// The disk's content now, masked or not: of a copy, as a server may have the file locked.
    pub(crate) fn plain_disk(&self) -> Arc<MaskedDisk> {
        self.copy_of_disk(|copy| open_disk(&copy.display().to_string(), DirectIo::Off).unwrap())
    }

    /// Opens a copy of the disk's file, which has no other user. Another test that is starting a process holds copies of our open files and
    /// their locks until that runs its program, so that whoever comes next would find the disk itself in use.
    pub(crate) fn copy_of_disk<T>(&self, open: impl FnOnce(&Path) -> T) -> T {
        let copy = tempfile::Builder::new().tempfile_in(self.path("")).unwrap().into_temp_path();
        std::fs::copy(self.path("disk"), &copy).unwrap();
        open(&copy)
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    pub(crate) fn client(&self) -> NbdMedium {
        NbdMedium::connect(&Address::unix(self.socket())).unwrap()
    }

    pub(crate) fn status(&self) -> Value {
        self.json(&["status", "--socket", "SOCKET", "--json"])
    }
}

/// The content of a block: its version, all over.
pub(crate) fn content(version: u64) -> Vec<u8> {
    version.to_le_bytes().repeat(4096 / 8)
}

/// The version in a block, which must be whole.
pub(crate) fn version_of(medium: &impl Medium, block: u64) -> u64 {
    let mut bytes = vec![0; 4096];
    medium.read_at(block * 4096, &mut bytes).unwrap();
    let version = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    assert!(bytes == content(version), "block {block} holds parts of several versions");
    version
}
