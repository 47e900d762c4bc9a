//! One policy, one cache size, one workload: what reaches the disk. Time is added by [`crate::timed`].

use crate::front::{BlockCounts, DiskRequest, Front, Traffic};
use crate::pcm::{Pcm, PcmReport, PcmTiming};
use crate::policy::{Destaging, Policy, Simulated, WithCache, with_cache};
use crate::request::Request;
use halo_wear::{CurveCubes, Regions, RoundRobin, SmallWrites};

/// The result of a replay.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Requests replayed.
    pub requests: u64,
    /// Blocks of 4 KiB by what became of them.
    pub blocks: BlockCounts,
    /// Blocks still in the cache at the end.
    pub left_blocks: u64,
    /// The requests to the disk.
    pub traffic: Traffic,
    /// The cache device under each wear levelling scheme, if asked for.
    pub wear: Vec<PcmReport>,
}

impl Report {
    /// Blocks that the disk reads or writes, over blocks requested. Source: Auburn §3.3, in blocks instead of sectors: a part
    /// of a block counts as a whole one on both sides.
    pub fn traffic_rate(&self) -> f64 {
        traffic_rate(&self.blocks)
    }
}

/// See [`Report::traffic_rate`].
pub(crate) fn traffic_rate(blocks: &BlockCounts) -> f64 {
    let disk = blocks.read - blocks.read_hits + blocks.destaged;
    disk as f64 / (blocks.read + blocks.written).max(1) as f64
}

/// Gets each disk request as it is made.
pub(crate) trait DiskSink {
    fn take(&mut self, request: &DiskRequest);
}

impl DiskSink for Traffic {
    fn take(&mut self, request: &DiskRequest) {
        self.add(request);
    }
}

/// Wear levelling schemes to be simulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schemes {
    /// None: the cache device is not simulated.
    None,
    /// The space filling curve, as one device would have it.
    Curve,
    /// All three, side by side.
    All,
    /// All three, moving a stripe after so many writes to its rotation, a block being so many of them.
    AllMoving {
        /// Writes between two moves; not below `writes_per_block`.
        interval_writes: u32,
        /// 1: a write is a block of 4 KiB; 64: a line of 64 bytes.
        writes_per_block: u32,
    },
}

/// A replay: a trace through a cache.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The policy that decides.
    pub policy: Policy,
    /// Size of the cache in blocks; more than 0.
    pub cache_blocks: u32,
    /// Size of the disk in blocks: no request may leave it.
    pub disk_blocks: u64,
    /// The requests, all on one device.
    pub requests: &'a [Request],
    /// Wear levelling schemes that also map the accesses to a cache device of 2 GiB, moving a stripe every 100 writes unless said
    /// otherwise.
    pub wear: Schemes,
    /// HALO's thresholds of destaging.
    pub destaging: Destaging,
    /// Called now and then with the number of requests that are done.
    pub watch: &'a dyn Fn(usize),
}

impl Setup<'_> {
    /// Counts what reaches the disk. Destaging is on demand only: whether the disk is idle is a question of time.
    ///
    /// # Panics
    /// When the cache has no block, or a request leaves the disk.
    pub fn count(&self) -> Report {
        let mut traffic = Traffic::default();
        let report = self.replay_into(&mut traffic);
        Report { traffic, ..report }
    }

    /// Hands each disk request to `sink`.
    pub(crate) fn replay_into(&self, sink: &mut impl DiskSink) -> Report {
        let replay = Replay { requests: self.requests, sink, wear: self.wear, watch: self.watch };
        with_cache(self.policy, self.cache_blocks, self.disk_blocks, self.requests, self.destaging, replay)
    }
}

/// Counts as [`Setup::count`] does.
///
/// # Panics
/// When the cache has no block, or a request leaves the disk.
pub fn simulate(policy: Policy, cache_blocks: u32, disk_blocks: u64, requests: &[Request], wear: bool) -> Report {
    let wear = if wear { Schemes::All } else { Schemes::None };
    let destaging = Destaging::default();
    Setup { policy, cache_blocks, disk_blocks, requests, wear, destaging, watch: &|_| {} }.count()
}

/// All requests, one after the other; disk requests go to the sink.
struct Replay<'a, S> {
    requests: &'a [Request],
    sink: &'a mut S,
    wear: Schemes,
    watch: &'a dyn Fn(usize),
}

/// Requests between two calls of [`Setup::watch`].
pub(crate) const WATCHED_REQUESTS: usize = 1 << 16;

impl<S: DiskSink> WithCache for Replay<'_, S> {
    type Result = Report;

    fn with<R: Simulated>(self, cache: R) -> Report {
        // Without a cache nothing wears.
        let schemes = if cache.capacity() > 0 { self.wear } else { Schemes::None };
        match schemes {
            Schemes::None => self.run(cache, |_, _, _| {}),
            Schemes::Curve => {
                let mut cubes = Pcm::new(PcmTiming::LEE_2009, CurveCubes::new(MOVE_INTERVAL_WRITES));
                let report = self.run(cache, |cache, kind, lbn| {
                    cubes.access(0, cache.slot_of(lbn), kind);
                });
                Report { wear: vec![cubes.report()], ..report }
            }
            Schemes::All => self.run_with_all(cache, MOVE_INTERVAL_WRITES, 1),
            Schemes::AllMoving { interval_writes, writes_per_block } => {
                self.run_with_all(cache, interval_writes, writes_per_block)
            }
        }
    }
}

impl<S: DiskSink> Replay<'_, S> {
    fn run<R: Simulated>(
        self,
        mut cache: R,
        mut touched: impl FnMut(&R, crate::request::Kind, halo_core::Lbn),
    ) -> Report {
        let mut front = Front::default();
        let mut disk_requests = Vec::new();
        for (number, chunk) in self.requests.chunks(WATCHED_REQUESTS).enumerate() {
            for request in chunk {
                front.pass(&mut cache, request, &mut disk_requests, &mut touched);
                for request in &disk_requests {
                    self.sink.take(request);
                }
                disk_requests.clear();
            }
            (self.watch)(number * WATCHED_REQUESTS + chunk.len());
        }
        Report {
            requests: self.requests.len() as u64,
            blocks: front.counts,
            left_blocks: cache.len(),
            ..Report::default()
        }
    }

    fn run_with_all<R: Simulated>(self, cache: R, interval: u32, per_block: u32) -> Report {
        let timing = PcmTiming::LEE_2009;
        let mut regions = Pcm::new(timing, SmallWrites::new(Regions::new(interval), per_block));
        let mut round_robin = Pcm::new(timing, SmallWrites::new(RoundRobin::new(interval), per_block));
        let mut cubes = Pcm::new(timing, SmallWrites::new(CurveCubes::new(interval), per_block));
        let report = self.run(cache, |cache, kind, lbn| {
            let slot = cache.slot_of(lbn);
            regions.access(0, slot, kind);
            round_robin.access(0, slot, kind);
            cubes.access(0, slot, kind);
        });
        Report { wear: vec![regions.report(), round_robin.report(), cubes.report()], ..report }
    }
}

/// Writes between two moves of a rotation. Source: Qureshi et al., MICRO 2009.
pub(crate) const MOVE_INTERVAL_WRITES: u32 = 100;
