//! A real process on real files, killed in the middle of its work again and again.
//!
//! A kill leaves the page cache alone, so this says nothing about power loss (`promises.rs` does); it shows that nothing
//! depends on a process ending in order: locks, sessions, half-done commits and destages.
//!
//! Without the test harness, because this program is also the one that is killed.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::SplitMix64;
use halo_media::FileMedium;
use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const FOLDER: &str = "HALO_KILL_FOLDER";
const SEED: &str = "HALO_KILL_SEED";
const BLOCKS: u64 = 600;
const ROUNDS: u64 = 25;

fn main() {
    match env::var(FOLDER) {
        Ok(folder) => write_until_killed(Path::new(&folder), env::var(SEED).unwrap().parse().unwrap()),
        Err(_) => killed_processes_lose_no_acknowledged_write(),
    }
}

fn open(folder: &Path) -> Cache<FileMedium, FileMedium> {
    let (cache, disk) = (FileMedium::open(&folder.join("cache")), FileMedium::open(&folder.join("disk")));
    Cache::open(cache.unwrap(), disk.unwrap(), Settings::new(Mode::Strict)).unwrap().0
}

fn content(version: u64) -> Vec<u8> {
    version.to_le_bytes().repeat(4096 / 8)
}

/// Says "w block version" before a write, "a block version" once it is acknowledged.
fn write_until_killed(folder: &Path, seed: u64) {
    let mut cache = open(folder);
    let mut random = SplitMix64::new(seed);
    let mut out = std::io::stdout().lock();
    for version in seed * 1_000_000.. {
        let block = random.below(BLOCKS);
        writeln!(out, "w {block} {version}").unwrap();
        cache.write(block * 4096, &content(version)).unwrap();
        writeln!(out, "a {block} {version}").unwrap();
        if random.below(50) == 0 {
            cache.destage().unwrap();
        }
    }
}

fn killed_processes_lose_no_acknowledged_write() {
    let folder = tempfile::tempdir().unwrap();
    let medium = FileMedium::create(&folder.path().join("cache"), 200 * 4096).unwrap();
    let disk = FileMedium::create(&folder.path().join("disk"), (BLOCKS + 1) * 4096).unwrap();
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    drop((medium, disk));

    // By block: the version that was acknowledged last, and one that may be there.
    let mut expected: BTreeMap<u64, (u64, Option<u64>)> = BTreeMap::new();
    let mut random = SplitMix64::new(1);
    let mut acknowledged = 0;
    for round in 1..=ROUNDS {
        let mut child = Command::new(env::current_exe().unwrap())
            .env(FOLDER, folder.path())
            .env(SEED, round.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut left = 1 + random.below(300);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for line in lines.map_while(Result::ok) {
            let [kind, block, version] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
            let (Ok(block), Ok(version)) = (block.parse(), version.parse()) else { continue };
            let entry = expected.entry(block).or_insert((0, None));
            *entry = if kind == "a" { (version, None) } else { (entry.0, Some(version)) };
            acknowledged += u64::from(kind == "a");
            if left == 0 {
                // All that it wrote before it died is still read from the pipe.
                continue;
            }
            left -= 1;
            if left == 0 {
                child.kill().unwrap();
            }
        }
        let status = child.wait().unwrap();
        assert!(left == 0 && !status.success(), "round {round}: the writer ended by itself: {status}");

        let mut cache = open(folder.path());
        for (&block, versions) in &mut expected {
            let mut bytes = vec![0; 4096];
            cache.read(block * 4096, &mut bytes).unwrap();
            let (durable, maybe) = *versions;
            let found = [Some(durable), maybe].into_iter().flatten().find(|&version| bytes == content(version));
            let found =
                found.unwrap_or_else(|| panic!("round {round}, block {block}: neither {durable} nor {maybe:?}"));
            *versions = (found, None);
        }
    }
    println!("{ROUNDS} kills, {acknowledged} acknowledged writes, none lost");
}
