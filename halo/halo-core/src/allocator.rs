//! The slots that are free.

use crate::address::Slot;

/// One bit per slot, searched from where the last search ended.
///
/// Own: going round spreads writes over the whole medium, and gives blocks that are written together neighbouring slots,
/// so that their data and their items can be written in one piece.
pub struct Allocator {
    /// Set bits are free.
    words: Vec<u64>,
    /// Free slots that go first.
    first: Vec<Slot>,
    cursor: usize,
    free: u64,
    slots: u32,
}

impl Allocator {
    /// All of `slots` free.
    pub fn new(slots: u32) -> Self {
        let mut words = vec![u64::MAX; (slots as usize).div_ceil(64)];
        if let (Some(last), rest @ 1..) = (words.last_mut(), slots % 64) {
            *last = (1 << rest) - 1;
        }
        Self { words, first: Vec::new(), cursor: 0, free: u64::from(slots), slots }
    }

    /// Takes a free slot.
    pub fn allocate(&mut self) -> Option<Slot> {
        if self.free == 0 {
            return None;
        }
        if let Some(slot) = self.first.pop() {
            let (word, bit) = (&mut self.words[slot.0 as usize / 64], 1 << (slot.0 % 64));
            *word &= !bit;
            self.free -= 1;
            return Some(slot);
        }
        while self.words[self.cursor] == 0 {
            self.cursor = (self.cursor + 1) % self.words.len();
        }
        let word = &mut self.words[self.cursor];
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        self.free -= 1;
        Some(Slot((self.cursor * 64) as u32 + bit))
    }

    /// Takes `slot`, for rebuilding after a restart.
    ///
    /// # Panics
    /// When the slot was taken already.
    pub fn take(&mut self, slot: Slot) {
        assert!(self.is_free(slot), "{slot:?} is taken already");
        self.first.retain(|&first| first != slot);
        self.words[slot.0 as usize / 64] &= !(1 << (slot.0 % 64));
        self.free -= 1;
    }

    /// Gives `slot` back.
    ///
    /// # Panics
    /// When the slot is free already: two owners would write to it.
    pub fn release(&mut self, slot: Slot) {
        assert!(!self.is_free(slot), "{slot:?} is free already");
        self.words[slot.0 as usize / 64] |= 1 << (slot.0 % 64);
        self.free += 1;
    }

    /// As [`Allocator::release`], and `slot` is among the next to be handed out.
    ///
    /// # Panics
    /// As for [`Allocator::release`].
    pub fn release_first(&mut self, slot: Slot) {
        self.release(slot);
        self.first.push(slot);
    }

    /// True when nobody has `slot`.
    pub fn is_free(&self, slot: Slot) -> bool {
        self.words[slot.0 as usize / 64] >> (slot.0 % 64) & 1 == 1
    }

    /// Slots that can be had.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// All slots.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// DRAM taken.
    pub fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.first.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_slot_is_handed_out_once_and_comes_back_once() {
        for slots in [1, 63, 64, 65, 1000] {
            let mut allocator = Allocator::new(slots);
            let taken: HashSet<_> = std::iter::from_fn(|| allocator.allocate()).collect();
            assert_eq!(taken.len(), slots as usize);
            assert!(taken.iter().all(|slot| slot.0 < slots));
            for &slot in &taken {
                allocator.release(slot);
            }
            assert_eq!(allocator.free(), u64::from(slots));
        }
    }

    #[test]
    fn a_slot_given_back_is_not_handed_out_before_the_search_comes_round() {
        let mut allocator = Allocator::new(256);
        let first: Vec<_> = (0..100).filter_map(|_| allocator.allocate()).collect();
        allocator.release(first[0]);
        let next: Vec<_> = (0..156).filter_map(|_| allocator.allocate()).collect();
        assert!(!next.contains(&first[0]));
        assert_eq!(allocator.allocate(), Some(first[0]));
    }

    #[test]
    fn a_slot_that_is_to_go_first_is_handed_out_next_and_once() {
        let mut allocator = Allocator::new(8);
        let slots: Vec<_> = (0..3).filter_map(|_| allocator.allocate()).collect();
        allocator.release_first(slots[0]);
        assert!(allocator.is_free(slots[0]) && allocator.free() == 6);
        let next: Vec<_> = std::iter::from_fn(|| allocator.allocate()).collect();
        assert_eq!((next[0], next.len()), (slots[0], 6));
        assert_eq!(next.iter().collect::<HashSet<_>>().len(), 6);
    }

    #[test]
    #[should_panic(expected = "free already")]
    fn giving_a_slot_back_twice_is_refused() {
        let mut allocator = Allocator::new(8);
        let slot = allocator.allocate().unwrap();
        allocator.release(slot);
        allocator.release(slot);
    }
}
