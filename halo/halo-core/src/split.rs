//! A part of the cache for blocks that the disk has, too: clean blocks, kept for reads.
//!
//! The paper caches writes only, and leaves a dynamic split between reading and writing to future work (Auburn, end of chapter 3). Own
//! throughout: the clean part is an LRU list of blocks that were read at least twice; its size follows what more blocks would
//! have gained on either side. Two ghost lists, as in ARC (Megiddo, Modha: FAST 2003), remember which blocks have left: the clean part,
//! and the dirty one. A read that misses and is found in the first would have hit in a larger clean part; a read or write that misses
//! and is found in the second would have hit in a larger dirty part. A read costs the disk one way of the arm, unless it follows the
//! one before; a write its share of the ways of its bucket.
//!
//! A block must have left the clean part to count for it, so the part is never empty: a 64th of the slots is the price of knowing.
//!
//! Never: a clean block takes the place of a dirty one. Dirty blocks only ever leave by destaging, and a write takes the
//! slot of a clean block when no other is free. Nothing about clean blocks is durable, so a restart begins without any.
//! Not here: data, and which slot is free.

use crate::address::{Lbn, Slot};
use crate::directory::CachedBlock;
use crate::recency::RecencySet;

/// Part of the slots that clean blocks may take at most: the rest still gathers writes.
const MOST_CLEAN: f64 = 0.875;
/// Part of the slots that they take at least, and one slot in any case: what they gain must be measured.
const LEAST_CLEAN: f64 = 1.0 / 64.0;
/// Blocks that a ghost list remembers, as a part of the slots: what is asked is whether so many more would have helped. With an
/// eighth, working sets that are a little larger than the clean part are not seen.
const GHOSTS: f64 = 1.0 / 2.0;
/// By how much a ghost that is found moves the border, as a part of the slots.
const STEP: f64 = 1.0 / 16384.0;
/// The cost of a block that is read right behind the one before: its transfer, but no way of the arm.
const SEQUENTIAL: f64 = 1.0 / 32.0;
/// The cost of the next run of blocks in a region, as a share of a way of the arm.
const NEAR: f64 = 0.3;
/// Weight of the last victim in the mean cost of a block.
const VICTIM_WEIGHT: f64 = 1.0 / 32.0;

/// The clean part, and the border between it and the dirty one.
pub struct Split {
    slots: f64,
    clean: RecencySet,
    /// By number of the block in `clean`.
    slot_of: Vec<Slot>,
    /// Blocks that were read once and not kept.
    seen: Ghosts,
    clean_ghosts: Ghosts,
    dirty_ghosts: Ghosts,
    target_blocks: f64,
    /// Ways of the arm per destaged block.
    write_cost: f64,
    last_missed: Option<Lbn>,
}

/// Blocks that left a while ago, up to a number.
struct Ghosts {
    blocks: RecencySet,
    capacity: usize,
}

impl Ghosts {
    fn new(slots: f64) -> Self {
        let capacity = (slots * GHOSTS).max(1.0) as usize;
        Self { blocks: RecencySet::with_capacity(capacity), capacity }
    }

    fn add(&mut self, block: Lbn) {
        if let Some(number) = self.blocks.get(block) {
            self.blocks.promote(number);
            return;
        }
        if self.blocks.len() == self.capacity
            && let Some(oldest) = self.blocks.oldest()
        {
            self.blocks.remove(oldest);
        }
        self.blocks.insert(block);
    }

    fn take(&mut self, block: Lbn) -> bool {
        self.blocks.remove(block).is_some()
    }
}

impl Split {
    /// For a cache of `slots` slots, all of them for writes at first.
    pub fn new(slots: u32) -> Self {
        let slots = f64::from(slots);
        Self {
            slots,
            clean: RecencySet::with_capacity(0),
            slot_of: Vec::new(),
            seen: Ghosts::new(slots),
            clean_ghosts: Ghosts::new(slots),
            dirty_ghosts: Ghosts::new(slots),
            target_blocks: (slots * LEAST_CLEAN).max(1.0),
            write_cost: 1.0,
            last_missed: None,
        }
    }

