//! The paper's table: N hash functions, one entry each.

use super::{CuckooTable, Entry, Handle, MAX_DISPLACEMENTS, TableFull, reduce};
use crate::address::Lbn;
use crate::random::{SplitMix64, mix};

/// N functions, each leading to one place; the paper settles on four.
///
/// Source: Auburn §3.1.1, Fig. 3.4, Table 3.3. Used for reproduction: [`super::Bucketised`] is faster.
pub struct SingleSlot<const N: usize> {
    places: Vec<Entry>,
    seeds: [u64; N],
    walk: SplitMix64,
}

impl<const N: usize> SingleSlot<N> {
    fn homes(&self, block: Lbn) -> [usize; N] {
        self.seeds.map(|seed| reduce((mix(block.0 ^ seed) >> 32) as u32, self.places.len()))
    }

    fn put(&mut self, homes: &[usize; N], entry: Entry) -> bool {
        for &home in homes {
            if self.places[home].is_empty() {
                self.places[home] = entry;
                return true;
            }
        }
        false
    }
}

impl<const N: usize> CuckooTable for SingleSlot<N> {
    fn with_places(places: usize, seed: u64) -> Self {
        let mut draw = SplitMix64::new(seed);
        Self { places: vec![Entry::EMPTY; places.max(N)], seeds: std::array::from_fn(|_| draw.next_u64()), walk: draw }
    }

    fn get(&self, block: Lbn) -> Option<Handle> {
        self.homes(block)
            .into_iter()
            .map(|home| self.places[home])
            .find(|entry| entry.block() == block)
            .and_then(Entry::handle)
    }

    fn try_insert(&mut self, entry: Entry) -> Result<u32, TableFull> {
        let mut homes = self.homes(entry.block());
        if self.put(&homes, entry) {
            return Ok(0);
        }
        let mut path = [0; MAX_DISPLACEMENTS as usize];
        let mut carried = entry;
        let mut came_from = usize::MAX;
        for moved in 0..MAX_DISPLACEMENTS {
            let mut home = homes[self.walk.below(N as u64) as usize];
            if home == came_from {
                // Going straight back would undo the last move; the next function leads elsewhere nearly always.
                let next = homes.iter().position(|&other| other == home).map_or(0, |at| (at + 1) % N);
                home = homes[next];
            }
            std::mem::swap(&mut carried, &mut self.places[home]);
            path[moved as usize] = home;
            came_from = home;
            homes = self.homes(carried.block());
            if self.put(&homes, carried) {
                return Ok(moved + 1);
            }
        }
        for home in path.into_iter().rev() {
            std::mem::swap(&mut carried, &mut self.places[home]);
        }
        Err(TableFull)
    }

    fn remove(&mut self, block: Lbn) -> Option<Handle> {
        let home = self.homes(block).into_iter().find(|&home| self.places[home].block() == block)?;
        std::mem::replace(&mut self.places[home], Entry::EMPTY).handle()
    }

    fn places(&self) -> usize {
        self.places.len()
    }

    fn drain(&mut self, from: usize, to: usize, sink: &mut Vec<Entry>) {
        let end = to.min(self.places.len());
        for place in &mut self.places[from.min(end)..end] {
            if !place.is_empty() {
                sink.push(std::mem::replace(place, Entry::EMPTY));
            }
        }
    }

    fn warm(&self, block: Lbn) -> u64 {
        self.homes(block).into_iter().fold(0, |sum, home| sum ^ self.places[home].word())
    }

    fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Entry>()
    }
}
