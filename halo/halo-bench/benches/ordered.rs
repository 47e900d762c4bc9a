//! The cost of the order in a drain, beside mode flush in the same run, with as many dirty blocks as asked for. Prints two tables and,
//! last, one JSON object. On the modelled clock of a 7200 rpm disk for the way that blocks take, and in real time on a disk
//! that takes none, for the work of the processor and for how long a client waits meanwhile.
//! `HALO_BENCH_BLOCKS`: dirty blocks (default: 1000000).
//! `HALO_BENCH_ROUNDS`: rounds in real time (default: 3).
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_bench::media::{DATA, Hollow, Timed};
use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::SplitMix64;
use halo_device::SharedCache;
use halo_disk::Profile;
use halo_media::{Medium, Piece};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

const DISK_BYTES: u64 = 400 << 30;
/// Writes between two flushes; the last means that one flush comes at the end.
const FLUSH_EVERY: [u64; 3] = [32, 1024, u64::MAX];

/// Places of `blocks` blocks, each once, in random order over four times as many.
struct Places {
    bits: u32,
    next: u64,
}

impl Places {
    fn over(blocks: u64) -> Self {
        Self { bits: (blocks * 4).next_power_of_two().trailing_zeros(), next: 0 }
    }
}

impl Iterator for Places {
    type Item = u64;

    /// Each step can be undone, so that no place comes twice.
    fn next(&mut self) -> Option<u64> {
        let mask = (1 << self.bits) - 1;
        let mut place = self.next;
        self.next += 1;
        for factor in [0x9e37_79b9_7f4a_7c15_u64, 0xd1b5_4a32_d192_ed03, 0x8cb9_2ba7_2f3d_8dd7] {
            place = place.wrapping_mul(factor) & mask;
            place ^= place >> (self.bits / 2);
        }
        Some(place)
    }
}

fn open<M: Medium, D: Medium>(medium: M, disk: D, mode: Mode) -> Cache<M, D> {
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    Cache::open(medium, disk, Settings::new(mode)).unwrap().0
}

/// Blocks per second of a modelled disk's time.
fn modelled(blocks: u64, mode: Mode, flush_every: u64) -> f64 {
    let mut cache = open(Hollow::cache(blocks * 3 / 2), Timed::new(DISK_BYTES, Profile::ENTERPRISE), mode);
    for (number, place) in (1..=blocks).zip(Places::over(blocks)) {
        cache.stage(place * 4096, &[DATA; 4096]).unwrap();
        if number.is_multiple_of(flush_every) {
            cache.flush().unwrap();
        }
    }
    cache.flush().unwrap();
    let start = cache.disk().seconds();
    cache.drain().unwrap();
    blocks as f64 / (cache.disk().seconds() - start)
}

/// The orders in which the bare disk is given the blocks of one flush.
#[derive(Clone, Copy, PartialEq)]
enum Sweep {
    Up,
    /// The arm need not come back between two flushes.
    UpAndDown,
    AsTheyCame,
}

/// The null model: the disk is given the blocks of each flush, and flushed, with no cache at all. The best of all orders.
fn bare(blocks: u64, flush_every: u64) -> f64 {
    let sweeps = [Sweep::Up, Sweep::UpAndDown, Sweep::AsTheyCame];
    sweeps.map(|sweep| swept(blocks, flush_every, sweep)).into_iter().fold(0.0, f64::max)
}

fn swept(blocks: u64, flush_every: u64, sweep: Sweep) -> f64 {
    let disk = Timed::new(DISK_BYTES, Profile::ENTERPRISE);
    let mut places: Vec<_> = Places::over(blocks).take(blocks as usize).collect();
    let data = vec![DATA; 1 << 20];
    for (number, flushed) in places.chunks_mut(flush_every.min(blocks) as usize).enumerate() {
        if sweep != Sweep::AsTheyCame {
            flushed.sort_unstable();
        }
        let runs = flushed.chunk_by(|one, next| one + 1 == *next).flat_map(|run| run.chunks(data.len() / 4096));
        let pieces = runs.map(|run| Piece { offset_bytes: run[0] * 4096, bytes: &data[..run.len() * 4096] });
        let mut pieces: Vec<_> = pieces.collect();
        if sweep == Sweep::UpAndDown && number % 2 == 1 {
            pieces.reverse();
        }
        disk.write_pieces(&pieces).unwrap();
        disk.barrier().unwrap();
    }
    blocks as f64 / disk.seconds()
}

struct Run {
    blocks_per_second: f64,
    worst_stall: Duration,
}

