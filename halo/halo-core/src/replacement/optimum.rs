//! The off-line optimum for writes: a bound, not a policy that could run.

use super::Replacement;
use crate::address::Lbn;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Destages the block whose next write is farthest away.
///
/// No policy that takes every write into a cache of this size and writes back one block at a time destages fewer blocks.
/// Reads do not count: a block may stay for its next write although keeping another would have served more reads.
/// Source: Belady, *A study of replacement algorithms*, 1966, on the sequence of writes. Own: ties (blocks that are never
/// written again) go to the highest block number, so that runs repeat.
pub struct Optimum {
    /// For each write of the trace, the number of the next write of the same block.
    next_write: Vec<u64>,
    writes: u64,
    /// Cached blocks with the number of their next write.
    due: BTreeMap<Lbn, u64>,
    by_due: BTreeSet<(u64, Lbn)>,
    capacity: u64,
}

impl Optimum {
    /// A cache of `capacity` blocks that will see exactly `writes`, in this order.
    ///
    /// # Panics
    /// When the capacity is 0.
    pub fn new(capacity: u32, writes: &[Lbn]) -> Self {
        assert!(capacity > 0, "a cache of {capacity} blocks");
        let mut next_write = vec![u64::MAX; writes.len()];
        let mut seen = HashMap::new();
        for (at, &lbn) in writes.iter().enumerate().rev() {
            if let Some(later) = seen.insert(lbn, at as u64) {
                next_write[at] = later;
            }
        }
        Self { next_write, writes: 0, due: BTreeMap::new(), by_due: BTreeSet::new(), capacity: u64::from(capacity) }
    }
}

impl Replacement for Optimum {
    fn name(&self) -> &'static str {
        "OPT"
    }

    fn capacity(&self) -> u64 {
        self.capacity
    }

    fn len(&self) -> u64 {
        self.due.len() as u64
    }

    fn contains(&self, lbn: Lbn) -> bool {
        self.due.contains_key(&lbn)
    }

    fn read(&mut self, lbn: Lbn) -> bool {
        self.contains(lbn)
    }

    /// # Panics
    /// When there are more writes than were announced.
    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        let next = self.next_write[self.writes as usize];
        self.writes += 1;
        let before = self.due.insert(lbn, next);
        if let Some(due) = before {
            self.by_due.remove(&(due, lbn));
        } else if self.due.len() as u64 > self.capacity
            && let Some((_, victim)) = self.by_due.pop_last()
        {
            self.due.remove(&victim);
            destaged.push(victim);
        }
        self.by_due.insert((next, lbn));
        before.is_some()
    }
}
