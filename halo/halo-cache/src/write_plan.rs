//! Writes, in steps: a host whose threads must not wait for each other's writes holds the cache only to begin and to end one.
//!
//! A write takes free slots, fills them, and only then becomes the newest copy of its blocks: a slot that a block refers to is never
//! written. So commits, destages and reads see whole writes only. From the beginning to the end of a write no other changes the same
//! block: whoever comes second, waits, and then merges with what the first has left.

use crate::bypass::Change;
use crate::cache::Cache;
use crate::error::CacheError;
use crate::few::Few;
use crate::format::Layout;
use crate::held::{HeldCopy, Unreadable};
use crate::parts::{Part, parts};
use crate::planted::{Bug, Planted};
use crate::staged::Staged;
use halo_core::address::BLOCK_BYTES;
use halo_core::{CachedBlock, Lbn, SectorMask, Slot};
use halo_media::{Medium, Piece};
use std::io;
use std::ops::Range;

/// Own: blocks that one step handles at most, so that others get their turn at the tables.
pub(crate) const MOST_STEP_BLOCKS: usize = 1024;

/// Blocks that are being written, and where.
#[must_use = "its blocks and slots stay taken until the write is finished"]
#[derive(Clone)]
pub struct WritePlan {
    parts: Few<PlannedPart>,
    layout: Layout,
    planted: Planted,
}

#[derive(Clone, Copy)]
struct PlannedPart {
    part: Part,
    slot: Slot,
    /// Sectors that count in the new copy.
    mask: SectorMask,
    /// The copy whose other sectors go into the new one.
    kept: Option<HeldCopy>,
}

impl PlannedPart {
    fn goes_on_in(&self, next: &Self) -> bool {
        next.part.bytes == BLOCK_BYTES && next.slot.0 == self.slot.0 + 1
    }
}

/// The outcome of [`WritePlan::perform`], for [`Cache::finish_write`]: the checksums of the new copies.
pub struct Written(Result<Few<u32>, Failure>);

enum Failure {
    Old(Unreadable),
    New(io::Error),
}

impl WritePlan {
    /// Bytes of the request that it handles, from its beginning. None: there was no free slot.
    pub fn handled_bytes(&self) -> usize {
        self.parts.as_slice().last().map_or(0, |planned| planned.part.in_buffer().end)
    }

    fn run(&self) -> Option<Range<Lbn>> {
        let (first, last) = (self.parts.as_slice().first()?, self.parts.as_slice().last()?);
        let last = if self.planted.has(Bug::FirstBlockMarkedOnly) { first } else { last };
        Some(first.part.lbn..Lbn(last.part.lbn.0 + 1))
    }

    /// Writes the first [`WritePlan::handled_bytes`] of `bytes` to the medium, all at once; neighbouring slots make one piece.
    pub fn perform(&self, medium: &impl Medium, bytes: &[u8]) -> Written {
        self.fill(medium, bytes, |pieces| medium.write_pieces(pieces))
    }

    /// As [`WritePlan::perform`] without writing: what a planted mistake does.
    #[cfg(feature = "planted-bugs")]
    pub fn pretend(&self, medium: &impl Medium, bytes: &[u8]) -> Written {
        self.fill(medium, bytes, |_| Ok(()))
    }

