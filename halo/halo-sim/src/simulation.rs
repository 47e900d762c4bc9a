//! One policy, one cache size, one workload: what reaches the disk.

use crate::request::{Kind, Request};
use halo_core::destage::DestageSettings;
use halo_core::index::{Bucketised, Growing};
use halo_core::replacement::{CscanLrw, Halo, Optimum, RecencyList, Replacement};
use halo_core::{Lbn, Slot};
use halo_wear::{CurveCubes, DEVICE_STRIPES, Regions, RoundRobin, RowBuffers, STRIPE_BYTES, Wear, WearLevelling};

/// What decides about the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// No cache: every request goes to the disk.
    None,
    /// The paper's.
    Halo,
    /// Least recently used, block by block.
    Lru,
    /// First in, first out.
    Fifo,
    /// Least recently written.
    Lrw,
    /// One-way elevator that spares what was written again.
    CscanLrw,
    /// The fewest destages that are possible.
    Optimum,
}

impl Policy {
    /// All policies by the names that users give.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("none", Self::None),
        ("halo", Self::Halo),
        ("lru", Self::Lru),
        ("fifo", Self::Fifo),
        ("lrw", Self::Lrw),
        ("cscan-lrw", Self::CscanLrw),
        ("optimum", Self::Optimum),
    ];
}

/// What happened. All counts are in blocks of 4 KiB unless they say otherwise.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Requests replayed.
    pub requests: u64,
    /// Blocks that they read.
    pub read_blocks: u64,
    /// Of those, cached.
    pub read_hit_blocks: u64,
    /// Blocks that they wrote.
    pub written_blocks: u64,
    /// Of those, cached.
    pub write_hit_blocks: u64,
    /// Blocks written to the disk to make room.
    pub destaged_blocks: u64,
    /// Blocks still in the cache at the end.
    pub left_blocks: u64,
    /// Requests to the disk: neighbouring blocks that are read or destaged together are one.
    pub disk_requests: u64,
    /// Sum over disk requests of the distance from the end of the one before.
    pub distance_blocks: u64,
    /// Life ratios of the cache device, for HALO.
    pub wear: Vec<SchemeWear>,
}

/// What a wear levelling scheme made of the writes to the cache.
#[derive(Clone, PartialEq, Debug)]
pub struct SchemeWear {
    /// The scheme's name.
    pub scheme: &'static str,
    /// Life ratio over banks: the paper's.
    pub bank_life_ratio: f64,
    /// Life ratio over stripes.
    pub stripe_life_ratio: f64,
    /// Share of writes that found their row open.
    pub row_hit_ratio: f64,
}

impl Report {
    /// Blocks that the disk reads or writes, over blocks requested. Source: Auburn §3.3, in blocks instead of sectors: a part
    /// of a block counts as a whole one on both sides.
    pub fn traffic_rate(&self) -> f64 {
        let disk = self.read_blocks - self.read_hit_blocks + self.destaged_blocks;
        disk as f64 / (self.read_blocks + self.written_blocks).max(1) as f64
    }

    /// Mean distance between disk requests. Source: Auburn, Fig. 3.11.
    pub fn mean_distance_blocks(&self) -> f64 {
        self.distance_blocks as f64 / self.disk_requests.max(1) as f64
    }
}

/// The disk as seen from above: where its requests begin and end.
#[derive(Default)]
struct Disk {
    requests: u64,
    distance_blocks: u64,
    /// Behind the last block of the last request.
    end: u64,
    /// The run that is being put together.
    run: Option<(u64, u64)>,
}

impl Disk {
    fn touch(&mut self, lbn: Lbn) {
        match &mut self.run {
            Some((_, end)) if *end == lbn.0 => *end += 1,
            _ => {
                self.finish();
                self.run = Some((lbn.0, lbn.0 + 1));
            }
        }
    }

    fn finish(&mut self) {
        if let Some((start, end)) = self.run.take() {
            self.requests += 1;
            self.distance_blocks += start.abs_diff(self.end);
            self.end = end;
        }
    }
}

/// Replays `requests`, all on one device of `disk_blocks` blocks, through a cache of `cache_blocks` blocks.
///
/// Destaging is on demand only: whether the disk is idle is a question of time. With `wear`, the writes of HALO to the cache are
/// mapped to a device of 2 GiB by each scheme, which moves a stripe every 100 writes; other policies report none.
///
/// # Panics
/// When the cache has no block, or a request leaves the disk.
pub fn simulate(policy: Policy, cache_blocks: u32, disk_blocks: u64, requests: &[Request], wear: bool) -> Report {
    match policy {
        Policy::None => without_cache(requests),
        Policy::Halo if wear => halo_with_wear(cache_blocks, disk_blocks, requests),
        Policy::Halo => replay(&mut halo(cache_blocks, disk_blocks), requests, |_| {}),
        Policy::Lru => replay(&mut RecencyList::lru(cache_blocks), requests, |_| {}),
        Policy::Fifo => replay(&mut RecencyList::fifo(cache_blocks), requests, |_| {}),
        Policy::Lrw => replay(&mut RecencyList::lrw(cache_blocks), requests, |_| {}),
        Policy::CscanLrw => replay(&mut CscanLrw::new(cache_blocks), requests, |_| {}),
        Policy::Optimum => {
            let writes: Vec<_> =
                requests.iter().filter(|request| request.kind == Kind::Write).flat_map(Request::blocks).collect();
            replay(&mut Optimum::new(cache_blocks, &writes), requests, |_| {})
        }
    }
}

