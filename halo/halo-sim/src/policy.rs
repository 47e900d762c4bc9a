//! The policies that decide about the cache, by name.

use crate::front::NoCache;
use crate::request::{Kind, Request};
use halo_core::destage::DestageSettings;
use halo_core::index::{Bucketised, Growing};
use halo_core::replacement::{CscanLrw, Halo, Optimum, RecencyList, Replacement};
use halo_core::{DueSettings, Lbn, Slot};
use std::time::Duration;

/// A policy that decides about the cache.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Policy {
    /// No cache: every request goes to the disk.
    None,
    /// The paper's.
    Halo,
    /// The same with a part for clean blocks, whose size adapts.
    HaloSplit,
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
    pub const NAMES: [(&'static str, Self); 8] = [
        ("none", Self::None),
        ("halo", Self::Halo),
        ("halo-split", Self::HaloSplit),
        ("lru", Self::Lru),
        ("fifo", Self::Fifo),
        ("lrw", Self::Lrw),
        ("cscan-lrw", Self::CscanLrw),
        ("optimum", Self::Optimum),
    ];

    /// The name that users give.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, policy)| *policy == self).map_or("", |(name, _)| name)
    }
}

/// The paper's cache with the default index.
pub(crate) type HaloCache = Halo<Growing<Bucketised>>;

/// The counts of a cache that a replay needs besides its decisions.
pub(crate) trait Simulated: Replacement {
    /// Where the block that was just read or written lies in the cache device.
    ///
    /// Own: caches that keep no slots are taken as direct-mapped.
    fn slot_of(&self, lbn: Lbn) -> Slot {
        Slot((lbn.0 % self.capacity().max(1)) as u32)
    }

    /// Tells the time since the beginning.
    fn note_time(&mut self, _now: Duration) {}

    /// Destages what an idle disk may take, if the disk's load allows it, or what is too old; true when it did.
    fn destage_in_background(&mut self, _disk_utilisation: f64, _destaged: &mut Vec<Lbn>) -> bool {
        false
    }

    /// Destages what is too old, whatever the disk has to do; true when it did.
    fn destage_old(&mut self, _destaged: &mut Vec<Lbn>) -> bool {
        false
    }

    /// When time alone is the next reason to destage, if nothing is written.
    fn next_reason(&self) -> Option<Duration> {
        None
    }
}

impl Simulated for NoCache {}
impl Simulated for RecencyList {}
impl Simulated for CscanLrw {}
impl Simulated for Optimum {}

impl Simulated for HaloCache {
    fn slot_of(&self, _lbn: Lbn) -> Slot {
        self.last_slot().unwrap_or(Slot(0))
    }

    fn destage_in_background(&mut self, disk_utilisation: f64, destaged: &mut Vec<Lbn>) -> bool {
        Halo::destage_in_background(self, disk_utilisation, destaged)
    }

    fn note_time(&mut self, now: Duration) {
        Halo::note_time(self, now);
    }

    fn destage_old(&mut self, destaged: &mut Vec<Lbn>) -> bool {
        Halo::destage_old(self, destaged)
    }

    fn next_reason(&self) -> Option<Duration> {
        Halo::next_reason(self)
    }
}

/// Work that is the same for every cache but has to know its type.
pub(crate) trait WithCache {
    type Result;

    fn with<R: Simulated>(self, cache: R) -> Self::Result;
}

/// Makes the cache of a policy and does `work` with it. `requests` are those that will follow: the optimum looks ahead.
///
/// # Panics
/// When the cache has no block.
pub(crate) fn with_cache<W: WithCache>(
    policy: Policy,
    cache_blocks: u32,
    disk_blocks: u64,
    requests: &[Request],
    destaging: Destaging,
    work: W,
) -> W::Result {
    match policy {
        Policy::None => work.with(NoCache),
        Policy::Halo => work.with(halo(disk_blocks, cache_blocks, destaging)),
        Policy::HaloSplit => work.with(halo(disk_blocks, cache_blocks, destaging).with_split()),
        Policy::Lru => work.with(RecencyList::lru(cache_blocks)),
        Policy::Fifo => work.with(RecencyList::fifo(cache_blocks)),
        Policy::Lrw => work.with(RecencyList::lrw(cache_blocks)),
        Policy::CscanLrw => work.with(CscanLrw::new(cache_blocks)),
        Policy::Optimum => {
            let writes: Vec<_> =
                requests.iter().filter(|request| request.kind == Kind::Write).flat_map(Request::blocks).collect();
            work.with(Optimum::new(cache_blocks, &writes))
        }
    }
}

fn halo(disk_blocks: u64, cache_blocks: u32, destaging: Destaging) -> HaloCache {
    HaloCache::new(disk_blocks, cache_blocks, destaging.for_slots(cache_blocks), 1).with_due(destaging.due)
}

/// HALO's thresholds of destaging, by default those of a served cache; `None` is as [`DestageSettings::for_slots`] has it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Destaging {
    /// `TH_BCOUNTS`: blocks above the average.
    pub count_threshold_blocks: Option<u32>,
    /// `TH_RECENCY`: requests for each slot of the cache.
    pub age_threshold_slots: Option<f64>,
    /// `OD_RECENCY`: requests for each slot of the cache.
    pub old_age_slots: Option<f64>,
    /// Share of the slots in use from which destaging must happen.
    pub on_demand_utilisation: Option<f64>,
    /// The times after which blocks are due, in replays in which time passes at the trace's pace.
    pub due: DueSettings,
}

impl Destaging {
    fn for_slots(self, slots: u32) -> DestageSettings {
        let usual = DestageSettings::for_slots(slots);
        let requests = |share: f64| ((f64::from(slots) * share) as u64).max(1);
        DestageSettings {
            count_threshold_blocks: self.count_threshold_blocks.unwrap_or(usual.count_threshold_blocks),
            age_threshold_requests: self.age_threshold_slots.map_or(usual.age_threshold_requests, requests),
            old_age_requests: self.old_age_slots.map_or(usual.old_age_requests, requests),
            on_demand_utilisation: self.on_demand_utilisation.unwrap_or(usual.on_demand_utilisation),
            ..usual
        }
    }
}
