//! What a disk refuses, what a full cache refuses, and what an emulated disk takes its time for.

use super::client::Client;
use super::power::Machine;
use crate::harness::{Bench, Process, content, programs, wait_for};
use halo_planted::Mistake;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::{Duration, Instant};

const DISK_BYTES: u64 = 16 << 20;
const BLOCK: u64 = 4096;
/// `ENOSPC`.
const NO_ROOM: i32 = 28;

pub(crate) fn a_disk_that_takes_no_blocks_is_left_alone_for_a_second(mistake: Option<Mistake>) {
    let machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    (0..50).for_each(|block| client.write(block * 8 * BLOCK, &content(block + 1), false).unwrap());
    client.flush().unwrap();
    machine.ill("disk", ".fail-write");
    let output = machine.bench.halo(&["drain", "--socket", "SOCKET"]);
    assert!(!output.status.success(), "{output:?}");
    let failed = || machine.bench.status()["failed_destages"].as_u64().unwrap();
    // In this order: of the time in which the answer is on its way, some may be that of an attempt.
    let since = Instant::now();
    let before = failed();
    wait_for("three more attempts", || (failed() >= before + 3).then_some(()));
    // Two pauses of a second lie between them. A slow machine takes longer, and none takes less.
    assert!(since.elapsed() > Duration::from_millis(1500), "three attempts in {:?}", since.elapsed());
}

/// Not before none of its blocks can leave: here because all are damaged.
pub(crate) fn a_full_cache_says_that_there_is_no_room(mistake: Option<Mistake>) {
    let machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    machine.ill("disk", ".fail-write");
    let all = DISK_BYTES / BLOCK - 2;
    let taken = |version: &u64| client.write(version * BLOCK, &content(*version), false).is_ok();
    let blocks = (1..all).take_while(taken).count();
    client.flush().unwrap();
    let path = machine.bench.path("cache");
    let (bytes, file) = (fs::read(&path).unwrap(), File::options().write(true).open(&path).unwrap());
    let damaged = bytes.windows(BLOCK as usize).step_by(512).zip((0..).step_by(512)).filter(|(found, at)| {
        let version = u64::from_le_bytes(found[..8].try_into().unwrap());
        let is_one = version > 0 && *found == content(version);
        if is_one {
            // The second byte of a number below 65,280 is not that.
            file.write_all_at(&[0xff], at + 1001).unwrap();
        }
        is_one
    });
    assert_eq!(damaged.count(), blocks, "not each block was found in the cache file");
    // A batch may have been read before the damage: it would free slots once the disk is well again.
    let known = || machine.bench.status()["damaged_blocks"].as_u64() == Some(blocks as u64);
    wait_for("all blocks known as damaged", || known().then_some(()));
    machine.well("disk", ".fail-write");
    let refused = client.write(0, &content(9), false).unwrap_err();
    assert_eq!(refused.raw_os_error(), Some(NO_ROOM), "{refused}");
}

/// One of the consumer class acknowledges a write at once and flushes for 14 ms at least.
pub(crate) fn a_durable_write_of_the_emulated_disk_takes_as_long_as_its_flush(mistake: Option<Mistake>) {
    let bench = Bench::loose(0);
    let mut command = Command::new("nbdkit");
    command.envs(mistake.map(|mistake| (halo_planted::VARIABLE, format!("{mistake:?}"))));
    command.args(["--foreground", "--unix"]).arg(bench.socket());
    command.arg(programs().join("examples/libhalo_disk_nbdkit.so"));
    let file = format!("file={}", bench.path("emulated").display());
    let _server = Process::spawn(command.args([&file, "profile=consumer"]));
    wait_for("the emulated disk", || UnixStream::connect(bench.socket()).ok());
    let mut client = Client::connect(&bench.socket());
    for place in 0..5 {
        let since = Instant::now();
        client.write(place << 30, &content(1), true).unwrap();
        assert!(since.elapsed() >= Duration::from_millis(14), "a durable write in {:?}", since.elapsed());
    }
}
