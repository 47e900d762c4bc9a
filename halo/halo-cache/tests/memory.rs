//! The DRAM of a cache, all tables together.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings, Zeroing};
use halo_core::SplitMix64;
use halo_media::FileMedium;
use std::fs::File;
use std::process::Command;
use std::sync::Arc;

/// "Less than 20 MB DRAM ... for 2 GB PCM and 1 TB hard disk". Source: Auburn §3.1.1; here with checksums and what recovery needs.
#[test]
fn a_cache_of_2_gb_in_front_of_1_tb_takes_less_than_20_mb() {
    let folder = tempfile::tempdir().unwrap();
    // Sparse: only the items are written.
    let open = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(bytes).unwrap();
        FileMedium::open(&path).unwrap()
    };
    let (medium, disk) = (Arc::new(open("cache", 2_000_000_000)), Arc::new(open("disk", 1_000_000_000_000)));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (cache, _) = Cache::open(medium.clone(), disk.clone(), Settings::new(Mode::Flush)).unwrap();
    let bytes = cache.status().memory_bytes;
    assert!((10_000_000..20_000_000).contains(&bytes), "{bytes} bytes");
    // In order, a place per slot in two tables: 200 MB for 64 GiB.
    let (in_order, _) = Cache::open(medium.clone(), disk.clone(), Settings::new(Mode::Ordered)).unwrap();
    let status = in_order.status();
    assert_eq!(status.memory_bytes - bytes, 12 * status.slots);
    // The memory of blocks that have left is there from the beginning; the table of clean ones grows.
    let settings = Settings { clean_blocks: true, ..Settings::new(Mode::Flush) };
    let (cache, _) = Cache::open(medium, disk, settings).unwrap();
    let bytes = cache.status().memory_bytes;
    assert!((30_000_000..50_000_000).contains(&bytes), "{bytes} bytes with a part for clean blocks");
}

/// Names the mode to a process of its own, in which nothing else takes memory.
const MODE: &str = "HALO_MEMORY_MODE";

/// Tables have their size from the beginning; what a dirty block takes is mostly the first use of its places in them.
#[test]
fn each_mode_takes_so_much_dram_for_a_slot_and_for_a_dirty_block() {
    // Own: as measured, 29.8 and 41.8 bytes of tables, 14 and 26 resident, and about a fifth and two fifths to either side; resident memory
    // comes in pages, and an allocator keeps some.
    for (mode, tables, resident) in
        [("Flush", 24.0..36.0, 8.0..20.0), ("Strict", 24.0..36.0, 8.0..20.0), ("Ordered", 34.0..50.0, 16.0..37.0)]
    {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "in_a_process_of_its_own", "--nocapture"])
            .env(MODE, mode)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find_map(|line| line.split_once("bytes: ")).unwrap_or_else(|| panic!("{text}")).1;
        let bytes: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        println!("{mode}: {:.1} bytes of tables for a slot, {:.1} resident for a dirty block", bytes[0], bytes[1]);
        assert!(tables.contains(&bytes[0]) && resident.contains(&bytes[1]), "{mode}: {bytes:?}");
    }
}

#[test]
fn in_a_process_of_its_own() {
    const SLOTS: u64 = 100_000;
    const DISK_BYTES: u64 = 64 << 30;
    let mode = match std::env::var(MODE).as_deref() {
        Ok("Flush") => Mode::Flush,
        Ok("Strict") => Mode::Strict,
        Ok("Ordered") => Mode::Ordered,
        _ => return,
    };
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(bytes).unwrap();
        Arc::new(FileMedium::open(&path).unwrap())
    };
    let (medium, disk) = (open("cache", SLOTS * 4128 + 12_288), open("disk", DISK_BYTES));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let settings = Settings { on_demand_utilisation: Some(0.99), ..Settings::new(mode) };
    let (mut cache, _) = Cache::open(medium, disk, settings).unwrap();
    let mut random = SplitMix64::new(1);
    let mut write = |blocks: u64| {
        for number in 0..blocks {
            cache.write(random.below(DISK_BYTES / 4096 - 1) * 4096, &[1; 4096]).unwrap();
            if number % 1_000 == 0 {
                cache.flush().unwrap();
            }
        }
        cache.flush().unwrap();
        cache.status()
    };
    // A commit for each write takes long; the buffers of the first commits are no table's.
    let (first, others) = if mode == Mode::Strict { (1_000, 9_000) } else { (10_000, 80_000) };
    let before = (write(first), resident_bytes());
    let after = (write(others), resident_bytes());
    let per_slot = before.0.memory_bytes as f64 / before.0.slots as f64;
    let per_dirty = (after.1 - before.1) / (after.0.dirty_blocks - before.0.dirty_blocks) as f64;
    println!("bytes: {per_slot:.1} {per_dirty:.1}");
}

/// Names the folder of a full cache to a process that opens it.
const FULL: &str = "HALO_MEMORY_FULL";

/// Items are put in order a part after the other: a server takes about as much at its start after a crash as at any other time.
#[test]
fn opening_a_full_cache_in_order_takes_so_much_for_a_slot() {
    const SLOTS: u64 = 400_000;
    const CHUNK: u64 = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(bytes).unwrap();
        Arc::new(FileMedium::open(&path).unwrap())
    };
    let (medium, disk) = (open("cache", SLOTS * 4128 + 12_288), open("disk", 64 << 30));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let settings = Settings { on_demand_utilisation: Some(1.0), ..Settings::new(Mode::Ordered) };
    let (mut cache, _) = Cache::open(medium, disk, settings).unwrap();
    // Blocks of zeros, which need no place for their data.
    for number in 0..SLOTS * 4096 / CHUNK {
        cache.zero(number * CHUNK, CHUNK as usize, Zeroing::Write).unwrap();
        cache.flush().unwrap();
    }
    let dirty = cache.dirty_blocks();
    assert!(dirty > SLOTS / 100 * 99, "{dirty}");
    drop(cache);
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_full_cache_in_a_process_of_its_own", "--nocapture"])
        .env(FULL, folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.split_once("bytes: ")).unwrap_or_else(|| panic!("{text}")).1;
    let most: f64 = line.parse().unwrap();
    println!("Ordered: {:.1} bytes for a slot while a full cache is opened", most / SLOTS as f64);
    // Own: 43 as measured (of 42 of tables, of which not all is touched, 3 for each item, and buffers), and a fifth to either side.
    assert!((35.0..53.0).contains(&(most / SLOTS as f64)), "{most} bytes");
}

#[test]
fn a_full_cache_in_a_process_of_its_own() {
    let Some(folder) = std::env::var_os(FULL).map(std::path::PathBuf::from) else { return };
    let open = |name: &str| Arc::new(FileMedium::open(&folder.join(name)).unwrap());
    let (medium, disk) = (open("cache"), open("disk"));
    let before = resident_bytes();
    let (cache, _) = Cache::open(medium, disk, Settings::new(Mode::Ordered)).unwrap();
    let most = process_bytes("VmHWM:") - before;
    assert!(cache.dirty_blocks() > 0);
    println!("bytes: {most}");
}

fn resident_bytes() -> f64 {
    process_bytes("VmRSS:")
}

fn process_bytes(which: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let kib = status.lines().find_map(|line| line.strip_prefix(which)).unwrap();
    kib.trim().trim_end_matches(" kB").parse::<f64>().unwrap() * 1024.0
}
