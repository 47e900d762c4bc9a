//! The changes that wait for commits, and the progress of commits: one at a time, each with the oldest of what was staged.
//!
//! Commits that share a number make up one flush: all that was staged when the first of them began. Not here: what a commit writes.

use crate::staged::{Flush, Pieces, Staged};

/// Commits of a cache, past and to come.
pub(crate) struct Commits {
    most_blocks: usize,
    staged: Pieces,
    /// Staged before that: the next commits take it up under the number of the last.
    to_commit: Flush,
    /// Blocks that commits with the last number have taken up, and those with earlier numbers, which are durable.
    committing_blocks: u64,
    durable_blocks: u64,
    sequence: u64,
    in_flight: bool,
    /// Slots that the commit under way clears, or has taken up to be cleared by the next.
    clearing_slots: u64,
    begun: u64,
    finished: u64,
}

impl Commits {
    /// Commits of `most_blocks` at most. With `in_disk_order`, those of one flush take up its blocks in the order of the disk, so that it
    /// becomes one sweep.
    pub(crate) fn new(most_blocks: usize, in_disk_order: bool) -> Self {
        Self {
            most_blocks: most_blocks.max(1),
            staged: Pieces::new(most_blocks, in_disk_order),
            to_commit: Flush::default(),
            committing_blocks: 0,
            durable_blocks: 0,
            sequence: 0,
            in_flight: false,
            clearing_slots: 0,
            begun: 0,
            finished: 0,
        }
    }

    pub(crate) fn stage(&mut self, staged: Staged) {
        self.staged.push(staged);
    }

    pub(crate) fn staged_blocks(&self) -> u64 {
        (self.to_commit.blocks() + self.staged.blocks()) as u64
    }

    /// Blocks that were staged since the cache was opened, and how many of them, the first ones, are known to be durable.
    pub(crate) fn staged_and_durable_blocks(&self) -> (u64, u64) {
        (self.durable_blocks + self.committing_blocks + self.staged_blocks(), self.durable_blocks)
    }

    pub(crate) fn in_flight(&self) -> bool {
        self.in_flight
    }

    pub(crate) fn clearing_slots(&self) -> u64 {
        self.clearing_slots
    }

    /// Commits that were begun since the cache was opened.
    pub(crate) fn begun(&self) -> u64 {
        self.begun
    }

    /// Of those, the last that succeeded.
    pub(crate) fn finished(&self) -> u64 {
        self.finished
    }

    /// The number of the last flush: of what is in its items.
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Recovery found an item with this number: later ones are higher.
    pub(crate) fn note_sequence(&mut self, found: u64) {
        self.sequence = self.sequence.max(found);
    }

    /// Begins a commit: gives what it takes up, before what is staged from now on.
    ///
    /// # Panics
    /// When the last commit was not finished.
    pub(crate) fn begin(&mut self) -> Vec<Staged> {
        assert!(!self.in_flight, "one commit at a time");
        if self.to_commit.blocks() == 0 {
            // A block is staged once at most between two flushes, so that one number is enough for all.
            self.to_commit = self.staged.begin_flush();
            self.sequence += u64::from(self.to_commit.blocks() > 0);
        }
        let taken = self.to_commit.take(self.most_blocks);
        self.committing_blocks += taken.len() as u64;
        self.in_flight = true;
        self.begun += 1;
        taken
    }

    /// The commit under way clears so many slots, or leaves them to the next.
    pub(crate) fn note_clearing(&mut self, slots: usize) {
        self.clearing_slots = slots as u64;
    }

    /// The commit under way has ended, well or not.
    pub(crate) fn end(&mut self) {
        self.in_flight = false;
        self.clearing_slots = 0;
    }

    /// It ended well; true when it was the last of its flush.
    pub(crate) fn succeed(&mut self) -> bool {
        self.finished = self.begun;
        let ends_flush = self.to_commit.blocks() == 0;
        if ends_flush {
            self.durable_blocks += std::mem::take(&mut self.committing_blocks);
        }
        ends_flush
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_core::Lbn;

    #[test]
    fn a_flush_is_what_was_staged_when_its_first_commit_began() {
        let mut commits = Commits::new(2, true);
        let staged = |block| Staged { lbn: Lbn(block), replaces: None };
        let numbers = |taken: Vec<Staged>| taken.iter().map(|staged| staged.lbn.0).collect::<Vec<_>>();
        for block in [5, 3, 4] {
            commits.stage(staged(block));
        }
        assert_eq!(numbers(commits.begin()), [3, 4]);
        // Too late for this flush.
        commits.stage(staged(1));
        commits.end();
        assert!(!commits.succeed());
        assert_eq!((commits.staged_and_durable_blocks(), commits.sequence()), ((4, 0), 1));
        assert_eq!(numbers(commits.begin()), [5]);
        commits.end();
        assert!(commits.succeed());
        assert_eq!((commits.staged_and_durable_blocks(), commits.sequence()), ((4, 3), 1));
        assert_eq!(numbers(commits.begin()), [1]);
        // A failure makes nothing durable.
        commits.end();
        assert_eq!((commits.begun(), commits.finished(), commits.sequence()), (3, 2, 2));
        assert_eq!(commits.staged_and_durable_blocks(), (4, 3));
    }
}
