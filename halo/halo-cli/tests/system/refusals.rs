//! Refusals: one line that names the reason, the exit code for it, and nothing touched.

use crate::devices::{Loop, no_loop_device};
use crate::harness::{Bench, Process, programs, skipped, wait_for};
use halo_media::Medium;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const DISK_BYTES: u64 = 16 << 20;

/// Runs a command that must be refused with `code` and a line that holds `reason`, and leave both files as they are.
fn refused(bench: &Bench, arguments: &[&str], code: i32, reason: &str) {
    let files = ["cache", "disk"].map(|name| bench.path(name));
    let before = files.clone().map(|path| fs::read(path).ok());
    let output = bench.halo(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    assert!(text.starts_with("halo: ") && text.contains(reason), "{arguments:?}: {text}");
    assert!(files.map(|path| fs::read(path).ok()) == before, "{arguments:?} changed something");
}

const SERVE: [&str; 5] = ["serve", "CACHE", "DISK", "--socket", "SOCKET"];

#[test]
fn a_cache_with_a_wrong_magic_is_refused() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut bytes = fs::read(bench.path("cache")).unwrap();
    for at in [0, bytes.len() - 4096] {
        bytes[at..at + 8].copy_from_slice(b"NOTHALO!");
    }
    fs::write(bench.path("cache"), bytes).unwrap();
    for command in [&SERVE[..], &["status", "CACHE", "DISK"], &["check", "CACHE", "DISK"], &["drain", "CACHE", "DISK"]]
    {
        refused(&bench, command, 3, "cache file: not part of a HALO cache");
        refused(&bench, command, 3, "halo/rescue reads the blocks of a cache without it");
    }
}

#[test]
fn a_name_that_begins_a_line_or_colours_a_terminal_is_told_in_one_line() {
    let bench = Bench::bound("1M", DISK_BYTES);
    refused(&bench, &["status", "no\nsuch\u{1b}[31m", "DISK"], 2, "no?such?[31m: cannot be opened");
}

#[test]
fn a_disk_of_another_cache_is_refused() {
    let (bench, other) = (Bench::bound("1M", DISK_BYTES), Bench::bound("1M", DISK_BYTES));
    fs::copy(other.path("disk"), bench.path("disk")).unwrap();
    refused(&bench, &SERVE, 3, "use the right disk");
    refused(&bench, &["detach", "CACHE", "DISK"], 3, "use the right disk");
}

#[test]
fn short_empty_missing_and_bound_devices_are_refused() {
    let bench = Bench::bound("1M", DISK_BYTES);
    refused(&bench, &["create", "CACHE", "DISK", "--force"], 3, "belongs to a HALO cache");
    refused(&bench, &["create", "CACHE", "DISK", "--size", "1M"], 2, "exists already");
    let cache = fs::read(bench.path("cache")).unwrap();
    fs::write(bench.path("cache"), &cache[..cache.len() - 4096]).unwrap();
    refused(&bench, &SERVE, 3, "use the right device");
    fs::write(bench.path("cache"), "").unwrap();
    refused(&bench, &SERVE, 2, "has no size");
    fs::remove_file(bench.path("cache")).unwrap();
    refused(&bench, &SERVE, 2, "cannot be opened");
    refused(&bench, &["create", "CACHE", "DISK"], 2, "give its --size");
    refused(&bench, &["create", "CACHE", "DISK", "--size", "16K"], 2, "cache file: 16384 bytes, but it must have");
    refused(&bench, &["create", "DISK", "DISK"], 2, "given as cache and as disk");
    let empty = Bench::loose(0);
    refused(&empty, &["create", "CACHE", "DISK", "--size", "1M"], 2, "has no size");
}

