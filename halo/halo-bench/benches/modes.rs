//! What each mode costs the disk, and how fast a cache is drained: on the modelled clock of a 7200 rpm disk, so that the
//! figures repeat on any machine, whatever else it does. Prints a table and, last, one JSON object.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::{SplitMix64, address::BLOCKS_PER_BUCKET};
use halo_disk::{Disk, Operation, Profile, Request, SECTOR_BYTES};
use halo_media::{FileMedium, Medium, Piece};
use std::fs::File;
use std::io;
use std::sync::Mutex;

const IN_FLIGHT: usize = 32;
const DISK_BYTES: u64 = 400 << 30;

/// A sparse file that takes as long as the disk would, on a clock of its own.
struct Timed {
    file: FileMedium,
    clock: Mutex<Clock>,
}

struct Clock {
    disk: Disk,
    now_nanos: u64,
    in_flight: usize,
    commands: u64,
}

impl Clock {
    fn submit(&mut self, operation: Operation, offset_bytes: u64, bytes: usize) {
        self.commands += 1;
        let (first_sector, sectors) = (offset_bytes / SECTOR_BYTES, bytes as u64 / SECTOR_BYTES);
        self.disk.submit(self.now_nanos, Request { id: self.commands, operation, first_sector, sectors });
        self.in_flight += 1;
    }

    /// Lets time pass until at most `most` commands are in flight.
    fn wait(&mut self, most: usize) {
        let mut completed = Vec::new();
        while self.in_flight > most {
            self.now_nanos = self.disk.next_event_nanos().unwrap();
            self.disk.advance(self.now_nanos, &mut completed);
            self.in_flight -= completed.drain(..).count();
        }
    }
}

impl Medium for Timed {
    fn len_bytes(&self) -> u64 {
        self.file.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut clock = self.clock.lock().unwrap();
        clock.submit(Operation::Read, offset_bytes, buffer.len());
        clock.wait(0);
        self.file.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_pieces(&[Piece { offset_bytes, bytes }])
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let mut clock = self.clock.lock().unwrap();
        for piece in pieces {
            clock.wait(IN_FLIGHT - 1);
            clock.submit(Operation::Write, piece.offset_bytes, piece.bytes.len());
            // Only records are read again: tmpfs need not hold what was destaged.
            if piece.bytes.len() == SECTOR_BYTES as usize {
                self.file.write_at(piece.offset_bytes, piece.bytes)?;
            }
        }
        clock.wait(0);
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        let mut clock = self.clock.lock().unwrap();
        clock.submit(Operation::Flush, 0, 0);
        clock.wait(0);
        Ok(())
    }
}

struct Pair {
    _folder: tempfile::TempDir,
    cache: Cache<FileMedium, Timed>,
}

impl Pair {
    fn new(slots: u64, mode: Mode, profile: Profile) -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let (cache, disk) = (folder.path().join("cache"), folder.path().join("disk"));
        File::create(&cache).unwrap().set_len(8192 + slots * 4128 + 4096).unwrap();
        File::create(&disk).unwrap().set_len(DISK_BYTES).unwrap();
        let medium = FileMedium::open(&cache).unwrap();
        let clock = Clock { disk: Disk::new(profile), now_nanos: 0, in_flight: 0, commands: 0 };
        let disk = Timed { file: FileMedium::open(&disk).unwrap(), clock: Mutex::new(clock) };
        Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
        Self { _folder: folder, cache: Cache::open(medium, disk, Settings::new(mode)).unwrap().0 }
    }

    fn seconds(&self) -> f64 {
        self.cache.disk().clock.lock().unwrap().now_nanos as f64 / 1e9
    }
}

/// Blocks per second that leave a cache of 1024 regions, each with `per_bucket` random blocks, and `spacing` from one to the
/// next.
fn drain(per_bucket: u64, spacing: u64, profile: Profile) -> f64 {
    let buckets = 1024;
    // A batch may be as large as in caches of a gigabyte.
    let mut pair = Pair::new(1 << 17, Mode::Flush, profile);
    let mut random = SplitMix64::new(3);
    for bucket in 0..buckets {
        let mut indices: Vec<_> = (0..BLOCKS_PER_BUCKET).collect();
        for at in 0..per_bucket {
            indices.swap(at as usize, (at + random.below(BLOCKS_PER_BUCKET - at)) as usize);
            let block = bucket * spacing * BLOCKS_PER_BUCKET + indices[at as usize];
            pair.cache.write(block * 4096, &[7; 4096]).unwrap();
        }
    }
    pair.cache.flush().unwrap();
    let (start, blocks) = (pair.seconds(), pair.cache.dirty_blocks());
    pair.cache.drain().unwrap();
    blocks as f64 / (pair.seconds() - start)
}

/// Writes of 4 KiB per second of the disk's time, and blocks that it took per write, once the cache was drained.
fn sustained(mode: Mode, flush_every: u64, skewed: bool, profile: Profile) -> (f64, f64) {
    const WRITES: u64 = 20_000;
    let mut pair = Pair::new(1 << 13, mode, profile);
    let mut random = SplitMix64::new(5);
    let start = pair.seconds();
    for number in 1..=WRITES {
        // Skewed: nine of ten writes go to a hundredth of 4 GiB.
        let of_blocks = if skewed && random.below(10) > 0 { 1 << 13 } else { 1 << 20 };
        pair.cache.write(random.below(of_blocks) * 4096, &[7; 4096]).unwrap();
        if number.is_multiple_of(flush_every) {
            pair.cache.flush().unwrap();
        }
    }
    pair.cache.drain().unwrap();
    let written = pair.cache.statistics().destaged_blocks;
    (WRITES as f64 / (pair.seconds() - start), written as f64 / WRITES as f64)
}

fn main() {
    println!("draining 1024 regions, blocks per second          enterprise   consumer");
    let mut figures = Vec::new();
    for per_bucket in [1, 2, 5, 64] {
        for (label, spacing) in [("neighbours", 1), ("over 400 GiB", 400)] {
            let [enterprise, consumer] =
                [Profile::ENTERPRISE, Profile::CONSUMER].map(|profile| drain(per_bucket, spacing, profile));
            println!("{per_bucket:>3} of 256 blocks per region, {label:<14} {enterprise:>12.0} {consumer:>10.0}");
            if spacing == 1 {
                figures.push(format!("\"drain_blocks_per_second_{per_bucket}\": {enterprise:.0}"));
            }
        }
    }
    println!(
        "\nsustained writes per second of the disk (blocks to the disk per write), cache 32 MiB, flush every 32 / 1024"
    );
    for (label, skewed) in [("random over 4 GiB", false), ("nine of ten to 32 MiB", true)] {
        for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
            let figures_of = |every| {
                let (rate, blocks) = sustained(mode, every, skewed, Profile::ENTERPRISE);
                format!("{rate:.0} ({blocks:.2})")
            };
            println!("{label:<24} {:<8} {:>16} {:>16}", format!("{mode:?}"), figures_of(32), figures_of(1024));
        }
    }
    println!("{{{}}}", figures.join(", "));
}
