//! Disks whose cache is lost.

use crate::harness::{Bench, Process, content, skipped, version_of, wait_for};
use halo_media::Medium;
use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const DISK_BYTES: u64 = 16 << 20;
const RELEASE: [&str; 3] = ["release", "DISK", "--cache-lost"];

/// A disk with content, and a cache with blocks that the disk lacks.
fn used(mode: &str) -> Bench {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&["--mode", mode]);
    let client = bench.client();
    (0..40).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
    (30..60).for_each(|block| client.write_at(block * 4096, &content(block + 100)).unwrap());
    client.barrier().unwrap();
    server.kill();
    bench
}

fn told(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

fn data_of(bench: &Bench) -> Vec<u8> {
    let mut bytes = vec![0; DISK_BYTES as usize - 4096];
    bench.plain_disk().read_at(0, &mut bytes).unwrap();
    bytes
}

#[test]
fn a_disk_whose_cache_is_lost_is_released_and_takes_a_new_cache_with_its_data_untouched() {
    for (mode, in_order) in [("flush", false), ("strict", false), ("ordered", true)] {
        let bench = used(mode);
        fs::remove_file(bench.path("cache")).unwrap();
        let before = fs::read(bench.path("disk")).unwrap();
        let planned = bench.halo(&[&RELEASE[..], &["--dry-run"]].concat());
        let text = told(&planned);
        let cache = bench.path("cache").display().to_string();
        assert!(
            planned.status.success()
                && text.contains(&format!("{cache} is not there: if only its file system is not mounted")),
            "{text}"
        );
        assert!(text.contains(&format!("mode {mode}")) && text.contains(" UTC"), "{text}");
        let left = if in_order { "as after a power loss" } else { "an unordered mixture" };
        assert!(text.contains(left), "{mode}: {text}");
        assert!(fs::read(bench.path("disk")).unwrap() == before, "a dry run changed something");

        let data = data_of(&bench);
        let report = bench.json(&[&RELEASE[..], &["--yes", "--json"]].concat());
        assert_eq!((&report["mode"], &report["disk_in_order"]), (&mode.into(), &in_order.into()), "{report}");
        assert!(report["cache"] == cache && report["released"] == true && report["was_released"] == false, "{report}");
        let again = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
        assert!(again.status.success() && told(&again).contains("already, "), "{again:?}");
        assert!(data_of(&bench) == data, "data of the disk was changed");
        // The same name for another device.
        bench.create("2M");
        let _server = bench.serve(&[]);
        (0..30).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
    }
}

/// When a label was noted, how many blocks its disk lacked, and before when it lacked none.
fn noted(bench: &Bench) -> [u64; 3] {
    let disk = fs::read(bench.path("disk")).unwrap();
    let label = &disk[disk.len() - 4096..];
    [288, 296, 304].map(|at| u64::from_le_bytes(label[at..at + 8].try_into().unwrap()))
}

#[test]
fn what_was_lost_is_told_as_far_as_the_server_noted_it() {
    for (mode, every) in [("flush", "20ms"), ("ordered", "20ms"), ("ordered", "off")] {
        let bench = Bench::bound("1M", DISK_BYTES);
        let mut server = bench.serve(&["--mode", mode, "--note-every", every]);
        let client = bench.client();
        (0..30).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
        client.barrier().unwrap();
        if every != "off" {
            wait_for("a note", || (noted(&bench)[1] == 30).then_some(()));
            assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
            wait_for("another", || (noted(&bench)[1] == 0).then_some(()));
            client.write_at(0, &content(31)).unwrap();
            wait_for("a third", || (noted(&bench)[1] == 1).then_some(()));
        }
        server.kill();
        fs::remove_file(bench.path("cache")).unwrap();
        let [at_seconds, _, before_seconds] = noted(&bench);
        let text = told(&bench.halo(&[&RELEASE[..], &["--dry-run"]].concat()));
        let report = bench.json(&[&RELEASE[..], &["--yes", "--json"]].concat());
        if every == "off" {
            assert!(text.contains("noted       never: "), "{text}");
            assert!(report["noted_seconds"].is_null() && report["noted_dirty_blocks"].is_null(), "{report}");
            continue;
        }
        assert!(text.contains("the disk lacked 1 blocks; it had everything that was flushed before "), "{text}");
        assert!((at_seconds - 60..at_seconds).contains(&before_seconds), "{before_seconds} of {at_seconds}");
        assert_eq!(report["noted_dirty_blocks"], 1, "{report}");
        let told = ["noted_seconds", "complete_before_seconds"].map(|name| report[name].as_u64());
        assert_eq!(told, [Some(at_seconds), Some(before_seconds)], "{report}");
    }
}

/// A label has room for a name of 160 bytes.
#[test]
fn a_cache_of_which_the_disk_knows_no_place_must_be_named() {
    let bench = Bench::loose(DISK_BYTES);
    let folder = bench.path(&"x".repeat(170));
    fs::create_dir(&folder).unwrap();
    let cache = folder.join("cache").display().to_string();
    assert!(bench.halo(&["create", &cache, "DISK", "--size", "1M"]).status.success());
    drop(bench.serve_named(&cache, "DISK", &[]));
    let before = fs::read(bench.path("disk")).unwrap();
    let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
    assert!(output.status.code() == Some(2) && told(&output).contains("name that place with --cache"), "{output:?}");
    assert!(fs::read(bench.path("disk")).unwrap() == before, "something was changed");
    fs::remove_file(&cache).unwrap();
    let output = bench.halo(&[&RELEASE[..], &["--yes", "--cache", &cache]].concat());
    assert!(output.status.success() && told(&output).contains("is not there"), "{output:?}");
}

#[test]
fn a_cache_that_is_there_is_not_given_up() {
    let bench = used("flush");
    let refused = |reason: &str| {
        let before = fs::read(bench.path("disk")).unwrap();
        let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
        assert!(output.status.code() == Some(3) && told(&output).contains(reason), "{}", told(&output));
        assert!(fs::read(bench.path("disk")).unwrap() == before, "something was changed");
    };
    refused("saves its 30 blocks first");
    let server = bench.serve(&[]);
    refused("in use by another process");
    drop(server);
    // Under another name, which the operator gives.
    fs::rename(bench.path("cache"), bench.path("moved")).unwrap();
    let moved = bench.path("moved").display().to_string();
    let output = bench.halo(&[&RELEASE[..], &["--yes", "--cache", &moved]].concat());
    assert!(output.status.code() == Some(3) && told(&output).contains("is there"), "{}", told(&output));
    // A damaged cache can be saved in part.
    let mut cache = fs::read(&moved).unwrap();
    let at = cache.windows(4096).position(|bytes| bytes == content(130)).unwrap();
    cache[at] ^= 1;
    fs::write(bench.path("cache"), &cache).unwrap();
    refused("--accept-damaged saves its 30 blocks first");
    // A ruin cannot.
    cache.fill(0);
    fs::write(bench.path("cache"), &cache).unwrap();
    let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
    assert!(output.status.success() && told(&output).contains("cannot be used"), "{}", told(&output));
}

/// Both superblocks are gone, as after `wipefs --all` or `mkswap`, or a part of the file: what is left of its items is worth saving.
#[test]
fn a_cache_without_superblocks_or_of_another_size_is_not_given_up_while_items_of_it_are_left() {
    let bench = used("flush");
    let whole = fs::read(bench.path("cache")).unwrap();
    let mut wiped = whole.clone();
    let end = wiped.len();
    wiped[..4096].fill(0);
    wiped[end - 4096..].fill(0);
    let mut damaged = whole.clone();
    for at in [0, end - 4096] {
        damaged[at + 20] ^= 1;
    }
    for left in [&wiped[..], &damaged, &whole[..end - 65_536]] {
        fs::write(bench.path("cache"), left).unwrap();
        let before = fs::read(bench.path("disk")).unwrap();
        let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
        let text = told(&output);
        assert!(output.status.code() == Some(3) && text.contains("nothing is released"), "{text}");
        assert!(text.contains("30 blocks") && text.contains("halo/rescue CACHE DISK IMAGE"), "{text}");
        assert!(fs::read(bench.path("disk")).unwrap() == before, "something was changed");
    }
    // Items of another cache are none of this one.
    let other = Bench::bound("1M", DISK_BYTES);
    let mut server = other.serve(&[]);
    other.client().write_at(0, &content(1)).unwrap();
    server.terminate();
    let mut foreign = fs::read(other.path("cache")).unwrap();
    foreign[..4096].fill(0);
    foreign[end - 4096..].fill(0);
    fs::write(bench.path("cache"), foreign).unwrap();
    assert!(bench.halo(&[&RELEASE[..], &["--yes"]].concat()).status.success());
}

/// Only a device that is gone, or gives errors, is lost.
#[test]
fn a_cache_that_cannot_be_opened_for_another_reason_is_not_given_up() {
    let bench = used("flush");
    let refused = |why: &str| {
        let before = fs::read(bench.path("disk")).unwrap();
        let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
        let text = told(&output);
        assert!(output.status.code() == Some(3) && text.contains(why), "{text}");
        assert!(text.contains("nothing is released") && text.contains("halo/rescue"), "{text}");
        assert!(fs::read(bench.path("disk")).unwrap() == before, "something was changed");
    };
    fs::rename(bench.path("cache"), bench.path("moved")).unwrap();
    std::os::unix::fs::symlink(bench.path("cache"), bench.path("cache")).unwrap();
    refused("symbolic link");
    // A file system that became read-only, as after an error of its SSD.
    fs::remove_file(bench.path("cache")).unwrap();
    fs::create_dir(bench.path("mounted")).unwrap();
    let mount = |options: &str| {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(bench.path("mounted"));
        command.output().is_ok_and(|output| output.status.success())
    };
    if !mount("size=4m") {
        skipped("a read-only file system: nothing can be mounted here");
        return;
    }
    let _mounted = Mounted(bench.path("mounted"));
    fs::copy(bench.path("moved"), bench.path("mounted").join("cache")).unwrap();
    std::os::unix::fs::symlink(bench.path("mounted").join("cache"), bench.path("cache")).unwrap();
    // Another test may be starting a process just now, which holds this one's files for a moment, those that can be written, too.
    wait_for("a file system that is read-only", || mount("remount,ro").then_some(()));
    refused("Read-only file system");
    if let Some((code, report)) = crate::specification::rescue(&bench, Some("image")) {
        assert_eq!((code, &report["blocks"]), (0, &30.into()), "{report}");
    }
}

/// As of a worn-out SSD, which some kernels let nobody open for writing.
#[test]
fn a_cache_that_may_only_be_read_is_not_given_up_and_the_way_to_its_blocks_is_told() {
    let bench = used("flush");
    let mode = |name: &str, mode: u32| fs::set_permissions(bench.path(name), fs::Permissions::from_mode(mode)).unwrap();
    mode(".", 0o777);
    mode("disk", 0o666);
    mode("cache", 0o444);
    let mut command = bench.command(&[&RELEASE[..], &["--yes"]].concat());
    // Root may write to any file.
    if fs::File::options().write(true).open(bench.path("cache")).is_ok() {
        command.uid(65_534);
    }
    let output = match command.output() {
        // As below a home folder of root's.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return skipped("another user may not run what was built here");
        }
        output => output.unwrap(),
    };
    let text = told(&output);
    assert!(output.status.code() == Some(3) && text.contains("nothing is released"), "{text}");
    assert!(
        text.contains("permission to read and write it") && text.contains("halo/rescue CACHE DISK IMAGE"),
        "{text}"
    );
}

