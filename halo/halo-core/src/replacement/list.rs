//! LRU, FIFO and LRW: one list, three rules for moving to its front.

use super::Replacement;
use crate::address::{Lbn, NONE};
use crate::recency::RecencySet;

/// The event that moves a block to the front of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promotion {
    Never,
    OnWrite,
    OnAccess,
}

/// Destages the block at the end of a list, one at a time.
///
/// LRU: least recently used, the paper's baseline. LRW: least recently written, so that reads do not keep a dirty block.
/// FIFO: in order of entry.
pub struct RecencyList {
    name: &'static str,
    promotion: Promotion,
    blocks: RecencySet,
    capacity: u32,
}

impl RecencyList {
    /// Least recently used.
    pub fn lru(capacity: u32) -> Self {
        Self::new("LRU", Promotion::OnAccess, capacity)
    }

    /// First in, first out.
    pub fn fifo(capacity: u32) -> Self {
        Self::new("FIFO", Promotion::Never, capacity)
    }

    /// Least recently written.
    pub fn lrw(capacity: u32) -> Self {
        Self::new("LRW", Promotion::OnWrite, capacity)
    }

    fn new(name: &'static str, promotion: Promotion, capacity: u32) -> Self {
        assert!(capacity > 0 && capacity < NONE, "a cache of {capacity} blocks");
        Self { name, promotion, blocks: RecencySet::with_capacity(capacity as usize), capacity }
    }
}

impl Replacement for RecencyList {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capacity(&self) -> u64 {
        u64::from(self.capacity)
    }

    fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    fn contains(&self, lbn: Lbn) -> bool {
        self.blocks.get(lbn).is_some()
    }

    fn read(&mut self, lbn: Lbn) -> bool {
        let Some(number) = self.blocks.get(lbn) else {
            return false;
        };
        if self.promotion == Promotion::OnAccess {
            self.blocks.promote(number);
        }
        true
    }

    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        if let Some(number) = self.blocks.get(lbn) {
            if self.promotion != Promotion::Never {
                self.blocks.promote(number);
            }
            return true;
        }
        if self.len() == u64::from(self.capacity)
            && let Some(victim) = self.blocks.oldest()
        {
            self.blocks.remove(victim);
            destaged.push(victim);
        }
        self.blocks.insert(lbn);
        false
    }
}
