//! How buckets go to the disk: read, write in large pieces, flush the disk, and only then let go of the slots.
//!
//! Between [`Cache::begin_destage`] and [`Cache::finish_destage`] the cache may be used; a host with threads runs
//! [`DestageBatch::transfer`] without holding the cache. Which buckets go is `halo_core::destage`'s decision.

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::format::Layout;
use crate::planted::{Bug, Planted};
use crate::settings::{MOST_BATCH_BLOCKS, MOST_SPARSE_BATCH_BLOCKS};
use halo_core::address::{BLOCK_BYTES, SECTOR_BYTES};
use halo_core::{Bucket, CachedBlock, Lbn, SectorMask, Slot};
use halo_media::{Medium, Piece};
use std::collections::BTreeSet;

/// A copy on its way to the disk.
#[derive(Clone, Copy)]
struct Outgoing {
    block: CachedBlock,
    checksum: u32,
    zeros: bool,
}

/// Blocks on their way to the disk.
#[must_use = "a batch keeps other destages out until it is finished"]
pub struct DestageBatch {
    /// Ascending by place on the disk.
    blocks: Vec<Outgoing>,
    /// In [`crate::Mode::Ordered`], the commit that they all belong to.
    epoch: Option<u64>,
    layout: Layout,
    planted: Planted,
}

/// The disk has the batch, durably, but for these slots.
pub struct Transferred {
    damaged: Vec<Slot>,
}

impl DestageBatch {
    /// Blocks in the batch.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// True without blocks; a batch never is.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Says that the disk was given only what lies before `offset_bytes`: the other blocks stay in the cache. For hosts that end
    /// [`DestageBatch::transfer`] early; its outcome then holds for what is left of the batch.
    pub fn end_before(&mut self, offset_bytes: u64) {
        if self.planted.has(Bug::EndedBatchDropsTheRest) {
            return;
        }
        self.blocks.retain(|outgoing| outgoing.block.lbn.offset_bytes() + BLOCK_BYTES as u64 <= offset_bytes);
    }

