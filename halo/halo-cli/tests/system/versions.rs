//! Devices of an earlier format, as its last program left them (`tests/fixtures`).

use crate::harness::{Bench, version_of};
use crate::specification::rescue;
use halo_media::{FileMedium, Medium};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

const DISK_BYTES: u64 = 512 << 10;

/// A pair of version 2: blocks 0 to 19 are dirty, and 20 to 39 on the disk only.
fn version_2() -> Bench {
    unpacked(2)
}

fn unpacked(version: u32) -> Bench {
    let bench = Bench::loose(DISK_BYTES);
    for device in ["cache", "disk"] {
        let packed = format!("{}/tests/fixtures/version-{version}-{device}.gz", env!("CARGO_MANIFEST_DIR"));
        let unpacked = File::create(bench.path(device)).unwrap();
        assert!(Command::new("gzip").args(["-dc", &packed]).stdout(unpacked).status().unwrap().success());
    }
    bench
}

fn expected(block: u64) -> u64 {
    block + if block < 20 { 200 } else { 100 }
}

/// The format version in both copies of superblock and label.
fn versions(bench: &Bench) -> [u8; 4] {
    let (cache, disk) = (fs::read(bench.path("cache")).unwrap(), fs::read(bench.path("disk")).unwrap());
    [(&cache, 0), (&cache, cache.len() - 4096), (&disk, disk.len() - 4096), (&disk, disk.len() - 2048)]
        .map(|(device, at)| device[at + 8])
}

#[test]
fn a_pair_of_version_2_is_opened_with_all_its_blocks_and_is_one_of_version_4_before_its_disk_is_masked() {
    let bench = version_2();
    assert_eq!(versions(&bench), [2; 4]);
    assert_eq!(bench.json(&["check", "CACHE", "DISK", "--json"])["blocks"], 20);
    if let Some((code, report)) = rescue(&bench, None) {
        assert_eq!((code, &report["blocks"]), (0, &20.into()), "{report}");
    }
    assert_eq!(versions(&bench), [2; 4], "a command that only looks wrote something");
    let mut server = bench.serve(&[]);
    (0..40).for_each(|block| assert_eq!(version_of(&bench.client(), block), expected(block)));
    assert_eq!(versions(&bench), [4; 4]);
    server.kill();
    assert!(bench.plain_disk().is_masked());
    if let Some((code, report)) = rescue(&bench, Some("image")) {
        assert_eq!((code, &report["blocks"]), (0, &20.into()), "{report}");
        let image = FileMedium::open(Path::new(&bench.path("image"))).unwrap();
        (0..40).for_each(|block| assert_eq!(version_of(&image, block), expected(block)));
    }
    let drained = bench.halo(&["drain", "CACHE", "DISK"]);
    assert!(drained.status.success(), "{drained:?}");
    let disk = FileMedium::open(Path::new(&bench.path("disk"))).unwrap();
    (0..40).for_each(|block| assert_eq!(version_of(&disk, block), expected(block)));
}

#[test]
fn commands_that_nobody_serves_take_a_pair_of_version_2() {
    for command in [&["drain", "CACHE", "DISK"][..], &["detach", "CACHE", "DISK"], &["repair", "CACHE", "DISK"]] {
        let bench = version_2();
        let output = bench.halo(command);
        assert!(output.status.success(), "{output:?}");
        let disk = FileMedium::open(Path::new(&bench.path("disk"))).unwrap();
        let drained = command[0] != "repair";
        (20..40).for_each(|block| assert_eq!(version_of(&disk, block), expected(block)));
        (0..20).for_each(|block| assert_eq!(version_of(&disk, block), block + if drained { 200 } else { 100 }));
    }
}

