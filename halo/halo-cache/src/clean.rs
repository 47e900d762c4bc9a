//! Clean blocks: copies of what the disk has, kept for reads. An option, see [`crate::Settings::clean_blocks`].
//!
//! `halo_core::Split` decides which blocks, and how many. A clean copy lies in a slot without an item: nothing on the medium says
//! that it is there, so recovery cannot find it, and its slot goes to a write without a commit.
//!
//! Never: a block has a dirty and a clean copy. A read keeps what the disk gave only if the block was not written, zeroed
//! or trimmed since the read was planned, and no zeroing of the disk was under way then; for this, changes are counted. A copy that
//! the medium does not give back as it was is forgotten, and the disk is read: that loses nothing.

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::format::Layout;
use crate::parts::Part;
use crate::planted::Bug;
use halo_core::address::BLOCK_BYTES;
use halo_core::{CachedBlock, Lbn, Slot, Split};
use halo_media::{Medium, Piece};
use std::io;

/// Own: reads from this length on are not kept, because a disk spends more time on moving so much than on getting there. It also bounds
/// the time for which others wait for the copies of one read to be written.
const LEAST_BYTES_NOT_KEPT: usize = 1 << 20;
/// Own: blocks share counters of their changes. With some hundreds of writes during a read of the disk, a few percent of what it could
/// keep is read again; a counter per block would cost more.
const COUNTERS: usize = 4096;

/// The clean copies.
pub(crate) struct Clean {
    split: Split,
    /// Counts the changes of blocks, by number of the block modulo [`COUNTERS`].
    changes: Vec<u64>,
}

/// A part of a read that is to be kept, and the count of changes when it was planned.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    part: Part,
    changes: u64,
}

/// Clean copies that are being written: nobody finds them before [`Cache::finish_keeping`].
#[must_use = "slots stay taken until it is finished"]
pub struct Keeping {
    copies: Vec<(Wanted, Slot)>,
    layout: Layout,
}

impl Keeping {
    /// True when there is nothing to write, and so nothing to finish.
    pub fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }

    /// Writes to the medium what the disk gave; gives checksums, for [`Cache::finish_keeping`].
    pub fn write(&self, medium: &impl Medium, buffer: &[u8]) -> Vec<Result<u32, CacheError>> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![0; self.copies.len() * BLOCK_BYTES];
        let copies = self.copies.iter().zip(blocks.chunks_exact_mut(BLOCK_BYTES));
        let pieces: Vec<_> = copies
            .map(|(&(Wanted { part, .. }, slot), block)| {
                block[part.in_block()].copy_from_slice(&buffer[part.in_buffer()]);
                Piece { offset_bytes: self.layout.data_offset_bytes(slot), bytes: block }
            })
            .collect();
        let written = medium.write_pieces(&pieces);
        let outcome = |piece: &Piece<'_>| match &written {
            Ok(()) => Ok(crc32c::crc32c(piece.bytes)),
            Err(error) => {
                let error = io::Error::new(error.kind(), error.to_string());
                Err(CacheError::io(Device::Cache, "keeping a clean block")(error))
            }
        };
        pieces.iter().map(outcome).collect()
    }
}

impl Clean {
    pub(crate) fn new(slots: u32) -> Self {
        Self { split: Split::new(slots), changes: vec![0; COUNTERS] }
    }

