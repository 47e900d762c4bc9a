//! How buckets go to the disk: read, write in large pieces, flush the disk, and only then let go of the slots.
//!
//! Between [`Cache::begin_destage`] and [`Cache::finish_destage`] the cache may be used; a host with threads runs
//! [`DestageBatch::transfer`] without holding the cache. Which buckets go is `halo_core::destage`'s decision.

use crate::batch::Outgoing;
pub use crate::batch::{DestageBatch, Transferred};
use crate::cache::Cache;
use crate::error::CacheError;
use crate::planted::Bug;
use crate::settings::{MOST_BATCH_BLOCKS, MOST_SPARSE_BATCH_BLOCKS, Mode};
use halo_core::address::SECTOR_BYTES;
use halo_core::destage::Trigger;
use halo_core::{Bucket, CachedBlock, Lbn, Slot};
use halo_media::Medium;
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Chooses buckets and takes at most `most_blocks` of their committed blocks; nothing when there is none. One batch at a
    /// time. In [`crate::Mode::Ordered`] blocks of the oldest commits, and nothing until the last batch is cleared.
    ///
    /// # Panics
    /// When the last batch was not finished, or part of the disk is being zeroed.
    pub fn begin_destage(&mut self, most_blocks: usize) -> Option<DestageBatch> {
        self.begin_destage_for(Trigger::OnDemand, most_blocks)
    }

    /// As [`Cache::begin_destage`], for a reason: with [`Trigger::Age`] of buckets with old blocks only, and nothing when the search has not
    /// found any yet.
    ///
    /// # Panics
    /// As for [`Cache::begin_destage`].
    pub fn begin_destage_for(&mut self, trigger: Trigger, most_blocks: usize) -> Option<DestageBatch> {
        assert!(!self.disk_use.has_batch_or_zeroing(), "one destage or zeroing of the disk at a time");
        let most_blocks = most_blocks.clamp(1, MOST_BATCH_BLOCKS);
        let (blocks, round_ends) =
            if self.in_order() { self.next_in_order(most_blocks)? } else { self.next_buckets(trigger, most_blocks) };
        if self.in_order() && trigger == Trigger::Age && !self.is_queue_old(&blocks) {
            self.due.rest(self.ages.now());
            return None;
        }
        if blocks.is_empty() {
            if trigger != Trigger::Age {
                self.due.note_none_left();
            }
            return None;
        }
        if !self.settings.planted.has(Bug::ReuseWhileDestaging) {
            self.slots.pin(blocks.iter().map(|outgoing| outgoing.block.slot));
        }
        self.disk_use.begin_batch();
        let (in_order, planted) = (self.in_order(), self.settings.planted);
        let begun = self.ages.now();
        Some(DestageBatch { blocks, round_ends, begun, in_order, layout: self.layout, planted })
    }

    /// False when a damaged copy, which is not in the queue any more, is all that is old.
    fn is_queue_old(&self, queue: &[Outgoing]) -> bool {
        queue.first().is_some_and(|first| self.is_old(first.block.slot))
    }

    fn outgoing(&self, block: CachedBlock) -> Outgoing {
        Outgoing { block, checksum: self.slots.checksum(block.slot), zeros: self.slots.is_zeros(block.slot) }
    }

    fn next_buckets(&mut self, trigger: Trigger, most_blocks: usize) -> (Vec<Outgoing>, Vec<usize>) {
        if trigger == Trigger::Age {
            let blocks = self.old_buckets(most_blocks).into_iter().map(|block| self.outgoing(block)).collect();
            return in_one_round(blocks, most_blocks);
        }
        let mut chosen = BTreeSet::new();
        let mut blocks = Vec::new();
        let sparse_blocks = self.sparse_batch_blocks();
        while (chosen.len() < self.settings.batch_buckets.max(1) || blocks.len() < sparse_blocks)
            && blocks.len() < most_blocks
        {
            let mut listed = Vec::new();
            let (directory, slots) = (&self.directory, &self.slots);
            let may_go = |bucket: Bucket| {
                if chosen.contains(&bucket) {
                    return false;
                }
                listed.clear();
                directory.list(bucket, &mut listed);
                listed.retain(|block| slots.can_leave(block.slot));
                !listed.is_empty()
            };
            let now = directory.now_requests();
            let Some(bucket) = self.destager.choose(directory.buckets(), now, may_go) else { break };
            chosen.insert(bucket);
            blocks.extend(listed.iter().map(|&block| self.outgoing(block)));
        }
        in_one_round(blocks, most_blocks)
    }

    /// So many blocks are gathered even from more buckets than a batch has otherwise: the more single blocks a sweep of the disk
    /// has, the shorter is the way to the next.
    ///
    /// Own: half of what is free when destaging must begin, because a batch frees its slots all at once, and writes go on
    /// meanwhile.
    fn sparse_batch_blocks(&self) -> usize {
        let free_share = 1.0 - self.destager.settings().on_demand_utilisation;
        let blocks = f64::from(self.layout.slots()) * free_share / 2.0;
        (blocks as usize).min(MOST_SPARSE_BATCH_BLOCKS)
    }

    /// Damaged copies of which a newer one is durable are not needed any more.
    pub(crate) fn let_superseded_damage_go(&mut self) {
        let (directory, slots) = (&self.directory, &self.slots);
        let superseded = self.epochs.take_superseded(|block| {
            directory.find(block.lbn).is_none_or(|newest| newest.slot != block.slot && slots.is_live(newest.slot))
        });
        for &slot in &superseded {
            self.ages.end(slot);
        }
        self.slots.put_on_disk(superseded.into_iter(), !self.commits.in_flight());
    }

    /// Blocks of the oldest epochs, a round each. Nothing while items of the last batch may still be on the medium: after a power loss
    /// they would be destaged again, over blocks of later epochs. For the same reason no block is twice in a batch, which is cleared as a
    /// whole.
    fn next_in_order(&mut self, most_blocks: usize) -> Option<(Vec<Outgoing>, Vec<usize>)> {
        let planted = self.settings.planted;
        self.let_superseded_damage_go();
        let clearing = self.slots.has_clearable() || self.commits.clearing_slots() > 0;
        if clearing && !planted.has(Bug::OrderedBeforeClearing) {
            return None;
        }
        if planted.has(Bug::OrderedMergesEpochs) {
            let newest = |block: &CachedBlock| self.directory.find(block.lbn) == Some(*block);
            let blocks = self.epochs.iter().map(|(block, _)| block).filter(newest);
            return Some(in_one_round(blocks.map(|block| self.outgoing(block)).collect(), most_blocks));
        }
        let mut copies: Vec<_> = self.epochs.iter().take(most_blocks).collect();
        let end_of_first = copies.iter().position(|(_, ends_epoch)| *ends_epoch).map_or(copies.len(), |at| at + 1);
        if planted.has(Bug::OrderedNewestFirst) {
            copies = self.epochs.iter().collect();
            let end_of_others = copies.iter().rev().skip(1).position(|(_, ends_epoch)| *ends_epoch);
            copies.drain(..end_of_others.map_or(0, |from_end| copies.len() - 1 - from_end));
        } else if planted.has(Bug::OrderedSkipsEpoch) && end_of_first < copies.len() {
            let second = copies[end_of_first..].iter().position(|(_, ends_epoch)| *ends_epoch);
            second.map(|at| copies.drain(end_of_first..=end_of_first + at));
        }
        let (mut blocks, mut round_ends, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for (block, ends_epoch) in copies {
            if !seen.insert(block.lbn) && !planted.has(Bug::OrderedRoundsShareBlocks) {
                break;
            }
            blocks.push(self.outgoing(block));
            if ends_epoch {
                round_ends.push(blocks.len());
            }
        }
        if round_ends.last() != Some(&blocks.len()) {
            round_ends.push(blocks.len());
        }
        Some((blocks, round_ends))
    }

    /// Acts on the outcome of [`DestageBatch::transfer`]: blocks that were not written again meanwhile leave the cache.
    /// Gives their number.
    ///
    /// # Errors
    /// The outcome was one; all blocks stay.
    pub fn finish_destage(
        &mut self,
        batch: DestageBatch,
        outcome: Result<Transferred, CacheError>,
    ) -> Result<u64, CacheError> {
        self.disk_use.end_batch();
        let DestageBatch { mut blocks, begun, in_order, .. } = batch;
        let Transferred { taken, damaged } = match outcome {
            Ok(transferred) => transferred,
            Err(error) => {
                self.slots.unpin_all();
                self.statistics.failed_destages += 1;
                self.note_disk_error(&error);
                return Err(error);
            }
        };
        blocks.truncate(taken);
        if in_order {
            self.leave_queue(&blocks);
        }
        let (lost, on_disk): (Vec<_>, Vec<_>) =
            blocks.into_iter().map(|outgoing| outgoing.block).partition(|block| damaged.contains(&block.slot));
        for block in lost {
            self.note_damage(&block);
            if in_order {
                self.epochs.set_damaged_aside(&block);
            }
        }
        let written_sectors: usize =
            on_disk.iter().flat_map(|block| block.mask.runs()).map(|(_, sectors)| sectors).sum();
        let mut gone = self.leave(&on_disk, begun);
        if in_order {
            // All copies go, because the newer ones of later epochs are other copies.
            gone = on_disk.iter().map(|block| block.slot).collect();
        }
        for &slot in &gone {
            self.ages.end(slot);
        }
        self.note_left(&on_disk);
        let count = gone.len() as u64;
        self.slots.put_on_disk(gone.into_iter(), !self.commits.in_flight());
        self.slots.unpin_all();
        self.statistics.destaged_blocks += count;
        self.statistics.disk_written_bytes += (written_sectors * SECTOR_BYTES) as u64;
        Ok(count)
    }

    /// A copy that the disk could not take stays, if it is still the newest.
    fn note_damage(&mut self, block: &CachedBlock) {
        self.health.note(&CacheError::Damaged(block.lbn));
        if self.slots.is_live(block.slot) {
            self.slots.note_damage(block.slot);
        }
    }

    /// The first copies of the queue; only planted mistakes take others.
    fn leave_queue(&mut self, blocks: &[Outgoing]) {
        let planted = self.settings.planted;
        if [Bug::OrderedMergesEpochs, Bug::OrderedNewestFirst, Bug::OrderedSkipsEpoch]
            .map(|bug| planted.has(bug))
            .contains(&true)
        {
            self.epochs.forget(|slot| blocks.iter().any(|outgoing| outgoing.block.slot == slot));
        } else {
            self.epochs.remove_first(blocks.len());
        }
    }

    /// Takes the blocks out of the directory that are still the newest; gives their slots.
    fn leave(&mut self, on_disk: &[CachedBlock], begun: Duration) -> Vec<Slot> {
        let on_disk: BTreeSet<_> = on_disk.iter().map(|block| (block.lbn, block.slot)).collect();
        let buckets: BTreeSet<_> = on_disk.iter().map(|(lbn, _)| lbn.bucket()).collect();
        let (planted, ages, in_order) = (self.settings.planted, &mut self.ages, self.settings.mode == Mode::Ordered);
        let mut gone = Vec::new();
        for bucket in buckets {
            self.directory.remove_if(bucket, |block| {
                let written_again = on_disk
                    .range((block.lbn, Slot(0))..=(block.lbn, Slot(u32::MAX)))
                    .next()
                    .is_some_and(|(_, slot)| *slot != block.slot);
                let drop_rewritten = planted.has(Bug::DropRewrittenWhileDestaging) && written_again;
                if written_again && !in_order && !planted.has(Bug::AgeNotRenewed) {
                    ages.renew(block.slot, begun);
                }
                let leaves = on_disk.contains(&(block.lbn, block.slot));
                if leaves {
                    gone.push(block.slot);
                }
                leaves || drop_rewritten
            });
        }
        gone
    }
}

/// At most `most_blocks` of them, ascending by place on the disk.
fn in_one_round(mut blocks: Vec<Outgoing>, most_blocks: usize) -> (Vec<Outgoing>, Vec<usize>) {
    blocks.sort_unstable_by_key(|outgoing| outgoing.block.lbn);
    blocks.truncate(most_blocks);
    let round_ends = vec![blocks.len()];
    (blocks, round_ends)
}

/// The lowest damaged block, for naming it.
pub(crate) fn first_damaged<M, D>(cache: &Cache<M, D>) -> Option<Lbn> {
    let mut lowest = None;
    let mut listed = Vec::new();
    let mut from = 0;
    while let Some(bucket) = cache.directory.buckets().next_activated(from) {
        listed.clear();
        cache.directory.list(bucket, &mut listed);
        let here = listed.iter().filter(|block| cache.slots.is_damaged(block.slot)).map(|block| block.lbn).min();
        lowest = lowest.or(here);
        from = bucket.0 + 1;
    }
    lowest
}