    /// Writes the batch to the disk and flushes it.
    ///
    /// Neighbouring sectors make one piece, and all pieces are handed over together, so that a disk can keep its queue full.
    /// Holes are left alone: reading them to fill them costs more than it saves. Blocks that do not match their checksum
    /// stay in the cache.
    ///
    /// # Errors
    /// Any part of the batch may be on the disk; all of it is still in the cache.
    pub fn transfer(&self, medium: &impl Medium, disk: &impl Medium) -> Result<Transferred, CacheError> {
        let mut damaged = Vec::new();
        let mut bytes = Vec::with_capacity(self.blocks.len() * BLOCK_BYTES);
        let mut ranges: Vec<(u64, std::ops::Range<usize>)> = Vec::new();
        let mut data = vec![0; BLOCK_BYTES];
        for &Outgoing { block, checksum, zeros } in &self.blocks {
            if zeros && self.planted.has(Bug::DestageSkipsZeros) {
                continue;
            }
            if zeros {
                data.fill(0);
            } else {
                medium
                    .read_at(self.layout.data_offset_bytes(block.slot), &mut data)
                    .map_err(CacheError::io(Device::Cache, "reading for the disk"))?;
            }
            if crc32c::crc32c(&data) != checksum && !self.planted.has(Bug::NoChecksumWhenDestaging) {
                damaged.push(block.slot);
                continue;
            }
            let mask = if self.planted.has(Bug::DestageWholeBlocks) { SectorMask::FULL } else { block.mask };
            for (first, count) in mask.runs() {
                let at_bytes = block.lbn.offset_bytes() + (first * SECTOR_BYTES) as u64;
                let start = bytes.len();
                bytes.extend_from_slice(&data[first * SECTOR_BYTES..(first + count) * SECTOR_BYTES]);
                match ranges.last_mut() {
                    Some((offset_bytes, range)) if *offset_bytes + range.len() as u64 == at_bytes => {
                        range.end = bytes.len();
                    }
                    _ => ranges.push((at_bytes, start..bytes.len())),
                }
            }
        }
        let pieces: Vec<_> =
            ranges.into_iter().map(|(offset_bytes, range)| Piece { offset_bytes, bytes: &bytes[range] }).collect();
        disk.write_pieces(&pieces).map_err(CacheError::io(Device::Disk, "writing"))?;
        if !self.planted.has(Bug::NoDiskFlush) {
            let flushed = disk.barrier();
            if !self.planted.has(Bug::IgnoreDiskFlushError) {
                flushed.map_err(CacheError::io(Device::Disk, "flushing"))?;
            }
        }
        Ok(Transferred { damaged })
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Writes the next buckets to the disk; gives the number of blocks that left the cache, 0 when none can.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage(&mut self) -> Result<u64, CacheError> {
        // Only committed copies can go.
        if !self.staged.is_empty() {
            self.commit()?;
        }
        loop {
            self.let_superseded_damage_go();
            if self.in_order() && !self.settings.planted.has(Bug::OrderedBeforeClearing) {
                self.clear_all()?;
            }
            let Some(batch) = self.begin_destage(usize::MAX) else { return Ok(0) };
            let left = self.run_destage(batch)?;
            // In order, a batch of damaged blocks only is set aside, and the next may go.
            if left > 0 || !self.in_order() {
                return Ok(left);
            }
        }
    }

    fn run_destage(&mut self, batch: DestageBatch) -> Result<u64, CacheError> {
        if self.settings.planted.has(Bug::ClearBeforeDiskWrite) {
            let blocks = DestageBatch { blocks: batch.blocks.clone(), ..batch };
            let finished = self.finish_destage(batch, Ok(Transferred { damaged: Vec::new() }))?;
            self.commit()?;
            blocks.transfer(&self.medium, &self.disk)?;
            return Ok(finished);
        }
        let outcome = batch.transfer(&self.medium, &self.disk);
        self.finish_destage(batch, outcome)
    }

    /// Chooses buckets and takes at most `most_blocks` of their committed blocks; nothing when there is none. One batch at a
    /// time. In [`crate::Mode::Ordered`] blocks of the oldest commit, and nothing until the last batch is cleared.
    ///
    /// # Panics
    /// When the last batch was not finished, or part of the disk is being zeroed.
    pub fn begin_destage(&mut self, most_blocks: usize) -> Option<DestageBatch> {
        assert!(!self.destage_in_flight && !self.zeroings.in_flight(), "one destage or zeroing of the disk at a time");
        let most_blocks = most_blocks.clamp(1, MOST_BATCH_BLOCKS);
        let (epoch, mut blocks) =
            if self.in_order() { self.next_in_order(most_blocks)? } else { (None, self.next_buckets(most_blocks)) };
        if blocks.is_empty() {
            return None;
        }
        blocks.sort_unstable_by_key(|outgoing| outgoing.block.lbn);
        blocks.truncate(most_blocks);
        if !self.settings.planted.has(Bug::ReuseWhileDestaging) {
            self.slots.pin(blocks.iter().map(|outgoing| outgoing.block.slot));
        }
        self.destage_in_flight = true;
        Some(DestageBatch { blocks, epoch, layout: self.layout, planted: self.settings.planted })
    }

    fn outgoing(&self, block: CachedBlock) -> Outgoing {
        Outgoing {
            block,
            checksum: self.slots.checksums[block.slot.0 as usize],
            zeros: self.slots.zeros.has(block.slot),
        }
    }

    fn next_buckets(&mut self, most_blocks: usize) -> Vec<Outgoing> {
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
                listed.retain(|block| slots.live.has(block.slot) && !slots.damaged.contains(&block.slot));
                !listed.is_empty()
            };
            let now = directory.now_requests();
            let Some(bucket) = self.destager.choose(directory.buckets(), now, may_go) else { break };
            chosen.insert(bucket);
            blocks.extend(listed.iter().map(|&block| self.outgoing(block)));
        }
        blocks
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
    fn let_superseded_damage_go(&mut self) {
        let (directory, slots) = (&self.directory, &self.slots);
        let superseded = self.epochs.take_superseded(|block| {
            directory.find(block.lbn).is_none_or(|newest| newest.slot != block.slot && slots.live.has(newest.slot))
        });
        self.slots.put_on_disk(superseded.into_iter(), !self.commit_in_flight);
    }