/// Unmounted when the test ends.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        // Removing the folder fails while it is mounted, which shows the fault.
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_release_asks_and_goes_on_only_after_a_yes() {
    let bench = used("flush");
    fs::remove_file(bench.path("cache")).unwrap();
    let before = fs::read(bench.path("disk")).unwrap();
    let answered = |answer: &str| {
        let mut command = bench.command(&RELEASE);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A question that nobody listens to any more is answered all the same.
        let _ = child.stdin.take().unwrap().write_all(answer.as_bytes());
        child.wait_with_output().unwrap()
    };
    for (answer, reason) in
        [("", "there was no answer"), ("no\n", "the answer was 'no'"), ("y\n", "the answer was 'y'")]
    {
        let output = answered(answer);
        assert!(output.status.code() == Some(2) && told(&output).contains(reason), "{}", told(&output));
        assert!(fs::read(bench.path("disk")).unwrap() == before, "something was changed");
    }
    let output = answered("yes\n");
    assert!(output.status.success() && told(&output).contains("released    "), "{}", told(&output));
    assert!(bench.halo(&["release", "DISK"]).status.code() == Some(2), "without --cache-lost");
}

#[test]
fn a_release_that_is_killed_at_any_moment_can_be_repeated() {
    let bench = used("flush");
    fs::remove_file(bench.path("cache")).unwrap();
    let bound = fs::read(bench.path("disk")).unwrap();
    let data = data_of(&bench);
    let mut kills = 0;
    for attempt in 0..40_u32 {
        fs::write(bench.path("disk"), &bound).unwrap();
        let mut command = bench.command(&[&RELEASE[..], &["--yes"]].concat());
        let mut release = Process::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
        // Ever later in its life, until it is over before it is killed.
        (0..attempt * 3_000).for_each(|_| std::hint::spin_loop());
        kills += u32::from(release.is_running());
        release.kill();
        let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
        assert!(output.status.success(), "{}", told(&output));
        assert!(data_of(&bench) == data, "data of the disk was changed");
        bench.create("1M");
        fs::remove_file(bench.path("cache")).unwrap();
    }
    assert!(kills > 0, "no release was killed");
}

