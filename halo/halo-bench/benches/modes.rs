//! The disk's work in each mode, and the speed of a drain: on the modelled clock of a 7200 rpm disk, so that the
//! figures repeat on any machine, whatever else it does. Prints a table and, last, one JSON object.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_bench::media::{DATA, Hollow, Timed};
use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::{SplitMix64, address::BLOCKS_PER_BUCKET};
use halo_disk::Profile;

const DISK_BYTES: u64 = 400 << 30;

fn pair(slots: u64, mode: Mode, profile: Profile) -> Cache<Hollow, Timed> {
    let (medium, disk) = (Hollow::cache(slots), Timed::new(DISK_BYTES, profile));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    Cache::open(medium, disk, Settings::new(mode)).unwrap().0
}

/// Blocks per second that leave a cache of 1024 regions, each with `per_bucket` random blocks, and `spacing` from one to the
/// next.
fn drain(per_bucket: u64, spacing: u64, profile: Profile) -> f64 {
    let buckets = 1024;
    // A batch may be as large as in caches of a gigabyte.
    let mut cache = pair(1 << 17, Mode::Flush, profile);
    let mut random = SplitMix64::new(3);
    for bucket in 0..buckets {
        let mut indices: Vec<_> = (0..BLOCKS_PER_BUCKET).collect();
        for at in 0..per_bucket {
            indices.swap(at as usize, (at + random.below(BLOCKS_PER_BUCKET - at)) as usize);
            let block = bucket * spacing * BLOCKS_PER_BUCKET + indices[at as usize];
            cache.write(block * 4096, &[DATA; 4096]).unwrap();
        }
    }
    cache.flush().unwrap();
    let (start, blocks) = (cache.disk().seconds(), cache.dirty_blocks());
    cache.drain().unwrap();
    blocks as f64 / (cache.disk().seconds() - start)
}

/// Writes of 4 KiB per second of the disk's time, and blocks that it took per write, once the cache was drained.
fn sustained(mode: Mode, flush_every: u64, skewed: bool, profile: Profile) -> (f64, f64) {
    const WRITES: u64 = 20_000;
    let mut cache = pair(1 << 13, mode, profile);
    let mut random = SplitMix64::new(5);
    let start = cache.disk().seconds();
    for number in 1..=WRITES {
        // Skewed: nine of ten writes go to a hundredth of 4 GiB.
        let of_blocks = if skewed && random.below(10) > 0 { 1 << 13 } else { 1 << 20 };
        cache.write(random.below(of_blocks) * 4096, &[DATA; 4096]).unwrap();
        if number.is_multiple_of(flush_every) {
            cache.flush().unwrap();
        }
    }
    cache.drain().unwrap();
    let written = cache.statistics().destaged_blocks;
    (WRITES as f64 / (cache.disk().seconds() - start), written as f64 / WRITES as f64)
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
