//! One policy, one cache size, one workload: what reaches the disk. No time passes here; see [`crate::timed`].

use crate::front::{BlockCounts, DiskRequest, Front, Traffic};
use crate::pcm::{Pcm, PcmReport, PcmTiming};
use crate::policy::{Policy, Simulated, WithCache, with_cache};
use crate::request::Request;
use halo_wear::{CurveCubes, Regions, RoundRobin};

/// What happened.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Requests replayed.
    pub requests: u64,
    /// Blocks of 4 KiB by what became of them.
    pub blocks: BlockCounts,
    /// Blocks still in the cache at the end.
    pub left_blocks: u64,
    /// What the disk got.
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

/// Replays `requests`, all on one device of `disk_blocks` blocks, through a cache of `cache_blocks` blocks.
///
/// Destaging is on demand only: whether the disk is idle is a question of time. With `wear`, the accesses to the cache are
/// mapped to a device of 2 GiB by each scheme, which moves a stripe every 100 writes.
///
/// # Panics
/// When the cache has no block, or a request leaves the disk.
pub fn simulate(policy: Policy, cache_blocks: u32, disk_blocks: u64, requests: &[Request], wear: bool) -> Report {
    let mut traffic = Traffic::default();
    let replay = Replay { requests, sink: &mut traffic, wear };
    let report = with_cache(policy, cache_blocks, disk_blocks, requests, replay);
    Report { traffic, ..report }
}

/// All requests, one after the other; disk requests go to the sink.
pub(crate) struct Replay<'a, S> {
    pub(crate) requests: &'a [Request],
    pub(crate) sink: &'a mut S,
    pub(crate) wear: bool,
}

impl<S: DiskSink> WithCache for Replay<'_, S> {
    type Result = Report;

    fn with<R: Simulated>(self, cache: R) -> Report {
        // Without a cache nothing wears.
        if self.wear && cache.capacity() > 0 { self.run_with_wear(cache) } else { self.run(cache, |_, _, _| {}) }
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
        for request in self.requests {
            front.pass(&mut cache, request, &mut disk_requests, &mut touched);
            disk_requests.iter().for_each(|request| self.sink.take(request));
            disk_requests.clear();
        }
        Report {
            requests: self.requests.len() as u64,
            blocks: front.counts,
            left_blocks: cache.len(),
            ..Report::default()
        }
    }

    fn run_with_wear<R: Simulated>(self, cache: R) -> Report {
        let timing = PcmTiming::LEE_2009;
        let mut regions = Pcm::new(timing, Regions::new(MOVE_INTERVAL_WRITES));
        let mut round_robin = Pcm::new(timing, RoundRobin::new(MOVE_INTERVAL_WRITES));
        let mut cubes = Pcm::new(timing, CurveCubes::new(MOVE_INTERVAL_WRITES));
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
