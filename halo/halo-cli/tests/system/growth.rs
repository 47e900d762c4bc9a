//! What a growth leaves when it fails, and what a disk shows meanwhile.

use crate::devices::{Loop, no_loop_device};
use crate::harness::{Bench, content, skipped, version_of, wait_for};
use crate::masked::{DISK_BYTES, assert_hidden, assert_whole, succeeds, used};
use halo_media::{FileMedium, Medium};
use halo_server::{AnyMedium, MaskedDisk};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Whatever the disk has of a file system: what it had room for before is masked.
fn is_masked(bench: &Bench) -> bool {
    let disk: AnyMedium = Arc::new(bench.copy_of_disk(|copy| FileMedium::open(copy).unwrap()));
    MaskedDisk::of_size(disk, DISK_BYTES).unwrap().is_masked()
}

#[test]
fn a_growth_that_fails_leaves_a_disk_that_shows_no_file_system() {
    for (size, more_bytes) in [(&["--size", "13M"][..], 0), (&["--size", "13M"], 4 << 20), (&[], 4 << 20)] {
        let bench = used();
        File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES + more_bytes).unwrap();
        let cache = fs::read(bench.path("cache")).unwrap();
        let item = (4096..).step_by(32).find(|&at| cache[at..at + 32] != [0; 32]).unwrap();
        let change_item = || {
            let file = File::options().read(true).write(true).open(bench.path("cache")).unwrap();
            let mut byte = [0];
            file.read_exact_at(&mut byte, item as u64).unwrap();
            file.write_all_at(&[byte[0] ^ 1], item as u64).unwrap();
        };
        change_item();
        let grow = [&["grow", "CACHE", "DISK"], size].concat();
        let failed = bench.halo(&grow);
        let text = String::from_utf8(failed.stderr).unwrap();
        assert!(failed.status.code() == Some(3) && text.contains("damaged"), "{text}");
        assert!(is_masked(&bench), "{size:?}, {more_bytes} bytes more");
        assert_hidden(&bench);
        change_item();
        succeeds(&bench, &grow);
        succeeds(&bench, &["detach", "CACHE", "DISK"]);
        assert_whole(&bench);
    }
}

/// Ten blocks, of which the cache's copy of the fourth has rotted.
fn rotten() -> Bench {
    let bench = Bench::bound("2M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    let client = bench.client();
    (0..10).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    server.kill();
    let cache = fs::read(bench.path("cache")).unwrap();
    let at = (0..cache.len()).step_by(4096).find(|&at| cache[at..at + 4096] == content(4)).unwrap();
    let file = File::options().write(true).open(bench.path("cache")).unwrap();
    file.write_all_at(&[0xff], at as u64 + 100).unwrap();
    bench
}

/// The way out of all that cannot be brought to the disk; the other blocks are there.
fn grows_without_the_rotten_one(bench: &Bench, size: &[&str]) {
    let grow = [&["grow", "CACHE", "DISK"], size].concat();
    let failed = bench.halo(&grow);
    let text = String::from_utf8(failed.stderr).unwrap();
    let hint = "or give it up with --accept-damaged";
    assert!(failed.status.code() == Some(3) && text.contains("damaged") && text.contains(hint), "{text}");
    succeeds(bench, &[&grow[..], &["--accept-damaged"]].concat());
    let disk = bench.plain_disk();
    (0..10).for_each(|block| assert_eq!(version_of(&disk, block), if block == 3 { 0 } else { block + 1 }));
    drop(disk);
    drop(bench.serve(&[]));
    assert_eq!(fs::metadata(bench.path("cache")).unwrap().len(), 4 << 20);
}

#[test]
fn a_growth_that_damage_forbids_leaves_a_cache_that_serves_and_can_grow_without_what_is_damaged() {
    let bench = rotten();
    let failed = bench.halo(&["grow", "CACHE", "DISK", "--size", "4M"]);
    assert_eq!(failed.status.code(), Some(3), "{failed:?}");
    assert_eq!(fs::metadata(bench.path("cache")).unwrap().len(), 2 << 20);
    let mut server = bench.serve(&[]);
    assert_eq!(version_of(&bench.client(), 2), 3);
    server.kill();
    grows_without_the_rotten_one(&bench, &["--size", "4M"]);
}

/// The device became larger, or another version extended the file first.
#[test]
fn a_cache_that_is_larger_already_and_damaged_grows_without_what_is_damaged() {
    for size in [&[][..], &["--size", "4M"]] {
        let bench = rotten();
        File::options().write(true).open(bench.path("cache")).unwrap().set_len(4 << 20).unwrap();
        grows_without_the_rotten_one(&bench, size);
    }
}

/// Neither device changes before the disk has everything, and both may become larger at once.
#[test]
fn a_cache_and_a_disk_that_grow_at_once_survive_a_growth_that_damage_forbids() {
    let bench = rotten();
    File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES + (1 << 20)).unwrap();
    let failed = bench.halo(&["grow", "CACHE", "DISK", "--size", "4M"]);
    assert_eq!(failed.status.code(), Some(3), "{failed:?}");
    assert_eq!(fs::metadata(bench.path("cache")).unwrap().len(), 2 << 20);
    assert!(is_masked(&bench));
    grows_without_the_rotten_one(&bench, &["--size", "4M"]);
}

/// One copy of two is enough for every command.
#[test]
fn a_disk_grows_though_a_copy_of_the_superblock_cannot_be_read() {
    if let Some(hindrance) = no_loop_device() {
        return skipped(hindrance);
    }
    let bench = Bench::bound("2M", DISK_BYTES);
    let cache = Loop::of(&bench.path("cache"));
    // The device keeps its size, and its end gives errors.
    File::options().write(true).open(bench.path("cache")).unwrap().set_len((2 << 20) - 4096).unwrap();
    File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES + (1 << 20)).unwrap();
    let planned = bench.halo(&["grow", &cache.0, "DISK", "--dry-run"]);
    let text = String::from_utf8_lossy(&planned.stdout);
    assert!(planned.status.success() && text.starts_with("would be    cache 2.0 MiB"), "{planned:?}");
}

/// A pair whose growth failed between its first change and its last, since the disk took only some writes; `None` when it failed elsewhere.
fn interrupted() -> Option<Bench> {
    const GROWING: u8 = 5;
    let mut bench = Bench::loose(DISK_BYTES);
    let mut server = bench.disk_over_nbd(&[], &[]);
    bench.create("2M");
    server.kill();
    File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES + (1 << 20)).unwrap();
    server = bench.serve_file("disk", &["--filter=error"], &["error-pwrite-rate=30%"]);
    bench.halo(&["grow", "CACHE", "DISK"]);
    server.kill();
    (fs::read(bench.path("cache")).unwrap()[12] == GROWING).then_some(bench)
}

/// It has its sizes written down: with another one it could not go on.
#[test]
fn a_growth_that_was_interrupted_is_finished_before_the_file_becomes_larger_again() {
    let bench = wait_for("a growth that is interrupted", interrupted);
    let _server = bench.serve_file("disk", &[], &[]);
    let refused = bench.halo(&["grow", "CACHE", "DISK", "--size", "4M"]);
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && text.contains("finish it first, without --size"), "{text}");
    assert_eq!(fs::metadata(bench.path("cache")).unwrap().len(), 2 << 20);
    succeeds(&bench, &["grow", "CACHE", "DISK"]);
    succeeds(&bench, &["grow", "CACHE", "DISK", "--size", "4M"]);
}
