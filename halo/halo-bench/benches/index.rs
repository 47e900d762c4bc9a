//! Looking blocks up, and writing to them, at the load of a full cache.
//!
//! Bars, measured on a machine like this one with a bare table: 31, 67 and 134 ns per hit for 64K, 1M and 16M slots, and
//! 47, 118 and 174 ns for the paper's four functions.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use halo_bench::ThreadTime;
use halo_core::index::{BlockIndex, Bucketised, Growing, Handle, SingleSlot};
use halo_core::{Directory, Lbn, SectorMask, Slot, SplitMix64};
use std::hint::black_box;
use std::time::Duration;

const SLOTS: [(&str, u32); 3] = [("64K", 1 << 16), ("1M", 1 << 20), ("16M", 1 << 24)];
/// A terabyte.
const DISK_BLOCKS: u64 = 1 << 28;

/// Distinct blocks in random order: an odd multiplier is a permutation of the block numbers.
fn block(number: u64) -> Lbn {
    Lbn(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % DISK_BLOCKS)
}

/// 80% of the places of a table of `places` are taken.
fn entries(places: u32) -> u32 {
    (u64::from(places) * 4 / 5) as u32
}

fn lookup<I: BlockIndex>(criterion: &mut Criterion<ThreadTime>, name: &str) {
    let mut group = criterion.benchmark_group(name);
    for (label, places) in SLOTS {
        let count = entries(places);
        let mut index = I::with_capacity(count as usize, 1);
        for number in 0..count {
            index.insert(block(u64::from(number)), Handle(number));
        }
        let mut random = SplitMix64::new(2);
        group.bench_function(BenchmarkId::from_parameter(label), |bencher| {
            bencher.iter(|| black_box(index.get(block(random.below(u64::from(count))))));
        });
    }
    group.finish();
}

fn directory_write(criterion: &mut Criterion<ThreadTime>) {
    let mut group = criterion.benchmark_group("directory: write hit (index, record, bucket)");
    for (label, places) in SLOTS {
        let count = entries(places);
        let mut directory: Directory = Directory::new(DISK_BLOCKS, count, 1);
        for number in 0..count {
            directory.put(block(u64::from(number)), Slot(number), SectorMask::FULL);
        }
        let mut random = SplitMix64::new(2);
        group.bench_function(BenchmarkId::from_parameter(label), |bencher| {
            bencher.iter(|| {
                directory.tick();
                let number = random.below(u64::from(count));
                black_box(directory.put(block(number), Slot(number as u32), SectorMask::FULL))
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion<ThreadTime>) {
    lookup::<Growing<Bucketised>>(criterion, "lookup hit: 2 functions x 4 entries");
    lookup::<Growing<SingleSlot<4>>>(criterion, "lookup hit: 4 functions x 1 entry");
    directory_write(criterion);
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ThreadTime).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(2)).sample_size(20);
    targets = all
}
criterion_main!(benches);
