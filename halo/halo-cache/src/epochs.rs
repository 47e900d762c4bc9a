//! Mode ordered: what each commit added, for the disk to take in the same order.
//!
//! An *epoch* is what was made durable under one number. Every flush of a host ends with a commit, so when the disk has taken all
//! epochs up to one, and any part of the next, it holds all writes up to some flush and only writes before the next one.
//! For this a copy stays after a newer one of its block is durable, until the disk has taken it. Not here: the destage.
//!
//! All copies stand in one queue: oldest epoch first, ascending by place on the disk within each. Copies join at its end and leave
//! at its beginning, so neither takes longer the more there are. The queue runs through tables with a place per slot, twelve bytes
//! each, which never grow: what had to be moved to a larger place would be moved while all clients wait.

use halo_core::{CachedBlock, Lbn, SectorMask, Slot};

/// The last copy of its epoch.
const ENDS_EPOCH: u64 = 1;
const MASK_SHIFT: u32 = 8;
const LBN_SHIFT: u32 = 16;

/// Copies that the disk does not have.
pub(crate) struct Epochs {
    /// By slot: number of the block, sectors that count, [`ENDS_EPOCH`].
    copies: Vec<u64>,
    /// By slot: the slot of the next copy in the queue; means nothing at its end.
    next: Vec<u32>,
    first: Slot,
    last: Slot,
    count: u64,
    /// Copies that the disk cannot take because their data is damaged: out of the order, until a newer one is durable.
    damaged: Vec<CachedBlock>,
    /// The disk lacks a damaged copy, and may have later ones: it alone is not in order.
    gap: bool,
    /// Found by a recovery that is under way, with the number of their commit.
    found: Vec<(u64, Slot)>,
}

impl Epochs {
    /// Places for the copies in `slots` slots.
    pub(crate) fn new(slots: u32) -> Self {
        Self {
            copies: vec![0; slots as usize],
            next: vec![0; slots as usize],
            first: Slot(0),
            last: Slot(0),
            count: 0,
            damaged: Vec::new(),
            gap: false,
            found: Vec::new(),
        }
    }

    /// Copies of the newest epoch became durable, the last of them if it `ends`: ascending by place on the disk, each block once.
    pub(crate) fn add(&mut self, blocks: &[CachedBlock], ends: bool) {
        for block in blocks {
            self.note(block);
            self.append(block.slot);
        }
        if ends && !blocks.is_empty() {
            self.copies[self.last.0 as usize] |= ENDS_EPOCH;
        }
    }

    /// Recovery found the copy of a commit; it is in the queue from [`Epochs::put_in_order`] on.
    pub(crate) fn find(&mut self, commit: u64, block: &CachedBlock) {
        self.note(block);
        self.found.push((commit, block.slot));
    }

    /// Makes the queue of what recovery found.
    pub(crate) fn put_in_order(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        found.sort_unstable_by_key(|&(commit, slot)| (commit, self.copies[slot.0 as usize]));
        for epoch in found.chunk_by(|(one, _), (next, _)| one == next) {
            for &(_, slot) in epoch {
                self.append(slot);
            }
            self.copies[self.last.0 as usize] |= ENDS_EPOCH;
        }
    }

