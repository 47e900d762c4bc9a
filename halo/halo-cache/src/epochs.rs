//! Mode ordered: what each commit added, for the disk to take in the same order.
//!
//! An *epoch* is what one commit made durable. Every flush of a host ends with a commit, so when the disk has taken all
//! epochs up to one, and any part of the next, it holds all writes up to some flush and only writes before the next one.
//! For this a copy stays after a newer one of its block is durable, until the disk has taken it. Not here: the destage.

use halo_core::{CachedBlock, Slot};
use std::collections::BTreeMap;

/// Copies that the disk does not have, by the number of their commit.
#[derive(Default)]
pub(crate) struct Epochs {
    by_commit: BTreeMap<u64, BTreeMap<u64, CachedBlock>>,
    /// Copies that the disk cannot take because their data is damaged: out of the order, until a newer one is durable.
    damaged: Vec<CachedBlock>,
}

impl Epochs {
    /// The copies of one commit became durable, or were found by recovery.
    pub(crate) fn add(&mut self, commit: u64, blocks: impl IntoIterator<Item = CachedBlock>) {
        for block in blocks {
            self.by_commit.entry(commit).or_default().insert(block.lbn.0, block);
        }
    }

    /// The oldest epoch's copies, ascending by place on the disk, and its number.
    pub(crate) fn oldest(&self) -> Option<(u64, impl Iterator<Item = &CachedBlock>)> {
        self.by_commit.first_key_value().map(|(&commit, blocks)| (commit, blocks.values()))
    }

    /// As [`Epochs::oldest`], for the other end: what a planted mistake takes.
    pub(crate) fn newest(&self) -> Option<(u64, impl Iterator<Item = &CachedBlock>)> {
        self.by_commit.last_key_value().map(|(&commit, blocks)| (commit, blocks.values()))
    }

    /// All epochs' copies, oldest epoch first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &CachedBlock> {
        self.by_commit.values().flat_map(BTreeMap::values)
    }

    /// The disk has this copy of that commit, or never will.
    pub(crate) fn remove(&mut self, commit: u64, block: &CachedBlock) {
        if let Some(blocks) = self.by_commit.get_mut(&commit) {
            blocks.remove(&block.lbn.0);
            if blocks.is_empty() {
                self.by_commit.remove(&commit);
            }
        }
    }

    /// Takes the copy in `slot` out wherever it is: what a planted mistake does.
    pub(crate) fn forget(&mut self, slot: Slot) {
        self.by_commit.retain(|_, blocks| {
            blocks.retain(|_, block| block.slot != slot);
            !blocks.is_empty()
        });
    }

    /// Sets a damaged copy aside.
    pub(crate) fn set_damaged_aside(&mut self, commit: u64, block: &CachedBlock) {
        self.remove(commit, block);
        self.damaged.push(*block);
    }

    /// Takes the damaged copies out that `is_superseded`.
    pub(crate) fn take_superseded(&mut self, mut is_superseded: impl FnMut(&CachedBlock) -> bool) -> Vec<Slot> {
        self.damaged.extract_if(.., |block| is_superseded(block)).map(|block| block.slot).collect()
    }

    /// Copies in all epochs.
    pub(crate) fn len(&self) -> u64 {
        self.by_commit.values().map(|blocks| blocks.len() as u64).sum()
    }
}
