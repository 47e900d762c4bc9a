//! Requests per second of 1 to 64 threads on one cache, both devices taking a millisecond for each access and any number of them
//! at once; and the median latency of one thread, on that device and on one that takes no time. Also with streams past the cache, and
//! with files that are used past the page cache, which take that millisecond longer than they do. Wall time: run it with nothing else
//! going on. The last line is a JSON object: the load that gains least from depth 1 to depth 16.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_bench::media::{DATA, Hollow};
use halo_bench::slow::Slow;
use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::SplitMix64;
use halo_device::SharedCache;
use halo_media::{FileMedium, Medium};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const SLOTS: u64 = 1 << 18;
const HOT_BLOCKS: u64 = 8192;
const DISK_BYTES: u64 = 1 << 40;
/// Files are no longer than a bench needs.
const DIRECT_SLOTS: u64 = 1 << 14;
const DIRECT_DISK_BYTES: u64 = 1 << 30;
const DEPTHS: [usize; 4] = [1, 4, 16, 64];
/// A stream is one from here on.
const STREAM_BYTES: u64 = 256 << 10;
const STREAM_REQUEST_BYTES: usize = 64 << 10;
/// Streams do not touch.
const STREAM_ROOM_BYTES: u64 = 1 << 30;

type AnyMedium = Arc<dyn Medium + Send + Sync>;
type Device = Slow<AnyMedium>;
type Shared = SharedCache<Device, Device>;

#[derive(Clone, Copy)]
enum Load {
    CachedReads,
    DiskReads,
    Writes,
    WritesWithFlush,
    /// A stream of each thread.
    Streams,
}

/// How the cache is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    Bypass,
    DirectIo,
}

const LOADS: [(&str, Load, Mode, Way); 12] = [
    ("reads of cached blocks", Load::CachedReads, Mode::Flush, Way::Plain),
    ("reads of the disk", Load::DiskReads, Mode::Flush, Way::Plain),
    ("writes, mode flush", Load::Writes, Mode::Flush, Way::Plain),
    ("writes, flush every 32", Load::WritesWithFlush, Mode::Flush, Way::Plain),
    ("writes, mode strict", Load::Writes, Mode::Strict, Way::Plain),
    ("writes, mode ordered", Load::Writes, Mode::Ordered, Way::Plain),
    ("streams past the cache", Load::Streams, Mode::Flush, Way::Bypass),
    ("writes, bypass on", Load::Writes, Mode::Flush, Way::Bypass),
    ("reads of cached blocks, bypass on", Load::CachedReads, Mode::Flush, Way::Bypass),
    ("reads of cached blocks, direct I/O", Load::CachedReads, Mode::Flush, Way::DirectIo),
    ("reads of the disk, direct I/O", Load::DiskReads, Mode::Flush, Way::DirectIo),
    ("writes, direct I/O", Load::Writes, Mode::Flush, Way::DirectIo),
];

fn devices(way: Way, folder: &Path) -> (AnyMedium, AnyMedium) {
    if way != Way::DirectIo {
        return (Arc::new(Hollow::cache(SLOTS)), Arc::new(Hollow::disk(DISK_BYTES)));
    }
    let (cache, disk) = (folder.join("cache"), folder.join("disk"));
    drop(FileMedium::create(&cache, (DIRECT_SLOTS + 2) * 4096 + (DIRECT_SLOTS * 32).next_multiple_of(4096)).unwrap());
    std::fs::File::create(&disk).unwrap().set_len(DIRECT_DISK_BYTES).unwrap();
    let open = |path: &Path| Arc::new(FileMedium::open_direct(path).unwrap());
    (open(&cache), open(&disk))
}

fn open(mode: Mode, way: Way, access: Duration, folder: &Path) -> Shared {
    let (medium, disk) = devices(way, folder);
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    // Made at full speed: blocks that are to be read.
    let bypass_sequential = (way == Way::Bypass).then_some(STREAM_BYTES);
    let settings = Settings { idle_after: None, max_dirty_age: None, bypass_sequential, ..Settings::new(mode) };
    let (mut cache, _) = Cache::open(Arc::clone(&medium), Arc::clone(&disk), settings).unwrap();
    for block in 0..HOT_BLOCKS {
        cache.write(block * 4096, &[DATA; 4096]).unwrap();
    }
    cache.flush().unwrap();
    drop(cache);
    let slow = |medium| Slow::new(medium, access);
    SharedCache::open(slow(medium), slow(disk), settings).unwrap().0
}