/// Its last block is free and so all zeros, and still it would be missed: the file system would be larger than its device.
#[test]
fn a_disk_whose_file_system_reaches_into_what_the_cache_takes_is_refused_and_one_made_smaller_is_not() {
    let bench = Bench::loose(DISK_BYTES);
    run_on(&bench, "mkfs.ext4", &["-q", "-F", "-b", "4096"]);
    let create = ["create", "CACHE", "DISK", "--size", "1M"];
    let why = "ext4 on it reaches into its last 4096 bytes";
    refused(&bench, &create, 3, why);
    refused(&bench, &[&create[..], &["--dry-run"]].concat(), 3, why);
    run_on(&bench, "resize2fs", &["-M"]);
    // It cuts a file off where the file system ends; a device keeps its size.
    fs::File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES).unwrap();
    assert!(bench.halo(&create).status.success());
    // Whoever says so knows better.
    let other = Bench::loose(DISK_BYTES);
    run_on(&other, "mkfs.ext4", &["-q", "-F", "-b", "4096"]);
    assert!(other.halo(&[&create[..], &["--force"]].concat()).status.success());
}

/// File systems and swap leave the first sector of their device to others, and all that follows is theirs.
#[test]
fn a_cache_device_with_a_file_system_is_not_overwritten_unless_that_is_said() {
    for (program, options) in [("mkfs.ext4", &["-q", "-F", "-b", "4096"][..]), ("mkswap", &[])] {
        let bench = Bench::loose(DISK_BYTES);
        fs::File::create(bench.path("cache")).unwrap().set_len(8 << 20).unwrap();
        run_on_file(&bench, "cache", program, options);
        let create = ["create", "CACHE", "DISK"];
        let why = "cache file: holds data that creation would overwrite";
        refused(&bench, &create, 3, why);
        refused(&bench, &[&create[..], &["--dry-run"]].concat(), 3, why);
        assert!(bench.halo(&[&create[..], &["--force"]].concat()).status.success());
        drop(bench.serve(&[]));
    }
}

/// A program on the disk of a bench.
fn run_on(bench: &Bench, program: &str, arguments: &[&str]) {
    run_on_file(bench, "disk", program, arguments);
}

fn run_on_file(bench: &Bench, name: &str, program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).arg(bench.path(name)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Named in the wrong order, or one of them in another pair's place: `--force` is for data that is not HALO's.
#[test]
fn a_device_in_the_other_role_is_refused_even_with_force() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let (disk, cache) = ("is the disk behind a HALO cache", "is a HALO cache itself");
    let (blank, new) = (bench.path("blank").display().to_string(), bench.path("new").display().to_string());
    fs::File::create(&blank).unwrap().set_len(DISK_BYTES).unwrap();
    for plan in [&[][..], &["--dry-run"]] {
        refused(&bench, &[&["create", "DISK", "CACHE", "--force"], plan].concat(), 3, disk);
        refused(&bench, &[&["create", "DISK", &blank, "--force"], plan].concat(), 3, disk);
        refused(&bench, &[&["create", &blank, "CACHE", "--force"], plan].concat(), 3, cache);
        refused(&bench, &[&["create", &new, "CACHE", "--force", "--size", "1M"], plan].concat(), 3, cache);
        refused(&bench, &[&["create", "CACHE", &blank, "--force"], plan].concat(), 3, "belongs to a HALO cache");
        refused(&bench, &[&["create", &blank, "DISK", "--force"], plan].concat(), 3, "belongs to a HALO cache");
    }
    assert!(!Path::new(&new).exists());
    for command in ["serve", "status", "check", "drain", "detach", "repair", "grow"] {
        let socket: &[_] = if command == "serve" { &["--socket", "SOCKET"] } else { &[] };
        let arguments = [&[command, "DISK", "CACHE"], socket].concat();
        refused(&bench, &arguments, 3, "name the cache first, then its disk");
    }
    refused(&bench, &["release", "CACHE", "--cache-lost"], 3, "if its disk is lost: --disk-lost");
    refused(&bench, &["release", "DISK", "--disk-lost"], 3, "if its cache is lost: --cache-lost");
}

