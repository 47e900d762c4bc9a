//! Mode ordered: the disk alone, after the cache device is lost.

use crate::harness::{Bench, content, version_of, wait_for};
use halo_core::SplitMix64;
use halo_media::Medium;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

const DISK_BYTES: u64 = 64 << 20;
const BLOCKS: u64 = 300;
const WRITES_PER_FLUSH: usize = 8;

/// Where a block lies: eight apart, so that they are spread over many regions of the disk.
fn place(block: u64) -> u64 {
    block * 8
}

/// Writes with increasing versions, from 1, until the server is gone, and flushes every [`WRITES_PER_FLUSH`]. Gives the block of each
/// write, the last of which may not have been acknowledged.
fn write_until_killed(bench: &Bench, seed: u64, progress: &AtomicUsize) -> Vec<u64> {
    let client = bench.client();
    let mut random = SplitMix64::new(seed);
    let mut written = Vec::new();
    loop {
        let block = random.below(BLOCKS);
        written.push(block);
        let version = written.len() as u64;
        if client.write_at(place(block) * 4096, &content(version)).is_err() {
            return written;
        }
        if written.len().is_multiple_of(WRITES_PER_FLUSH) && client.barrier().is_err() {
            return written;
        }
        progress.store(written.len(), SeqCst);
    }
}

/// The disk holds all writes up to some flush and any of those before the next one. Gives the newest version that it holds.
fn verify_order(disk: &impl Medium, written: &[u64]) -> usize {
    let found: Vec<_> = (0..BLOCKS).map(|block| version_of(disk, place(block)) as usize).collect();
    let newest = found.iter().copied().max().unwrap_or_default();
    // Versions are counted from 1: that many writes were before the flush in front of the newest one.
    let flushed = newest.saturating_sub(1) / WRITES_PER_FLUSH * WRITES_PER_FLUSH;
    for (block, &version) in (0..).zip(&found) {
        let newest_flushed = written[..flushed].iter().rposition(|&other| other == block).map_or(0, |at| at + 1);
        let later = version > flushed && written[version - 1] == block;
        assert!(
            version == newest_flushed || later,
            "block {block}: {version}, but {newest_flushed} was flushed before {newest}, which is on the disk"
        );
    }
    newest
}

#[test]
fn a_drain_without_a_server_keeps_the_order_too() {
    let mut bench = Bench::loose(DISK_BYTES);
    // Nothing is destaged while it is served.
    let mut disk = bench.disk_over_nbd(&[], &[]);
    bench.create("8M");
    let mut server = bench.serve(&["--mode", "ordered"]);
    let progress = AtomicUsize::new(0);
    let written = thread::scope(|scope| {
        let writer = scope.spawn(|| write_until_killed(&bench, 5, &progress));
        wait_for("writes", || (progress.load(SeqCst) >= 800).then_some(()));
        server.kill();
        writer.join().unwrap()
    });
    disk.kill();
    // A disk that fails in the middle.
    let mut failing = bench.serve_file("disk", &["--filter=error"], &["error-pwrite-rate=2%"]);
    let output = bench.halo(&["drain", "CACHE", "DISK"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    failing.kill();
    fs::remove_file(bench.path("cache")).unwrap();
    let newest = verify_order(&bench.plain_disk(), &written);
    assert!(newest < written.len(), "the disk has everything");
}

#[test]
fn in_mode_ordered_the_disk_alone_is_as_after_a_power_loss_when_the_cache_device_is_lost() {
    for seed in 1..=4 {
        let mut bench = Bench::loose(DISK_BYTES);
        // A disk with a volatile cache: what was not flushed is lost with its server.
        let mut disk = bench.disk_over_nbd(&["--filter=cache"], &["cache-min-block-size=4K"]);
        // Smaller than what is written, so that destaging is under way.
        bench.create("1M");
        let mut server = bench.serve(&["--mode", "ordered"]);
        let progress = AtomicUsize::new(0);
        let written = thread::scope(|scope| {
            let writer = scope.spawn(|| write_until_killed(&bench, seed, &progress));
            let enough = 1000 + seed as usize * 37;
            wait_for("writes", || (progress.load(SeqCst) >= enough).then_some(()));
            server.kill();
            disk.kill();
            writer.join().unwrap()
        });
        fs::remove_file(bench.path("cache")).unwrap();
        let newest = verify_order(&bench.plain_disk(), &written);
        assert!(
            newest > 500 && newest <= written.len(),
            "the disk took only writes up to {newest} of {}",
            written.len()
        );
    }
}
