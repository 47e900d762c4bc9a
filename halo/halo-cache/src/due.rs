//! Whether to destage now: because the cache fills, because blocks are old, or because there is nothing else to do.
//!
//! Own: how full the cache is decides `halo_core::destage`. Two rules are added, for what the paper leaves in the cache for ever. A block is
//! *due by age* an eighth before the greatest age that is wanted, so that it has left by then; all blocks older than half of it go in the same
//! sweep, because a sweep with few blocks costs the disk the most for each. And when no request has written for a while, and the disk hardly
//! reads, everything goes. Not here: which blocks go first (`destage.rs`), how time is told (the host).

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::planted::Bug;
use halo_core::destage::Trigger;
use halo_core::{Bucket, CachedBlock, Slot};
use halo_media::Medium;
use std::time::Duration;

/// Blocks looked at for one batch of old ones, so that requests wait for about 2 ms at most; the next look goes on from there.
const MOST_LOOKED_AT: usize = 16_384;

/// The known due blocks.
#[derive(Default)]
pub(crate) struct Due {
    /// A sweep of old blocks has begun, and some are left.
    sweeping: bool,
    /// Where the search for old blocks goes on.
    scan: u32,
    /// Blocks looked at since the search found one.
    fruitless_blocks: u64,
    /// The search found none in all of the cache: damaged ones are all that is old. It begins anew then.
    rests_until: Duration,
    /// No block is left that could go: all are damaged. Until others are written.
    exhausted: bool,
    last_write: Duration,
}

impl Due {
    /// A commit made blocks durable.
    pub(crate) fn note_new_blocks(&mut self) {
        self.exhausted = false;
    }

    /// No block can go.
    pub(crate) fn note_none_left(&mut self) {
        self.exhausted = true;
    }
}

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
        self.due.last_write = self.ages.now();
    }

    /// Whether to destage now, for a disk that is busy with requests of others for a share of `disk_utilisation` of the time.
    pub fn destage_trigger(&self, disk_utilisation: f64) -> Option<Trigger> {
        let (clean_slots, clean_target_slots) = self.clean_slots();
        let slots = u64::from(self.layout.slots()) - clean_target_slots;
        let filled = self.destager.trigger(self.slots.used() - clean_slots, slots, disk_utilisation);
        if filled == Some(Trigger::OnDemand) || self.due.exhausted {
            return filled;
        }
        let idle_disk = disk_utilisation < self.destager.settings().idle_disk_utilisation;
        let written_since = self.ages.now().saturating_sub(self.due.last_write);
        let idle = idle_disk && self.settings.idle_after.is_some_and(|pause| written_since >= pause);
        if self.is_due_by_age() {
            Some(Trigger::Age)
        } else if filled.is_none() && idle && !self.directory.is_empty() {
            Some(Trigger::Idle)
        } else {
            filled
        }
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

    fn is_due_by_age(&self) -> bool {
        let (Some(most), Some(oldest)) = (self.settings.max_dirty_age, self.ages.oldest()) else { return false };
        let limit = if self.due.sweeping { most / 2 } else { most / 8 * 7 };
        oldest >= limit && self.ages.now() >= self.due.rests_until
    }

    /// The committed blocks of buckets with old ones; none when the search has not found any yet.
    pub(crate) fn old_buckets(&mut self, most_blocks: usize) -> Vec<CachedBlock> {
        let most_age = self.settings.max_dirty_age.unwrap_or_default();
        self.due.sweeping = self.ages.oldest().is_some_and(|oldest| oldest >= most_age / 2);
        let (mut chosen, mut listed, mut looked_at) = (Vec::new(), Vec::new(), 0);
        let first = self.due.scan;
        let mut gone_round = false;
        while chosen.len() < most_blocks && looked_at < MOST_LOOKED_AT {
            let buckets = self.directory.buckets();
            let Some(bucket) = buckets.next_activated(self.due.scan) else {
                if gone_round || buckets.activated() == 0 {
                    break;
                }
                (self.due.scan, gone_round) = (0, true);
                continue;
            };
            if gone_round && bucket.0 >= first {
                break;
            }
            self.due.scan = bucket.0 + 1;
            looked_at += self.directory.buckets().count(bucket) as usize;
            self.list_if_old(bucket, &mut listed);
            chosen.append(&mut listed);
        }
        self.rest_if_fruitless(chosen.is_empty(), looked_at as u64);
        chosen
    }

    fn list_if_old(&self, bucket: Bucket, listed: &mut Vec<CachedBlock>) {
        self.directory.list(bucket, listed);
        listed.retain(|block| self.slots.can_leave(block.slot));
        if !listed.iter().any(|block| self.is_old(block.slot)) {
            listed.clear();
        }
    }

    fn rest_if_fruitless(&mut self, found_none: bool, looked_at: u64) {
        self.due.fruitless_blocks = if found_none { self.due.fruitless_blocks + looked_at } else { 0 };
        if self.due.fruitless_blocks >= self.directory.len() && found_none {
            self.rest();
        }
    }

    /// All that is old cannot go: for a while it is no reason to look again.
    pub(crate) fn rest(&mut self) {
        self.due.sweeping = false;
        self.due.fruitless_blocks = 0;
        self.due.rests_until = self.ages.now() + self.settings.max_dirty_age.unwrap_or_default() / 8;
    }

    /// True when the copy goes in a sweep by age.
    pub(crate) fn is_old(&self, slot: Slot) -> bool {
        self.ages.of(slot) >= self.settings.max_dirty_age.unwrap_or_default() / 2
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
