//! How a cache is to work, and what it says about its work.

use crate::format::Place;
use crate::planted::Planted;
use halo_core::destage::DestageSettings;

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
    /// Buckets that share one flush of the disk, at most; more if they have few blocks each.
    pub batch_buckets: usize,
    /// Opens a cache with damaged items and drops them: acknowledged writes may be lost.
    pub accept_damaged_items: bool,
    /// Also keeps blocks that were read twice and that the disk has; see [`halo_core::Split`].
    pub clean_blocks: bool,
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
            batch_buckets: 64,
            accept_damaged_items: false,
            clean_blocks: false,
            place: Place::UNKNOWN,
            now_seconds: 0,
            planted: Planted::NONE,
        }
    }
}

/// Blocks between two flushes of the disk: 8 MiB of DRAM while they are on their way.
pub const MOST_BATCH_BLOCKS: usize = 2048;

/// Blocks up to which a batch takes more than its buckets. Measured on a modelled 7200 rpm disk, regions with one dirty block, blocks
/// per second with 64, 256 and 1024 of them in a batch: 434, 531 and 593 if they are neighbours, 206, 248 and 312 if they are spread
/// over 400 GiB (`cargo bench --bench modes`).
pub(crate) const MOST_SPARSE_BATCH_BLOCKS: usize = 1024;

/// What a cache has done since it was opened.
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
    /// Bytes that requests zeroed or trimmed.
    pub zeroed_bytes: u64,
    /// Bytes read from the disk for requests.
    pub disk_read_bytes: u64,
    /// Bytes written to the disk by destages.
    pub disk_written_bytes: u64,
}
