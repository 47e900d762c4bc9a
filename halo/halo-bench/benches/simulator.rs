//! Requests per second that a replay gets through: Zipf writes, one block each, through a cache of 256 MiB.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use halo_bench::ThreadTime;
use halo_sim::workload::{self, Shape};
use halo_sim::{Policy, Request, concatenate, simulate};
use std::time::Duration;

const REQUESTS: usize = 2_000_000;
const CACHE_BLOCKS: u32 = 1 << 16;

fn replay(criterion: &mut Criterion<ThreadTime>) {
    let shape = Shape { requests: REQUESTS, blocks: 1 << 20, write_share: 1.0, blocks_per_request: 1, seed: 1 };
    let mut requests: Vec<Request> = workload::zipf(shape, 1.0).collect();
    let span = concatenate(&mut requests);
    let mut group = criterion.benchmark_group("replay of 2M Zipf writes");
    group.throughput(Throughput::Elements(REQUESTS as u64)).sample_size(10);
    for (name, policy, wear) in [
        ("LRU", Policy::Lru, false),
        ("HALO", Policy::Halo, false),
        ("HALO with wear by three schemes", Policy::Halo, true),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || (),
                |()| simulate(policy, CACHE_BLOCKS, span.blocks, &requests, wear),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ThreadTime).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    targets = replay
}
criterion_main!(benches);