#[test]
fn a_lost_cache_that_comes_back_is_not_used_and_its_blocks_can_still_be_read() {
    let bench = used("flush");
    fs::rename(bench.path("cache"), bench.path("away")).unwrap();
    assert!(bench.halo(&[&RELEASE[..], &["--yes"]].concat()).status.success());
    fs::rename(bench.path("away"), bench.path("cache")).unwrap();
    let before = fs::read(bench.path("disk")).unwrap();
    for command in ["status", "check", "drain", "detach"] {
        let output = bench.halo(&[command, "CACHE", "DISK"]);
        assert!(
            output.status.code() == Some(3) && told(&output).contains("released from this cache"),
            "{}",
            told(&output)
        );
    }
    let output = bench.halo(&["create", "CACHE", "DISK"]);
    assert!(output.status.code() == Some(3) && told(&output).contains("--force"), "{}", told(&output));
    assert!(fs::read(bench.path("disk")).unwrap() == before, "something was changed");
    if let Some((code, report)) = crate::specification::rescue(&bench, Some("image")) {
        assert_eq!((code, &report["blocks"]), (0, &30.into()), "{report}");
        let image = fs::read(bench.path("image")).unwrap();
        assert!(image[50 * 4096..][..4096] == content(150));
    }
    assert!(bench.halo(&["create", "CACHE", "DISK", "--force"]).status.success());
    drop(bench.serve(&[]));
}

