//! LRU, FIFO and LRW: one list, three rules for moving to its front.

use super::Replacement;
use crate::address::{Lbn, NONE};
use crate::index::{BlockIndex, Bucketised, Growing, Handle};

/// What moves a block to the front of the list.
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
    index: Growing<Bucketised>,
    nodes: Vec<Node>,
    /// Most and least recent.
    front: u32,
    back: u32,
    capacity: u32,
}

#[derive(Clone, Copy)]
struct Node {
    block: Lbn,
    /// Towards the front.
    newer: u32,
    older: u32,
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
        Self {
            name,
            promotion,
            index: Growing::with_capacity(capacity as usize, 0x1e55_0e75),
            nodes: Vec::with_capacity(capacity as usize),
            front: NONE,
            back: NONE,
            capacity,
        }
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

    fn promote(&mut self, at: u32) {
        if self.front != at {
            self.unlink(at);
            self.push_front(at);
        }
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
        self.index.len() as u64
    }

    fn contains(&self, lbn: Lbn) -> bool {
        self.index.get(lbn).is_some()
    }

    fn read(&mut self, lbn: Lbn) -> bool {
        let Some(handle) = self.index.get(lbn) else {
            return false;
        };
        if self.promotion == Promotion::OnAccess {
            self.promote(handle.0);
        }
        true
    }

    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        if let Some(handle) = self.index.get(lbn) {
            if self.promotion != Promotion::Never {
                self.promote(handle.0);
            }
            return true;
        }
        let node = Node { block: lbn, newer: NONE, older: NONE };
        let at = if self.nodes.len() < self.capacity as usize {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            let at = self.back;
            self.unlink(at);
            let victim = std::mem::replace(&mut self.nodes[at as usize], node).block;
            self.index.remove(victim);
            destaged.push(victim);
            at
        };
        self.push_front(at);
        self.index.insert(lbn, Handle(at));
        false
    }
}