#[test]
fn a_read_only_cache_is_refused() {
    let bench = Bench::bound("1M", DISK_BYTES);
    fs::set_permissions(bench.path("cache"), fs::Permissions::from_mode(0o444)).unwrap();
    // Root may write to any file; a read-only export it cannot write to either.
    let writable = fs::File::options().write(true).open(bench.path("cache")).is_ok();
    if !writable {
        refused(&bench, &SERVE, 3, "cannot be opened for reading and writing");
    }
    let mut exported = Bench::loose(DISK_BYTES);
    let _server = exported.disk_over_nbd(&["--readonly"], &[]);
    refused(&exported, &["create", "CACHE", "DISK", "--size", "1M"], 3, "the export is read-only");
}

/// As a worn-out SSD, which this kernel opens for writing all the same. It can be looked at.
#[test]
fn a_block_device_that_takes_no_writes_is_refused_by_what_writes() {
    if let Some(hindrance) = no_loop_device() {
        return skipped(hindrance);
    }
    let bench = Bench::bound("1M", DISK_BYTES);
    for read_only in ["cache", "disk"] {
        let [cache, disk] = ["cache", "disk"].map(|name| {
            let options: &[_] = if name == read_only { &["--read-only"] } else { &[] };
            Loop::with(options, &bench.path(name))
        });
        let (pair, reason) = ([&*cache.0, &*disk.0], format!("{read_only} file: /dev/loop"));
        for (command, options) in [
            ("serve", &["--socket", "SOCKET"][..]),
            ("drain", &[]),
            ("detach", &[]),
            ("detach", &["--dry-run"]),
            ("grow", &[]),
            ("create", &["--force"]),
        ] {
            let arguments = [&[command][..], &pair, options].concat();
            refused(&bench, &arguments, 3, if command == "create" { "/dev/loop" } else { &reason });
        }
        for command in ["status", "check", "repair"] {
            let output = bench.halo(&[&[command][..], &pair].concat());
            assert!(output.status.success(), "{command} of a read-only {read_only} device: {output:?}");
        }
        let release: [&str; 3] = if read_only == "cache" {
            ["release", &cache.0, "--disk-lost"]
        } else {
            ["release", &disk.0, "--cache-lost"]
        };
        refused(&bench, &[&release[..], &["--yes"]].concat(), 3, "is read-only: make it writable (blockdev --setrw)");
    }
}

#[test]
fn persistent_memory_that_is_none_is_refused_and_no_file_is_left() {
    let bench = Bench::loose(DISK_BYTES);
    let name = format!("pmem:{}", bench.path("cache").display());
    refused(&bench, &["create", &name, "DISK", "--size", "1M"], 3, "not on persistent memory");
    bench.create("1M");
    refused(&bench, &["serve", &name, "DISK", "--socket", "SOCKET"], 3, "use it as an ordinary file");
}

#[test]
fn a_second_server_is_refused_and_the_first_goes_on() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut first = bench.serve(&[]);
    bench.client().write_at(0, &[7; 4096]).unwrap();
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", "/nonexistent/socket"], 3, "in use by another process");
    refused(&bench, &["status", "CACHE", "DISK"], 3, "a server is asked with --socket");
    let mut block = [0; 4096];
    bench.client().read_at(0, &mut block).unwrap();
    assert!(first.is_running() && block == [7; 4096]);
}

