//! CSCAN + LRW: sweep over the disk in one direction, spare what was written since the last sweep.

use super::Replacement;
use crate::address::Lbn;
use std::collections::BTreeMap;

/// A clock whose hand moves in the order of the disk.
///
/// Destages the first block at or after the hand that was not written again since the hand passed it; the hand then stands
/// behind it. This joins the temporal order of LRW with the spatial order of a one-way elevator.
/// Source: Gill and Modha, *WOW: Wise Ordering for Writes*, FAST 2005. Deviation: the unit is one block instead of a
/// write group of the RAID stripe, because the disk behind is a single one.
pub struct CscanLrw {
    /// True: written again since the hand came by.
    blocks: BTreeMap<Lbn, bool>,
    hand: Lbn,
    capacity: u64,
}

impl CscanLrw {
    /// A cache of `capacity` blocks.
    ///
    /// # Panics
    /// When the capacity is 0.
    pub fn new(capacity: u32) -> Self {
        assert!(capacity > 0, "a cache of {capacity} blocks");
        Self { blocks: BTreeMap::new(), hand: Lbn(0), capacity: u64::from(capacity) }
    }

    /// After one full turn every mark is cleared, so the second turn finds a victim.
    fn victim(&mut self) -> Option<Lbn> {
        let hand = self.hand;
        for turn in 0..2 {
            for (&lbn, recent) in self.blocks.range_mut(hand..) {
                if !std::mem::take(recent) {
                    return Some(lbn);
                }
            }
            for (&lbn, recent) in self.blocks.range_mut(..hand) {
                if !std::mem::take(recent) {
                    return Some(lbn);
                }
            }
            debug_assert!(turn == 0, "a turn clears every mark");
        }
        None
    }
}

impl Replacement for CscanLrw {
    fn name(&self) -> &'static str {
        "CSCAN+LRW"
    }

    fn capacity(&self) -> u64 {
        self.capacity
    }

    fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    fn contains(&self, lbn: Lbn) -> bool {
        self.blocks.contains_key(&lbn)
    }

    fn read(&mut self, lbn: Lbn) -> bool {
        self.blocks.contains_key(&lbn)
    }

    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        if let Some(recent) = self.blocks.get_mut(&lbn) {
            *recent = true;
            return true;
        }
        if self.len() == self.capacity
            && let Some(victim) = self.victim()
        {
            self.blocks.remove(&victim);
            self.hand = Lbn(victim.0 + 1);
            destaged.push(victim);
        }
        self.blocks.insert(lbn, false);
        false
    }
}
