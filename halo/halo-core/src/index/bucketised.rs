//! Two hash functions, four entries each: half a cache line per probe.

use super::{CuckooTable, Entry, Handle, Insertion, MAX_DISPLACEMENTS, TableFull, reduce};
use crate::address::Lbn;
use crate::random::{SplitMix64, mix};

const LANES: usize = 4;

/// Four entries, aligned so that they never straddle a cache line.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Row([Entry; LANES]);

impl Row {
    /// Compares all four without a branch, so that the compiler may use vector instructions.
    fn find(&self, block: Lbn) -> Entry {
        let mut found = Entry::EMPTY;
        for entry in self.0 {
            found = if entry.block() == block { entry } else { found };
        }
        found
    }

    /// Takes the first place that is empty. Which one that is, no processor can guess: there is no branch for each.
    fn put(&mut self, entry: Entry) -> bool {
        let lanes = self.0.iter().zip(0..);
        let empty = lanes.fold(0_u32, |empty, (place, lane)| empty | u32::from(place.is_empty()) << lane);
        let Some(place) = self.0.get_mut(empty.trailing_zeros() as usize) else { return false };
        *place = entry;
        true
    }
}

/// The default table. Two probes of half a cache line each find any entry.
///
/// Own: the paper's table has four functions with one entry each ([`super::SingleSlot`]). Two rows of four give the same
/// eight bytes per entry and the same load with two cache misses at most instead of four.
pub struct Bucketised {
    rows: Vec<Row>,
    seed: u64,
    walk: SplitMix64,
}

impl Bucketised {
    fn homes(&self, block: Lbn) -> (usize, usize) {
        let hash = mix(block.0 ^ self.seed);
        (reduce((hash >> 32) as u32, self.rows.len()), reduce(hash as u32, self.rows.len()))
    }

    fn find_at(&self, (first, second): (usize, usize), block: Lbn) -> Option<Handle> {
        let found = self.rows[first].find(block);
        let found = if found.is_empty() { self.rows[second].find(block) } else { found };
        found.handle()
    }

    fn insert_at(&mut self, (first, second): (usize, usize), entry: Entry) -> Result<u32, TableFull> {
        if self.rows[first].put(entry) || self.rows[second].put(entry) {
            return Ok(0);
        }
        let mut path = [(0, 0); MAX_DISPLACEMENTS as usize];
        let mut carried = entry;
        let mut home = if self.walk.next_u64() & 1 == 0 { first } else { second };
        for moved in 0..MAX_DISPLACEMENTS {
            let lane = (self.walk.next_u64() >> 62) as usize;
            std::mem::swap(&mut carried, &mut self.rows[home].0[lane]);
            path[moved as usize] = (home, lane);
            home = self.other_home(carried, home);
            if self.rows[home].put(carried) {
                return Ok(moved + 1);
            }
        }
        for (home, lane) in path.into_iter().rev() {
            std::mem::swap(&mut carried, &mut self.rows[home].0[lane]);
        }
        Err(TableFull)
    }

    fn other_home(&self, entry: Entry, home: usize) -> usize {
        let (first, second) = self.homes(entry.block());
        if home == first { second } else { first }
    }
}

impl CuckooTable for Bucketised {
    fn with_places(places: usize, seed: u64) -> Self {
        let rows = places.div_ceil(LANES).max(2);
        Self { rows: vec![Row([Entry::EMPTY; LANES]); rows], seed: mix(seed), walk: SplitMix64::new(seed) }
    }

    fn get(&self, block: Lbn) -> Option<Handle> {
        self.find_at(self.homes(block), block)
    }

    fn try_insert(&mut self, entry: Entry) -> Result<u32, TableFull> {
        self.insert_at(self.homes(entry.block()), entry)
    }

    fn find_or_insert(&mut self, block: Lbn, handle: Handle) -> Result<Insertion, TableFull> {
        let homes = self.homes(block);
        match self.find_at(homes, block) {
            Some(found) => Ok(Insertion::Found(found)),
            None => self.insert_at(homes, Entry::new(block, handle)).map(Insertion::Moved),
        }
    }

    fn remove(&mut self, block: Lbn) -> Option<Handle> {
        let (first, second) = self.homes(block);
        for home in [first, second] {
            for place in &mut self.rows[home].0 {
                if place.block() == block {
                    return std::mem::replace(place, Entry::EMPTY).handle();
                }
            }
        }
        None
    }

    fn places(&self) -> usize {
        self.rows.len() * LANES
    }

    fn drain(&mut self, from: usize, to: usize, sink: &mut Vec<Entry>) {
        for place in from..to.min(self.places()) {
            let entry = &mut self.rows[place / LANES].0[place % LANES];
            if !entry.is_empty() {
                sink.push(std::mem::replace(entry, Entry::EMPTY));
            }
        }
    }

    fn warm(&self, block: Lbn) -> u64 {
        let (first, second) = self.homes(block);
        self.rows[first].0[0].word() ^ self.rows[second].0[0].word()
    }

    fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
    }
}
