//! HALO itself, on the same directory and destager as the durable cache.

use super::Replacement;
use crate::address::{Lbn, SectorMask, Slot};
use crate::allocator::Allocator;
use crate::destage::{DestageSettings, Destager, Trigger};
use crate::directory::{CachedBlock, Directory};
use crate::index::{BlockIndex, Bucketised, Growing};

/// The paper's cache: buckets of 1 MiB, destaged as a whole.
///
/// Hits are written in place as in the paper's Algorithm 1 (no crash to fear here), so a block keeps its slot.
pub struct Halo<I = Growing<Bucketised>> {
    directory: Directory<I>,
    allocator: Allocator,
    destager: Destager,
    victim: Vec<CachedBlock>,
    last_slot: Option<Slot>,
}

impl<I: BlockIndex> Halo<I> {
    /// A cache of `slots` blocks in front of a disk of `blocks` blocks.
    pub fn new(blocks: u64, slots: u32, settings: DestageSettings, seed: u64) -> Self {
        Self {
            directory: Directory::new(blocks, slots, seed),
            allocator: Allocator::new(slots),
            destager: Destager::new(settings),
            victim: Vec::new(),
            last_slot: None,
        }
    }

    /// Where the last block read or written was in the cache, if it was: what wear levelling maps.
    pub fn last_slot(&self) -> Option<Slot> {
        self.last_slot
    }

    /// Destages one bucket if the disk's load allows it; true when it did.
    pub fn destage_in_background(&mut self, disk_utilisation: f64, destaged: &mut Vec<Lbn>) -> bool {
        let trigger = self.destager.trigger(self.len(), self.capacity(), disk_utilisation);
        trigger.is_some() && self.destage(destaged)
    }

    /// DRAM taken by all tables.
    pub fn memory_bytes(&self) -> usize {
        self.directory.memory_bytes() + self.allocator.memory_bytes()
    }

    fn destage(&mut self, destaged: &mut Vec<Lbn>) -> bool {
        let now = self.directory.now_requests();
        let Some(bucket) = self.destager.choose(self.directory.buckets(), now, |_| true) else {
            return false;
        };
        self.victim.clear();
        self.directory.list(bucket, &mut self.victim);
        self.victim.sort_unstable_by_key(|block| block.lbn);
        self.directory.remove_if(bucket, |_| true);
        for block in &self.victim {
            self.allocator.release(block.slot);
            destaged.push(block.lbn);
        }
        true
    }
}

impl<I: BlockIndex> Replacement for Halo<I> {
    fn name(&self) -> &'static str {
        "HALO"
    }

    fn capacity(&self) -> u64 {
        u64::from(self.allocator.slots())
    }

    fn len(&self) -> u64 {
        self.directory.len()
    }

    fn contains(&self, lbn: Lbn) -> bool {
        self.directory.find(lbn).is_some()
    }

    fn begin_request(&mut self) {
        self.directory.tick();
    }

    fn read(&mut self, lbn: Lbn) -> bool {
        self.last_slot = self.directory.access(lbn).map(|block| block.slot);
        self.last_slot.is_some()
    }

    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        if let Some(block) = self.directory.access(lbn) {
            self.last_slot = Some(block.slot);
            return true;
        }
        // A busy disk: only the on-demand rule applies here.
        if self.destager.trigger(self.len() + 1, self.capacity(), 1.0) == Some(Trigger::OnDemand) {
            self.destage(destaged);
        }
        self.last_slot = self.allocator.allocate();
        if let Some(slot) = self.last_slot {
            self.directory.put(lbn, slot, SectorMask::FULL);
        }
        false
    }
}
