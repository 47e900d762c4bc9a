//! Copies that a request reads without holding the cache.
//!
//! A slot's data is written once, before a block refers to it, and not again before the slot was free. So whoever keeps a slot from
//! being given out may read it at any time, together with what was known about it: nothing else has to be looked up again.

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::format::Layout;
use crate::planted::{Bug, Planted};
use halo_core::CachedBlock;
use halo_media::Medium;

/// A copy as it was when the request began. Its slot is not given out before the request has ended.
#[derive(Clone, Copy)]
pub(crate) struct HeldCopy {
    pub(crate) block: CachedBlock,
    pub(crate) checksum: u32,
    pub(crate) zeros: bool,
    /// The disk has it, too.
    pub(crate) clean: bool,
}

/// Why a copy could not be read.
pub(crate) enum Unreadable {
    Damaged(HeldCopy),
    Failed(HeldCopy, CacheError),
}

impl HeldCopy {
    /// Reads the whole block into `data`.
    pub(crate) fn read(
        &self,
        medium: &impl Medium,
        layout: &Layout,
        planted: Planted,
        data: &mut [u8],
    ) -> Result<(), Unreadable> {
        if self.zeros {
            data.fill(0);
            return Ok(());
        }
        medium
            .read_at(layout.data_offset_bytes(self.block.slot), data)
            .map_err(|error| Unreadable::Failed(*self, CacheError::io(Device::Cache, "reading")(error)))?;
        self.verify(data, planted)
    }

    /// That `data`, which came from its slot, is what was written there.
    pub(crate) fn verify(&self, data: &[u8], planted: Planted) -> Result<(), Unreadable> {
        let trusted = planted.has(if self.clean { Bug::CleanNotVerified } else { Bug::NoDataChecksum });
        if trusted || crc32c::crc32c(data) == self.checksum { Ok(()) } else { Err(Unreadable::Damaged(*self)) }
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Keeps the slot of `block` from being given out, until [`Cache::let_go`].
    pub(crate) fn hold(&mut self, block: CachedBlock, clean: bool) -> HeldCopy {
        if !self.settings.planted.has(Bug::ReuseWhileReading) {
            self.slots.hold(block.slot);
        }
        HeldCopy {
            block,
            checksum: self.slots.checksum(block.slot),
            zeros: !clean && self.slots.is_zeros(block.slot),
            clean,
        }
    }

    pub(crate) fn let_go(&mut self, copy: &HeldCopy) {
        self.slots.let_go(copy.block.slot);
    }

    /// Acts on a copy that could not be read. Gives the error, or nothing when the block has another copy by now, or needs none
    /// because the disk has it.
    pub(crate) fn note_unreadable(&mut self, unreadable: Unreadable) -> Option<CacheError> {
        let (Unreadable::Damaged(copy) | Unreadable::Failed(copy, _)) = unreadable;
        let CachedBlock { lbn, slot, .. } = copy.block;
        if copy.clean {
            if self.clean_slot_of(lbn) == Some(slot) {
                self.statistics.clean_lost_blocks += 1;
                self.forget_clean_copy(lbn);
            }
            return None;
        }
        let is_newest = self.directory.find(lbn).is_some_and(|newest| newest.slot == slot);
        let (error, needed) = match unreadable {
            Unreadable::Failed(_, error) => (error, true),
            Unreadable::Damaged(_) => (CacheError::Damaged(lbn), is_newest),
        };
        if needed && matches!(error, CacheError::Damaged(_)) {
            self.slots.note_damage(slot);
        }
        self.health.note(&error);
        needed.then_some(error)
    }
}
