//! Blocks and slots that writes are filling.

use crate::hashing::FastSet;
use halo_core::Lbn;

/// Blocks between the beginning and the end of their write.
#[derive(Default)]
pub(crate) struct BeingWritten {
    blocks: FastSet<Lbn>,
    slots: u64,
}

impl BeingWritten {
    /// No other write of the block begins.
    pub(crate) fn begin(&mut self, lbn: Lbn) {
        self.blocks.insert(lbn);
    }

    pub(crate) fn end(&mut self, lbn: Lbn) {
        self.blocks.remove(&lbn);
    }

    pub(crate) fn has(&self, lbn: Lbn) -> bool {
        self.blocks.contains(&lbn)
    }

    /// A slot is neither free nor in use until it is filled.
    pub(crate) fn begin_slot(&mut self) {
        self.slots += 1;
    }

    pub(crate) fn end_slot(&mut self) {
        self.slots -= 1;
    }

    pub(crate) fn slots(&self) -> u64 {
        self.slots
    }
}
