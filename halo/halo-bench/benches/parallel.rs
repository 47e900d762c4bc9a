//! Requests per second of 1 to 64 threads on one cache, both devices taking a millisecond for each access and any number of them
//! at once; and the median latency of one thread, on that device and on one that takes no time. Wall time: run it with nothing
//! else going on. The last line is a JSON object.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_bench::media::{DATA, Hollow};
use halo_bench::slow::Slow;
use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::SplitMix64;
use halo_device::SharedCache;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const SLOTS: u64 = 1 << 18;
const HOT_BLOCKS: u64 = 8192;
const DISK_BYTES: u64 = 1 << 40;
const DEPTHS: [usize; 4] = [1, 4, 16, 64];

type Device = Slow<Arc<Hollow>>;
type Shared = SharedCache<Device, Device>;

#[derive(Clone, Copy)]
enum Load {
    CachedReads,
    DiskReads,
    Writes,
    WritesWithFlush,
}

const LOADS: [(&str, Load, Mode); 6] = [
    ("reads of cached blocks", Load::CachedReads, Mode::Flush),
    ("reads of the disk", Load::DiskReads, Mode::Flush),
    ("writes, mode flush", Load::Writes, Mode::Flush),
    ("writes, flush every 32", Load::WritesWithFlush, Mode::Flush),
    ("writes, mode strict", Load::Writes, Mode::Strict),
    ("writes, mode ordered", Load::Writes, Mode::Ordered),
];

fn open(mode: Mode, access: Duration) -> Shared {
    let (medium, disk) = (Arc::new(Hollow::cache(SLOTS)), Arc::new(Hollow::disk(DISK_BYTES)));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    // Made at full speed: blocks that are to be read.
    let settings = Settings { idle_after: None, max_dirty_age: None, ..Settings::new(mode) };
    let (mut cache, _) = Cache::open(Arc::clone(&medium), Arc::clone(&disk), settings).unwrap();
    for block in 0..HOT_BLOCKS {
        cache.write(block * 4096, &[DATA; 4096]).unwrap();
    }
    cache.flush().unwrap();
    drop(cache);
    let slow = |medium| Slow::new(medium, access);
    SharedCache::open(slow(medium), slow(disk), settings).unwrap().0
}

fn request(shared: &Shared, load: Load, random: &mut SplitMix64, number: u64, buffer: &mut [u8]) {
    let hot = random.below(HOT_BLOCKS) * 4096;
    match load {
        Load::CachedReads => shared.read(hot, buffer).unwrap(),
        Load::DiskReads => shared.read((HOT_BLOCKS + random.below(1 << 26)) * 4096, buffer).unwrap(),
        Load::Writes => shared.write(hot, buffer).unwrap(),
        Load::WritesWithFlush => {
            shared.write(hot, buffer).unwrap();
            if number.is_multiple_of(32) {
                shared.flush().unwrap();
            }
        }
    }
}

/// Requests per second, and the median of their latencies in microseconds.
fn measure(shared: &Shared, load: Load, depth: usize, time: Duration) -> (f64, f64) {
    let stopping = AtomicBool::new(false);
    let start = Instant::now();
    let mut micros: Vec<f64> = thread::scope(|scope| {
        let clients: Vec<_> = (0..depth as u64)
            .map(|client| {
                let stopping = &stopping;
                scope.spawn(move || {
                    let (mut random, mut buffer, mut micros) = (SplitMix64::new(client), [DATA; 4096], Vec::new());
                    while !stopping.load(Relaxed) {
                        let since = Instant::now();
                        request(shared, load, &mut random, micros.len() as u64 + 1, &mut buffer);
                        micros.push(since.elapsed().as_secs_f64() * 1e6);
                    }
                    micros
                })
            })
            .collect();
        thread::sleep(time);
        stopping.store(true, Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let per_second = micros.len() as f64 / start.elapsed().as_secs_f64();
    micros.sort_unstable_by(f64::total_cmp);
    (per_second, micros[micros.len() / 2])
}

/// Median, least and most.
fn summary(mut figures: Vec<f64>) -> [f64; 3] {
    figures.sort_unstable_by(f64::total_cmp);
    [figures[figures.len() / 2], figures[0], figures[figures.len() - 1]]
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn main() {
    let rounds = number("HALO_BENCH_ROUNDS", 3);
    let time = Duration::from_millis(number("HALO_BENCH_MILLIS", 500));
    let mut least_ratio = f64::INFINITY;
    println!(
        "{:<24} {:>6} {:>10} {:>10} {:>10} {:>12}",
        "1 ms per access", "depth", "median/s", "least", "most", "p50, us"
    );
    for (name, load, mode) in LOADS {
        let shared = open(mode, Duration::from_millis(1));
        let mut medians = Vec::new();
        for depth in DEPTHS {
            let runs: Vec<_> = (0..rounds).map(|_| measure(&shared, load, depth, time)).collect();
            let [median, least, most] = summary(runs.iter().map(|run| run.0).collect());
            let [p50, ..] = summary(runs.iter().map(|run| run.1).collect());
            println!("{name:<24} {depth:>6} {median:>10.0} {least:>10.0} {most:>10.0} {p50:>12.1}");
            medians.push(median);
        }
        least_ratio = least_ratio.min(medians[2] / medians[0]);
    }
    for (name, load, mode) in LOADS {
        let shared = open(mode, Duration::ZERO);
        let runs: Vec<_> = (0..rounds).map(|_| measure(&shared, load, 1, time)).collect();
        let [p50, least, most] = summary(runs.iter().map(|run| run.1).collect());
        println!("no time per access: {name}, depth 1: p50 {p50:.2} us ({least:.2} to {most:.2})");
    }
    println!("{{\"parallel_ratio_16\":{least_ratio:.2}}}");
}
