//! Eight bytes per entry: block number above, handle below.

use crate::address::{Lbn, MAX_BLOCKS, NONE, SLOT_BITS};

/// Number of a cached block's record in the directory; below 2^28 - 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Handle(pub u32);

/// A block number of 36 bits and a handle of 28. All bits set means "no entry", which no handle can form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Entry(u64);

impl Entry {
    /// No entry.
    pub const EMPTY: Self = Self(u64::MAX);

    /// The entry that leads from `block` to `handle`.
    ///
    /// # Panics
    /// When either number is too wide for its field: it would name another block.
    pub const fn new(block: Lbn, handle: Handle) -> Self {
        assert!(block.0 < MAX_BLOCKS && handle.0 < NONE);
        Self(block.0 << SLOT_BITS | handle.0 as u64)
    }

    /// The block; for [`Entry::EMPTY`] a number that no block has.
    pub const fn block(self) -> Lbn {
        Lbn(self.0 >> SLOT_BITS)
    }

    /// The handle, or nothing for [`Entry::EMPTY`].
    pub const fn handle(self) -> Option<Handle> {
        let handle = self.0 as u32 & NONE;
        if handle == NONE { None } else { Some(Handle(handle)) }
    }

    /// True for [`Entry::EMPTY`].
    pub const fn is_empty(self) -> bool {
        self.0 == u64::MAX
    }

    /// The packed word.
    pub(crate) const fn word(self) -> u64 {
        self.0
    }
}