    /// All copies from the first on, and whether each is the last of its epoch.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CachedBlock, bool)> {
        let mut slot = self.first;
        (0..self.count).map(move |_| {
            let copy = self.copies[slot.0 as usize];
            let mask = SectorMask((copy >> MASK_SHIFT) as u8);
            let block = CachedBlock { lbn: Lbn(copy >> LBN_SHIFT), slot, mask };
            slot = Slot(self.next[slot.0 as usize]);
            (block, copy & ENDS_EPOCH != 0)
        })
    }

    /// The disk has the first copies of the queue, or never will.
    ///
    /// # Panics
    /// When there are not so many.
    pub(crate) fn remove_first(&mut self, count: usize) {
        assert!(count as u64 <= self.count, "{count} of {} copies leave the queue", self.count);
        for _ in 0..count {
            self.first = Slot(self.next[self.first.0 as usize]);
        }
        self.count -= count as u64;
    }

    /// Takes copies out wherever they are: what planted mistakes do.
    pub(crate) fn forget(&mut self, mut is_forgotten: impl FnMut(Slot) -> bool) {
        let mut commit = 0;
        let found: Vec<_> = self
            .iter()
            .map(|(block, ends_epoch)| {
                commit += u64::from(ends_epoch);
                (commit - u64::from(ends_epoch), block)
            })
            .filter(|(_, block)| !is_forgotten(block.slot))
            .collect();
        self.count = 0;
        for (commit, block) in found {
            self.find(commit, &block);
        }
        self.put_in_order();
    }

    /// A copy that left the queue is damaged.
    pub(crate) fn set_damaged_aside(&mut self, block: &CachedBlock) {
        self.damaged.push(*block);
        self.gap = true;
    }

    pub(crate) fn has_gap(&self) -> bool {
        self.gap
    }

    pub(crate) fn set_gap(&mut self, gap: bool) {
        self.gap = gap;
    }

    /// Takes the damaged copies out that `is_superseded`.
    pub(crate) fn take_superseded(&mut self, mut is_superseded: impl FnMut(&CachedBlock) -> bool) -> Vec<Slot> {
        self.damaged.extract_if(.., |block| is_superseded(block)).map(|block| block.slot).collect()
    }

    /// Copies in the queue.
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// DRAM taken.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.copies.capacity() * size_of::<u64>() + self.next.capacity() * size_of::<u32>()
    }

    fn note(&mut self, block: &CachedBlock) {
        self.copies[block.slot.0 as usize] = block.lbn.0 << LBN_SHIFT | u64::from(block.mask.0) << MASK_SHIFT;
    }

    fn append(&mut self, slot: Slot) {
        if self.count == 0 {
            self.first = slot;
        } else {
            self.next[self.last.0 as usize] = slot.0;
        }
        self.last = slot;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lbn: u64, slot: u32) -> CachedBlock {
        CachedBlock { lbn: Lbn(lbn), slot: Slot(slot), mask: SectorMask(0x5a) }
    }

    #[test]
    fn copies_leave_in_the_order_in_which_they_came_and_slots_come_back() {
        let mut epochs = Epochs::new(4);
        epochs.add(&[block(1 << 35, 3), block((1 << 36) - 1, 0)], true);
        epochs.add(&[], true);
        epochs.add(&[block(1 << 35, 2)], true);
        let queue: Vec<_> = epochs.iter().collect();
        assert_eq!(queue, [(block(1 << 35, 3), false), (block((1 << 36) - 1, 0), true), (block(1 << 35, 2), true)]);
        epochs.remove_first(2);
        epochs.add(&[block(5, 0), block(6, 3)], true);
        epochs.remove_first(1);
        assert_eq!(epochs.iter().collect::<Vec<_>>(), [(block(5, 0), false), (block(6, 3), true)]);
        epochs.remove_first(2);
        assert_eq!((epochs.len(), epochs.iter().count()), (0, 0));
        epochs.add(&[block(7, 1)], true);
        assert_eq!(epochs.iter().collect::<Vec<_>>(), [(block(7, 1), true)]);
    }

    #[test]
    fn what_recovery_found_anywhere_comes_back_in_order() {
        let mut epochs = Epochs::new(4);
        for (commit, found) in [(9, block(2, 0)), (4, block(3, 1)), (9, block(1, 2)), (4, block(1, 3))] {
            epochs.find(commit, &found);
        }
        epochs.put_in_order();
        let queue: Vec<_> = epochs.iter().collect();
        assert_eq!(queue, [(block(1, 3), false), (block(3, 1), true), (block(1, 2), false), (block(2, 0), true)]);
        epochs.forget(|slot| slot == Slot(1));
        let queue: Vec<_> = epochs.iter().collect();
        assert_eq!(queue, [(block(1, 3), true), (block(1, 2), false), (block(2, 0), true)]);
    }
}
