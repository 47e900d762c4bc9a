//! The blocks that are cached, and where: Algorithm 1 of the paper.

use crate::address::{Bucket, Lbn, NONE, SLOT_BITS, SectorMask, Slot};
use crate::buckets::BucketTable;
use crate::index::{BlockIndex, Bucketised, Growing, Handle};

/// A cached block as the directory knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CachedBlock {
    /// Where it belongs on the disk.
    pub lbn: Lbn,
    /// Where its newest copy is in the cache.
    pub slot: Slot,
    /// Those of its sectors that are cached.
    pub mask: SectorMask,
}

/// The index, the bucketinfo table and the lists of cached blocks, kept consistent with each other.
///
/// Source: Auburn §3.1.2, Alg. 1. Each cached block has a record that stays while the block is cached: the index leads to
/// it, the bucket's list runs through it.
/// Deviation: the paper writes a hit in place and stores the mapping with the data. Here every write goes to a new slot
/// ([`Directory::put`] only changes the record's slot), because a torn write must not damage what is acknowledged; the
/// list exists in DRAM only and is rebuilt from the block numbers, so it never has to be made durable.
pub struct Directory<I = Growing<Bucketised>> {
    index: I,
    buckets: BucketTable,
    /// Per record: next record of the list (28 bits), slot (28), place in the bucket (8).
    records: Vec<u64>,
    masks: Vec<u8>,
    /// Records that were used and are free, linked through their next field.
    spare: u32,
    now_requests: u64,
}

impl<I: BlockIndex> Directory<I> {
    /// An empty directory for a disk of `blocks` blocks and a cache of `slots` slots.
    ///
    /// # Panics
    /// When either is larger than [`crate::address`] allows; openers check that first.
    pub fn new(blocks: u64, slots: u32, seed: u64) -> Self {
        assert!(blocks <= crate::address::MAX_BLOCKS && u64::from(slots) <= crate::address::MAX_SLOTS);
        Self {
            index: I::with_capacity(slots as usize, seed),
            buckets: BucketTable::new(blocks.div_ceil(crate::address::BLOCKS_PER_BUCKET) as u32),
            records: Vec::with_capacity(slots as usize),
            masks: Vec::with_capacity(slots as usize),
            spare: NONE,
            now_requests: 0,
        }
    }

    /// A request arrives; all its blocks share one time stamp. Source: Auburn §3.1.1 (`globalReqClock`).
    pub fn tick(&mut self) {
        self.now_requests += 1;
    }

    /// Requests so far.
    pub fn now_requests(&self) -> u64 {
        self.now_requests
    }

    /// The cached copy of `lbn`, if there is one.
    pub fn find(&self, lbn: Lbn) -> Option<CachedBlock> {
        let handle = self.index.get(lbn)?;
        Some(self.block(lbn, handle))
    }

    /// Finds `lbn` and notes the access: a read of the paper's Algorithm 1.
    pub fn access(&mut self, lbn: Lbn) -> Option<CachedBlock> {
        let found = self.find(lbn)?;
        self.buckets.touch(lbn.bucket(), self.now_requests);
        Some(found)
    }

    /// Makes `slot` the copy of `lbn` and notes the access: a write of the paper's Algorithm 1. Gives the copy that it
    /// replaces.
    pub fn put(&mut self, lbn: Lbn, slot: Slot, mask: SectorMask) -> Option<CachedBlock> {
        let handle = self.find_or_insert(lbn, slot, mask)?;
        let before = self.block(lbn, handle);
        let record = &mut self.records[handle.0 as usize];
        *record = *record & !(u64::from(NONE) << 8) | u64::from(slot.0) << 8;
        self.masks[handle.0 as usize] = mask.0;
        self.buckets.touch(lbn.bucket(), self.now_requests);
        Some(before)
    }

    /// As [`Directory::put`], unless there is a copy of `lbn` already: then that is given, and stays.
    pub fn put_unless_found(&mut self, lbn: Lbn, slot: Slot, mask: SectorMask) -> Option<CachedBlock> {
        let handle = self.find_or_insert(lbn, slot, mask)?;
        Some(self.block(lbn, handle))
    }

