//! Zeroing and trimming: blocks that read as zeros from now on, and never again as what they were.
//!
//! A cached block gets a copy of zeros, which needs an item and no data. A long range that is not cached is zeroed on the
//! disk itself; a flush then waits for the disk, and for the clearing of all items that were waiting for it, because one of them
//! may be of a block that was destaged, and would bring it back. Between [`Cache::begin_zeroing`] and
//! [`Cache::finish_zeroing`] the cache may be used, but not destaged: a block that is written meanwhile must not reach the
//! disk before the zeros do.

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::parts::{Part, parts};
use crate::planted::Bug;
use crate::settings::Mode;
use halo_core::address::BLOCK_BYTES;
use halo_core::{CachedBlock, SectorMask};
use halo_media::Medium;

/// Why blocks are to read as zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zeroing {
    /// They are wanted as zeros.
    Write,
    /// They are not needed any more. What is not cached, and could be zeroed on the disk only by writing, is left to the disk's
    /// own trim, or as it is if it has none; parts of blocks stay as they are, and so does in [`Mode::Ordered`] all that is not
    /// cached.
    Trim,
}

/// Own: a range that is not cached goes to the disk itself from this length on, which is the length from which a disk spends more
/// time on moving data than on getting there.
const LEAST_BYTES_ON_DISK: u64 = 1 << 20;
/// The most that one step handles, so that other work gets its turn.
const STEP_BYTES: usize = 64 << 20;

/// Ranges to be zeroed on the disk.
#[must_use = "destages wait until the step is finished"]
pub struct ZeroStep {
    handled_bytes: usize,
    /// Offset and length in bytes.
    on_disk: Vec<(u64, u64)>,
    zeroing: Zeroing,
    waits_for_disk: bool,
}

impl ZeroStep {
    /// How far the request got; less than it asked for when there are no more free slots, or when it is long.
    pub fn handled_bytes(&self) -> usize {
        self.handled_bytes
    }

    /// True when the step ends where the disk is to be zeroed, which is not possible before a round or another zeroing has ended.
    pub fn waits_for_disk(&self) -> bool {
        self.waits_for_disk
    }

    /// Zeroes the ranges on the disk.
    ///
    /// # Errors
    /// The disk's; any part of the ranges may have been zeroed.
    pub fn zero_disk(&self, disk: &impl Medium) -> Result<(), CacheError> {
        for &(offset_bytes, count_bytes) in &self.on_disk {
            match self.zeroing {
                Zeroing::Write => disk.write_zeros(offset_bytes, count_bytes),
                Zeroing::Trim => match disk.zero_cheaply(offset_bytes, count_bytes) {
                    Ok(false) => disk.discard(offset_bytes, count_bytes),
                    zeroed => zeroed.map(|_| ()),
                },
            }
            .map_err(CacheError::io(Device::Disk, "zeroing"))?;
        }
        Ok(())
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Makes `count_bytes` read as zeros. Durable when a write would be.
    ///
    /// # Errors
    /// Sectors of the range may have their old content.
    ///
    /// # Panics
    /// When a step of zeroing was not finished.
    pub fn zero(&mut self, offset_bytes: u64, count_bytes: usize, zeroing: Zeroing) -> Result<(), CacheError> {
        self.check_range(offset_bytes, count_bytes)?;
        let mut handled = 0;
        while handled < count_bytes {
            self.relieve()?;
            let step = self.begin_zeroing(offset_bytes + handled as u64, count_bytes - handled, zeroing)?;
            assert!(!step.waits_for_disk, "one zeroing at a time");
            let outcome = step.zero_disk(&self.disk);
            let progress = step.handled_bytes;
            self.finish_zeroing(&step, outcome)?;
            handled += progress;
            if progress == 0 {
                self.make_room()?;
            }
        }
        if self.settings.mode == Mode::Strict { self.flush() } else { Ok(()) }
    }

    /// True while a write of the block at `offset_bytes` is under way: it may carry old sectors over into its new copy, and would bring
    /// them back.
    pub fn zeroing_waits_for(&self, offset_bytes: u64) -> bool {
        self.is_being_written(offset_bytes) && !self.settings.planted.has(Bug::ZeroingPassesWrites)
    }

    /// A zeroing waits for the disk, until [`Cache::zeroing_waited`]: no second round of destaging begins before it has had its turn.
    pub fn zeroing_waits(&mut self) {
        self.disk_use.zeroing_waits();
    }

    /// It was woken, and tries again in the same breath.
    pub fn zeroing_waited(&mut self) {
        self.disk_use.zeroing_waited();
    }

    /// Gives copies of zeros to the first blocks of the range, as far as there are free slots and no block is being written, and
    /// says what of the disk is to be zeroed; see [`ZeroStep::waits_for_disk`]. Parts of blocks, at either end, are written before this
    /// returns.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn begin_zeroing(
        &mut self,
        offset_bytes: u64,
        count_bytes: usize,
        zeroing: Zeroing,
    ) -> Result<ZeroStep, CacheError> {
        self.begin_staging(offset_bytes, count_bytes)?;
        let mut step = ZeroStep { handled_bytes: 0, on_disk: Vec::new(), zeroing, waits_for_disk: false };
        let mut uncached: Vec<Part> = Vec::new();
        // A step ends between two blocks.
        let most_bytes = STEP_BYTES - offset_bytes as usize % BLOCK_BYTES;
        for part in parts(offset_bytes, count_bytes.min(most_bytes)) {
            if self.zeroing_waits_for(part.lbn.offset_bytes()) {
                break;
            }
            let cached = self.directory.find(part.lbn).is_some();
            if cached || part.bytes < BLOCK_BYTES {
                if !self.take_uncached(&mut uncached, &mut step)? || !self.zero_part(part, zeroing)? {
                    break;
                }
                step.handled_bytes = part.in_buffer().end;
            } else {
                uncached.push(part);
            }
        }
        if !step.waits_for_disk {
            self.take_uncached(&mut uncached, &mut step)?;
        }
        if !step.on_disk.is_empty() {
            self.disk_use.begin_zeroing();
        }
        self.statistics.zeroed_bytes += step.handled_bytes as u64;
        Ok(step)
    }

