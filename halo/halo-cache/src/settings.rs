//! How a cache is to work, and what it says about its work.

use crate::format::Place;
use crate::planted::Planted;
use halo_core::DueSettings;
use halo_core::destage::DestageSettings;
use std::time::Duration;

/// When a write is acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every write is durable once it returns.
    Strict,
    /// A write is durable after the next [`crate::Cache::flush`] that returns, as on a disk with a volatile cache.
    Flush,
    /// As [`Mode::Flush`], and the disk takes what was written in the order of the commits: should the cache medium be lost,
    /// the disk holds all writes up to some flush, and of the later ones only some before the next flush, as a disk with
    /// a volatile cache would after a power loss.
    Ordered,
}

/// How a cache works.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// When a write is acknowledged.
    pub mode: Mode,
    /// When and what to destage; nothing: [`DestageSettings::for_slots`].
    pub destage: Option<DestageSettings>,
    /// Share of the slots in use from which destaging must happen; nothing: as in `destage`.
    pub on_demand_utilisation: Option<f64>,
    /// Share of the slots in use from which an idle disk is used; nothing: as in `destage`.
    pub background_utilisation: Option<f64>,
    /// As [`DueSettings::idle_after`].
    pub idle_after: Option<Duration>,
    /// As [`DueSettings::max_dirty_age`].
    pub max_dirty_age: Option<Duration>,
    /// The disk's label says at most so often what the disk lacks; nothing: never. A cache that is never told the time notes nothing.
    pub note_every: Option<Duration>,
    /// Buckets that share one flush of the disk, at most; more if they have few blocks each.
    pub batch_buckets: usize,
    /// Blocks that one commit takes up at most; a flush makes as many commits as it needs.
    pub commit_blocks: usize,
    /// Opens a cache with damaged items and drops them: acknowledged writes may be lost.
    pub accept_damaged_items: bool,
    /// Also keeps blocks that were read twice and that the disk has; see [`halo_core::Split`].
    pub clean_blocks: bool,
    /// Writes of sequential streams that are at least so long go to the disk directly, where that is safe; nothing: none do.
    pub bypass_sequential: Option<u64>,
    /// Bytes that the disk takes directly at once, at least.
    pub bypass_run_bytes: usize,
    /// The name under which the cache is opened, for whoever has only the disk one day.
    pub place: Place,
    /// The time of opening, for the same: seconds since 1970, UTC; 0: not known.
    pub now_seconds: u64,
    /// For the crash suite.
    pub planted: Planted,
}

impl Settings {
    /// The defaults for a mode.
    ///
    /// Own: up to 64 buckets per flush of the disk, and at most [`MOST_BATCH_BLOCKS`]. Draining 5 blocks per bucket from a modelled
    /// 7200 rpm disk gives 313, 370 and 406 blocks/s with 8, 32 and 64 buckets, spread over 400 GiB: the queue runs
    /// empty at the end of a batch, and a flush costs tens of milliseconds on a disk with a volatile cache.
    pub fn new(mode: Mode) -> Self {
        Self {
            mode,
            destage: None,
            on_demand_utilisation: None,
            background_utilisation: None,
            idle_after: DueSettings::USUAL.idle_after,
            max_dirty_age: DueSettings::USUAL.max_dirty_age,
            note_every: Some(DEFAULT_NOTE_EVERY),
            batch_buckets: 64,
            commit_blocks: MOST_COMMIT_BLOCKS,
            accept_damaged_items: false,
            clean_blocks: false,
            bypass_sequential: None,
            bypass_run_bytes: LEAST_BYPASS_RUN_BYTES,
            place: Place::UNKNOWN,
            now_seconds: 0,
            planted: Planted::NONE,
        }
    }

    /// Why time alone lets blocks go.
    pub(crate) fn due(&self) -> DueSettings {
        DueSettings { idle_after: self.idle_after, max_dirty_age: self.max_dirty_age }
    }

    /// When and what to destage with a cache of `slots` slots.
    pub(crate) fn destage_settings(&self, slots: u32) -> DestageSettings {
        let settings = self.destage.unwrap_or_else(|| DestageSettings::for_slots(slots));
        DestageSettings {
            on_demand_utilisation: self.on_demand_utilisation.unwrap_or(settings.on_demand_utilisation),
            background_utilisation: self.background_utilisation.unwrap_or(settings.background_utilisation),
            ..settings
        }
    }
}

/// Own: two writes and two flushes of the disk each time, which is little beside a minute of any work.
pub const DEFAULT_NOTE_EVERY: Duration = Duration::from_secs(60);

/// Own: shorter runs go through the cache, and so do the ends of a request that are no whole blocks: the disk is to get few and
/// large writes.
const LEAST_BYPASS_RUN_BYTES: usize = 64 << 10;

/// Own: a commit is put together while all requests wait, which takes about 3 ms for so many blocks.
const MOST_COMMIT_BLOCKS: usize = 8192;

/// Blocks between two flushes of the disk: 8 MiB of DRAM while they are on their way.
pub const MOST_BATCH_BLOCKS: usize = 2048;

/// Blocks up to which a batch takes more than its buckets. Measured on a modelled 7200 rpm disk, regions with one dirty block, blocks
/// per second with 64, 256 and 1024 of them in a batch: 434, 531 and 593 if they are neighbours, 206, 248 and 312 if they are spread
/// over 400 GiB (`cargo bench --bench modes`).
pub(crate) const MOST_SPARSE_BATCH_BLOCKS: usize = 1024;

/// Counts of a cache's work since it was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Blocks read that were cached, in whole or in part.
    pub read_hit_blocks: u64,
    /// Those of them that the disk has, too.
    pub clean_hit_blocks: u64,
    /// Blocks read from the disk and kept.
    pub clean_admitted_blocks: u64,
    /// Clean copies that the medium did not give back as they were: the disk was read instead.
    pub clean_lost_blocks: u64,
    /// Blocks read from the disk only.
    pub read_miss_blocks: u64,
    /// Blocks written that were cached.
    pub write_hit_blocks: u64,
    /// Blocks written that were not.
    pub write_miss_blocks: u64,
    /// Commits: two barriers of the medium each.
    pub commits: u64,
    /// Blocks that the disk has taken.
    pub destaged_blocks: u64,
    /// Destages that failed.
    pub failed_destages: u64,
    /// Bytes that requests read.
    pub read_bytes: u64,
    /// Bytes that requests wrote.
    pub written_bytes: u64,
    /// Those of them that went to the disk directly.
    pub bypassed_bytes: u64,
    /// Bytes that requests zeroed or trimmed.
    pub zeroed_bytes: u64,
    /// Bytes read from the disk for requests.
    pub disk_read_bytes: u64,
    /// Bytes written to the disk by destages.
    pub disk_written_bytes: u64,
}
