//! Reads, in steps: a host whose threads must not wait for each other's disk reads takes them one by one.

use crate::cache::Cache;
use crate::clean::Wanted;
use crate::error::{CacheError, Device};
use crate::parts::{Part, parts};
use halo_core::address::SECTOR_BYTES;
use halo_core::{SectorMask, Slot};
use halo_media::Medium;
use std::ops::Range;

/// Which sectors of a read were in the cache when it was planned, and what the disk must give.
pub struct ReadPlan {
    offset_bytes: u64,
    parts: Vec<PlannedPart>,
    from_disk: Vec<Range<usize>>,
    /// What of the disk's is to be kept.
    wanted: Vec<Wanted>,
}

struct PlannedPart {
    part: Part,
    /// Sectors that the cache had.
    cached: SectorMask,
    /// Where it had them if the disk has them, too.
    clean: Option<Slot>,
}

impl ReadPlan {
    /// True when the cache does not have all of it.
    pub fn needs_disk(&self) -> bool {
        !self.from_disk.is_empty()
    }

    /// Fills the ranges of `buffer` that the cache does not have.
    ///
    /// # Errors
    /// The disk's.
    pub fn read_disk(&self, disk: &impl Medium, buffer: &mut [u8]) -> Result<(), CacheError> {
        for range in &self.from_disk {
            disk.read_at(self.offset_bytes + range.start as u64, &mut buffer[range.clone()])
                .map_err(CacheError::io(Device::Disk, "reading"))?;
        }
        Ok(())
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Reads into `buffer`: for each sector what was written last, from the cache or the disk.
    ///
    /// # Errors
    /// [`CacheError::Damaged`]: a cached copy is not what was written; nothing is returned in its place.
    pub fn read(&mut self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CacheError> {
        loop {
            let plan = self.plan_read(offset_bytes, buffer.len())?;
            plan.read_disk(&self.disk, buffer)?;
            // What leaves the cache meanwhile are clean copies that are not whole, each once.
            if self.finish_read(&plan, buffer)? {
                return Ok(());
            }
        }
    }

    /// Begins a read of `count` bytes.
    ///
    /// # Errors
    /// [`CacheError::BadRange`].
    pub fn plan_read(&mut self, offset_bytes: u64, count: usize) -> Result<ReadPlan, CacheError> {
        self.check_range(offset_bytes, count)?;
        self.directory.tick();
        self.statistics.read_bytes += count as u64;
        let mut plan = ReadPlan { offset_bytes, parts: Vec::new(), from_disk: Vec::new(), wanted: Vec::new() };
        for part in parts(offset_bytes, count) {
            let found = self.directory.access(part.lbn);
            let clean = if found.is_none() { self.access_clean(part.lbn) } else { None };
            let cached = match (found, clean) {
                (Some(block), _) => block.mask.intersection(part.mask()),
                (None, Some(_)) => part.mask(),
                (None, None) => SectorMask::EMPTY,
            };
            if found.is_some() || clean.is_some() {
                self.statistics.read_hit_blocks += 1;
            } else {
                self.statistics.read_miss_blocks += 1;
                plan.wanted.extend(self.want(part, count));
            }
            plan.parts.push(PlannedPart { part, cached, clean });
            if cached != part.mask() {
                match plan.from_disk.last_mut() {
                    Some(range) if range.end == part.at => range.end = part.in_buffer().end,
                    _ => plan.from_disk.push(part.in_buffer()),
                }
            }
        }
        self.statistics.disk_read_bytes += plan.from_disk.iter().map(|range| range.len() as u64).sum::<u64>();
        Ok(plan)
    }

    /// Puts the cached sectors over what the disk gave. False when a sector that was cached when the read was planned is not there
    /// any more, so that the read must be planned anew: the disk may have been read before that sector reached it.
    ///
    /// Sectors that were not cached may have been written, and even destaged, since then. Those writes overlap the read in time, so
    /// their old content may be returned.
    ///
    /// # Errors
    /// [`CacheError::Damaged`], or the medium's.
    pub fn finish_read(&mut self, plan: &ReadPlan, buffer: &mut [u8]) -> Result<bool, CacheError> {
        for &PlannedPart { part, cached, clean } in &plan.parts {
            let dirty = self.directory.find(part.lbn);
            let found = match (dirty, clean) {
                (None, Some(seen)) => self.load_clean(part.lbn, seen),
                _ => dirty,
            };
            if !found.map_or(SectorMask::EMPTY, |block| block.mask).covers(cached) {
                return Ok(false);
            }
            // Of a copy that is damaged, sectors that nobody asked for do not matter.
            if let Some(block) = dirty.filter(|block| !block.mask.intersection(part.mask()).is_empty()) {
                self.load(block)?;
            }
            if let Some(block) = found {
                self.overlay(block.mask, part, &mut buffer[part.in_buffer()]);
            }
        }
        // At the end, because it may take the slots of other clean copies.
        self.keep(&plan.wanted, buffer);
        Ok(true)
    }

    /// Copies those of the sectors in `self.block` that are cached over the `buffer` of `part`.
    fn overlay(&self, cached: SectorMask, part: Part, buffer: &mut [u8]) {
        for (first, count) in cached.intersection(part.mask()).runs() {
            let in_block = first * SECTOR_BYTES..(first + count) * SECTOR_BYTES;
            let start = (first - part.first_sector) * SECTOR_BYTES;
            buffer[start..start + in_block.len()].copy_from_slice(&self.block[in_block]);
        }
    }
}