    /// Blocks of the oldest epoch. Nothing while items of the last batch may still be on the medium: after a power loss they
    /// would be destaged again, over blocks of later epochs.
    fn next_in_order(&mut self, most_blocks: usize) -> Option<(Option<u64>, Vec<Outgoing>)> {
        let planted = self.settings.planted;
        self.let_superseded_damage_go();
        let clearing = self.slots.has_clearable() || self.clearing_slots > 0;
        if clearing && !planted.has(Bug::OrderedBeforeClearing) {
            return None;
        }
        if planted.has(Bug::OrderedMergesEpochs) {
            let newest_copies = self.epochs.all().filter(|block| self.directory.find(block.lbn) == Some(**block));
            return Some((None, newest_copies.map(|&block| self.outgoing(block)).collect()));
        }
        if planted.has(Bug::OrderedNewestFirst) {
            let (epoch, blocks) = self.epochs.newest()?;
            return Some((Some(epoch), blocks.map(|&block| self.outgoing(block)).collect()));
        }
        let (epoch, blocks) = self.epochs.oldest()?;
        Some((Some(epoch), blocks.take(most_blocks).map(|&block| self.outgoing(block)).collect()))
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
        self.destage_in_flight = false;
        let DestageBatch { blocks, epoch, .. } = batch;
        let Transferred { damaged } = match outcome {
            Ok(transferred) => transferred,
            Err(error) => {
                self.slots.unpin_all();
                self.statistics.failed_destages += 1;
                self.last_error = Some(error.to_string());
                return Err(error);
            }
        };
        let (lost, on_disk): (Vec<_>, Vec<_>) =
            blocks.into_iter().map(|outgoing| outgoing.block).partition(|block| damaged.contains(&block.slot));
        for block in lost {
            self.note_damage(&block, epoch);
        }
        let written_sectors: usize =
            on_disk.iter().flat_map(|block| block.mask.runs()).map(|(_, sectors)| sectors).sum();
        let gone = match epoch {
            Some(epoch) => self.leave_in_order(epoch, &on_disk),
            None => self.leave(&on_disk),
        };
        self.note_left(&on_disk);
        let count = gone.len() as u64;
        self.slots.put_on_disk(gone.into_iter(), !self.commit_in_flight);
        self.slots.unpin_all();
        self.statistics.destaged_blocks += count;
        self.statistics.disk_written_bytes += (written_sectors * SECTOR_BYTES) as u64;
        Ok(count)
    }

    /// A copy that the disk could not take stays, if it is still the newest.
    fn note_damage(&mut self, block: &CachedBlock, epoch: Option<u64>) {
        self.last_error = Some(CacheError::Damaged(block.lbn).to_string());
        if self.slots.live.has(block.slot) {
            self.slots.damaged.insert(block.slot);
        }
        if let Some(epoch) = epoch {
            self.epochs.set_damaged_aside(epoch, block);
        }
    }

    /// Takes the blocks out of the directory that are still the newest; gives their slots.
    fn leave(&mut self, on_disk: &[CachedBlock]) -> Vec<Slot> {
        let on_disk: BTreeSet<_> = on_disk.iter().map(|block| (block.lbn, block.slot)).collect();
        let buckets: BTreeSet<_> = on_disk.iter().map(|(lbn, _)| lbn.bucket()).collect();
        let mut gone = Vec::new();
        for bucket in buckets {
            self.directory.remove_if(bucket, |block| {
                let drop_rewritten = self.settings.planted.has(Bug::DropRewrittenWhileDestaging)
                    && on_disk.iter().any(|(lbn, _)| *lbn == block.lbn);
                let leaves = on_disk.contains(&(block.lbn, block.slot));
                if leaves {
                    gone.push(block.slot);
                }
                leaves || drop_rewritten
            });
        }
        for slot in &gone {
            self.epochs.forget(*slot);
        }
        gone
    }

    /// All copies go, because the newer ones of later epochs are other copies.
    fn leave_in_order(&mut self, epoch: u64, on_disk: &[CachedBlock]) -> Vec<Slot> {
        self.leave(on_disk);
        for block in on_disk {
            self.epochs.remove(epoch, block);
        }
        on_disk.iter().map(|block| block.slot).collect()
    }
}

/// The lowest damaged block, for naming it.
pub(crate) fn first_damaged<M, D>(cache: &Cache<M, D>) -> Option<Lbn> {
    let mut lowest = None;
    let mut listed = Vec::new();
    let mut from = 0;
    while let Some(bucket) = cache.directory.buckets().next_activated(from) {
        listed.clear();
        cache.directory.list(bucket, &mut listed);
        let here = listed.iter().filter(|block| cache.slots.damaged.contains(&block.slot)).map(|block| block.lbn).min();
        lowest = lowest.or(here);
        from = bucket.0 + 1;
    }
    lowest
}
