//! A real file system on a disk whose cache has blocks that it lacks: nobody finds it until the disk has everything.

use crate::devices::no_loop_device;
use crate::harness::{Bench, Process, skipped, wait_for};
use halo_media::Medium;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) const DISK_BYTES: u64 = 16 << 20;
const FILES: usize = 40;

fn text(number: usize) -> String {
    format!("file {number}\n").repeat(500 + number)
}

/// A cache with an ext4 file system in it, of which the disk has a part at most; its server was killed.
pub(crate) fn used() -> Bench {
    let bench = Bench::bound("12M", DISK_BYTES);
    let folder = bench.path("files");
    fs::create_dir(&folder).unwrap();
    (0..FILES).for_each(|number| fs::write(folder.join(number.to_string()), text(number)).unwrap());
    let image = bench.path("image");
    File::create(&image).unwrap().set_len(DISK_BYTES - 4096).unwrap();
    let made = Command::new("mkfs.ext4").args(["-q", "-d"]).arg(&folder).arg(&image).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let mut server = bench.serve(&[]);
    let client = bench.client();
    let bytes = fs::read(&image).unwrap();
    for (number, block) in (0..).zip(bytes.chunks(4096)).filter(|(_, block)| block.iter().any(|&byte| byte != 0)) {
        client.write_at(number * 4096, block).unwrap();
    }
    client.barrier().unwrap();
    server.kill();
    fs::remove_file(image).unwrap();
    bench
}

/// The type of a disk's content as the system sees it, or nothing.
fn seen(disk: &Path) -> String {
    let output = Command::new("blkid").args(["--probe", "--output", "value", "--match-tag", "TYPE"]).arg(disk).output();
    let output = output.unwrap();
    assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
    let all = Command::new("blkid").args(["--probe"]).arg(disk).output().unwrap();
    let seen = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    assert_eq!(all.stdout.is_empty(), seen.is_empty(), "{all:?}");
    seen
}

/// Mounts it, where that is possible; nothing where it is not.
fn mount(disk: &Path, at: &Path) -> Option<Output> {
    if let Some(hindrance) = no_loop_device() {
        skipped(hindrance);
        return None;
    }
    fs::create_dir_all(at).unwrap();
    Some(Command::new("mount").args(["-o", "loop"]).arg(disk).arg(at).output().unwrap())
}

/// Another test may be starting a process just now, which holds this one's files for a moment: the mount is busy then.
fn unmount(at: &Path) {
    wait_for("umount", || Command::new("umount").arg(at).status().unwrap().success().then_some(()));
}

/// The disk by itself is the file system with every file.
pub(crate) fn assert_whole(bench: &Bench) {
    let disk = bench.path("disk");
    assert_eq!(seen(&disk), "ext4");
    let checked = Command::new("e2fsck").args(["-f", "-n"]).arg(&disk).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
    for number in 0..FILES {
        let cat = Command::new("debugfs").args(["-R", &format!("cat {number}")]).arg(&disk).output().unwrap();
        assert!(cat.stdout == text(number).as_bytes(), "file {number}");
    }
    let at = bench.path("mounted");
    if let Some(mounted) = mount(&disk, &at) {
        assert!(mounted.status.success(), "{mounted:?}");
        let whole = (0..FILES).all(|number| fs::read_to_string(at.join(number.to_string())).unwrap() == text(number));
        unmount(&at);
        assert!(whole);
    }
}

pub(crate) fn assert_hidden(bench: &Bench) {
    let disk = bench.path("disk");
    assert_eq!(seen(&disk), "");
    assert!(!Command::new("dumpe2fs").arg("-h").arg(&disk).output().unwrap().status.success());
    if let Some(mounted) = mount(&disk, &bench.path("mounted")) {
        if mounted.status.success() {
            unmount(&bench.path("mounted"));
        }
        assert!(!mounted.status.success(), "a disk that lacks blocks was mounted");
    }
}