    /// Appends the cached blocks of `bucket` to `blocks`, in no particular order.
    pub fn list(&self, bucket: Bucket, blocks: &mut Vec<CachedBlock>) {
        let mut at = self.buckets.head(bucket);
        while let Some(handle) = at {
            let record = self.records[handle.0 as usize];
            blocks.push(self.block(bucket.block(record as u8), handle));
            at = next_of(record);
        }
    }

    /// Removes the blocks of `bucket` for which `remove` says so; a bucket that has none left is deactivated.
    pub fn remove_if(&mut self, bucket: Bucket, mut remove: impl FnMut(&CachedBlock) -> bool) {
        let mut at = self.buckets.head(bucket);
        let (mut kept_head, mut kept_count) = (None, 0);
        while let Some(handle) = at {
            let record = self.records[handle.0 as usize];
            at = next_of(record);
            let block = self.block(bucket.block(record as u8), handle);
            if remove(&block) {
                self.index.remove(block.lbn);
                self.link(handle, self.spare);
                self.spare = handle.0;
            } else {
                self.link(handle, kept_head.map_or(NONE, |head: Handle| head.0));
                kept_head = Some(handle);
                kept_count += 1;
            }
        }
        self.buckets.set_list(bucket, kept_head, kept_count);
    }

    /// The bucketinfo table, for choosing what to destage.
    pub fn buckets(&self) -> &BucketTable {
        &self.buckets
    }

    /// Cached blocks.
    pub fn len(&self) -> u64 {
        self.buckets.blocks()
    }

    /// True when nothing is cached.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index, for its statistics.
    pub fn index(&self) -> &I {
        &self.index
    }

    /// Brings what [`Directory::put`] will need for `lbn` into the processor's caches. Gives a value that depends on it,
    /// so that the loads are not optimised away.
    pub fn warm(&self, lbn: Lbn) -> u64 {
        self.index.warm(lbn) ^ self.buckets.warm(lbn.bucket())
    }

    /// DRAM taken by all tables.
    pub fn memory_bytes(&self) -> usize {
        self.index.memory_bytes()
            + self.buckets.memory_bytes()
            + self.records.capacity() * size_of::<u64>()
            + self.masks.capacity()
    }

    fn block(&self, lbn: Lbn, handle: Handle) -> CachedBlock {
        let record = self.records[handle.0 as usize];
        CachedBlock { lbn, slot: Slot((record >> 8) as u32 & NONE), mask: SectorMask(self.masks[handle.0 as usize]) }
    }

    /// The record of `lbn`, or nothing when it had none and was given one.
    fn find_or_insert(&mut self, lbn: Lbn, slot: Slot, mask: SectorMask) -> Option<Handle> {
        let next_record = if self.spare == NONE { self.records.len() as u32 } else { self.spare };
        let found = self.index.find_or_insert(lbn, Handle(next_record));
        if found.is_none() {
            let bucket = lbn.bucket();
            let next = self.buckets.head(bucket).map_or(NONE, |head| head.0);
            let handle = self.new_record(pack(next, slot, lbn.index_in_bucket()), mask);
            debug_assert_eq!(handle, Handle(next_record));
            self.buckets.push(bucket, handle, self.now_requests);
        }
        found
    }

    fn new_record(&mut self, record: u64, mask: SectorMask) -> Handle {
        if self.spare == NONE {
            self.records.push(record);
            self.masks.push(mask.0);
            return Handle(self.records.len() as u32 - 1);
        }
        let handle = Handle(self.spare);
        let before = std::mem::replace(&mut self.records[handle.0 as usize], record);
        self.spare = next_of(before).map_or(NONE, |next| next.0);
        self.masks[handle.0 as usize] = mask.0;
        handle
    }

    fn link(&mut self, handle: Handle, next: u32) {
        let record = &mut self.records[handle.0 as usize];
        *record = *record & ((1 << (64 - SLOT_BITS)) - 1) | u64::from(next) << (64 - SLOT_BITS);
    }
}

fn pack(next: u32, slot: Slot, index_in_bucket: u8) -> u64 {
    u64::from(next) << (64 - SLOT_BITS) | u64::from(slot.0) << 8 | u64::from(index_in_bucket)
}

const fn next_of(record: u64) -> Option<Handle> {
    let next = (record >> (64 - SLOT_BITS)) as u32;
    if next == NONE { None } else { Some(Handle(next)) }
}
