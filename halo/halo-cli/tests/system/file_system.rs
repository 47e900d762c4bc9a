//! A real file system on a real block device: the server, nbdfuse, a loop device, ext4.

use crate::devices::{Fuse, Loop, no_fuse, no_loop_device, run};
use crate::harness::{Bench, skipped};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Why this machine cannot do it; nothing when it can.
fn hindrance() -> Option<&'static str> {
    no_loop_device().or_else(no_fuse)
}

/// A server's export as a loop device. The end of the test takes it down.
struct Device {
    node: String,
    mountpoint: Option<PathBuf>,
    // Goes last.
    _export: Fuse,
}

impl Device {
    fn attach(bench: &Bench, name: &str) -> Self {
        let export = Fuse::mount(bench, "socket", name);
        let node = run("losetup", &["--find", "--show", export.file.to_str().unwrap()]);
        Self { node, mountpoint: None, _export: export }
    }

    fn mount(&mut self, mountpoint: &Path) {
        fs::create_dir_all(mountpoint).unwrap();
        run("mount", &["-t", "ext4", &self.node, mountpoint.to_str().unwrap()]);
        self.mountpoint = Some(mountpoint.to_owned());
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // Each step may fail because the server is dead on purpose; the next is tried all the same.
        if let Some(mountpoint) = &self.mountpoint {
            let _ = Command::new("umount").args(["--force", "--lazy"]).arg(mountpoint).output();
        }
        let _ = Command::new("losetup").args(["--detach", &self.node]).output();
    }
}

#[test]
fn a_disk_that_is_mounted_or_served_is_not_taken() {
    if let Some(hindrance) = hindrance() {
        skipped(hindrance);
        return;
    }
    let mut bench = Bench::loose(32 << 20);
    let disk = Loop::of(&bench.path("disk"));
    // One block less than the disk has: there the label goes.
    run("mkfs.ext4", &["-q", &disk.0, "32764k"]);
    let mountpoint = bench.path("mounted");
    fs::create_dir(&mountpoint).unwrap();
    run("mount", &[&disk.0, mountpoint.to_str().unwrap()]);
    bench.disk.clone_from(&disk.0);
    let refused = |arguments: &[&str]| {
        let output = bench.halo(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && text.contains("mounted, or part of another device"), "{text}");
    };
    refused(&["create", "CACHE", "DISK", "--size", "1M"]);
    run("umount", &[&disk.0]);
    bench.create("1M");
    let _server = bench.serve(&[]);
    refused(&["create", &bench.path("other").display().to_string(), "DISK", "--size", "1M"]);
}

#[test]
fn ext4_over_a_killed_server_is_clean_after_the_restart_and_has_every_synced_file() {
    if let Some(hindrance) = hindrance() {
        skipped(hindrance);
        return;
    }
    let bench = Bench::bound("8M", 96 << 20);
    let mut server = bench.serve(&[]);
    let text = |number: usize| format!("file {number}\n").repeat(2000 + number);
    let mut device = Device::attach(&bench, "before");
    run("mkfs.ext4", &["-q", "-E", "nodiscard", &device.node]);
    let mountpoint = bench.path("mounted");
    device.mount(&mountpoint);
    for number in 0..60 {
        let mut file = File::create(mountpoint.join(number.to_string())).unwrap();
        file.write_all(text(number).as_bytes()).unwrap();
        file.sync_all().unwrap();
    }
    // Something that is under way when the server dies.
    let mut unsynced = File::create(mountpoint.join("unsynced")).unwrap();
    unsynced.write_all(&vec![1; 4 << 20]).unwrap();
    server.kill();
    drop(unsynced);
    drop(device);

    let _again = bench.serve(&[]);
    let mut device = Device::attach(&bench, "after");
    // Replays the journal, as any start after a crash does; then nothing may be wrong.
    run("e2fsck", &["-p", &device.node]);
    run("e2fsck", &["-f", "-n", &device.node]);
    device.mount(&mountpoint);
    for number in 0..60 {
        let found = fs::read_to_string(mountpoint.join(number.to_string())).unwrap();
        assert!(found == text(number), "file {number} is not what was synced");
    }
}