#[test]
fn a_cache_whose_disk_died_is_released_on_purpose_and_can_be_used_again() {
    let bench = used("flush");
    let release = ["release", "CACHE", "--disk-lost"];
    let refused = |arguments: &[&str], code: i32, reason: &str| {
        let before = ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap());
        let output = bench.halo(arguments);
        assert!(output.status.code() == Some(code) && told(&output).contains(reason), "{}", told(&output));
        assert!(before == ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap()), "something was changed");
    };
    fs::rename(bench.path("disk"), bench.path("dead")).unwrap();
    fs::write(bench.path("disk"), vec![0; DISK_BYTES as usize]).unwrap();
    // The way to it is in the message of whoever tries the obvious.
    refused(&["create", "CACHE", "DISK", "--force"], 3, "halo release CACHE --disk-lost");
    refused(&[&release[..], &["--dry-run"]].concat(), 0, "30 blocks");
    refused(&release, 2, "there was no answer");
    refused(&[&release[..], &["--cache-lost"]].concat(), 2, "cannot be used with");
    refused(&["release", "DISK", "--disk-lost", "--yes"], 3, "not part of a HALO cache");
    let report = bench.json(&[&release[..], &["--yes", "--json"]].concat());
    assert_eq!((&report["released"], &report["lost_blocks"]), (&true.into(), &30.into()), "{report}");
    assert!(bench.halo(&["create", "CACHE", "DISK"]).status.success());
    drop(bench.serve(&[]));
    // The dead disk comes back.
    fs::rename(bench.path("dead"), bench.path("disk")).unwrap();
    refused(&["serve", "CACHE", "DISK", "--socket", "SOCKET"], 3, "use the right disk");
    let output = bench.halo(&[&RELEASE[..], &["--yes"]].concat());
    assert!(output.status.success() && told(&output).contains("cannot be used"), "{}", told(&output));
    let bytes = fs::read(bench.path("disk")).unwrap();
    (0..40).for_each(|block| assert!(bytes[block * 4096..][..4096] == content(block as u64 + 1), "block {block}"));
}

/// The disk is an NBD export whose server goes away in the middle.
#[test]
fn a_release_over_nbd_that_fails_in_the_middle_is_repeated() {
    let mut bench = used("flush");
    fs::remove_file(bench.path("cache")).unwrap();
    let data = data_of(&bench);
    // A release is eight writes, and each of them fails now and then.
    let mut disk = bench.disk_over_nbd(&["--filter=error"], &["error-pwrite-rate=25%"]);
    let mut outcomes = HashSet::new();
    wait_for("a release that failed, and one that did not", || {
        outcomes.insert(bench.halo(&[&RELEASE[..], &["--yes"]].concat()).status.success());
        (outcomes.len() == 2).then_some(())
    });
    disk.kill();
    assert!(data_of(&bench) == data, "data of the disk was changed");
    let _disk = bench.serve_file("disk", &[], &[]);
    wait_for("the release", || bench.halo(&[&RELEASE[..], &["--yes"]].concat()).status.success().then_some(()));
    bench.create("1M");
}