    /// Clean blocks.
    pub fn clean_blocks(&self) -> u64 {
        self.clean.len() as u64
    }

    /// Slots that are meant for clean blocks.
    pub fn target_blocks(&self) -> u64 {
        self.target_blocks as u64
    }

    /// Slots that are meant for dirty blocks: what destaging counts in place of all slots.
    pub fn dirty_slots(&self) -> u64 {
        self.slots as u64 - self.target_blocks()
    }

    /// The clean copy of a block, for a read.
    pub fn read(&mut self, block: Lbn) -> Option<Slot> {
        let number = self.clean.get(block)?;
        self.clean.promote(number);
        Some(self.slot_of[number])
    }

    /// A read found the block neither dirty nor clean. True when the block is worth a slot: it was here, or read, not long ago.
    pub fn missed(&mut self, block: Lbn) -> bool {
        let cost = if self.last_missed.is_some_and(|last| last.0 + 1 == block.0) { SEQUENTIAL } else { 1.0 };
        self.last_missed = Some(block);
        let was_clean = self.clean_ghosts.take(block);
        // Dirty blocks answer reads, too.
        let was_dirty = self.dirty_ghosts.blocks.get(block).is_some();
        self.move_border(cost * (f64::from(u8::from(was_clean)) - f64::from(u8::from(was_dirty))));
        let known = self.seen.take(block) || was_clean;
        if !known {
            self.seen.add(block);
        }
        known
    }

    /// A block that was not dirty is written. Its clean copy, if there is one, is outdated: gives its slot.
    pub fn written(&mut self, block: Lbn) -> Option<Slot> {
        if self.dirty_ghosts.take(block) {
            self.move_border(-self.write_cost);
        }
        self.forget(block)
    }

    /// Where the clean copy of a block is, if there is one; no use of it.
    pub fn slot_of(&self, block: Lbn) -> Option<Slot> {
        self.clean.get(block).map(|number| self.slot_of[number])
    }

    /// A clean copy is not to be used any more, for another reason than a write: gives its slot.
    pub fn forget(&mut self, block: Lbn) -> Option<Slot> {
        self.clean.remove(block).map(|number| self.slot_of[number])
    }

    /// The blocks of a region, ascending by place on the disk, went there together; [`Split::left`] follows for each that is dirty no
    /// more.
    pub fn destaged(&mut self, victim: &[CachedBlock]) {
        let gaps = victim.windows(2).filter(|pair| pair[0].lbn.0 + 1 != pair[1].lbn.0).count();
        let ways = 1.0 + NEAR * gaps as f64;
        self.write_cost += (ways / victim.len().max(1) as f64 - self.write_cost) * VICTIM_WEIGHT;
    }

    /// A block is dirty no more.
    pub fn left(&mut self, block: Lbn) {
        self.dirty_ghosts.add(block);
    }

    /// `slot` holds a clean copy of `block`, which has none.
    pub fn keep(&mut self, block: Lbn, slot: Slot) {
        let number = self.clean.insert(block);
        if number == self.slot_of.len() {
            self.slot_of.push(slot);
        } else {
            self.slot_of[number] = slot;
        }
    }

    /// The clean block that was not read for the longest time, clean no more, and its slot: for a write that finds no other, and for
    /// [`Split::keep`] when there are as many as the border allows.
    pub fn evict(&mut self) -> Option<(Lbn, Slot)> {
        let oldest = self.clean.oldest()?;
        self.clean_ghosts.add(oldest);
        self.forget(oldest).map(|slot| (oldest, slot))
    }

    /// DRAM taken.
    pub fn memory_bytes(&self) -> usize {
        self.clean.memory_bytes()
            + self.slot_of.capacity() * size_of::<Slot>()
            + self.seen.blocks.memory_bytes()
            + self.clean_ghosts.blocks.memory_bytes()
            + self.dirty_ghosts.blocks.memory_bytes()
    }

    fn move_border(&mut self, steps: f64) {
        let step = (self.slots * STEP).max(1.0);
        self.target_blocks =
            (self.target_blocks + steps * step).clamp((self.slots * LEAST_CLEAN).max(1.0), self.slots * MOST_CLEAN);
    }
}
