//! The use of each slot of the medium, and when it may be used again.
//!
//! A slot goes round: *free* -> *staged* (data written, no item yet) -> *live* (item durable) -> *retired* (no longer the
//! newest copy, or on the disk) -> *cleared* durably -> *free*. A slot is free only when its item on the medium is durably
//! empty; everything recovery relies on follows from that.
//!
//! Requests read slots without holding the cache. A slot that is *held* by one is not given out before it ends, whatever
//! becomes of the block meanwhile: it *leaves* instead of being free.

use crate::hashing::FastMap;
use halo_core::{Allocator, Slot};
use std::collections::BTreeSet;

/// One bit per slot.
pub(crate) struct SlotSet(Vec<u64>);

impl SlotSet {
    fn new(slots: u32) -> Self {
        Self(vec![0; (slots as usize).div_ceil(64)])
    }

    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.0[slot.0 as usize / 64] >> (slot.0 % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, slot: Slot) {
        self.0[slot.0 as usize / 64] |= 1 << (slot.0 % 64);
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.0[slot.0 as usize / 64] &= !(1 << (slot.0 % 64));
    }
}

/// The state of every slot.
pub(crate) struct Slots {
    pub(crate) allocator: Allocator,
    /// Data checksums of slots in use.
    pub(crate) checksums: Vec<u32>,
    /// Staged slots that no commit has taken up: nothing on the medium refers to them, so they may be rewritten in place.
    pub(crate) rewritable: SlotSet,
    /// Slots whose block is all zeros: their data means nothing.
    pub(crate) zeros: SlotSet,
    /// Slots with a durable item that is the newest of its block.
    pub(crate) live: SlotSet,
    /// Slots whose data does not match its checksum.
    pub(crate) damaged: BTreeSet<Slot>,
    /// To be cleared by the next commit.
    pub(crate) retired: Vec<Slot>,
    /// On the disk. To be cleared by the commit after the next: older copies of the same blocks may be among the retired,
    /// and must be durably cleared first, or a power loss could bring them back.
    destaged: Vec<Slot>,
    /// Read by a destage that is under way.
    pinned: BTreeSet<Slot>,
    /// Superseded while pinned.
    parked: Vec<Slot>,
    /// Requests that read each slot.
    held: FastMap<Slot, u32>,
    /// Free but for requests that still read them.
    leaving: BTreeSet<Slot>,
}

impl Slots {
    pub(crate) fn new(slots: u32) -> Self {
        Self {
            allocator: Allocator::new(slots),
            checksums: vec![0; slots as usize],
            rewritable: SlotSet::new(slots),
            zeros: SlotSet::new(slots),
            live: SlotSet::new(slots),
            damaged: BTreeSet::new(),
            retired: Vec::new(),
            destaged: Vec::new(),
            pinned: BTreeSet::new(),
            parked: Vec::new(),
            held: FastMap::default(),
            leaving: BTreeSet::new(),
        }
    }

    /// The copy in `slot` was superseded by one whose item is durable.
    pub(crate) fn supersede(&mut self, slot: Slot) {
        self.live.remove(slot);
        if self.pinned.contains(&slot) {
            self.parked.push(slot);
        } else {
            self.retired.push(slot);
        }
    }

    /// The copies in `slots` are on the disk, which was flushed.
    pub(crate) fn put_on_disk(&mut self, slots: impl Iterator<Item = Slot>, no_commit_in_flight: bool) {
        let none_older = self.retired.is_empty() && self.parked.is_empty() && self.destaged.is_empty();
        let queue = if none_older && no_commit_in_flight { &mut self.retired } else { &mut self.destaged };
        for slot in slots {
            self.live.remove(slot);
            queue.push(slot);
        }
    }

    /// Takes what was destaged; the caller hands it to [`Slots::retire_after_commit`] once the commit that it starts now is
    /// durable.
    pub(crate) fn take_destaged(&mut self) -> Vec<Slot> {
        std::mem::take(&mut self.destaged)
    }

    pub(crate) fn retire_after_commit(&mut self, destaged: Vec<Slot>) {
        self.retired.extend(destaged);
    }

    /// The items of `slots` are durably empty.
    pub(crate) fn release(&mut self, slots: &[Slot]) {
        for &slot in slots {
            self.damaged.remove(&slot);
            self.free(slot);
        }
    }

    /// Nothing on the medium refers to `slot`, nor does a block: it can be given out once nobody reads it.
    pub(crate) fn free(&mut self, slot: Slot) {
        if self.held.contains_key(&slot) {
            self.leaving.insert(slot);
        } else {
            self.allocator.release(slot);
        }
    }

    /// As [`Slots::free`] for a slot that never had an item: the next write takes it, because the host's page cache is about to
    /// write it in any case.
    pub(crate) fn free_unused(&mut self, slot: Slot) {
        if self.held.contains_key(&slot) {
            self.leaving.insert(slot);
        } else {
            self.allocator.release_first(slot);
        }
    }

    /// A request begins to read `slot`.
    pub(crate) fn hold(&mut self, slot: Slot) {
        *self.held.entry(slot).or_default() += 1;
    }

    /// A request that read `slot` has ended.
    pub(crate) fn let_go(&mut self, slot: Slot) {
        let Some(count) = self.held.get_mut(&slot) else { return };
        *count -= 1;
        if *count == 0 {
            self.held.remove(&slot);
            if self.leaving.remove(&slot) {
                self.allocator.release(slot);
            }
        }
    }

    /// Slots that are free once requests that are under way have ended.
    pub(crate) fn leaving(&self) -> u64 {
        self.leaving.len() as u64
    }

    pub(crate) fn pin(&mut self, slots: impl Iterator<Item = Slot>) {
        self.pinned.extend(slots);
    }

    pub(crate) fn unpin_all(&mut self) {
        self.pinned.clear();
        self.retired.append(&mut self.parked);
    }

    /// True when clearing would free slots.
    pub(crate) fn has_clearable(&self) -> bool {
        !self.retired.is_empty() || !self.destaged.is_empty()
    }

    /// Slots that wait for their clearing.
    pub(crate) fn clearable(&self) -> u64 {
        (self.retired.len() + self.destaged.len() + self.parked.len()) as u64
    }

    pub(crate) fn used(&self) -> u64 {
        u64::from(self.allocator.slots()) - self.allocator.free()
    }

    /// DRAM taken.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.allocator.memory_bytes()
            + self.checksums.capacity() * 4
            + (self.rewritable.0.len() + self.zeros.0.len() + self.live.0.len()) * 8
    }
}