    /// Acts on the outcome of [`ZeroStep::zero_disk`].
    ///
    /// # Errors
    /// The outcome was one.
    pub fn finish_zeroing(&mut self, step: &ZeroStep, outcome: Result<(), CacheError>) -> Result<(), CacheError> {
        // A step that had nothing for the disk took none: another one may have it now.
        if !step.on_disk.is_empty() || self.settings.planted.has(Bug::ZeroingEndsAnother) {
            self.disk_use.end_zeroing();
        }
        // Also after an error: a part may have been zeroed.
        let forgotten = outcome.is_err() && self.settings.planted.has(Bug::FailedZeroingNotFlushed);
        if !step.on_disk.is_empty() && !forgotten {
            self.direct.note();
        }
        self.health.note_outcome(&outcome);
        outcome
    }

    /// Decides about a run of whole blocks that are not cached; false when there were not enough slots, or when the disk is taken.
    fn take_uncached(&mut self, uncached: &mut Vec<Part>, step: &mut ZeroStep) -> Result<bool, CacheError> {
        let (Some(first), Some(last)) = (uncached.first(), uncached.last()) else { return Ok(true) };
        let count_bytes = (last.in_buffer().end - first.at) as u64;
        let ordered = self.settings.mode == Mode::Ordered;
        let by_disk = step.zeroing == Zeroing::Trim || count_bytes >= LEAST_BYTES_ON_DISK;
        if ordered && step.zeroing == Zeroing::Trim {
            step.handled_bytes = last.in_buffer().end;
        } else if by_disk && !ordered {
            if !self.disk_use.admits_zeroing() {
                step.waits_for_disk = true;
                return Ok(false);
            }
            for part in uncached.iter() {
                self.drop_clean_copy(part.lbn);
            }
            step.on_disk.push((first.lbn.offset_bytes(), count_bytes));
            step.handled_bytes = last.in_buffer().end;
        } else {
            for &part in uncached.iter() {
                if !self.zero_part(part, step.zeroing)? {
                    uncached.clear();
                    return Ok(false);
                }
                step.handled_bytes = part.in_buffer().end;
            }
        }
        uncached.clear();
        Ok(true)
    }

    /// Stages zeros for one part; false without a free slot.
    fn zero_part(&mut self, part: Part, zeroing: Zeroing) -> Result<bool, CacheError> {
        let found = self.directory.find(part.lbn);
        let already = found.is_some_and(|block| self.slots.is_zeros(block.slot));
        let ignored = zeroing == Zeroing::Trim && part.bytes < BLOCK_BYTES;
        if already || ignored {
            return Ok(true);
        }
        if part.bytes < BLOCK_BYTES {
            let offset_bytes = part.lbn.offset_bytes() + part.in_block().start as u64;
            return Ok(self.write_what_fits(offset_bytes, &[0; BLOCK_BYTES][..part.bytes])? > 0);
        }
        if self.settings.planted.has(Bug::ZeroingDropsCopies) {
            self.directory.remove_if(part.lbn.bucket(), |block| block.lbn == part.lbn);
            return Ok(true);
        }
        let Some(slot) = self.slot_without_data(found) else { return Ok(false) };
        self.slots.fill_with_zeros(slot);
        self.adopt(CachedBlock { lbn: part.lbn, slot, mask: SectorMask::FULL });
        Ok(true)
    }
}
