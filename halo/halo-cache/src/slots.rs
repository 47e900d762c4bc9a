//! The use of each slot of the medium, and when it may be used again.
//!
//! A slot goes round: *free* -> *staged* (data written, no item yet) -> *live* (item durable) -> *retired* (no longer the
//! newest copy, or on the disk) -> *cleared* durably -> *free*. A slot is free only when its item on the medium is durably
//! empty; everything recovery relies on follows from that.
//!
//! Requests read slots without holding the cache. A slot that is *held* by one is not given out before it ends, whatever
//! becomes of the block meanwhile: it *leaves* instead of being free.

use crate::format::ZEROS_CHECKSUM;
use crate::hashing::FastMap;
use crate::planted::{Bug, Planted};
use halo_core::{Allocator, Slot};
use std::collections::BTreeSet;

/// One bit per slot.
struct SlotSet(Vec<u64>);

impl SlotSet {
    fn new(slots: u32) -> Self {
        Self(vec![0; (slots as usize).div_ceil(64)])
    }

    fn has(&self, slot: Slot) -> bool {
        self.0[slot.0 as usize / 64] >> (slot.0 % 64) & 1 == 1
    }

    fn insert(&mut self, slot: Slot) {
        self.0[slot.0 as usize / 64] |= 1 << (slot.0 % 64);
    }

    fn remove(&mut self, slot: Slot) {
        self.0[slot.0 as usize / 64] &= !(1 << (slot.0 % 64));
    }
}

/// The state of every slot.
pub(crate) struct Slots {
    allocator: Allocator,
    /// Data checksums of slots in use.
    checksums: Vec<u32>,
    /// Staged slots that no commit has taken up: nothing on the medium refers to them.
    untaken: SlotSet,
    /// Slots whose block is all zeros: their data means nothing.
    zeros: SlotSet,
    /// Slots with a durable item that is the newest of its block.
    live: SlotSet,
    /// Slots whose data does not match its checksum.
    damaged: BTreeSet<Slot>,
    /// To be cleared by the next commit.
    retired: Vec<Slot>,
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
    planted: Planted,
}

impl Slots {
    pub(crate) fn new(slots: u32, planted: Planted) -> Self {
        Self {
            allocator: Allocator::new(slots),
            checksums: vec![0; slots as usize],
            untaken: SlotSet::new(slots),
            zeros: SlotSet::new(slots),
            live: SlotSet::new(slots),
            damaged: BTreeSet::new(),
            retired: Vec::new(),
            destaged: Vec::new(),
            pinned: BTreeSet::new(),
            parked: Vec::new(),
            held: FastMap::default(),
            leaving: BTreeSet::new(),
            planted,
        }
    }

    /// Takes a free slot.
    pub(crate) fn allocate(&mut self) -> Option<Slot> {
        self.allocator.allocate()
    }

    /// Recovery found a whole item in `slot`.
    pub(crate) fn take_with_item(&mut self, slot: Slot, checksum: u32, zeros: bool) {
        self.allocator.take(slot);
        self.checksums[slot.0 as usize] = checksum;
        if zeros {
            self.zeros.insert(slot);
        }
    }

    /// Recovery found an item in `slot` that means nothing.
    pub(crate) fn take_to_be_cleared(&mut self, slot: Slot) {
        self.allocator.take(slot);
        self.retired.push(slot);
    }

    /// `slot` has data with that checksum, and nothing on the medium refers to it.
    pub(crate) fn fill(&mut self, slot: Slot, checksum: u32) {
        if !self.planted.has(Bug::FillKeepsZeros) {
            self.zeros.remove(slot);
        }
        self.checksums[slot.0 as usize] = checksum;
    }

    /// As [`Slots::fill`], for a block of zeros, which needs no data.
    pub(crate) fn fill_with_zeros(&mut self, slot: Slot) {
        self.zeros.insert(slot);
        self.checksums[slot.0 as usize] = ZEROS_CHECKSUM;
    }

    /// Checksum of the data in `slot`.
    pub(crate) fn checksum(&self, slot: Slot) -> u32 {
        self.checksums[slot.0 as usize]
    }

    /// True when the block of `slot` is all zeros.
    pub(crate) fn is_zeros(&self, slot: Slot) -> bool {
        self.zeros.has(slot)
    }

    /// A block refers to what `slot` was filled with; false when it did already, and a commit is to come.
    pub(crate) fn stage(&mut self, slot: Slot) -> bool {
        self.damaged.remove(&slot);
        let is_new = !self.untaken.has(slot);
        self.untaken.insert(slot);
        is_new
    }

    /// True when no commit has taken `slot` up since it was staged: what it holds can lose its meaning.
    pub(crate) fn is_untaken(&self, slot: Slot) -> bool {
        self.untaken.has(slot)
    }

    /// Another slot was staged in place of `slot`, which no commit has taken up.
    pub(crate) fn unstage(&mut self, slot: Slot) {
        self.untaken.remove(slot);
        self.damaged.remove(&slot);
        if !self.planted.has(Bug::UnstagedNotFreed) {
            self.free_unused(slot);
        }
    }

    /// A commit takes up `slot`.
    pub(crate) fn commit(&mut self, slot: Slot) {
        if !self.planted.has(Bug::CommitKeepsUntaken) {
            self.untaken.remove(slot);
        }
    }

    /// The item of `slot` is durable, and the newest of its block.
    pub(crate) fn go_live(&mut self, slot: Slot) {
        self.live.insert(slot);
    }

    /// True when the item of `slot` is durable and the newest of its block.
    pub(crate) fn is_live(&self, slot: Slot) -> bool {
        self.live.has(slot)
    }

    /// True when the disk can take what is in `slot`.
    pub(crate) fn can_leave(&self, slot: Slot) -> bool {
        self.live.has(slot) && !self.damaged.contains(&slot)
    }

    /// The data in `slot` does not match its checksum.
    pub(crate) fn note_damage(&mut self, slot: Slot) {
        self.damaged.insert(slot);
    }

    /// True when that was noted.
    pub(crate) fn is_damaged(&self, slot: Slot) -> bool {
        self.damaged.contains(&slot)
    }

    /// Slots of which that was noted.
    pub(crate) fn damaged(&self) -> u64 {
        self.damaged.len() as u64
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

    /// Takes what the next commit is to clear.
    pub(crate) fn take_retired(&mut self) -> Vec<Slot> {
        std::mem::take(&mut self.retired)
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
        *count -= if self.planted.has(Bug::HoldsNotCounted) { *count } else { 1 };
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
        let superseded = std::mem::take(&mut self.parked);
        if !self.planted.has(Bug::ParkedForgotten) {
            self.retired.extend(superseded);
        }
    }

    /// True when clearing would free slots.
    pub(crate) fn has_clearable(&self) -> bool {
        !self.retired.is_empty() || !self.destaged.is_empty()
    }

    /// Slots that wait for their clearing.
    pub(crate) fn clearable(&self) -> u64 {
        (self.retired.len() + self.destaged.len() + self.parked.len()) as u64
    }

    /// Slots with nothing in them.
    pub(crate) fn unused(&self) -> u64 {
        self.allocator.free()
    }

    pub(crate) fn used(&self) -> u64 {
        u64::from(self.allocator.slots()) - self.allocator.free()
    }

    /// DRAM taken.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.allocator.memory_bytes()
            + self.checksums.capacity() * 4
            + (self.untaken.0.len() + self.zeros.0.len() + self.live.0.len()) * 8
    }
}
