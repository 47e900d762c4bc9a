//! How writes become durable: data, barrier, items, barrier.
//!
//! A commit takes everything that was staged so far. Between [`Cache::begin_commit`] and [`Cache::finish_commit`] the cache
//! may be used; a host with threads runs [`Commit::make_durable`] without holding the cache.

use crate::cache::Cache;
use crate::error::CacheError;
use crate::format::{ITEM_BYTES, Item, Layout};
use crate::planted::{Bug, Planted};
use crate::staged::Staged;
use halo_core::{CachedBlock, Slot};
use halo_media::{Medium, Piece};
use std::io;

/// The changes of items that belong together.
#[must_use = "slots taken by a commit stay taken until it is finished"]
pub struct Commit {
    /// New content of items, ascending by slot.
    items: Vec<(Slot, [u8; ITEM_BYTES])>,
    /// New copies, and those that they supersede.
    copies: Vec<(Slot, Option<Slot>)>,
    /// The same as a destage in order needs them.
    epoch: Vec<CachedBlock>,
    cleared: Vec<Slot>,
    /// To be cleared by the next commit.
    destaged: Vec<Slot>,
    layout: Layout,
    planted: Planted,
}

impl Commit {
    /// Makes the data of all staged slots durable, then their items.
    ///
    /// The data comes first because an item promises data that matches its checksum. The second barrier comes before any
    /// acknowledgement, and before a cleared slot is used again: a new owner's data under an old item would look damaged.
    ///
    /// # Errors
    /// Any part may be durable. The cache must be told, and is poisoned.
    pub fn make_durable(&self, medium: &impl Medium) -> io::Result<()> {
        if !self.copies.is_empty() {
            medium.barrier()?;
        }
        let bytes: Vec<u8> = self.items.iter().flat_map(|(_, item)| *item).collect();
        let (mut rest, mut unwritten, mut pieces) = (&self.items[..], &bytes[..], Vec::new());
        while let Some(&(first, _)) = rest.first() {
            let neighbours = (first.0..).zip(rest).take_while(|(number, (slot, _))| slot.0 == *number).count();
            let (piece, others) = unwritten.split_at(neighbours * ITEM_BYTES);
            pieces.push(Piece { offset_bytes: self.layout.item_offset_bytes(first), bytes: piece });
            (rest, unwritten) = (&rest[neighbours..], others);
        }
        medium.write_pieces(&pieces)?;
        medium.barrier()
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Blocks that were staged since the cache was opened, and how many of them, the first ones, are known to be durable: for hosts that
    /// commit themselves and must know when what they staged is durable.
    pub fn staged_and_durable_blocks(&self) -> (u64, u64) {
        self.commits.staged_and_durable_blocks()
    }

    /// True when a commit would do nothing: all that was written is durable, and no slot waits to be cleared.
    pub fn is_committed(&self) -> bool {
        let idle = !self.commits.in_flight() && self.commits.staged_blocks() == 0;
        idle && !self.health.is_poisoned() && !self.slots.has_clearable()
    }

    /// Takes up what was staged, [`crate::Settings::commit_blocks`] at most, and all slots to be cleared; the next ones take up the rest, before what is
    /// staged from now on. Only one commit at a time.
    ///
    /// # Errors
    /// [`CacheError::Poisoned`].
    ///
    /// # Panics
    /// When the last commit was not finished.
    pub fn begin_commit(&mut self) -> Result<Commit, CacheError> {
        if self.health.is_poisoned() {
            return Err(CacheError::Poisoned);
        }
        let staged = self.commits.begin();
        let mut cleared = self.slots.take_retired();
        let planted = self.settings.planted;
        let destaged = self.slots.take_destaged();
        let destaged = if planted.has(Bug::ClearOldAndNewTogether) {
            cleared.extend(destaged);
            Vec::new()
        } else {
            destaged
        };
        let tag = self.record.cache.tag();
        let mut items = Vec::with_capacity(staged.len() + cleared.len());
        let (mut copies, mut epoch) = (Vec::with_capacity(staged.len()), Vec::new());
        for &Staged { lbn, replaces } in &staged {
            // The newest copy of its block, whichever that is by now; only planted mistakes lose it.
            let Some(CachedBlock { slot, mask, .. }) = self.directory.find(lbn) else { continue };
            self.slots.commit(slot);
            copies.push((slot, replaces));
            let data_checksum = self.slots.checksum(slot);
            let item =
                Item { lbn, sequence: self.commits.sequence(), mask, data_checksum, zeros: self.slots.is_zeros(slot) };
            items.push((slot, item.encode(slot, tag)));
            if self.in_order() {
                epoch.push(CachedBlock { lbn, slot, mask });
            }
        }
        items.extend(cleared.iter().map(|&slot| (slot, [0; ITEM_BYTES])));
        items.sort_unstable_by_key(|&(slot, _)| slot);
        epoch.sort_unstable_by_key(|block| block.lbn);
        self.commits.note_clearing(cleared.len() + destaged.len());
        if planted.has(Bug::ReuseBeforeClear) {
            self.slots.release(&cleared);
        }
        Ok(Commit { items, copies, epoch, cleared, destaged, layout: self.layout, planted })
    }

    /// Acts on the outcome of [`Commit::make_durable`]: superseded copies can be cleared, cleared slots used.
    ///
    /// # Errors
    /// The outcome was one; the cache is poisoned.
    pub fn finish_commit(&mut self, commit: Commit, outcome: io::Result<()>) -> Result<(), CacheError> {
        self.commits.end();
        self.or_poison(outcome, "committing")?;
        let ends_flush = self.commits.succeed();
        self.statistics.commits += 1;
        if !commit.copies.is_empty() && !commit.planted.has(Bug::ExhaustedForGood) {
            self.due.note_new_blocks();
        }
        for &(slot, _) in &commit.copies {
            self.slots.go_live(slot);
        }
        let keep_old = self.in_order() && !commit.planted.has(Bug::OrderedDropsOldCopies);
        for replaced in commit.copies.iter().filter_map(|&(_, replaces)| replaces) {
            // In order, the disk must take the older copy first.
            if !keep_old && !commit.planted.has(Bug::ForgetSuperseded) {
                if commit.planted.has(Bug::OrderedDropsOldCopies) {
                    self.epochs.forget(|slot| slot == replaced);
                }
                self.slots.supersede(replaced);
            }
        }
        self.epochs.add(&commit.epoch, ends_flush);
        if !commit.planted.has(Bug::ReuseBeforeClear) {
            self.slots.release(&commit.cleared);
        }
        self.slots.retire_after_commit(commit.destaged);
        Ok(())
    }
}
