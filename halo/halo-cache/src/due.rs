//! The time in a cache: how old its blocks are, and whether they are due, by the rule of [`halo_core::Due`].
//!
//! Not here: which blocks go first (`destage.rs`), how time is told (the host).

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::planted::Bug;
use halo_core::destage::Trigger;
use halo_core::{CachedBlock, Fill, Slot};
use halo_media::Medium;
use std::time::Duration;

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Tells the time since the cache was opened. Blocks written from now on are dirty since then; a cache that is never told the time
    /// destages by how full it is alone.
    pub fn note_time(&mut self, since_opened: Duration) {
        self.ages.note_time(since_opened);
    }

    /// For how long the oldest dirty block has been dirty, or cached since the cache was opened; nothing when none is.
    pub fn oldest_dirty(&self) -> Option<Duration> {
        self.ages.oldest()
    }

    pub(crate) fn note_write(&mut self) {
        self.due.note_write(self.ages.now());
    }

    /// Whether to destage now, for a disk that is busy with requests of others for a share of `disk_utilisation` of the time.
    pub fn destage_trigger(&self, disk_utilisation: f64) -> Option<Trigger> {
        let (clean_slots, clean_target_slots) = self.clean_slots();
        let fill = Fill {
            used: self.slots.used() - clean_slots,
            slots: u64::from(self.layout.slots()) - clean_target_slots,
            is_clean: self.directory.is_empty(),
        };
        self.due.trigger(&self.destager, fill, &self.ages, disk_utilisation)
    }

    /// On-demand destaging. Source: Auburn §3.1.3. That the disk does not take blocks matters only once no slot is left.
    pub(crate) fn relieve(&mut self) -> Result<(), CacheError> {
        // The disk's load does not matter to the on-demand rule.
        let wanted = self.destage_trigger(1.0) == Some(Trigger::OnDemand);
        if !wanted || self.disk_use.has_batch() || self.commits.in_flight() {
            return Ok(());
        }
        match self.destage() {
            Err(CacheError::Poisoned) => Err(CacheError::Poisoned),
            Err(error @ CacheError::Io { device: Device::Cache, .. }) => Err(error),
            _ => Ok(()),
        }
    }

    /// The committed blocks of buckets with old ones; none when the search has not found any yet.
    pub(crate) fn old_buckets(&mut self, most_blocks: usize) -> Vec<CachedBlock> {
        let slots = &self.slots;
        self.due.old_blocks(&self.directory, &self.ages, most_blocks, |slot| slots.can_leave(slot))
    }

    /// True when the copy goes in a sweep by age.
    pub(crate) fn is_old(&self, slot: Slot) -> bool {
        self.due.is_old(&self.ages, slot)
    }

    /// True when the disk need not take the copy once the block has a newer one.
    fn gives_up(&self, old: CachedBlock) -> bool {
        !self.in_order() || self.slots.is_untaken(old.slot)
    }

    /// The copy of `found`, if there is one, is replaced by `block`.
    pub(crate) fn note_age(&mut self, block: CachedBlock, found: Option<CachedBlock>) {
        match found {
            Some(old) if old.slot == block.slot => {}
            Some(old) if self.gives_up(old) && !self.settings.planted.has(Bug::AgeOfLastWrite) => {
                self.ages.inherit(old.slot, block.slot);
            }
            Some(old) if self.gives_up(old) => {
                self.ages.end(old.slot);
                self.ages.begin(block.slot);
            }
            _ => self.ages.begin(block.slot),
        }
    }
}
