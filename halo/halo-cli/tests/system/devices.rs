//! Files and exports as other kinds of devices: what is still there when a test ends is taken down.

use crate::harness::{Bench, Process, wait_for};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

fn missing(what: &[(bool, &'static str)]) -> Option<&'static str> {
    let root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    what.iter().chain([&(!root, "not root")]).find_map(|&(is_missing, name)| is_missing.then_some(name))
}

/// Why this machine has no [`Fuse`]; nothing when it has.
pub(crate) fn no_fuse() -> Option<&'static str> {
    let nbdfuse = Command::new("nbdfuse").arg("--version").output();
    missing(&[(!Path::new("/dev/fuse").exists(), "no /dev/fuse"), (nbdfuse.is_err(), "no nbdfuse")])
}

/// Why this machine has no [`Loop`]; nothing when it has.
pub(crate) fn no_loop_device() -> Option<&'static str> {
    missing(&[(!Path::new("/dev/loop-control").exists(), "no /dev/loop-control")])
}

/// Runs a tool that must succeed; gives what it printed.
pub(crate) fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// An export as a file of a file system whose daemon asks the export's server.
pub(crate) struct Fuse {
    pub(crate) file: PathBuf,
    daemon: Process,
}

impl Fuse {
    /// The export behind `socket` of the bench as its file `name`.
    pub(crate) fn mount(bench: &Bench, socket: &str, name: &str) -> Self {
        let file = bench.path(name);
        File::create(&file).unwrap();
        let uri = format!("nbd+unix:///?socket={}", bench.path(socket).display());
        let daemon = Process::spawn(Command::new("nbdfuse").arg(&file).arg(uri));
        wait_for("nbdfuse", || fs::metadata(&file).is_ok_and(|file| file.len() > 0).then_some(()));
        Self { file, daemon }
    }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.file).output();
        if self.daemon.is_running() {
            self.daemon.kill();
        }
    }
}

/// A file as a loop device, with nothing of HALO in between.
pub(crate) struct Loop(pub(crate) String);

impl Loop {
    pub(crate) fn of(file: &Path) -> Self {
        Self::with(&[], file)
    }

    /// The same with more options of `losetup`.
    pub(crate) fn with(options: &[&str], file: &Path) -> Self {
        Self(run("losetup", &[&["--find", "--show"], options, &[file.to_str().unwrap()]].concat()))
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
        let _ = Command::new("losetup").args(["--detach", &self.0]).output();
    }
}
