//! Durable writes on a real file system: the folder for temporary files, or the one that `TMPDIR` names. Wall time, which the
//! device below decides: run it with nothing else going on.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::SplitMix64;
use halo_media::FileMedium;
use std::fs::File;
use std::time::Duration;

fn durable(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    // The disk is not touched: half of the slots stay free.
    File::create(&disk).unwrap().set_len(8 << 30).unwrap();
    let medium = FileMedium::create(&folder.path().join("cache"), 256 << 20).unwrap();
    let disk = FileMedium::open(&disk).unwrap();
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (mut cache, _) = Cache::open(medium, disk, Settings::new(Mode::Flush)).unwrap();
    let mut random = SplitMix64::new(1);
    let block = vec![0x5a; 4096];

    let mut group = criterion.benchmark_group("random writes of 4 KiB with a flush every");
    for every in [1_u64, 32, 256] {
        group.throughput(Throughput::Elements(every));
        group.bench_function(BenchmarkId::from_parameter(every), |bencher| {
            bencher.iter(|| {
                for _ in 0..every {
                    cache.write(random.below(30_000) * 16 * 4096, &block).unwrap();
                }
                cache.flush().unwrap();
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4)).sample_size(10);
    targets = durable
}
criterion_main!(benches);