#[test]
fn a_second_server_by_other_names_of_both_files_is_refused() {
    if let Some(hindrance) = no_loop_device() {
        return skipped(hindrance);
    }
    let bench = Bench::bound("1M", DISK_BYTES);
    let names = ["cache", "disk"].map(|name| {
        let (link, hard, file) = (format!("{name}.link"), format!("{name}.hard"), bench.path(name));
        std::os::unix::fs::symlink(&file, bench.path(&link)).unwrap();
        fs::hard_link(&file, bench.path(&hard)).unwrap();
        let (first, second) = (Loop::of(&file), Loop::of(&file));
        let above = Loop::of(Path::new(&second.0));
        let others = [&link, &hard].map(|name| bench.path(name).display().to_string());
        (others, [first, second, above])
    });
    let [(cache_files, cache_loops), (disk_files, disk_loops)] = &names;
    let loops = |loops: &[Loop; 3]| loops.each_ref().map(|device| device.0.clone()).to_vec();
    let caches = [vec![bench.path("cache").display().to_string()], cache_files.to_vec(), loops(cache_loops)].concat();
    let disks = [vec![bench.disk.clone()], disk_files.to_vec(), loops(disk_loops)].concat();
    let aliases: Vec<_> = caches.iter().zip(&disks).collect();
    for &(cache, disk) in &aliases {
        let _first = bench.serve_named(cache, disk, &[]);
        bench.client().write_at(0, &[7; 4096]).unwrap();
        for &(cache, disk) in &aliases {
            refused(&bench, &["serve", cache, disk, "--socket", "/nonexistent/socket"], 3, "in use by another process");
        }
    }
}

/// udev looks at a device after each process that wrote to it, and locks it meanwhile: a server that starts right after `create` waits.
#[test]
fn a_block_device_that_udev_looks_at_is_waited_for() {
    if let Some(hindrance) = no_loop_device() {
        return skipped(hindrance);
    }
    let bench = Bench::bound("1M", DISK_BYTES);
    let [cache, disk] = ["cache", "disk"].map(|name| Loop::of(&bench.path(name)));
    for device in [&cache, &disk] {
        let mut flock = Command::new("flock");
        let mut udev = Process::spawn(flock.args(["--shared", "--no-fork", &device.0, "sleep", "1000"]));
        let name = format!("/proc/{}/comm", udev.id());
        wait_for("the lock", || fs::read_to_string(&name).is_ok_and(|name| name == "sleep\n").then_some(()));
        let mut command = bench.command(&["status", &cache.0, &disk.0]);
        let mut status = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let open_files = format!("/proc/{}/fd", status.id());
        let waits = || {
            let mut files =
                fs::read_dir(&open_files).ok()?.flatten().filter_map(|file| fs::read_link(file.path()).ok());
            files.any(|file| file == Path::new(&device.0)).then_some(())
        };
        // It has claimed the device, and does not end.
        wait_for("the claim", || waits().or_else(|| status.try_wait().unwrap().map(drop)));
        udev.kill();
        let output = status.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn a_file_where_a_socket_is_to_be_is_kept() {
    let bench = Bench::bound("1M", DISK_BYTES);
    fs::write(bench.path("precious"), "photographs").unwrap();
    let precious = bench.path("precious").display().to_string();
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", &precious], 2, "precious: is there already and no socket");
    refused(&bench, &["serve", "CACHE", "DISK", "--port", "1", "--control", &precious], 2, "no socket");
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", "SOCKET", "--control", &precious], 2, "no socket");
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", "DISK"], 2, "no socket");
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", &"/x".repeat(99)], 2, "shorter");
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", "/nonexistent/socket"], 2, "there is no such folder");
    // Where nobody may make a file, not even root.
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", "/sys/socket"], 3, "/sys/socket: ");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    refused(&bench, &["serve", "CACHE", "DISK", "--port", &port], 3, "in use");
    assert_eq!(fs::read(bench.path("precious")).unwrap(), b"photographs");
}

#[test]
fn an_emulated_disk_takes_no_file_of_another_size_and_no_unknown_profile() {
    let bench = Bench::loose(0);
    fs::write(bench.path("precious"), "photographs").unwrap();
    let file = format!("file={}", bench.path("precious").display());
    for (profile, reason) in [("profile=consumer", "has 11 bytes"), ("profile=quick", "enterprise-8t, desktop")] {
        let mut command = Command::new("nbdkit");
        command
            .args(["--foreground", "--unix"])
            .arg(bench.socket())
            .arg(programs().join("examples/libhalo_disk_nbdkit.so"));
        let output = command.args([&file, profile]).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains(reason), "{text}");
    }
    assert_eq!(fs::read(bench.path("precious")).unwrap(), b"photographs");
}

#[test]
fn a_misaligned_request_is_refused_with_one_line_and_changes_nothing() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let _server = bench.serve(&[]);
    let client = bench.client();
    client.write_at(0, &[7; 4096]).unwrap();
    for (offset, count) in [(1, 512), (0, 100), (512, 513)] {
        let error = client.write_at(offset, &vec![9; count]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
    }
    let mut block = [0; 4096];
    client.read_at(0, &mut block).unwrap();
    assert_eq!(block, [7; 4096]);
    let line =
        wait_for("the log", || bench.log().lines().find(|line| line.contains("whole sectors")).map(str::to_owned));
    assert!(line.contains("512 bytes at 1: not in whole sectors of 512 bytes"), "{line}");
}

#[test]
fn mistakes_on_the_command_line_are_named_with_exit_code_2() {
    let bench = Bench::loose(DISK_BYTES);
    for (arguments, named) in [
        (&["create", "CACHE", "DISK", "--size", "1.5G"][..], "1.5G"),
        (&["create", "CACHE", "DISK", "--size", "0"], "size of zero"),
        (&["serve", "CACHE", "DISK"], "--socket"),
        (&["status"], "CACHE"),
        (&["release", "DISK"], "<--cache-lost|--disk-lost>"),
        (&["release", "DISK", "--cache-lost", "--disk-lost"], "cannot be used with"),
        (&["serve", "pmem:", "DISK", "--socket", "SOCKET"], "names no file"),
        (&["serve", "CACHE", "DISK", "--socket", "SOCKET", "--mode", "quick"], "quick"),
        (&["serve", "CACHE", "DISK", "--port", "0"], "--port"),
        (&["serve", "CACHE", "DISK", "--socket", "SOCKET", "--metrics", "0.0.0.0:9464"], "use a loopback address"),
        (&["serve", "CACHE", "DISK", "--socket", "SOCKET", "--control", "SOCKET"], "the same as --socket"),
    ] {
        let output = bench.halo(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.contains(named), "{arguments:?}: {text}");
    }
    refused(&bench, &["serve", "CACHE", "DISK", "--socket", "SOCKET", "--plugin", "/no.so"], 2, "no such plugin");
}

#[test]
fn nbdkit_that_is_not_there_is_named() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let output = bench.command(&SERVE).env("PATH", "/nonexistent").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text.contains("nbdkit cannot be started") && text.contains("apt-get install nbdkit"), "{text}");
}

