//! The cost of a write in the process, and the speed of recovery. Files are in memory (`/dev/shm`), so barriers are
//! free and what remains is our work and the system calls.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use halo_bench::ThreadTime;
use halo_cache::format::{Id, Item, Layout};
use halo_cache::{Cache, Mode, Settings};
use halo_core::{Lbn, SectorMask, Slot, SplitMix64};
use halo_media::{FileMedium, Medium};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

const DISK_BYTES: u64 = 1 << 40;

struct Devices {
    _folder: tempfile::TempDir,
    cache: PathBuf,
    disk: PathBuf,
}

/// Sparse files, so that a terabyte takes no room.
fn sparse(path: &Path, bytes: u64) {
    File::create(path).unwrap().set_len(bytes).unwrap();
}

fn create(slots: u64) -> Devices {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let (cache, disk) = (folder.path().join("cache"), folder.path().join("disk"));
    sparse(&cache, 8192 + slots * 4128 + 4096);
    sparse(&disk, DISK_BYTES);
    let devices = Devices { _folder: folder, cache, disk };
    let (medium, disk) = devices.open();
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    devices
}

impl Devices {
    fn open(&self) -> (FileMedium, FileMedium) {
        (FileMedium::open(&self.cache).unwrap(), FileMedium::open(&self.disk).unwrap())
    }
}

fn write(criterion: &mut Criterion<ThreadTime>) {
    let mut group = criterion.benchmark_group("write of 4 KiB, flush every 32");
    group.throughput(Throughput::Elements(1));
    for (name, clean_blocks) in [("in process", false), ("in process, with a part for clean blocks", true)] {
        let devices = create(1 << 16);
        let (medium, disk) = devices.open();
        let settings = Settings { clean_blocks, ..Settings::new(Mode::Flush) };
        let (mut cache, _) = Cache::open(medium, disk, settings).unwrap();
        let mut random = SplitMix64::new(1);
        let block = vec![0x5a; 4096];
        let mut writes = 0_u64;
        // Half of the slots are in use: no destaging.
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let lbn = Lbn(random.below(1 << 15) << 8);
                cache.write(lbn.offset_bytes(), &block).unwrap();
                writes += 1;
                if writes.is_multiple_of(32) {
                    cache.flush().unwrap();
                }
            });
        });
    }
    group.finish();
}

/// Blocks scattered over the whole disk: the worst case for the tables.
fn fill_items(devices: &Devices, slots: u64) {
    let (medium, disk) = devices.open();
    let layout = Layout::new(medium.len_bytes(), disk.len_bytes()).unwrap();
    let mut bytes = Vec::with_capacity(slots as usize * 32);
    for number in 0..slots {
        let lbn = Lbn(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (layout.blocks() / 2 * 2));
        let item = Item { lbn, sequence: number + 1, mask: SectorMask::FULL, data_checksum: 7, zeros: false };
        bytes.extend_from_slice(&item.encode(Slot(number as u32), u32::from_le_bytes([1; 4])));
    }
    medium.write_at(layout.item_offset_bytes(Slot(0)), &bytes).unwrap();
}

fn recovery(criterion: &mut Criterion<ThreadTime>) {
    let mut group = criterion.benchmark_group("recovery of a full cache");
    group.sample_size(10);
    for (label, slots) in [("512K items (2 GiB)", 1_u64 << 19), ("4M items (16 GiB)", 1 << 22)] {
        let devices = create(slots);
        fill_items(&devices, slots);
        group.throughput(Throughput::Elements(slots));
        group.bench_function(label, |bencher| {
            bencher.iter_batched(
                || devices.open(),
                |(medium, disk)| Cache::open(medium, disk, Settings::new(Mode::Flush)).unwrap().1,
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ThreadTime).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3)).sample_size(20);
    targets = write, recovery
}
criterion_main!(benches);
