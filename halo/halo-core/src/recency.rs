//! Blocks in the order of their last use.

use crate::address::{Lbn, NONE};
use crate::index::{BlockIndex, Bucketised, Growing, Handle};

/// A set of blocks with the most recently used in front. A block has a number for as long as it is in the set; numbers are small and
/// are used again.
pub struct RecencySet {
    index: Growing<Bucketised>,
    nodes: Vec<Node>,
    front: u32,
    back: u32,
    /// Nodes that are free, linked through `older`.
    spare: u32,
}

#[derive(Clone, Copy)]
struct Node {
    block: Lbn,
    /// Towards the front.
    newer: u32,
    older: u32,
}

impl RecencySet {
    /// An empty set that takes `capacity` blocks without growing.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            index: Growing::with_capacity(capacity, 0x1e55_0e75),
            nodes: Vec::with_capacity(capacity),
            front: NONE,
            back: NONE,
            spare: NONE,
        }
    }

    /// Blocks in the set.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// True without blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a block, if it is in the set.
    pub fn get(&self, block: Lbn) -> Option<usize> {
        self.index.get(block).map(|handle| handle.0 as usize)
    }

    /// Brings the block with this number to the front.
    pub fn promote(&mut self, number: usize) {
        let at = number as u32;
        if self.front != at {
            self.unlink(at);
            self.push_front(at);
        }
    }

    /// Puts a block in front that is not in the set; gives its number.
    pub fn insert(&mut self, block: Lbn) -> usize {
        let node = Node { block, newer: NONE, older: NONE };
        let at = match self.spare {
            NONE => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
            spare => {
                self.spare = std::mem::replace(&mut self.nodes[spare as usize], node).older;
                spare
            }
        };
        self.push_front(at);
        self.index.insert(block, Handle(at));
        at as usize
    }

    /// Takes a block out; gives the number that it had.
    pub fn remove(&mut self, block: Lbn) -> Option<usize> {
        let at = self.index.remove(block)?.0;
        self.unlink(at);
        self.nodes[at as usize].older = self.spare;
        self.spare = at;
        Some(at as usize)
    }

    /// The block that was not used for the longest time.
    pub fn oldest(&self) -> Option<Lbn> {
        if self.back == NONE { None } else { Some(self.nodes[self.back as usize].block) }
    }

    /// DRAM taken.
    pub fn memory_bytes(&self) -> usize {
        self.index.memory_bytes() + self.nodes.capacity() * size_of::<Node>()
    }

    fn unlink(&mut self, at: u32) {
        let Node { newer, older, .. } = self.nodes[at as usize];
        match newer {
            NONE => self.front = older,
            _ => self.nodes[newer as usize].older = older,
        }
        match older {
            NONE => self.back = newer,
            _ => self.nodes[older as usize].newer = newer,
        }
    }

    fn push_front(&mut self, at: u32) {
        let front = std::mem::replace(&mut self.front, at);
        self.nodes[at as usize].newer = NONE;
        self.nodes[at as usize].older = front;
        match front {
            NONE => self.back = at,
            _ => self.nodes[front as usize].newer = at,
        }
    }
}