/// One thread that asks for something again and again.
struct Client<'a> {
    shared: &'a Shared,
    load: Load,
    random: SplitMix64,
    stream_bytes: u64,
    buffer: Vec<u8>,
}

impl<'a> Client<'a> {
    fn new(shared: &'a Shared, load: Load, number: u64) -> Self {
        static STREAMS: AtomicU64 = AtomicU64::new(0);
        let streams = (shared.capacity_bytes() / STREAM_ROOM_BYTES).max(1);
        let stream_bytes = STREAMS.fetch_add(1, Relaxed) % streams * STREAM_ROOM_BYTES;
        let count = if matches!(load, Load::Streams) { STREAM_REQUEST_BYTES } else { 4096 };
        Self { shared, load, random: SplitMix64::new(number), stream_bytes, buffer: vec![DATA; count] }
    }

    fn request(&mut self, number: u64) {
        let Self { shared, load, random, stream_bytes, buffer } = self;
        let hot = random.below(HOT_BLOCKS) * 4096;
        let beyond = shared.capacity_bytes() / 4096 - HOT_BLOCKS;
        match load {
            Load::CachedReads => shared.read(hot, buffer).unwrap(),
            Load::DiskReads => shared.read((HOT_BLOCKS + random.below(beyond)) * 4096, buffer).unwrap(),
            Load::Writes => shared.write(hot, buffer).unwrap(),
            Load::WritesWithFlush => {
                shared.write(hot, buffer).unwrap();
                if number.is_multiple_of(32) {
                    shared.flush().unwrap();
                }
            }
            Load::Streams => {
                shared.write(*stream_bytes, buffer).unwrap();
                *stream_bytes += buffer.len() as u64;
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
                    let (mut client, mut micros) = (Client::new(shared, load, client), Vec::new());
                    while !stopping.load(Relaxed) {
                        let since = Instant::now();
                        client.request(micros.len() as u64 + 1);
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
    // A folder of the build is seldom in memory.
    let program = std::env::current_exe().unwrap();
    let folder = || tempfile::tempdir_in(program.parent().unwrap()).unwrap();
    println!(
        "{:<36} {:>6} {:>10} {:>10} {:>10} {:>12}",
        "1 ms per access", "depth", "median/s", "least", "most", "p50, us"
    );
    for (name, load, mode, way) in LOADS {
        let folder = folder();
        let shared = open(mode, way, Duration::from_millis(1), folder.path());
        let mut medians = Vec::new();
        // More streams than are told apart would go through the cache.
        let depths = if matches!(load, Load::Streams) { &DEPTHS[..3] } else { &DEPTHS };
        for &depth in depths {
            let runs: Vec<_> = (0..rounds).map(|_| measure(&shared, load, depth, time)).collect();
            let [median, least, most] = summary(runs.iter().map(|run| run.0).collect());
            let [p50, ..] = summary(runs.iter().map(|run| run.1).collect());
            println!("{name:<36} {depth:>6} {median:>10.0} {least:>10.0} {most:>10.0} {p50:>12.1}");
            medians.push(median);
        }
        if matches!(load, Load::Streams) {
            let (passed, written) = (shared.statistics().bypassed_bytes, shared.statistics().written_bytes);
            assert!(2 * passed > written, "only {passed} of {written} bytes of streams passed the cache");
        }
        println!("{name}: depth 16 / depth 1: {:.1}", medians[2] / medians[0]);
        least_ratio = least_ratio.min(medians[2] / medians[0]);
    }
    for (name, load, mode, way) in LOADS {
        let folder = folder();
        let shared = open(mode, way, Duration::ZERO, folder.path());
        let runs: Vec<_> = (0..rounds).map(|_| measure(&shared, load, 1, time)).collect();
        let [p50, least, most] = summary(runs.iter().map(|run| run.1).collect());
        println!("no time per access: {name}, depth 1: p50 {p50:.2} us ({least:.2} to {most:.2})");
    }
    println!("{{\"parallel_ratio_16\":{least_ratio:.2}}}");
}
