//! For how long blocks have been dirty, in a byte per slot.
//!
//! A block is as old as what the disk lacks of it: writing it again does not make it younger. In mode ordered each copy has an age of its
//! own, because the disk lacks each. Blocks that became dirty at about the same time form a *generation*, which is taken to have begun with the
//! first of them: ages are never too low, and too high by one step at most. Not here: clocks, which are the host's, and what old blocks are done
//! with.

use crate::address::Slot;
use std::time::Duration;

const GENERATIONS: usize = 256;
/// Steps until a block has the greatest age that is wanted: half of the generations are for blocks that a failing disk does not take.
const STEPS: u32 = 128;

/// Ages of dirty copies; times are since the cache was opened.
pub struct Ages {
    of_slot: Vec<u8>,
    /// Dirty copies in each generation.
    counts: [u64; GENERATIONS],
    /// When each generation began.
    begun: [Duration; GENERATIONS],
    newest: u8,
    step: Duration,
    now: Duration,
}

impl Ages {
    /// For `slots` slots; ages up to `most` are told apart.
    pub fn new(slots: u32, most: Duration) -> Self {
        Self {
            of_slot: vec![0; slots as usize],
            counts: [0; GENERATIONS],
            begun: [Duration::ZERO; GENERATIONS],
            newest: 0,
            step: most / STEPS,
            now: Duration::ZERO,
        }
    }

    /// Time goes on; it never goes back.
    pub fn note_time(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    /// The time that it was told last.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// The copy in `slot` is dirty from now on.
    pub fn begin(&mut self, slot: Slot) {
        let generation = self.generation_now();
        self.put(slot, generation);
    }

    /// The copy in `to` replaces that in `from`, which the disk has not taken: it is as old.
    pub fn inherit(&mut self, from: Slot, to: Slot) {
        let generation = self.of_slot[from.0 as usize];
        self.end(from);
        self.put(to, generation);
    }

    /// The copy in `slot` is not dirty any more.
    pub fn end(&mut self, slot: Slot) {
        let count = &mut self.counts[self.of_slot[slot.0 as usize] as usize];
        *count = count.saturating_sub(1);
    }

    /// The disk took what the block was at `since`: the copy in `slot` came later.
    pub fn renew(&mut self, slot: Slot, since: Duration) {
        self.end(slot);
        let back = (0..u8::MAX).find(|&back| self.begun[self.newest.wrapping_sub(back) as usize] <= since);
        self.put(slot, self.newest.wrapping_sub(back.unwrap_or(0)));
    }

    /// Age of the copy in `slot`, which is dirty.
    pub fn of(&self, slot: Slot) -> Duration {
        self.now.saturating_sub(self.begun[self.of_slot[slot.0 as usize] as usize])
    }

    /// Age of the oldest dirty copy.
    pub fn oldest(&self) -> Option<Duration> {
        let generations = (1..=GENERATIONS).map(|after| (self.newest as usize + after) % GENERATIONS);
        let oldest = generations.into_iter().find(|&generation| self.counts[generation] > 0)?;
        Some(self.now.saturating_sub(self.begun[oldest]))
    }

    /// DRAM taken.
    pub fn memory_bytes(&self) -> usize {
        self.of_slot.capacity()
    }

    fn put(&mut self, slot: Slot, generation: u8) {
        self.of_slot[slot.0 as usize] = generation;
        self.counts[generation as usize] += 1;
    }

    /// When all generations are in use, the newest goes on for longer than a step.
    fn generation_now(&mut self) -> u8 {
        let next = self.newest.wrapping_add(1);
        if self.counts[self.newest as usize] == 0 {
            self.begun[self.newest as usize] = self.now;
        } else if self.now >= self.begun[self.newest as usize] + self.step && self.counts[next as usize] == 0 {
            self.newest = next;
            self.begun[next as usize] = self.now;
        }
        self.newest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn ages() -> Ages {
        Ages::new(1024, SECOND * STEPS)
    }

    #[test]
    fn the_oldest_copy_counts_however_often_it_is_replaced() {
        let mut ages = ages();
        assert_eq!(ages.oldest(), None);
        ages.begin(Slot(0));
        for second in 1..100 {
            ages.note_time(SECOND * second);
            ages.inherit(Slot(second - 1), Slot(second));
            ages.begin(Slot(500 + second));
            assert_eq!(ages.oldest(), Some(SECOND * second));
        }
        assert_eq!(ages.of(Slot(99)), SECOND * 99);
        assert_eq!(ages.of(Slot(550)), SECOND * 49);
        ages.end(Slot(99));
        assert_eq!(ages.oldest(), Some(SECOND * 98));
    }

    #[test]
    fn a_copy_that_came_while_the_disk_took_the_last_is_as_old_as_that_round() {
        let mut ages = ages();
        ages.begin(Slot(0));
        ages.note_time(SECOND * 50);
        ages.begin(Slot(1));
        ages.note_time(SECOND * 70);
        ages.begin(Slot(2));
        ages.inherit(Slot(0), Slot(3));
        ages.renew(Slot(3), SECOND * 60);
        assert_eq!(ages.of(Slot(3)), SECOND * 20);
        ages.end(Slot(1));
        ages.end(Slot(3));
        assert_eq!(ages.oldest(), Some(Duration::ZERO));
    }

    #[test]
    fn a_disk_that_takes_nothing_for_long_makes_no_copy_look_younger_than_it_is() {
        let mut ages = ages();
        for second in 0..1000 {
            ages.note_time(SECOND * second);
            ages.begin(Slot(second));
        }
        assert_eq!(ages.oldest(), Some(SECOND * 999));
        for second in 0..1000 {
            assert!(ages.of(Slot(second)) >= SECOND * (999 - second));
            assert_eq!(ages.oldest(), Some(ages.of(Slot(second))));
            ages.end(Slot(second));
        }
        ages.begin(Slot(0));
        assert_eq!(ages.oldest(), Some(Duration::ZERO));
    }
}
