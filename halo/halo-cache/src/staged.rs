//! What waits for commits, in pieces of what one commit takes up: however much a flush has, all requests together wait for the work on one
//! piece at a time.
//!
//! In disk order, each piece is sorted once it is full, and the commits of a flush take the lowest of all its pieces: a merge. To sort all at
//! the beginning of a flush would take a second for 60 GiB, under the lock of the cache. Not here: what a commit does with its blocks.

use halo_core::{Lbn, Slot};
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};

/// A block whose newest copy has no item yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Staged {
    pub(crate) lbn: Lbn,
    /// The copy with an item that this one supersedes.
    pub(crate) replaces: Option<Slot>,
}

/// Blocks that were staged since the last flush began.
pub(crate) struct Pieces {
    piece_blocks: usize,
    in_disk_order: bool,
    full: VecDeque<Vec<Staged>>,
    last: Vec<Staged>,
}

impl Pieces {
    /// None yet; pieces will have `piece_blocks` each.
    pub(crate) fn new(piece_blocks: usize, in_disk_order: bool) -> Self {
        Self { piece_blocks: piece_blocks.max(1), in_disk_order, full: VecDeque::new(), last: Vec::new() }
    }

    pub(crate) fn push(&mut self, staged: Staged) {
        self.last.push(staged);
        if self.last.len() == self.piece_blocks {
            self.end_piece();
        }
    }

    pub(crate) fn blocks(&self) -> usize {
        self.full.len() * self.piece_blocks + self.last.len()
    }

    /// Leaves none.
    pub(crate) fn begin_flush(&mut self) -> Flush {
        let blocks = self.blocks();
        self.end_piece();
        let pieces = std::mem::take(&mut self.full);
        let head = |(number, piece): (usize, &Vec<Staged>)| piece.last().map(|staged| Reverse((staged.lbn, number)));
        let heads = self.in_disk_order.then(|| pieces.iter().enumerate().filter_map(head).collect());
        Flush { pieces, heads, blocks }
    }

    fn end_piece(&mut self) {
        let mut piece = std::mem::take(&mut self.last);
        if self.in_disk_order {
            piece.sort_unstable_by_key(|staged| Reverse(staged.lbn));
        }
        if !piece.is_empty() {
            self.full.push_back(piece);
        }
    }
}

/// What a flush has still to commit.
#[derive(Default)]
pub(crate) struct Flush {
    pieces: VecDeque<Vec<Staged>>,
    /// In disk order: the lowest block of each piece, which is its last, and the piece's number.
    heads: Option<BinaryHeap<Reverse<(Lbn, usize)>>>,
    blocks: usize,
}

impl Flush {
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The next blocks, `most` at most: the lowest, or without an order the oldest.
    pub(crate) fn take(&mut self, most: usize) -> Vec<Staged> {
        let mut taken = Vec::with_capacity(most.min(self.blocks));
        match &mut self.heads {
            Some(heads) => take_lowest(&mut self.pieces, heads, most, &mut taken),
            None => take_oldest(&mut self.pieces, most, &mut taken),
        }
        self.blocks -= taken.len();
        taken
    }
}

fn take_lowest(
    pieces: &mut VecDeque<Vec<Staged>>,
    heads: &mut BinaryHeap<Reverse<(Lbn, usize)>>,
    most: usize,
    taken: &mut Vec<Staged>,
) {
    while taken.len() < most
        && let Some(mut head) = heads.peek_mut()
    {
        let Reverse((_, number)) = *head;
        let piece = &mut pieces[number];
        taken.extend(piece.pop());
        if let Some(next) = piece.last() {
            *head = Reverse((next.lbn, number));
        } else {
            // Its memory goes with it: a flush of all slots has hundreds of megabytes.
            *piece = Vec::new();
            PeekMut::pop(head);
        }
    }
}

fn take_oldest(pieces: &mut VecDeque<Vec<Staged>>, most: usize, taken: &mut Vec<Staged>) {
    while taken.len() < most
        && let Some(piece) = pieces.front_mut()
    {
        taken.extend(piece.drain(..piece.len().min(most - taken.len())));
        if piece.is_empty() {
            pieces.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_core::SplitMix64;

    /// What the commits of a flush take up, `most` each.
    fn taken(in_disk_order: bool, most: usize) -> (Vec<u64>, Vec<u64>) {
        let (mut pieces, mut random) = (Pieces::new(7, in_disk_order), SplitMix64::new(3));
        let staged: Vec<_> = (0..500).map(|_| random.below(1 << 40)).collect();
        for &block in &staged {
            pieces.push(Staged { lbn: Lbn(block), replaces: None });
        }
        assert_eq!(pieces.blocks(), staged.len());
        let mut flush = pieces.begin_flush();
        assert_eq!(pieces.blocks(), 0);
        let mut all = Vec::new();
        while flush.blocks() > 0 {
            let part = flush.take(most);
            assert_eq!(part.len(), most.min(staged.len() - all.len()));
            all.extend(part.iter().map(|staged| staged.lbn.0));
        }
        assert!(flush.take(most).is_empty());
        (staged, all)
    }

    #[test]
    fn the_commits_of_a_flush_take_all_of_it_in_the_order_of_the_disk() {
        for most in [1, 7, 30, 1000] {
            let (mut staged, all) = taken(true, most);
            staged.sort_unstable();
            assert_eq!(all, staged, "{most} blocks each");
        }
    }

    #[test]
    fn without_an_order_the_oldest_go_first() {
        for most in [1, 7, 30, 1000] {
            let (staged, all) = taken(false, most);
            assert_eq!(all, staged, "{most} blocks each");
        }
    }
}