    fn fill(&self, medium: &impl Medium, bytes: &[u8], write: impl FnOnce(&[Piece<'_>]) -> io::Result<()>) -> Written {
        let parts = self.parts.as_slice();
        if let [only] = parts
            && only.part.bytes == BLOCK_BYTES
        {
            let piece = Piece { offset_bytes: self.layout.data_offset_bytes(only.slot), bytes: &bytes[..BLOCK_BYTES] };
            let checksum = crc32c::crc32c(piece.bytes);
            return Written(write(&[piece]).map(|()| Few::One(checksum)).map_err(Failure::New));
        }
        // A request has parts of blocks at its ends only.
        let is_part = |planned: &&PlannedPart| planned.part.bytes < BLOCK_BYTES;
        let merged: Result<Vec<_>, _> =
            parts.iter().filter(is_part).map(|planned| self.merge(planned, medium, bytes)).collect();
        let merged = match merged {
            Ok(merged) => merged,
            Err(unreadable) => return Written(Err(Failure::Old(unreadable))),
        };
        let (mut merged, mut rest, mut pieces) = (merged.iter(), parts, Vec::new());
        while let Some(first) = rest.first() {
            let mut count = 1;
            let block = if is_part(&first) { merged.next() } else { None };
            let data = if let Some(block) = block {
                &block[..]
            } else {
                count += rest.windows(2).take_while(|pair| pair[0].goes_on_in(&pair[1])).count();
                &bytes[first.part.at..][..count * BLOCK_BYTES]
            };
            pieces.push(Piece { offset_bytes: self.layout.data_offset_bytes(first.slot), bytes: data });
            rest = &rest[count..];
        }
        let blocks = pieces.iter().flat_map(|piece| piece.bytes.chunks_exact(BLOCK_BYTES));
        let checksums = blocks.map(crc32c::crc32c).collect();
        Written(write(&pieces).map(|()| checksums).map_err(Failure::New))
    }

    /// The whole block: the part of the request over what is kept of the old copy, or over zeros.
    fn merge(&self, planned: &PlannedPart, medium: &impl Medium, bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let mut block = vec![0; BLOCK_BYTES];
        if let Some(kept) = planned.kept {
            kept.read(medium, &self.layout, self.planted, &mut block)?;
        }
        block[planned.part.in_block()].copy_from_slice(&bytes[planned.part.in_buffer()]);
        Ok(block)
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// True while a write of the block at `offset_bytes` is under way: no other may begin.
    pub fn is_being_written(&self, offset_bytes: u64) -> bool {
        self.is_written_to(Lbn::containing(offset_bytes))
    }

    pub(crate) fn is_written_to(&self, lbn: Lbn) -> bool {
        self.being_written.has(lbn) && !self.settings.planted.has(Bug::WritesShareBlock)
    }

    /// Slots that requests under way keep from being free: once these have ended, there may be room.
    pub fn slots_in_use_by_requests(&self) -> u64 {
        self.being_written.slots() + self.slots.leaving()
    }

    /// As many leading bytes as there are free slots for, up to the first block that is being written.
    pub(crate) fn plan_write(&mut self, offset_bytes: u64, count: usize) -> WritePlan {
        let planted = self.settings.planted;
        let mut plan = WritePlan { parts: Few::None, layout: self.layout, planted };
        for part in parts(offset_bytes, count).take(MOST_STEP_BLOCKS) {
            if self.is_written_to(part.lbn) {
                break;
            }
            let mut mask = part.mask();
            // Of a block that is written whole, what there was does not matter.
            let whole = mask == SectorMask::FULL && !planted.has(Bug::OverwriteInPlace);
            let found = if whole { None } else { self.directory.find(part.lbn) };
            let in_place = found.filter(|_| planted.has(Bug::OverwriteInPlace));
            let Some(slot) = in_place.map(|block| block.slot).or_else(|| self.take_slot()) else { break };
            let kept = found.filter(|old| !mask.covers(old.mask) && !planted.has(Bug::PartialWriteForgetsSectors));
            if let Some(old) = kept {
                mask = mask.union(old.mask);
            }
            let kept = kept.map(|old| self.hold(old, false));
            plan.parts.push(PlannedPart { part, slot, mask, kept });
        }
        if let Some(run) = plan.run() {
            self.being_written.begin(run);
        }
        self.being_written.begin_slots(plan.parts.as_slice().len());
        plan
    }

    /// Makes what was written the newest copies.
    ///
    /// # Errors
    /// The plan's blocks have their old content. After an error of the medium the cache is
    /// poisoned.
    pub fn finish_write(&mut self, plan: WritePlan, written: Written) -> Result<(), CacheError> {
        let (checksums, failure) = match written.0 {
            Ok(checksums) => (checksums, None),
            Err(failure) => (Few::None, Some(failure)),
        };
        if let Some(run) = plan.run() {
            self.being_written.end(&run);
        }
        let WritePlan { parts, .. } = plan;
        self.being_written.end_slots(parts.as_slice().len());
        let mut checksums = checksums.as_slice().iter();
        for &PlannedPart { part, slot, mask, kept } in parts.as_slice() {
            if let Some(copy) = kept {
                self.let_go(&copy);
            }
            let Some(&checksum) = checksums.next() else {
                // But for a planted mistake, no block refers to it.
                if self.directory.find(part.lbn).is_none_or(|block| block.slot != slot) {
                    self.slots.free_unused(slot);
                }
                continue;
            };
            self.slots.fill(slot, checksum);
            // A commit or a destage may have taken the copy that was there at the beginning.
            match self.adopt(CachedBlock { lbn: part.lbn, slot, mask }) {
                Some(_) => self.statistics.write_hit_blocks += 1,
                None => self.statistics.write_miss_blocks += 1,
            }
            self.statistics.written_bytes += part.bytes as u64;
        }
        match failure {
            None => Ok(()),
            Some(Failure::New(error)) => self.or_poison(Err(error), "writing data"),
            Some(Failure::Old(unreadable)) => {
                let (Unreadable::Damaged(copy) | Unreadable::Failed(copy, _)) = &unreadable;
                let lbn = copy.block.lbn;
                // That it left the cache meanwhile makes it no better.
                Err(self.note_unreadable(unreadable).unwrap_or(CacheError::Damaged(lbn)))
            }
        }
    }

    /// Writes `bytes` to the medium without making them durable: for hosts that commit for several callers at once.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn stage(&mut self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.begin_staging(offset_bytes, bytes.len())?;
        self.relieve()?;
        let (mut staged, mut of_stream) = (0, self.is_of_stream(offset_bytes, bytes.len()));
        while staged < bytes.len() {
            let (at_bytes, rest) = (offset_bytes + staged as u64, &bytes[staged..]);
            if self.is_being_written(at_bytes) {
                return Err(CacheError::Full);
            }
            staged += match self.next_change(at_bytes, rest.len(), of_stream) {
                Change::Cached(plan) => {
                    let handled_bytes = self.carry_out(plan, rest)?;
                    if handled_bytes == 0 {
                        self.make_room()?;
                    }
                    handled_bytes
                }
                Change::Direct(bypass) => {
                    let outcome = bypass.perform(&self.disk, rest);
                    let taken_bytes = self.finish_bypass(&bypass, outcome);
                    // The cache takes the bytes that the disk does not take.
                    of_stream = taken_bytes > 0;
                    taken_bytes
                }
            };
        }
        Ok(())
    }

    /// As many leading bytes as there are free slots for; gives their number.
    pub(crate) fn write_what_fits(&mut self, offset_bytes: u64, bytes: &[u8]) -> Result<usize, CacheError> {
        let plan = self.plan_write(offset_bytes, bytes.len());
        self.carry_out(plan, bytes)
    }

    fn carry_out(&mut self, plan: WritePlan, bytes: &[u8]) -> Result<usize, CacheError> {
        let handled_bytes = plan.handled_bytes();
        let written = plan.perform(&self.medium, bytes);
        self.finish_write(plan, written)?;
        Ok(handled_bytes)
    }

    /// Where the copy of a block goes that needs no data: what a staged slot holds then means nothing, so it can stay.
    pub(crate) fn slot_without_data(&mut self, found: Option<CachedBlock>) -> Option<Slot> {
        found.filter(|block| self.in_place(*block)).map(|block| block.slot).or_else(|| self.take_slot())
    }

    /// Makes `block`, whose slot is filled, the newest copy. Gives the one that was the newest.
    pub(crate) fn adopt(&mut self, block: CachedBlock) -> Option<CachedBlock> {
        let found = self.directory.put(block.lbn, block.slot, block.mask);
        if found.is_none() {
            self.outdate_clean_copy(block.lbn);
        }
        self.note_age(block, found);
        if !self.slots.stage(block.slot) {
            return found;
        }
        match found.filter(|old| old.slot != block.slot) {
            // Nothing on the medium refers to the old copy: the new one takes its place among the staged.
            Some(old) if self.slots.is_untaken(old.slot) => self.slots.unstage(old.slot),
            replaced => self.commits.stage(Staged { lbn: block.lbn, replaces: replaced.map(|old| old.slot) }),
        }
        found
    }
}
