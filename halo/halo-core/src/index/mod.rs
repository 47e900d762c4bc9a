//! Finds the cached copy of a block: a cuckoo hash table from block number to handle.
//!
//! [`Bucketised`] (two hashes, four entries each) is the default; [`SingleSlot`] is the paper's table (N functions, one
//! entry each), kept for reproduction. Either is wrapped in [`Growing`], which is what the directory uses.
//! Not here: what a handle stands for (see [`crate::Directory`]).
//!
//! Source: Auburn §3.1.1, "Cuckoo Hash Table", and Table 3.3.

mod bucketised;
mod entry;
mod growing;
mod single_slot;

pub use bucketised::Bucketised;
pub use entry::{Entry, Handle};
pub use growing::Growing;
pub use single_slot::SingleSlot;

use crate::address::Lbn;

/// Entries moved before an insertion gives up. Source: Auburn §3.1.1.
pub const MAX_DISPLACEMENTS: u32 = 100;

/// Entries per place in the table at most, once the cache is full. Source: Auburn §3.1.1.
pub const MAX_LOAD_PERCENT: usize = 80;

/// No place was found within [`MAX_DISPLACEMENTS`] moves; the table is as it was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableFull;

/// The fate of an entry that a table may have had already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// The block has this handle; nothing was changed.
    Found(Handle),
    /// It was added, and so many others were moved.
    Moved(u32),
}

/// A cuckoo table of fixed size.
pub trait CuckooTable {
    /// A table with at least `places` places, whose hash functions are drawn from `seed`.
    fn with_places(places: usize, seed: u64) -> Self;

    /// The entry of `block`.
    fn get(&self, block: Lbn) -> Option<Handle>;

    /// Adds an entry for a block that has none, and says how many others were moved.
    ///
    /// # Errors
    /// [`TableFull`]: nothing was changed.
    fn try_insert(&mut self, entry: Entry) -> Result<u32, TableFull>;

    /// Finds the entry of `block`, or adds one: [`CuckooTable::get`] and [`CuckooTable::try_insert`] in one, hashed once.
    ///
    /// # Errors
    /// [`TableFull`]: the block has no entry, and nothing was changed.
    fn find_or_insert(&mut self, block: Lbn, handle: Handle) -> Result<Insertion, TableFull> {
        match self.get(block) {
            Some(found) => Ok(Insertion::Found(found)),
            None => self.try_insert(Entry::new(block, handle)).map(Insertion::Moved),
        }
    }

    /// Takes the entry of `block` out.
    fn remove(&mut self, block: Lbn) -> Option<Handle>;

    /// Places, taken or not.
    fn places(&self) -> usize;

    /// Takes out all entries in places `from..to`, for moving to another table.
    fn drain(&mut self, from: usize, to: usize, sink: &mut Vec<Entry>);

    /// Brings the places of `block` into the processor's caches, when it gives a value that depends on them.
    fn warm(&self, block: Lbn) -> u64;

    /// DRAM taken.
    fn memory_bytes(&self) -> usize;
}

/// From block to handle; insertion never fails.
pub trait BlockIndex {
    /// An index that holds `blocks` entries at a load of at most [`MAX_LOAD_PERCENT`] without growing.
    fn with_capacity(blocks: usize, seed: u64) -> Self;

    /// The handle of `block`.
    fn get(&self, block: Lbn) -> Option<Handle>;

    /// Adds an entry for a block that has none.
    fn insert(&mut self, block: Lbn, handle: Handle);

    /// The handle of `block`; a block that has none gets `handle`.
    fn find_or_insert(&mut self, block: Lbn, handle: Handle) -> Option<Handle>;

    /// Takes the entry of `block` out.
    fn remove(&mut self, block: Lbn) -> Option<Handle>;

    /// Entries.
    fn len(&self) -> usize;

    /// True without entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Brings the places of `block` into the processor's caches.
    fn warm(&self, block: Lbn) -> u64;

    /// DRAM taken.
    fn memory_bytes(&self) -> usize;
}

/// Maps 32 random bits to `0..bound` without a division.
pub(crate) const fn reduce(bits: u32, bound: usize) -> usize {
    ((bits as u64 * bound as u64) >> 32) as usize
}
