//! Growth without a pause: entries move to the larger table a few at a time.

use super::{BlockIndex, CuckooTable, Entry, Handle, Insertion, MAX_LOAD_PERCENT, TableFull};
use crate::address::Lbn;
use crate::random::mix;

/// Places of the old table emptied by each insertion or removal. The new table has twice the places, so the old one is
/// empty after an eighth as many operations as the new one has room for.
const PLACES_PER_STEP: usize = 16;

/// An index that starts a larger table when its own is full, and moves the entries over while it is used.
///
/// Insertions go to the new table, lookups to both, and each change moves 16 places. An entry that finds
/// no place (possible only while two tables exist, or with unlucky hash functions) waits in a short list that every lookup
/// also reads, so that an insertion never fails.
pub struct Growing<T> {
    table: T,
    old: Option<Old<T>>,
    waiting: Vec<Entry>,
    moving: Vec<Entry>,
    len: usize,
    seed: u64,
    displacements: u64,
}

struct Old<T> {
    table: T,
    emptied: usize,
}

impl<T: CuckooTable> Growing<T> {
    /// Entries moved by all insertions so far, moves to a larger table not counted.
    pub fn displacements(&self) -> u64 {
        self.displacements
    }

    /// True while entries move to a larger table.
    pub fn is_growing(&self) -> bool {
        self.old.is_some()
    }

    /// Entries that found no place.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// True when one more entry is the occasion for a larger table.
    fn is_at_its_limit(&self) -> bool {
        self.old.is_none() && (self.len + 1) * 100 > self.table.places() * MAX_LOAD_PERCENT
    }

    fn keep_waiting(&mut self, entry: Entry) {
        self.waiting.push(entry);
        if self.old.is_none() {
            self.start_growth();
        }
    }

    fn start_growth(&mut self) {
        self.seed = mix(self.seed);
        let larger = T::with_places(self.table.places() * 2, self.seed);
        let table = std::mem::replace(&mut self.table, larger);
        self.old = Some(Old { table, emptied: 0 });
        self.moving.append(&mut self.waiting);
        self.settle_moving();
    }

    fn settle_moving(&mut self) {
        for entry in self.moving.drain(..) {
            if self.table.try_insert(entry).is_err() {
                self.waiting.push(entry);
            }
        }
    }

    fn step(&mut self) {
        let Some(old) = &mut self.old else { return };
        let end = old.emptied + PLACES_PER_STEP;
        old.table.drain(old.emptied, end, &mut self.moving);
        old.emptied = end;
        if end >= old.table.places() {
            self.old = None;
        }
        self.settle_moving();
    }
}

impl<T: CuckooTable> BlockIndex for Growing<T> {
    fn with_capacity(blocks: usize, seed: u64) -> Self {
        Self {
            table: T::with_places((blocks * 100).div_ceil(MAX_LOAD_PERCENT), seed),
            old: None,
            waiting: Vec::new(),
            moving: Vec::new(),
            len: 0,
            seed,
            displacements: 0,
        }
    }

    fn get(&self, block: Lbn) -> Option<Handle> {
        if let Some(handle) = self.table.get(block) {
            return Some(handle);
        }
        if let Some(handle) = self.old.as_ref().and_then(|old| old.table.get(block)) {
            return Some(handle);
        }
        self.waiting.iter().find(|entry| entry.block() == block).and_then(|entry| entry.handle())
    }

    fn insert(&mut self, block: Lbn, handle: Handle) {
        debug_assert!(self.get(block).is_none(), "{block} has an entry already");
        self.step();
        if self.is_at_its_limit() {
            self.start_growth();
        }
        self.len += 1;
        let entry = Entry::new(block, handle);
        match self.table.try_insert(entry) {
            Ok(moved) => self.displacements += u64::from(moved),
            Err(TableFull) => self.keep_waiting(entry),
        }
    }

    fn find_or_insert(&mut self, block: Lbn, handle: Handle) -> Option<Handle> {
        if self.old.is_some() || !self.waiting.is_empty() || self.is_at_its_limit() {
            let found = self.get(block);
            if found.is_none() {
                self.insert(block, handle);
            }
            return found;
        }
        match self.table.find_or_insert(block, handle) {
            Ok(Insertion::Found(found)) => return Some(found),
            Ok(Insertion::Moved(moved)) => self.displacements += u64::from(moved),
            Err(TableFull) => self.keep_waiting(Entry::new(block, handle)),
        }
        self.len += 1;
        None
    }

    fn remove(&mut self, block: Lbn) -> Option<Handle> {
        self.step();
        let in_old = |old: &mut Old<T>| old.table.remove(block);
        let handle = self.table.remove(block).or_else(|| self.old.as_mut().and_then(in_old)).or_else(|| {
            let at = self.waiting.iter().position(|entry| entry.block() == block)?;
            self.waiting.swap_remove(at).handle()
        })?;
        self.len -= 1;
        Some(handle)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn warm(&self, block: Lbn) -> u64 {
        self.table.warm(block)
    }

    fn memory_bytes(&self) -> usize {
        self.table.memory_bytes() + self.old.as_ref().map_or(0, |old| old.table.memory_bytes())
    }
}