/// No program of that version masked a disk.
#[test]
fn a_disk_of_version_2_whose_label_is_lost_is_repaired_as_a_plain_one() {
    let bench = version_2();
    let mut disk = fs::read(bench.path("disk")).unwrap();
    let end = disk.len() - 4096;
    disk[end..].fill(0x77);
    fs::write(bench.path("disk"), &disk).unwrap();
    let repaired = bench.halo(&["repair", "CACHE", "DISK", "--label-lost"]);
    assert!(repaired.status.success(), "{repaired:?}");
    let plain = bench.plain_disk();
    assert!(!plain.is_masked());
    (20..40).for_each(|block| assert_eq!(version_of(&*plain, block), expected(block)));
    let drained = bench.halo(&["drain", "CACHE", "DISK"]);
    assert!(drained.status.success(), "{drained:?}");
    let disk = FileMedium::open(Path::new(&bench.path("disk"))).unwrap();
    (0..40).for_each(|block| assert_eq!(version_of(&disk, block), expected(block)));
}

/// A disk of 1 MiB, masked as the server left it that was killed: blocks 0 to 19 are dirty, and 20 to 254 on the disk only.
fn version_3() -> Bench {
    let bench = unpacked(3);
    assert_eq!(versions(&bench), [3; 4]);
    bench
}

fn assert_has_all(medium: &impl Medium) {
    (0..255).for_each(|block| assert_eq!(version_of(medium, block), expected(block)));
}

/// The mask of that version is smaller.
#[test]
fn a_pair_of_version_3_is_opened_with_its_mask_and_is_one_of_version_4_before_that_grows() {
    let bench = version_3();
    assert_eq!(bench.json(&["check", "CACHE", "DISK", "--json"])["blocks"], 20);
    if let Some((code, report)) = rescue(&bench, Some("image")) {
        assert_eq!((code, &report["blocks"]), (0, &20.into()), "{report}");
        assert_has_all(&FileMedium::open(&bench.path("image")).unwrap());
        fs::remove_file(bench.path("image")).unwrap();
    }
    assert_eq!(versions(&bench), [3; 4], "a command that only looks wrote something");
    let mut server = bench.serve(&[]);
    assert_has_all(&bench.client());
    assert_eq!(versions(&bench), [4; 4]);
    server.kill();
    let disk = fs::read(bench.path("disk")).unwrap();
    assert!(!(0..255_u64).any(|block| disk[block as usize * 4096..][..8] == expected(block).to_le_bytes()), "plain");
    if rescue(&bench, Some("image")).is_some() {
        assert_has_all(&FileMedium::open(&bench.path("image")).unwrap());
    }
    assert!(bench.halo(&["drain", "CACHE", "DISK"]).status.success());
    assert_has_all(&FileMedium::open(&bench.path("disk")).unwrap());
}

#[test]
fn commands_that_nobody_serves_take_a_pair_of_version_3() {
    for command in [&["drain", "CACHE", "DISK"][..], &["detach", "CACHE", "DISK"]] {
        let bench = version_3();
        let output = bench.halo(command);
        assert!(output.status.success(), "{output:?}");
        assert_has_all(&FileMedium::open(&bench.path("disk")).unwrap());
    }
    let bench = version_3();
    fs::remove_file(bench.path("cache")).unwrap();
    assert!(bench.halo(&["release", "DISK", "--cache-lost", "--cache", "gone", "--yes"]).status.success());
    let disk = FileMedium::open(&bench.path("disk")).unwrap();
    (0..255).for_each(|block| assert_eq!(version_of(&disk, block), 100 + block));
    // The record of the mask is lost with the label.
    let bench = version_3();
    let mut disk = fs::read(bench.path("disk")).unwrap();
    let end = disk.len() - 4096;
    disk[end..].fill(0x77);
    fs::write(bench.path("disk"), &disk).unwrap();
    if rescue(&bench, Some("image")).is_some() {
        assert_has_all(&FileMedium::open(&bench.path("image")).unwrap());
    }
    assert!(bench.halo(&["repair", "CACHE", "DISK", "--label-lost"]).status.success());
    assert!(bench.halo(&["drain", "CACHE", "DISK"]).status.success());
    assert_has_all(&FileMedium::open(&bench.path("disk")).unwrap());
}
