//! Disks that fail, and caches that are full.

use crate::harness::{Bench, Process, content, programs, version_of, wait_for};
use halo_lossy::{VARIABLE, journal};
use halo_media::Medium;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;

const DISK_BYTES: u64 = 64 << 20;

/// A cache of `size` and a disk that takes no writes while the file with the returned name exists.
fn with_failing_disk(size: &str) -> (Bench, Process, PathBuf) {
    let mut bench = Bench::loose(DISK_BYTES);
    let failing = bench.path("failing");
    let trigger = format!("error-file={}", failing.display());
    let disk = bench.disk_over_nbd(&["--filter=error"], &["error-pwrite-rate=100%", &trigger]);
    bench.create(size);
    (bench, disk, failing)
}

#[test]
fn blocks_that_a_failing_disk_does_not_take_stay_visible_and_are_drained_later() {
    let (bench, _disk, failing) = with_failing_disk("3M");
    let _server = bench.serve(&["--metrics", "127.0.0.1:0"]);
    let client = bench.client();
    (0..100).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();

    fs::write(&failing, "").unwrap();
    let output = bench.halo(&["drain", "--socket", "SOCKET"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("100 blocks stay in the cache"), "{text}");
    let status = bench.status();
    assert_eq!(status["dirty_blocks"], 100);
    assert!(status["disk_error"].as_str().unwrap().starts_with("disk file: writing failed"), "{status}");
    let metrics = String::from_utf8(bench.halo(&["metrics", "--socket", "SOCKET"]).stdout).unwrap();
    assert!(metrics.contains("\nhalo_disk_failing 1\n") && metrics.contains("\nhalo_dirty_blocks 100\n"), "{metrics}");
    (0..100).for_each(|block| assert_eq!(version_of(&client, block), block + 1));

    fs::remove_file(&failing).unwrap();
    wait_for("the drain that goes on", || (bench.status()["dirty_blocks"] == 0).then_some(()));
    // The blocks are gone a moment before the round that took them is over.
    wait_for("the end of the error", || bench.status()["disk_error"].is_null().then_some(()));
    let lines = |text: &str| bench.log().lines().filter(|line| line.contains(text)).count();
    assert_eq!(lines("blocks stay in the cache: disk file: writing failed"), 1, "{}", bench.log());
    wait_for("the log", || (lines("the disk takes blocks again") == 1).then_some(()));
    let disk = bench.plain_disk();
    (0..100).for_each(|block| assert_eq!(version_of(&disk, block), block + 1));
}

#[test]
fn a_drain_is_not_told_the_error_of_one_before_it() {
    let (bench, _disk, failing) = with_failing_disk("3M");
    let _server = bench.serve(&[]);
    let client = bench.client();
    client.write_at(0, &content(1)).unwrap();
    fs::write(&failing, "").unwrap();
    assert_eq!(bench.halo(&["drain", "--socket", "SOCKET"]).status.code(), Some(3));
    fs::remove_file(&failing).unwrap();
    let output = bench.halo(&["drain", "--socket", "SOCKET"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(version_of(&bench.plain_disk(), 0), 1);
}

#[test]
fn a_full_cache_makes_progress_at_the_disks_pace() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let _server = bench.serve(&[]);
    let client = bench.client();
    // Sixteen times what the cache holds, one block per region of 64 KiB, without any flush.
    let blocks: Vec<_> = (0..4000_u64).map(|number| (number * 16) % 16_000 + number / 1000).collect();
    for (version, block) in (1..).zip(&blocks) {
        client.write_at(block * 4096, &content(version)).unwrap();
    }
    (1..).zip(&blocks).for_each(|(version, &block)| assert_eq!(version_of(&client, block), version));
    let status = bench.status();
    assert!(status["destaged_blocks"].as_u64().unwrap() >= 3700, "{status}");
}

#[test]
fn a_copy_of_a_cache_that_has_holes_is_allocated_before_it_takes_writes() {
    // Mapped, a full file system would end the server by a signal.
    for name in ["CACHE", "PMEM"] {
        let bench = Bench::bound("3M", DISK_BYTES);
        let (whole, path) = (fs::read(bench.path("cache")).unwrap(), bench.path("cache"));
        let copy = File::create(&path).unwrap();
        copy.set_len(whole.len() as u64).unwrap();
        for (number, block) in (0..).zip(whole.chunks(4096)).filter(|(_, block)| block.iter().any(|&byte| byte > 0)) {
            copy.write_all_at(block, number * 4096).unwrap();
        }
        let allocated_bytes = || fs::metadata(&path).unwrap().blocks() * 512;
        assert!(allocated_bytes() < 1 << 20, "this file system makes no holes");
        let _server = bench.serve_as(name, &[]);
        assert!(allocated_bytes() >= whole.len() as u64, "{name}: {} bytes", allocated_bytes());
    }
}

#[test]
fn a_full_cache_in_front_of_a_failing_disk_refuses_writes_and_keeps_what_it_has() {
    let (bench, _disk, failing) = with_failing_disk("1M");
    let _server = bench.serve(&[]);
    let client = bench.client();
    fs::write(&failing, "").unwrap();
    let taken = (0..1000).find(|&block| client.write_at(block * 4096, &content(block + 1)).is_err()).unwrap();
    assert!((200..256).contains(&taken), "{taken} blocks in a cache of 1 MiB");
    (0..taken).for_each(|block| assert_eq!(version_of(&client, block), block + 1));
    fs::remove_file(&failing).unwrap();
    wait_for("room", || client.write_at(taken * 4096, &content(taken + 1)).ok());
    (0..=taken).for_each(|block| assert_eq!(version_of(&client, block), block + 1));
}

/// A cache file whose name a power loss takes is a lost cache.
#[test]
fn a_creation_ends_when_the_name_of_its_file_is_durable_or_leaves_none() {
    let bench = Bench::loose(DISK_BYTES);
    let (folder, journal) = (bench.path(""), bench.path("folder.journal"));
    let create = || {
        let mut command = bench.command(&["create", "CACHE", "DISK", "--size", "1M"]);
        command.env("LD_PRELOAD", programs().join("examples/liblossy.so"));
        command.env(VARIABLE, format!("{}={}", folder.display(), journal.display())).output().unwrap()
    };
    let fails = bench.path("folder.journal.fail-sync");
    fs::write(&fails, "").unwrap();
    let output = create();
    assert!(!output.status.success(), "a folder that cannot be synced: {output:?}");
    assert!(!bench.path("cache").exists(), "half a creation was left");
    fs::remove_file(fails).unwrap();
    let before = journal::syncs_begun(&journal).unwrap();
    let output = create();
    assert!(output.status.success() && journal::syncs_begun(&journal).unwrap() > before, "{output:?}");
}
