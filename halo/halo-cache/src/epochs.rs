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
/// Recovery found the copy, and it is not in the queue yet: in its place for the next one stands the lower half of its commit's number.
const FOUND: u64 = 2;
const MASK_SHIFT: u32 = 8;
const LBN_SHIFT: u32 = 16;

/// Copies that recovery found are put in order in so many parts. Own: each part is a look at all places, and up to two parts are held outside
/// of the tables meanwhile: three bytes for each copy.
const PARTS: usize = 16;
/// Fewer copies are not worth another look.
const LEAST_PART: usize = 4096;

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
    /// Copies that recovery found, and that are not in the queue yet.
    found: usize,
    upper_halves: UpperHalves,
}

/// Where a copy stands: number of its commit, its place on the disk, its slot.
type Key = (u64, u64, u32);

/// The upper halves of commits' numbers, by slot: one for all, until two differ. That is so once in four thousand million commits.
#[derive(Default)]
struct UpperHalves {
    of_all: Option<u32>,
    of_each: Vec<u32>,
}

impl UpperHalves {
    fn note(&mut self, slot: Slot, upper: u32, slots: usize) {
        let of_all = *self.of_all.get_or_insert(upper);
        if self.of_each.is_empty() && upper != of_all {
            self.of_each = vec![of_all; slots];
        }
        if let Some(place) = self.of_each.get_mut(slot.0 as usize) {
            *place = upper;
        }
    }

    fn of(&self, slot: u32) -> u32 {
        self.of_each.get(slot as usize).copied().or(self.of_all).unwrap_or_default()
    }
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
            found: 0,
            upper_halves: UpperHalves::default(),
        }
    }

    /// Copies of the newest epoch became durable, the last of them if it `ends`: ascending by place on the disk, each block once.
    pub(crate) fn add(&mut self, blocks: &[CachedBlock], ends: bool) {
        for block in blocks {
            self.note(block);
            self.append(block.slot);
        }
        if ends && !blocks.is_empty() {
            self.end_epoch();
        }
    }

    /// Recovery found the copy of a commit; it is in the queue from [`Epochs::put_in_order`] on.
    pub(crate) fn find(&mut self, commit: u64, block: &CachedBlock) {
        let slot = block.slot.0 as usize;
        self.found += usize::from(self.copies[slot] & FOUND == 0);
        self.note(block);
        self.copies[slot] |= FOUND;
        self.next[slot] = commit as u32;
        self.upper_halves.note(block.slot, (commit >> 32) as u32, self.copies.len());
    }

    /// Makes the queue of what recovery found, a part after the other: with all keys at once, a full cache would take half as much memory
    /// again at each opening.
    pub(crate) fn put_in_order(&mut self) {
        let most = self.found.div_ceil(PARTS).max(LEAST_PART);
        let mut epoch = None;
        while self.found > 0 {
            let part = self.first_found(most);
            self.found -= part.len();
            for (commit, _, slot) in part {
                if epoch.is_some_and(|before| before != commit) {
                    self.end_epoch();
                }
                epoch = Some(commit);
                self.copies[slot as usize] &= !FOUND;
                self.append(Slot(slot));
            }
        }
        if epoch.is_some() {
            self.end_epoch();
        }
        self.upper_halves = UpperHalves::default();
    }

    /// The first copies of those that were found, `most` at most, in order.
    fn first_found(&self, most: usize) -> Vec<Key> {
        let (mut first, mut bound) = (Vec::with_capacity(2 * most), (u64::MAX, u64::MAX, u32::MAX));
        for (slot, (&copy, &lower)) in (0..).zip(self.copies.iter().zip(&self.next)) {
            if copy & FOUND == 0 {
                continue;
            }
            let key = (u64::from(self.upper_halves.of(slot)) << 32 | u64::from(lower), copy, slot);
            if key < bound {
                first.push(key);
            }
            if first.len() == 2 * most {
                bound = *first.select_nth_unstable(most).1;
                first.truncate(most);
            }
        }
        first.sort_unstable();
        first.truncate(most);
        first
    }

    fn end_epoch(&mut self) {
        self.copies[self.last.0 as usize] |= ENDS_EPOCH;
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
    use halo_core::SplitMix64;

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

    /// Commits of all lengths, some longer than a part, with numbers whose halves order them otherwise than the whole.
    #[test]
    fn many_copies_come_back_in_order_part_by_part() {
        let slots = 5 * LEAST_PART as u32;
        let mut random = SplitMix64::new(7);
        for longest in [1, 100, u64::from(slots)] {
            let (mut commit, mut left) = (u64::from(u32::MAX) - 50, 0);
            let mut given: Vec<_> = (0..u64::from(slots))
                .map(|number| {
                    if left == 0 {
                        (commit, left) = (commit + 1 + random.below(3), 1 + random.below(longest));
                    }
                    left -= 1;
                    (commit, number ^ 0x155, number)
                })
                .collect();
            let mut places: Vec<_> = (0..slots).collect();
            let mut epochs = Epochs::new(slots);
            for &(commit, lbn, _) in &given {
                let place = places.swap_remove(random.below(places.len() as u64) as usize);
                epochs.find(commit, &block(lbn, place));
            }
            epochs.put_in_order();
            given.sort_unstable();
            let ends = |at: usize| given.get(at + 1).is_none_or(|next| next.0 != given[at].0);
            let expected = given.iter().enumerate().map(|(at, &(_, lbn, _))| (Lbn(lbn), ends(at)));
            let queue = epochs.iter().map(|(block, ends_epoch)| (block.lbn, ends_epoch));
            assert!(queue.eq(expected), "commits of up to {longest} copies");
        }
    }
}