pub(crate) fn succeeds(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.halo(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn a_disk_that_lacks_blocks_shows_no_file_system_until_it_was_drained_or_detached() {
    for command in ["drain", "detach"] {
        let bench = used();
        assert_hidden(&bench);
        // Also after an ordered end, and after looking at it.
        bench.serve(&[]).terminate();
        succeeds(&bench, &["check", "CACHE", "DISK"]);
        assert_hidden(&bench);
        succeeds(&bench, &[command, "CACHE", "DISK"]);
        assert_whole(&bench);
    }
}

#[test]
fn a_server_that_was_drained_leaves_a_disk_that_can_be_used_and_hides_it_again() {
    let bench = used();
    let mut server = bench.serve(&[]);
    succeeds(&bench, &["drain", "--socket", "SOCKET"]);
    assert_eq!(seen(&bench.path("disk")), "", "while it is served");
    server.terminate();
    assert_whole(&bench);
    // The cache then serves the bytes that were written there without it.
    let mut disk = File::options().read(true).write(true).open(bench.path("disk")).unwrap();
    disk.seek(SeekFrom::Start(1024 + 120)).unwrap();
    disk.write_all(b"a name").unwrap();
    drop(disk);
    let mut server = bench.serve(&[]);
    let mut sector = [0; 512];
    bench.client().read_at(1024, &mut sector).unwrap();
    assert_eq!(&sector[120..126], b"a name");
    assert_eq!(seen(&bench.path("disk")), "");
    server.kill();
    assert_hidden(&bench);
    succeeds(&bench, &["detach", "CACHE", "DISK"]);
    assert_eq!(seen(&bench.path("disk")), "ext4");
}

#[test]
fn a_disk_whose_cache_is_lost_is_a_file_system_again_once_it_is_released() {
    let bench = used();
    // So that the disk has everything but what it does not matter to lose.
    let mut server = bench.serve(&[]);
    succeeds(&bench, &["drain", "--socket", "SOCKET"]);
    bench.client().write_at(DISK_BYTES / 2, &[0; 512]).unwrap();
    bench.client().barrier().unwrap();
    server.kill();
    fs::remove_file(bench.path("cache")).unwrap();
    assert_hidden(&bench);
    succeeds(&bench, &["release", "DISK", "--cache-lost", "--yes", "--dry-run"]);
    assert_hidden(&bench);
    succeeds(&bench, &["release", "DISK", "--cache-lost", "--yes"]);
    assert_whole(&bench);
}

#[test]
fn a_file_system_that_was_made_on_a_masked_disk_is_refused_with_what_to_do_and_kept_by_a_release() {
    let bench = used();
    let made = Command::new("mkfs.ext4").args(["-q", "-F"]).arg(bench.path("disk")).arg("15M").output().unwrap();
    assert!(made.status.success(), "{made:?}");
    for arguments in [
        &["drain", "CACHE", "DISK"][..],
        &["check", "CACHE", "DISK"],
        &["serve", "CACHE", "DISK", "--socket", "SOCKET"],
    ] {
        let output = bench.halo(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        let told = text.contains("shows ext2, ext3 or ext4, which was written without its cache");
        assert!(!output.status.success() && told && text.contains("halo release DISK --cache-lost"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains("shows")).count(), 1, "{text}");
    }
    fs::remove_file(bench.path("cache")).unwrap();
    let told = succeeds(&bench, &["release", "DISK", "--cache-lost", "--yes"]);
    assert!(told.contains("stays as it is"), "{told}");
    let checked = Command::new("e2fsck").args(["-f", "-n"]).arg(bench.path("disk")).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

/// A partition table of the kind of DOS, with a partition of Linux.
pub(crate) fn partition_table() -> [u8; 512] {
    let mut sector = [0; 512];
    sector[450] = 0x83;
    sector[454..458].copy_from_slice(&2048_u32.to_le_bytes());
    sector[458..462].copy_from_slice(&20_000_u32.to_le_bytes());
    sector[510..].copy_from_slice(&[0x55, 0xaa]);
    sector
}

/// Anything, at either end, also of a server that was killed in the middle of its work.
#[test]
fn whatever_is_put_on_a_masked_disk_is_refused_and_kept_by_a_release() {
    let zeros = [0; 512].to_vec();
    let end = DISK_BYTES - 4096;
    for (what, at, bytes) in [
        ("a partition table", 0, partition_table().to_vec()),
        ("data in 1 blocks, the first at byte 303104", 303_104 + 512, zeros.clone()),
        ("data in 1 blocks, the first at byte 16117760", end - 655_360, zeros),
    ] {
        let bench = used();
        let whole = rescued(&bench, "whole");
        let write =
            |bytes: &[u8]| File::options().write(true).open(bench.path("disk")).unwrap().write_all_at(bytes, at);
        write(&bytes).unwrap();
        let before = fs::read(bench.path("disk")).unwrap();
        for arguments in [&["drain", "CACHE", "DISK"][..], &["serve", "CACHE", "DISK", "--socket", "SOCKET"]] {
            let output = bench.halo(arguments);
            let text = String::from_utf8(output.stderr).unwrap();
            let told = text.contains(&format!("shows {what}, which was written without its cache"));
            assert!(!output.status.success() && told, "{what}: {text}");
        }
        assert!(fs::read(bench.path("disk")).unwrap() == before, "{what}: something was changed");
        if let (Some((_, whole)), Some((report, image))) = (whole, rescued(&bench, "image")) {
            let block = at / 4096;
            assert_eq!((&report["code"], &report["written_outside"]), (&3.into(), &json!([block * 4096])), "{what}");
            let of = |bytes: &[u8], block: usize| bytes[block * 4096..][..4096].to_vec();
            let differing: Vec<_> =
                (0..image.len() / 4096).filter(|&other| of(&image, other) != of(&whole, other)).collect();
            // The cache may have the block.
            assert!(
                differing.iter().all(|&other| other as u64 == block && of(&image, other) == of(&before, other)),
                "{what}"
            );
        }
        fs::rename(bench.path("cache"), bench.path("away")).unwrap();
        let told = succeeds(&bench, &["release", "DISK", "--cache-lost", "--yes"]);
        assert!(told.contains(what) && told.contains("stays as it is"), "{told}");
        let after = fs::read(bench.path("disk")).unwrap();
        assert!(after[at as usize..][..bytes.len()] == bytes, "{what}: what was written is gone");
    }
}

/// A reader that knows only the specification: what it prints, its exit code, and the image that it makes.
fn rescued(bench: &Bench, name: &str) -> Option<(Value, Vec<u8>)> {
    let (code, mut report) = crate::specification::rescue(bench, Some(name))?;
    report["code"] = code.into();
    let image = fs::read(bench.path(name)).unwrap();
    fs::remove_file(bench.path(name)).unwrap();
    Some((report, image))
}

/// The record of the mask says that it was being put on, of a disk that has all of it.
fn cut_masking_short(bench: &Bench) {
    let mut disk = fs::read(bench.path("disk")).unwrap();
    let end = disk.len();
    for at in [end - 4096 + 512, end - 2048 + 512] {
        let record = &mut disk[at..at + 1536];
        assert!(&record[..8] == b"HALOMASK" && record[12] == 2);
        assert!(record[1320..1360] == [0; 40], "some checksums say nothing");
        record[12] = 3;
        let checksum = crc32c::crc32c(&record[..1532]);
        record[1532..].copy_from_slice(&checksum.to_le_bytes());
    }
    fs::write(bench.path("disk"), disk).unwrap();
}

#[test]
fn a_disk_whose_masking_was_cut_short_before_somebody_wrote_to_it_can_be_repaired_or_released() {
    let bench = used();
    bench.serve(&[]).terminate();
    cut_masking_short(&bench);
    succeeds(&bench, &["check", "CACHE", "DISK"]);
    // Which the cache does not have.
    let at = DISK_BYTES - 4096 - 655_360;
    let disk = File::options().write(true).open(bench.path("disk")).unwrap();
    disk.write_all_at(&[0x77; 512], at).unwrap();
    let what = format!("shows data in 1 blocks, the first at byte {}", at / 4096 * 4096);
    for command in ["check", "drain"] {
        let output = bench.halo(&[command, "CACHE", "DISK"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && text.contains(&what), "{command}: {text}");
    }
    if let Some((report, _)) = rescued(&bench, "image") {
        assert_eq!((&report["code"], &report["written_outside"]), (&3.into(), &json!([at / 4096 * 4096])));
    }
    let copies = ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap());
    succeeds(&bench, &["repair", "CACHE", "DISK", "--accept-outside-writes"]);
    succeeds(&bench, &["check", "CACHE", "DISK"]);
    succeeds(&bench, &["detach", "CACHE", "DISK"]);
    let has_it = || fs::read(bench.path("disk")).unwrap()[at as usize..][..512] == [0x77; 512];
    assert!(has_it() && seen(&bench.path("disk")) == "ext4");
    fs::write(bench.path("disk"), &copies[1]).unwrap();
    fs::remove_file(bench.path("cache")).unwrap();
    let told = succeeds(&bench, &["release", "DISK", "--cache-lost", "--yes"]);
    assert!(told.contains(&what) && has_it(), "{told}");
}

/// For a disk that is damaged, and was not written to.
#[test]
fn a_masked_disk_with_other_content_is_taken_by_a_repair_that_accepts_it() {
    let bench = used();
    let mut disk = File::options().read(true).write(true).open(bench.path("disk")).unwrap();
    disk.seek(SeekFrom::Start(400_000)).unwrap();
    disk.write_all(&[0x77; 3]).unwrap();
    drop(disk);
    assert!(!bench.halo(&["drain", "CACHE", "DISK"]).status.success());
    succeeds(&bench, &["repair", "CACHE", "DISK", "--accept-outside-writes"]);
    assert_hidden(&bench);
    succeeds(&bench, &["detach", "CACHE", "DISK"]);
    assert_eq!(seen(&bench.path("disk")), "ext4");
}

/// All four labels of a pool, by the list that says what it is, and the blocks that say when it was used.
#[test]
fn a_disk_that_lacks_blocks_shows_no_label_of_zfs() {
    const LABEL_BYTES: u64 = 256 << 10;
    let bench = Bench::bound("12M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    let client = bench.client();
    let end = (DISK_BYTES - 4096) / LABEL_BYTES * LABEL_BYTES;
    let mut uberblock = [0; 1024];
    uberblock[..8].copy_from_slice(&0x00ba_b10c_u64.to_le_bytes());
    uberblock[8..16].copy_from_slice(&5000_u64.to_le_bytes());
    for label in [0, LABEL_BYTES, end - 2 * LABEL_BYTES, end - LABEL_BYTES] {
        client.write_at(label + (16 << 10), &[0x5a; 4096]).unwrap();
        client.write_at(label + (128 << 10), &uberblock.repeat(128)).unwrap();
    }
    client.barrier().unwrap();
    succeeds(&bench, &["drain", "--socket", "SOCKET"]);
    client.write_at(DISK_BYTES / 2, &[1; 512]).unwrap();
    client.barrier().unwrap();
    server.kill();
    let labels = |bytes: &[u8]| {
        let has = |at: u64, content: &[u8]| bytes[at as usize..][..content.len()] == *content;
        let places = [0, LABEL_BYTES, end - 2 * LABEL_BYTES, end - LABEL_BYTES];
        let lists = places.iter().filter(|&label| has(label + (16 << 10), &[0x5a; 4096])).count();
        (lists, places.iter().filter(|&label| has(label + (128 << 10), &uberblock[..8])).count())
    };
    assert_eq!(labels(&fs::read(bench.path("disk")).unwrap()), (0, 0), "labels of a pool are on the disk");
    succeeds(&bench, &["detach", "CACHE", "DISK"]);
    assert_eq!(labels(&fs::read(bench.path("disk")).unwrap()), (4, 4));
}

#[test]
fn commands_that_mask_and_unmask_can_be_killed_at_any_moment() {
    let bench = used();
    let files = ["cache", "disk"].map(|name| (bench.path(name), fs::read(bench.path(name)).unwrap()));
    let mut kills = 0;
    for attempt in 0..24_u32 {
        for (path, bytes) in &files {
            fs::write(path, bytes).unwrap();
        }
        let mut command = bench.command(&["detach", "CACHE", "DISK"]);
        let mut detach = Process::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
        std::thread::sleep(std::time::Duration::from_millis(u64::from(attempt) * 4));
        kills += u32::from(detach.is_running());
        detach.kill();
        let output = bench.halo(&["detach", "CACHE", "DISK"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || text.contains("it was detached"), "{text}");
        assert_eq!(seen(&bench.path("disk")), "ext4");
        let checked = Command::new("e2fsck").args(["-f", "-n"]).arg(bench.path("disk")).output().unwrap();
        assert!(checked.status.success(), "{checked:?}");
    }
    assert!(kills > 0, "no command was killed");
}

#[test]
fn a_masked_disk_that_became_larger_is_grown_and_keeps_its_file_system() {
    for size in [&["--size", "13M"][..], &[]] {
        let bench = used();
        File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES + (4 << 20)).unwrap();
        assert!(!bench.halo(&["drain", "CACHE", "DISK"]).status.success());
        succeeds(&bench, &[&["grow", "CACHE", "DISK"], size].concat());
        if size.is_empty() {
            // A larger cache would have been emptied for that.
            assert_hidden(&bench);
        }
        let mut server = bench.serve(&[]);
        assert_hidden(&bench);
        server.terminate();
        succeeds(&bench, &["detach", "CACHE", "DISK"]);
        assert_whole(&bench);
    }
}

#[test]
fn a_masked_disk_whose_label_is_lost_is_repaired_and_read_without_it() {
    let bench = used();
    let mut disk = fs::read(bench.path("disk")).unwrap();
    let end = disk.len() - 4096;
    disk[end..].fill(0x77);
    fs::write(bench.path("disk"), &disk).unwrap();
    if crate::specification::rescue(&bench, Some("image")).is_some() {
        assert_eq!(seen(&bench.path("image")), "ext4");
    }
    succeeds(&bench, &["repair", "CACHE", "DISK", "--label-lost"]);
    assert_hidden(&bench);
    succeeds(&bench, &["detach", "CACHE", "DISK"]);
    assert_whole(&bench);
}
