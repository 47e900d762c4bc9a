//! Servers that are killed while clients write.

use crate::harness::{Bench, content, version_of};
use halo_core::SplitMix64;
use halo_media::Medium;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;

const DISK_BYTES: u64 = 64 << 20;

/// The writes of one client: the version of each of its blocks, and how many of its writes were flushed.
struct Writer {
    first_block: u64,
    writes: Vec<(u64, u64)>,
    flushed: usize,
}

const BLOCKS_EACH: u64 = 500;

impl Writer {
    /// Writes until the server is gone.
    fn run(bench: &Bench, number: u64, seed: u64, progress: &AtomicU64) -> Self {
        let client = bench.client();
        let mut random = SplitMix64::new(seed);
        let mut writer = Self { first_block: number * BLOCKS_EACH * 8, writes: Vec::new(), flushed: 0 };
        for version in seed * 1_000_000 + 1.. {
            // Eight blocks apart, so that they are spread over many regions of the disk.
            let block = writer.first_block + random.below(BLOCKS_EACH) * 8;
            writer.writes.push((block, version));
            if client.write_at(block * 4096, &content(version)).is_err() {
                break;
            }
            if random.below(16) == 0 {
                let written = writer.writes.len();
                if client.barrier().is_err() {
                    break;
                }
                writer.flushed = written;
            }
            progress.fetch_add(1, SeqCst);
        }
        writer
    }

    /// Each block holds its newest flushed version or a later one.
    fn verify(&self, medium: &impl Medium) {
        for index in 0..BLOCKS_EACH {
            let block = self.first_block + index * 8;
            let found = version_of(medium, block);
            let mut allowed = self.writes[..self.flushed].iter().rev().filter(|(written, _)| *written == block).take(1);
            let newest_flushed = allowed.next().map_or(0, |&(_, version)| version);
            let later =
                self.writes[self.flushed..].iter().any(|&(written, version)| (written, version) == (block, found));
            assert!(found == newest_flushed || later, "block {block}: {found}, but {newest_flushed} was flushed");
        }
    }
}