/// Drains in real time, while a client writes a block and flushes every 32, again and again.
fn in_real_time(blocks: u64, mode: Mode, flush_every: u64) -> Run {
    let medium = Arc::new(Hollow::cache(blocks * 3 / 2));
    let cache = SharedCache::new(open(medium, Arc::new(Hollow::disk(DISK_BYTES)), mode));
    let mut places = Places::over(blocks);
    for number in 1..=blocks {
        cache.write(places.next().unwrap() * 4096, &[DATA; 4096]).unwrap();
        if number.is_multiple_of(flush_every) {
            cache.flush().unwrap();
        }
    }
    cache.flush().unwrap();
    let ended = AtomicBool::new(false);
    let client = || {
        let mut random = SplitMix64::new(3);
        let mut worst = Duration::ZERO;
        for number in 1_u64.. {
            let start = Instant::now();
            cache.write(random.below(blocks * 4) * 4096, &[DATA; 4096]).unwrap();
            if number.is_multiple_of(32) {
                cache.flush().unwrap();
            }
            worst = worst.max(start.elapsed());
            if ended.load(SeqCst) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        worst
    };
    std::thread::scope(|scope| {
        let client = scope.spawn(client);
        let start = Instant::now();
        while cache.statistics().destaged_blocks < blocks {
            cache.destage().unwrap();
        }
        let seconds = start.elapsed().as_secs_f64();
        ended.store(true, SeqCst);
        Run { blocks_per_second: blocks as f64 / seconds, worst_stall: client.join().unwrap() }
    })
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: use a number")))
}

fn spread(mut figures: Vec<f64>) -> [f64; 3] {
    figures.sort_by(f64::total_cmp);
    [figures[figures.len() / 2], figures[0], figures[figures.len() - 1]]
}

fn named(flush_every: u64) -> String {
    if flush_every == u64::MAX { "once".into() } else { format!("every {flush_every}") }
}

fn main() {
    let (blocks, rounds) = (setting("HALO_BENCH_BLOCKS", 1_000_000), setting("HALO_BENCH_ROUNDS", 3));
    println!("{blocks} dirty blocks at random places, a quarter of {} MiB", blocks * 4 / 256);
    println!("\nmodelled disk, blocks/s         flush    ordered    ratio  the bare disk in this order");
    // Of the last row, one flush: with more, the order asks for more sweeps, and the rows say what they cost.
    let mut lowest_ratio = f64::INFINITY;
    // Of all rows: what the order leaves to the disk is the most that any cache could give.
    let mut lowest_of_bare = f64::INFINITY;
    for flush_every in FLUSH_EVERY {
        let [flush, ordered] = [Mode::Flush, Mode::Ordered].map(|mode| modelled(blocks, mode, flush_every));
        let (ratio, bare) = (ordered / flush, bare(blocks, flush_every));
        println!("flushed {:<16} {flush:>12.0} {ordered:>10.0} {ratio:>8.2} {bare:>28.0}", named(flush_every));
        lowest_ratio = ordered / flush;
        lowest_of_bare = lowest_of_bare.min(ordered / bare);
    }
    println!(
        "\na disk that takes no time, median (least, most) of {rounds} rounds, blocks/s and worst stall of a client in ms"
    );
    let mut worst_stall = 0.0_f64;
    for flush_every in &FLUSH_EVERY[1..] {
        let mut figures = [const { Vec::new() }; 5];
        for _ in 0..rounds {
            let [flush, ordered] = [Mode::Flush, Mode::Ordered].map(|mode| in_real_time(blocks, mode, *flush_every));
            let millis = [&flush, &ordered].map(|run| run.worst_stall.as_secs_f64() * 1e3);
            worst_stall = worst_stall.max(millis[1]);
            let ratio = ordered.blocks_per_second / flush.blocks_per_second;
            for (list, figure) in figures.iter_mut().zip([
                flush.blocks_per_second,
                ordered.blocks_per_second,
                ratio,
                millis[0],
                millis[1],
            ]) {
                list.push(figure);
            }
        }
        print!("flushed {:<12}", named(*flush_every));
        for (name, list) in ["flush", "ordered", "ratio", "flush ms", "ordered ms"].iter().zip(figures) {
            let [middle, least, most] = spread(list);
            if *flush_every == u64::MAX && name == &"ratio" {
                lowest_ratio = lowest_ratio.min(middle);
            }
            print!("  {name} {middle:.2} ({least:.2}, {most:.2})");
        }
        println!();
    }
    println!(
        "{{\"ordered_drain_ratio\": {lowest_ratio:.2}, \"ordered_drain_of_bare_disk\": {lowest_of_bare:.3}, \
         \"ordered_worst_stall_millis\": {worst_stall:.1}}}"
    );
}
