//! HALO itself, on the same directory and destager as the durable cache.

use super::Replacement;
use crate::address::{Bucket, Lbn, SectorMask, Slot};
use crate::ages::Ages;
use crate::allocator::Allocator;
use crate::destage::{DestageSettings, Destager, Trigger};
use crate::directory::{CachedBlock, Directory};
use crate::due::{Due, DueSettings, Fill};
use crate::index::{BlockIndex, Bucketised, Growing};
use crate::split::Split;
use std::time::Duration;

/// The paper's cache: buckets of 1 MiB, destaged as a whole.
///
/// Hits are written in place as in the paper's Algorithm 1 (no crash to fear here), so a block keeps its slot.
pub struct Halo<I = Growing<Bucketised>> {
    directory: Directory<I>,
    allocator: Allocator,
    destager: Destager,
    due: Due,
    ages: Ages,
    victim: Vec<CachedBlock>,
    last_slot: Option<Slot>,
    split: Option<Split>,
}

impl<I: BlockIndex> Halo<I> {
    /// A cache of `slots` blocks in front of a disk of `blocks` blocks.
    pub fn new(blocks: u64, slots: u32, settings: DestageSettings, seed: u64) -> Self {
        Self {
            directory: Directory::new(blocks, slots, seed),
            allocator: Allocator::new(slots),
            destager: Destager::new(settings),
            due: Due::new(DueSettings::USUAL),
            ages: DueSettings::USUAL.ages(slots),
            victim: Vec::new(),
            last_slot: None,
            split: None,
        }
    }

    /// The same with a part for clean blocks. What [`Replacement`] says of cached blocks is then said of dirty ones.
    #[must_use]
    pub fn with_split(self) -> Self {
        Self { split: Some(Split::new(self.allocator.slots())), ..self }
    }

    /// The same with other times after which blocks are due.
    #[must_use]
    pub fn with_due(self, settings: DueSettings) -> Self {
        Self { due: Due::new(settings), ages: settings.ages(self.allocator.slots()), ..self }
    }

    /// Tells the time since the beginning. Without it, blocks are due by how full the cache is alone.
    pub fn note_time(&mut self, since_beginning: Duration) {
        self.ages.note_time(since_beginning);
    }

    /// When time alone is the next reason to ask whether to destage, if nothing is written: later than now.
    pub fn next_reason(&self) -> Option<Duration> {
        self.due.next_reason(&self.ages)
    }

    /// Where the last block read or written was in the cache, if it was: what wear levelling maps.
    pub fn last_slot(&self) -> Option<Slot> {
        self.last_slot
    }

    /// Destages one bucket if the disk's load allows it, or a block's age demands it; true when it did.
    pub fn destage_in_background(&mut self, disk_utilisation: f64, destaged: &mut Vec<Lbn>) -> bool {
        match self.trigger(disk_utilisation) {
            Some(Trigger::Age) => self.destage_old(destaged),
            Some(_) => self.destage(destaged),
            None => false,
        }
    }

    /// Destages one bucket with an old block, whatever the disk has to do; true when it did.
    pub fn destage_old(&mut self, destaged: &mut Vec<Lbn>) -> bool {
        // A search ends early where many blocks are cached, and goes on from there.
        while self.trigger(1.0) == Some(Trigger::Age) {
            let old = self.due.old_blocks(&self.directory, &self.ages, 1, |_| true);
            if let Some(first) = old.first() {
                self.destage_bucket(first.lbn.bucket(), destaged);
                return true;
            }
        }
        false
    }

    fn trigger(&self, disk_utilisation: f64) -> Option<Trigger> {
        let fill = Fill { used: self.len(), slots: self.dirty_slots(), is_clean: self.is_empty() };
        self.due.trigger(&self.destager, fill, &self.ages, disk_utilisation)
    }

    /// DRAM taken by all tables.
    pub fn memory_bytes(&self) -> usize {
        let split_bytes = self.split.as_ref().map_or(0, Split::memory_bytes);
        self.directory.memory_bytes() + self.allocator.memory_bytes() + self.ages.memory_bytes() + split_bytes
    }

    fn destage(&mut self, destaged: &mut Vec<Lbn>) -> bool {
        let now = self.directory.now_requests();
        let Some(bucket) = self.destager.choose(self.directory.buckets(), now, |_| true) else {
            return false;
        };
        self.destage_bucket(bucket, destaged);
        true
    }

    fn destage_bucket(&mut self, bucket: Bucket, destaged: &mut Vec<Lbn>) {
        self.victim.clear();
        self.directory.list(bucket, &mut self.victim);
        self.victim.sort_unstable_by_key(|block| block.lbn);
        self.directory.remove_if(bucket, |_| true);
        for block in &self.victim {
            self.allocator.release(block.slot);
            self.ages.end(block.slot);
            destaged.push(block.lbn);
        }
        if let Some(split) = &mut self.split {
            Self::note_destage(split, &self.victim);
        }
    }

    fn note_destage(split: &mut Split, victim: &[CachedBlock]) {
        split.destaged(victim);
        for block in victim {
            split.left(block.lbn);
        }
    }

    /// Slots that dirty blocks may take.
    fn dirty_slots(&self) -> u64 {
        self.split.as_ref().map_or(self.capacity(), Split::dirty_slots)
    }

    /// A read that no dirty block answers: where the clean copy is, if there is one now.
    fn read_clean(&mut self, lbn: Lbn) -> (bool, Option<Slot>) {
        let Some(split) = &mut self.split else { return (false, None) };
        if let Some(slot) = split.read(lbn) {
            return (true, Some(slot));
        }
        if split.missed(lbn) {
            let free = if split.clean_blocks() < split.target_blocks() { self.allocator.allocate() } else { None };
            if let Some(slot) = free.or_else(|| split.evict().map(|(_, slot)| slot)) {
                split.keep(lbn, slot);
            }
        }
        (false, None)
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
        if let Some(block) = self.directory.access(lbn) {
            self.last_slot = Some(block.slot);
            return true;
        }
        let (hit, slot) = self.read_clean(lbn);
        self.last_slot = slot;
        hit
    }

    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        self.due.note_write(self.ages.now());
        // A hit keeps its slot, and with it its age: the disk lacks the block since then.
        if let Some(block) = self.directory.access(lbn) {
            self.last_slot = Some(block.slot);
            return true;
        }
        let outdated = self.split.as_mut().and_then(|split| split.written(lbn));
        if let Some(slot) = outdated {
            self.allocator.release(slot);
        }
        // A busy disk: only the on-demand rule applies here.
        if self.destager.trigger(self.len() + 1, self.dirty_slots(), 1.0) == Some(Trigger::OnDemand) {
            self.destage(destaged);
        }
        let evicted = if self.allocator.free() == 0 { self.split.as_mut().and_then(Split::evict) } else { None };
        if let Some((_, slot)) = evicted {
            self.allocator.release(slot);
        }
        self.last_slot = self.allocator.allocate();
        if let Some(slot) = self.last_slot {
            self.ages.begin(slot);
            self.directory.put(lbn, slot, SectorMask::FULL);
        }
        false
    }
}