    /// DRAM taken.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.split.memory_bytes() + COUNTERS * size_of::<u64>()
    }

    fn changes(&mut self, lbn: Lbn) -> &mut u64 {
        &mut self.changes[lbn.0 as usize % COUNTERS]
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Slots with clean copies, and slots that are meant for them.
    pub(crate) fn clean_slots(&self) -> (u64, u64) {
        self.clean.as_ref().map_or((0, 0), |clean| (clean.split.clean_blocks(), clean.split.target_blocks()))
    }

    /// Slots that a write can have.
    pub(crate) fn takeable_slots(&self) -> u64 {
        let clean_slots = if self.settings.planted.has(Bug::CleanBeforeDirty) { 0 } else { self.clean_slots().0 };
        self.slots.unused() + clean_slots
    }

    /// A slot for a dirty block: a free one, else that of the clean copy that was not read for the longest time.
    pub(crate) fn take_slot(&mut self) -> Option<Slot> {
        let free = self.slots.allocate();
        if free.is_some() || self.settings.planted.has(Bug::CleanBeforeDirty) {
            return free;
        }
        self.take_clean_slot()
    }

    /// Not of a copy that is being read, which leaves, however.
    fn take_clean_slot(&mut self) -> Option<Slot> {
        loop {
            let (_, slot) = self.clean.as_mut()?.split.evict()?;
            self.slots.free(slot);
            let free = self.slots.allocate();
            if free.is_some() {
                return free;
            }
        }
    }

    /// A block that was not dirty is about to be.
    pub(crate) fn outdate_clean_copy(&mut self, lbn: Lbn) {
        let Some(clean) = &mut self.clean else { return };
        *clean.changes(lbn) += 1;
        if self.settings.planted.has(Bug::CleanSurvivesWrite) {
            return;
        }
        if let Some(slot) = clean.split.written(lbn) {
            self.slots.free(slot);
        }
    }

    /// The content of a block changes on the disk itself.
    pub(crate) fn drop_clean_copy(&mut self, lbn: Lbn) {
        let Some(clean) = &mut self.clean else { return };
        *clean.changes(lbn) += 1;
        if !self.settings.planted.has(Bug::CleanSurvivesTrim) {
            self.forget_clean_copy(lbn);
        }
    }

    pub(crate) fn forget_clean_copy(&mut self, lbn: Lbn) {
        if let Some(slot) = self.clean.as_mut().and_then(|clean| clean.split.forget(lbn)) {
            self.slots.free(slot);
        }
    }

    /// The slot of a block's clean copy, for a read that found no dirty one.
    pub(crate) fn access_clean(&mut self, lbn: Lbn) -> Option<Slot> {
        let slot = self.clean.as_mut()?.split.read(lbn)?;
        self.statistics.clean_hit_blocks += 1;
        Some(slot)
    }

    /// The slot of a block's clean copy, for checks by tools.
    pub fn clean_slot_of(&self, lbn: Lbn) -> Option<Slot> {
        self.clean.as_ref()?.split.slot_of(lbn)
    }

    /// A read of `request_bytes` in all goes to the disk for a part: whether that is to be kept. Parts of blocks and long reads are not,
    /// and do not count for the size of the clean part.
    pub(crate) fn want(&mut self, part: Part, request_bytes: usize) -> Option<Wanted> {
        let planted = self.settings.planted;
        let whole = part.bytes == BLOCK_BYTES || planted.has(Bug::CleanKeepsParts);
        let being_zeroed = self.disk_use.has_zeroing() && !planted.has(Bug::CleanKeptWhileZeroing);
        // Perhaps on the disk itself.
        let being_written = self.being_written.has(part.lbn) && !planted.has(Bug::CleanKeptWhileWritten);
        let clean = self.clean.as_mut()?;
        if !whole || request_bytes >= LEAST_BYTES_NOT_KEPT {
            return None;
        }
        let worth_it = clean.split.missed(part.lbn);
        (worth_it && !being_zeroed && !being_written).then(|| Wanted { part, changes: *clean.changes(part.lbn) })
    }

    /// Takes slots for what the disk gave for a read, as far as nothing changed it since.
    pub(crate) fn begin_keeping(&mut self, wanted: &[Wanted]) -> Keeping {
        let mut keeping = Keeping { copies: Vec::new(), layout: self.layout };
        for &wanted in wanted {
            if !self.is_still_wanted(wanted) {
                continue;
            }
            let Some(clean) = &self.clean else { break };
            let below_target = clean.split.clean_blocks() < clean.split.target_blocks();
            let free = if below_target { self.slots.allocate() } else { None };
            let Some(slot) = free.or_else(|| self.take_clean_slot()) else { continue };
            self.being_written.begin_slots(1);
            keeping.copies.push((wanted, slot));
        }
        keeping
    }

    fn is_still_wanted(&mut self, Wanted { part, changes }: Wanted) -> bool {
        let Some(clean) = &mut self.clean else { return false };
        let changed = *clean.changes(part.lbn) != changes && !self.settings.planted.has(Bug::CleanKeptAfterWrite);
        // Another read may have been quicker.
        !changed && clean.split.slot_of(part.lbn).is_none() && !self.health.is_poisoned()
    }

    /// Ends what [`Keeping::write`] began. That a copy could not be written is no error of the read.
    pub fn finish_keeping(&mut self, keeping: Keeping, kept: Vec<Result<u32, CacheError>>) {
        for ((wanted, slot), outcome) in keeping.copies.into_iter().zip(kept) {
            self.being_written.end_slots(1);
            let lbn = wanted.part.lbn;
            match outcome {
                Ok(checksum) if self.is_still_wanted(wanted) => {
                    self.slots.fill(slot, checksum);
                    if let Some(clean) = &mut self.clean {
                        clean.split.keep(lbn, slot);
                    }
                    self.statistics.clean_admitted_blocks += 1;
                }
                Ok(_) => self.slots.free(slot),
                Err(error) => {
                    self.slots.free(slot);
                    self.health.note(&error);
                }
            }
        }
    }

    /// These blocks, ascending by place, went to the disk; some may have been written again meanwhile.
    pub(crate) fn note_left(&mut self, on_disk: &[CachedBlock]) {
        let Some(clean) = &mut self.clean else { return };
        for victim in on_disk.chunk_by(|one, next| one.lbn.bucket() == next.lbn.bucket()) {
            clean.split.destaged(victim);
        }
        for block in on_disk.iter().filter(|block| self.directory.find(block.lbn).is_none()) {
            clean.split.left(block.lbn);
        }
    }
}