fn halo(cache_blocks: u32, disk_blocks: u64) -> Halo<Growing<Bucketised>> {
    Halo::new(disk_blocks, cache_blocks, DestageSettings::for_slots(cache_blocks), 1)
}

fn without_cache(requests: &[Request]) -> Report {
    let mut report = Report::default();
    let mut disk = Disk::default();
    for request in requests {
        let before = report.read_blocks + report.written_blocks;
        for lbn in request.blocks() {
            disk.touch(lbn);
            match request.kind {
                Kind::Read => report.read_blocks += 1,
                // A write to the disk, like a destage.
                Kind::Write => report.written_blocks += 1,
            }
        }
        debug_assert!(report.read_blocks + report.written_blocks > before);
        disk.finish();
    }
    report.requests = requests.len() as u64;
    report.destaged_blocks = report.written_blocks;
    (report.disk_requests, report.distance_blocks) = (disk.requests, disk.distance_blocks);
    report
}

/// `written` is called after each block written.
fn replay<R: Replacement>(cache: &mut R, requests: &[Request], mut written: impl FnMut(&R)) -> Report {
    let mut report = Report { requests: requests.len() as u64, ..Report::default() };
    let mut disk = Disk::default();
    let mut destaged = Vec::new();
    for request in requests {
        cache.begin_request();
        match request.kind {
            Kind::Read => {
                for lbn in request.blocks() {
                    report.read_blocks += 1;
                    if cache.read(lbn) {
                        report.read_hit_blocks += 1;
                    } else {
                        disk.touch(lbn);
                    }
                }
                disk.finish();
            }
            Kind::Write => {
                for lbn in request.blocks() {
                    report.written_blocks += 1;
                    report.write_hit_blocks += u64::from(cache.write(lbn, &mut destaged));
                    written(cache);
                }
                if !destaged.is_empty() {
                    report.destaged_blocks += destaged.len() as u64;
                    destaged.drain(..).for_each(|lbn| disk.touch(lbn));
                    disk.finish();
                }
            }
        }
    }
    report.left_blocks = cache.len();
    (report.disk_requests, report.distance_blocks) = (disk.requests, disk.distance_blocks);
    report
}

/// Writes between two moves of a rotation. Source: Qureshi et al., MICRO 2009.
const MOVE_INTERVAL_WRITES: u32 = 100;

struct SchemeUnderTest<W> {
    scheme: W,
    wear: Wear,
    rows: RowBuffers,
}

impl<W: WearLevelling> SchemeUnderTest<W> {
    fn new(scheme: W) -> Self {
        Self { scheme, wear: Wear::new(), rows: RowBuffers::new() }
    }

    fn write(&mut self, slot: Slot) {
        let stripe = u64::from(slot.0) * halo_core::address::BLOCK_BYTES as u64 / STRIPE_BYTES;
        let cell = self.wear.write(&mut self.scheme, stripe as u32 % DEVICE_STRIPES);
        self.rows.access(cell);
    }

    fn report(&self) -> SchemeWear {
        SchemeWear {
            scheme: self.scheme.name(),
            bank_life_ratio: self.wear.bank_life_ratio(),
            stripe_life_ratio: self.wear.stripe_life_ratio(),
            row_hit_ratio: self.rows.hit_ratio(),
        }
    }
}

fn halo_with_wear(cache_blocks: u32, disk_blocks: u64, requests: &[Request]) -> Report {
    let mut regions = SchemeUnderTest::new(Regions::new(MOVE_INTERVAL_WRITES));
    let mut round_robin = SchemeUnderTest::new(RoundRobin::new(MOVE_INTERVAL_WRITES));
    let mut cubes = SchemeUnderTest::new(CurveCubes::new(MOVE_INTERVAL_WRITES));
    let mut report = replay(&mut halo(cache_blocks, disk_blocks), requests, |cache| {
        if let Some(slot) = cache.last_slot() {
            regions.write(slot);
            round_robin.write(slot);
            cubes.write(slot);
        }
    });
    report.wear = vec![regions.report(), round_robin.report(), cubes.report()];
    report
}