/// Beyond it a write would end the process by a signal, a server's in the middle of its clients' writes.
#[test]
fn a_file_that_this_process_may_not_write_to_its_end_is_refused() {
    let limited = |bench: &Bench, bytes: u64, arguments: &[&str]| {
        let halo = bench.command(arguments);
        let mut command = Command::new("prlimit");
        command.arg(format!("--fsize={bytes}")).arg(halo.get_program()).args(halo.get_args());
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        let told = format!("may write only to the first {bytes} bytes of a file: raise that (ulimit -f)");
        assert!(text.contains(&told), "{arguments:?}: {text}");
    };
    let bench = Bench::bound("1M", DISK_BYTES);
    let before = ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap());
    for bytes in [512 << 10, 8 << 20] {
        for command in [&SERVE[..], &["drain", "CACHE", "DISK"], &["detach", "CACHE", "DISK"]] {
            limited(&bench, bytes, command);
        }
    }
    assert!(before == ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap()), "something was changed");
    fs::remove_file(bench.path("cache")).unwrap();
    limited(&bench, 8 << 20, &["release", "DISK", "--cache-lost", "--yes"]);
    let bench = Bench::loose(1 << 20);
    limited(&bench, 2 << 20, &["create", "CACHE", "DISK", "--size", "4M"]);
    assert!(!bench.path("cache").exists(), "half a file is left");
}