#[test]
fn what_was_flushed_before_a_kill_is_there_after_the_restart() {
    // Smaller than what is written, so that destaging is killed too.
    let bench = Bench::bound("3M", DISK_BYTES);
    let mut acknowledged = 0;
    for round in 1..=6 {
        let options: &[&str] = if round % 2 == 0 { &["--clean-blocks"] } else { &[] };
        let mut server = bench.serve(options);
        // Blocks of the round before would be of unknown version.
        let client = bench.client();
        (0..3 * BLOCKS_EACH).for_each(|index| client.write_at(index * 8 * 4096, &content(0)).unwrap());
        client.barrier().unwrap();
        let progress = AtomicU64::new(0);
        let writers: Vec<_> = thread::scope(|scope| {
            let started: Vec<_> = (0..3)
                .map(|number| {
                    let (bench, progress) = (&bench, &progress);
                    scope.spawn(move || Writer::run(bench, number, round * 10 + number, progress))
                })
                .collect();
            let enough = round * 300;
            crate::harness::wait_for("writes", || (progress.load(SeqCst) >= enough).then_some(()));
            server.kill();
            started.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        acknowledged += progress.load(SeqCst);
        let _again = bench.serve(&[]);
        for writer in &writers {
            writer.verify(&bench.client());
        }
    }
    assert!(acknowledged >= 6000);
}

#[test]
fn in_mode_strict_what_was_acknowledged_before_a_kill_is_there_without_a_flush() {
    let bench = Bench::bound("3M", DISK_BYTES);
    let mut server = bench.serve(&["--mode", "strict"]);
    let client = bench.client();
    (1..200).for_each(|version| client.write_at(version % 50 * 4096, &content(version)).unwrap());
    server.kill();
    let _again = bench.serve(&["--mode", "strict"]);
    (150..200).for_each(|version| assert_eq!(version_of(&bench.client(), version % 50), version));
}

#[test]
fn what_fio_wrote_and_flushed_is_verified_by_fio_after_a_kill() {
    let bench = Bench::bound("6M", DISK_BYTES);
    let fio = |arguments: &[&str]| {
        let mut command = Command::new("fio");
        command.args(["--name=verify", "--ioengine=nbd", "--bs=4k", "--output-format=terse"]);
        command.arg(format!("--uri=nbd+unix:///?socket={}", bench.socket().display()));
        command.args(arguments).current_dir(bench.path("")).stdout(std::process::Stdio::null());
        command
    };
    // Twice as much as the cache holds, all over the disk.
    let write = ["--rw=randwrite", "--size=12m", "--iodepth=16", "--verify=crc32c", "--do_verify=0", "--end_fsync=1"];
    let mut server = bench.serve(&[]);
    assert!(fio(&write).status().unwrap().success());
    // Killed in the middle of other writes.
    let other = ["--rw=randwrite", "--offset=32m", "--size=16m", "--iodepth=16", "--time_based", "--runtime=30"];
    let mut busy = fio(&other).stderr(std::process::Stdio::null()).spawn().unwrap();
    let before = bench.status()["write_miss_blocks"].as_u64();
    crate::harness::wait_for("writes", || (bench.status()["write_miss_blocks"].as_u64() > before).then_some(()));
    server.kill();
    // fio may hang on a lost server.
    let _ = busy.kill();
    busy.wait().unwrap();
    let _again = bench.serve(&[]);
    let verify =
        ["--rw=randread", "--size=12m", "--iodepth=16", "--verify=crc32c", "--verify_only=1", "--verify_fatal=1"];
    let output = fio(&verify).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Of the flags of a thread: memory that it allocates is not waited for where that takes writes of a file system (`PF_MEMALLOC_NOIO`).
const ALLOCATES_WITHOUT_WRITES: u64 = 0x0008_0000;
const CAP_SYS_RESOURCE: u32 = 24;

/// The numbers of a file in `/proc` behind a word.
fn after(text: &str, word: &str) -> String {
    text.split_once(word).unwrap().1.split_whitespace().next().unwrap().to_owned()
}

/// The memory that it waits for may be that of a file system on its own device.
#[test]
fn no_thread_of_a_server_waits_for_its_own_device_when_it_allocates_memory_or_the_log_says_so() {
    let bench = Bench::bound("3M", DISK_BYTES);
    let server = bench.serve(&[]);
    let client = bench.client();
    client.write_at(0, &content(1)).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let may = u64::from_str_radix(&after(&status, "CapEff:"), 16).unwrap() >> CAP_SYS_RESOURCE & 1 == 1;
    let said = bench.log().matches("PR_SET_IO_FLUSHER").count();
    assert_eq!(said, usize::from(!may), "{}", bench.log());
    let mut threads = 0;
    for thread in std::fs::read_dir(format!("/proc/{}/task", server.id())).unwrap() {
        // Those of a connection that has just ended go meanwhile.
        let Ok(stat) = std::fs::read_to_string(thread.unwrap().path().join("stat")) else { continue };
        // Behind the name in brackets: state, four numbers, the terminal's group, flags.
        let flags: u64 = stat.rsplit_once(") ").unwrap().1.split(' ').nth(6).unwrap().parse().unwrap();
        assert_eq!(flags & ALLOCATES_WITHOUT_WRITES != 0, may, "{stat}");
        threads += 1;
    }
    assert!(threads > 3, "{threads} threads");
}

#[test]
fn a_server_that_is_asked_to_end_keeps_unflushed_writes_and_removes_its_control_socket() {
    let bench = Bench::bound("3M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    bench.client().write_at(4096, &content(9)).unwrap();
    server.terminate();
    assert!(!bench.path("socket.control").exists());
    let _again = bench.serve(&[]);
    assert_eq!(version_of(&bench.client(), 1), 9);
}

#[test]
fn a_cache_in_mapped_memory_keeps_what_was_flushed_over_a_kill_and_can_be_served_as_a_file_too() {
    let bench = Bench::loose(DISK_BYTES);
    let output = bench.halo(&["create", "PMEM", "DISK", "--size", "3M"]);
    assert!(output.status.success(), "{output:?}");
    let mut server = bench.serve_as("PMEM", &[]);
    assert!(bench.status()["cache"].as_str().unwrap().starts_with("pmem-without-dax:/"), "{}", bench.status());
    let client = bench.client();
    (0..400).for_each(|version| client.write_at(version % 300 * 8 * 4096, &content(version)).unwrap());
    client.barrier().unwrap();
    let newest = |block: u64| if block < 100 { block + 300 } else { block };
    for name in ["PMEM", "CACHE"] {
        server.kill();
        server = bench.serve_as(name, &[]);
        (0..300).for_each(|block| assert_eq!(version_of(&bench.client(), block * 8), newest(block), "{name}"));
    }
    server.terminate();
    assert_eq!(bench.json(&["check", "PMEM", "DISK", "--json"])["items"], 300);
}

/// In units of 8 bytes a power loss may tear an item, which then was never acknowledged.
#[test]
fn an_item_that_a_power_loss_tore_in_mapped_memory_is_no_damage_there() {
    let bench = Bench::loose(DISK_BYTES);
    assert!(bench.halo(&["create", "PMEM", "DISK", "--size", "3M"]).status.success());
    let mut server = bench.serve_as("PMEM", &[]);
    let client = bench.client();
    (0..10).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    server.kill();
    let mut cache = std::fs::read(bench.path("cache")).unwrap();
    let last = (4096..).step_by(32).take_while(|&at| cache[at..at + 32] != [0; 32]).last().unwrap();
    let word = (0..4).map(|word| last + word * 8).find(|&at| cache[at..at + 8] != [0; 8]).unwrap();
    cache[word..word + 8].fill(0);
    std::fs::write(bench.path("cache"), cache).unwrap();
    let report = bench.json(&["check", "PMEM", "DISK", "--json"]);
    assert!(report["damaged_items"] == 0 && report["torn_items"] == 1 && report["items"] == 9, "{report}");
    assert_eq!(bench.json(&["status", "PMEM", "DISK", "--json"])["damaged_items"], 0);
    // On a file, whose sectors are written as a whole, it is damage.
    let refused = bench.halo(&["serve", "CACHE", "DISK", "--socket", "SOCKET"]);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    let _server = bench.serve_as("PMEM", &[]);
    let held = (0..10).filter(|&block| version_of(&bench.client(), block) == block + 1).count();
    assert_eq!(held, 9);
}
