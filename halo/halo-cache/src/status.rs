//! The status of a cache: plain figures, for people and for metrics.

use crate::cache::Cache;
use crate::clean::Clean;
use crate::format::Id;
use crate::recovery::Recovery;
use crate::settings::{Mode, Statistics};
use halo_core::address::SECTORS_PER_BLOCK;
use halo_core::{Lbn, SectorMask, Slot};
use halo_media::Medium;
use std::time::Duration;

/// The state of a cache at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// The cache's id.
    pub cache_id: Id,
    /// The disk's id.
    pub disk_id: Id,
    /// Counts the times that the pair was opened.
    pub session: u64,
    /// When a write is acknowledged.
    pub mode: Mode,
    /// Size of the cache medium.
    pub medium_bytes: u64,
    /// Size of the disk.
    pub disk_bytes: u64,
    /// Bytes that the device offers.
    pub capacity_bytes: u64,
    /// DRAM taken by tables that grow with the devices.
    pub memory_bytes: u64,
    /// Blocks that the disk does not have in their newest version.
    pub dirty_blocks: u64,
    /// Slots of the medium: the sum of the next five.
    pub slots: u64,
    /// Slots with nothing in them.
    pub free_slots: u64,
    /// Slots whose data is being written, or is not durable yet.
    pub staged_slots: u64,
    /// Slots with durable copies that the disk does not have.
    pub live_slots: u64,
    /// Slots that are not needed any more and wait for their clearing, or for the end of reads.
    pub clearable_slots: u64,
    /// Slots with clean copies: of what the disk has, too. Writes take them when no other is free.
    pub clean_slots: u64,
    /// Slots that are meant for clean copies at present; 0 without the option.
    pub clean_target_slots: u64,
    /// Copies of either kind that do not match their checksum, as far as somebody looked.
    pub damaged_slots: u64,
    /// For how long the oldest dirty block has been dirty, or cached since the cache was opened; nothing when none is.
    pub oldest_dirty: Option<Duration>,
    /// In [`Mode::Ordered`], copies that the disk must take in order, older versions of a block included.
    pub ordered_copies: u64,
    /// The medium failed: writes are refused until the cache is opened anew.
    pub poisoned: bool,
    /// The last error of a device or damaged block since the cache was opened.
    pub last_error: Option<String>,
    /// The finds when the cache was opened.
    pub recovery: Recovery,
    /// The work since then.
    pub statistics: Statistics,
}

/// The figures that a host looks at before it makes room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Slots that a write can have: with nothing in them, or with clean copies.
    pub free_slots: u64,
    /// Slots that commits can free.
    pub clearable_slots: u64,
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// All figures, at one moment.
    pub fn status(&self) -> Status {
        let slots = u64::from(self.layout.slots());
        let free_slots = self.slots.unused();
        let staged_slots = self.commits.staged_blocks() + self.being_written.slots();
        // A slot that a commit under way clears, or that a request still reads, is neither live nor free.
        let clearable_slots = self.slots.clearable() + self.commits.clearing_slots() + self.slots.leaving();
        let (clean_slots, clean_target_slots) = self.clean_slots();
        Status {
            cache_id: self.record.cache,
            disk_id: self.record.disk,
            session: self.record.session,
            mode: self.settings.mode,
            medium_bytes: self.layout.medium_bytes(),
            disk_bytes: self.layout.disk_bytes(),
            capacity_bytes: self.layout.capacity_bytes(),
            memory_bytes: self.memory_bytes() as u64,
            dirty_blocks: self.dirty_blocks(),
            slots,
            free_slots,
            staged_slots,
            live_slots: slots - free_slots - staged_slots - clearable_slots - clean_slots,
            clearable_slots,
            clean_slots,
            clean_target_slots,
            damaged_slots: self.slots.damaged(),
            oldest_dirty: self.oldest_dirty(),
            ordered_copies: self.epochs.len(),
            poisoned: self.health.is_poisoned(),
            last_error: self.health.last_error().map(Into::into),
            recovery: self.recovery,
            statistics: self.statistics,
        }
    }

    /// Slots that are free or can be cleared, without gathering all other figures.
    pub fn room(&self) -> Room {
        Room { free_slots: self.takeable_slots(), clearable_slots: self.slots.clearable() }
    }

    /// The work since the cache was opened.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// DRAM taken by tables that grow with the devices.
    pub fn memory_bytes(&self) -> usize {
        self.directory.memory_bytes()
            + self.slots.memory_bytes()
            + self.epochs.memory_bytes()
            + self.ages.memory_bytes()
            + self.clean.as_ref().map_or(0, Clean::memory_bytes)
    }

    /// Sectors of a block that are cached, for checks by tools.
    pub fn cached_sectors(&self, lbn: Lbn) -> usize {
        let mask = self.directory.find(lbn).map_or(SectorMask::EMPTY, |block| block.mask);
        (0..SECTORS_PER_BLOCK).filter(|&sector| mask.has(sector)).count()
    }

    /// The slot that holds the newest copy of a block, for checks by tools.
    pub fn slot_of(&self, lbn: Lbn) -> Option<Slot> {
        self.directory.find(lbn).map(|block| block.slot)
    }
}
