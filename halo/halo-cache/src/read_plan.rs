//! Reads, in steps: a host whose threads must not wait for each other's reads takes them one by one, and holds the cache only for
//! the first and the last.

use crate::cache::Cache;
use crate::clean::{Keeping, Wanted};
use crate::error::{CacheError, Device};
use crate::few::Few;
use crate::format::Layout;
use crate::held::{HeldCopy, Unreadable};
use crate::parts::{Part, parts};
use crate::planted::Planted;
use halo_core::address::{BLOCK_BYTES, SECTOR_BYTES};
use halo_core::{CachedBlock, SectorMask};
use halo_media::{Medium, ReadPiece};
use std::ops::Range;

/// The parts of a read that are in the cache, and those that the disk must give: for each sector its last write before the read was planned.
///
/// The cache's parts stay readable until [`Cache::finish_read`], which must be called whether the reads succeed or fail.
#[must_use = "slots stay taken until the read is finished"]
pub struct ReadPlan {
    offset_bytes: u64,
    cached: Few<PlannedPart>,
    from_disk: Few<Range<usize>>,
    /// The parts from the disk that are to be kept.
    wanted: Vec<Wanted>,
    layout: Layout,
    planted: Planted,
}

struct PlannedPart {
    part: Part,
    copy: HeldCopy,
}

impl PlannedPart {
    /// The whole block is wanted as it is in its slot.
    fn is_whole(&self) -> bool {
        self.part.bytes == BLOCK_BYTES && self.copy.block.mask == SectorMask::FULL && !self.copy.zeros
    }

    fn goes_on_in(&self, next: &Self) -> bool {
        next.is_whole()
            && next.copy.block.slot.0 == self.copy.block.slot.0 + 1
            && next.part.at == self.part.in_buffer().end
    }
}

/// Why a read was not carried out: for [`Cache::finish_read`].
pub struct ReadFailure(Why);

enum Why {
    Disk(CacheError),
    Cache(Unreadable),
}

/// The answer of [`Cache::finish_read`].
pub enum ReadEnd {
    /// The buffer has it all. What the disk gave may be kept.
    Done(Keeping),
    /// A copy is not there any more: the read must be planned anew.
    Again,
}

impl ReadPlan {
    /// True when the cache does not have all of it.
    pub fn needs_disk(&self) -> bool {
        !self.from_disk.as_slice().is_empty()
    }

    /// Fills the ranges of `buffer` that the cache does not have.
    ///
    /// # Errors
    /// The disk's.
    pub fn read_disk(&self, disk: &impl Medium, buffer: &mut [u8]) -> Result<(), ReadFailure> {
        let read = match self.from_disk.as_slice() {
            [range] => disk.read_at(self.offset_bytes + range.start as u64, &mut buffer[range.clone()]),
            ranges => {
                let mut places = Places { buffer, at: 0 };
                let piece = |range: &Range<usize>| ReadPiece {
                    offset_bytes: self.offset_bytes + range.start as u64,
                    buffer: places.take(range.clone()),
                };
                disk.read_pieces(&mut ranges.iter().map(piece).collect::<Vec<_>>())
            }
        };
        read.map_err(|error| ReadFailure(Why::Disk(CacheError::io(Device::Disk, "reading")(error))))
    }

    /// Fills what the cache has, over what the disk gave for the same blocks. All copies are read together.
    ///
    /// # Errors
    /// The medium's, or a copy is not what was written; nothing is returned in its place.
    pub fn read_cached(&self, medium: &impl Medium, buffer: &mut [u8]) -> Result<(), ReadFailure> {
        let read = match self.cached.as_slice() {
            [] => Ok(()),
            [only] => self.read_one(only, medium, buffer),
            _ => self.read_all(medium, buffer),
        };
        read.map_err(|unreadable| ReadFailure(Why::Cache(unreadable)))
    }

    fn read_one(&self, planned: &PlannedPart, medium: &impl Medium, buffer: &mut [u8]) -> Result<(), Unreadable> {
        let buffer = &mut buffer[planned.part.in_buffer()];
        if planned.is_whole() {
            return planned.copy.read(medium, &self.layout, self.planted, buffer);
        }
        let mut block = [0; BLOCK_BYTES];
        planned.copy.read(medium, &self.layout, self.planted, &mut block)?;
        overlay(&block, planned, buffer);
        Ok(())
    }

    /// Whole blocks go right into their places; of the others, only some sectors.
    fn read_all(&self, medium: &impl Medium, buffer: &mut [u8]) -> Result<(), Unreadable> {
        let cached = self.cached.as_slice();
        let is_apart = |planned: &&PlannedPart| !planned.is_whole() && !planned.copy.zeros;
        let mut scratch = vec![0; cached.iter().filter(is_apart).count() * BLOCK_BYTES];
        let mut apart = scratch.chunks_exact_mut(BLOCK_BYTES);
        let mut places = Places { buffer, at: 0 };
        let (mut pieces, mut rest) = (Vec::with_capacity(cached.len()), cached);
        while let Some(first) = rest.first() {
            let mut count = 1;
            let offset_bytes = self.layout.data_offset_bytes(first.copy.block.slot);
            if first.is_whole() {
                count += rest.windows(2).take_while(|pair| pair[0].goes_on_in(&pair[1])).count();
                let place = first.part.at..first.part.at + count * BLOCK_BYTES;
                pieces.push(ReadPiece { offset_bytes, buffer: places.take(place) });
            } else if is_apart(&first) {
                pieces.extend(apart.next().map(|buffer| ReadPiece { offset_bytes, buffer }));
            }
            rest = &rest[count..];
        }
        if medium.read_pieces(&mut pieces).is_err() {
            // One block may be unreadable: which, is to be known.
            return cached.iter().try_for_each(|planned| self.read_one(planned, medium, buffer));
        }
        let mut apart = scratch.chunks_exact(BLOCK_BYTES);
        for planned in cached {
            let buffer = &mut buffer[planned.part.in_buffer()];
            if planned.is_whole() {
                planned.copy.verify(buffer, self.planted)?;
            } else if planned.copy.zeros {
                overlay(&[0; BLOCK_BYTES], planned, buffer);
            } else if let Some(block) = apart.next() {
                planned.copy.verify(block, self.planted)?;
                overlay(block, planned, buffer);
            }
        }
        Ok(())
    }
}

/// A buffer that is given away in parts, ascending.
struct Places<'a> {
    buffer: &'a mut [u8],
    /// Where what is left of it begins.
    at: usize,
}

impl<'a> Places<'a> {
    fn take(&mut self, place: Range<usize>) -> &'a mut [u8] {
        let rest = std::mem::take(&mut self.buffer);
        let (taken, rest) = rest[place.start - self.at..].split_at_mut(place.len());
        self.buffer = rest;
        self.at = place.end;
        taken
    }
}

/// Copies the sectors of `block` that are cached over the `buffer` of their part.
fn overlay(block: &[u8], planned: &PlannedPart, buffer: &mut [u8]) {
    for (first, count) in planned.copy.block.mask.intersection(planned.part.mask()).runs() {
        let in_block = first * SECTOR_BYTES..(first + count) * SECTOR_BYTES;
        let start = (first - planned.part.first_sector) * SECTOR_BYTES;
        buffer[start..start + in_block.len()].copy_from_slice(&block[in_block]);
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
            let outcome = plan.read_disk(&self.disk, buffer).and_then(|()| plan.read_cached(&self.medium, buffer));
            // Only clean copies that are not whole leave the cache meanwhile, each once.
            if let ReadEnd::Done(keeping) = self.finish_read(plan, outcome)? {
                let kept = keeping.write(&self.medium, buffer);
                self.finish_keeping(keeping, kept);
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
        let (layout, planted) = (self.layout, self.settings.planted);
        let (cached, from_disk, wanted) = (Few::None, Few::None, Vec::new());
        let mut plan = ReadPlan { offset_bytes, cached, from_disk, wanted, layout, planted };
        for part in parts(offset_bytes, count) {
            let found = self.directory.access(part.lbn);
            let clean = if found.is_none() { self.access_clean(part.lbn) } else { None };
            let copy = found.or(clean.map(|slot| CachedBlock { lbn: part.lbn, slot, mask: SectorMask::FULL }));
            if copy.is_some() {
                self.statistics.read_hit_blocks += 1;
            } else {
                self.statistics.read_miss_blocks += 1;
                plan.wanted.extend(self.want(part, count));
            }
            // Of a copy that is damaged, sectors that nobody asked for do not matter.
            let had = copy.map_or(SectorMask::EMPTY, |block| block.mask.intersection(part.mask()));
            if let Some(block) = copy.filter(|_| had != SectorMask::EMPTY) {
                plan.cached.push(PlannedPart { part, copy: self.hold(block, clean.is_some()) });
            }
            if had != part.mask() {
                match plan.from_disk.last_mut() {
                    Some(range) if range.end == part.at => range.end = part.in_buffer().end,
                    _ => plan.from_disk.push(part.in_buffer()),
                }
            }
        }
        self.statistics.disk_read_bytes +=
            plan.from_disk.as_slice().iter().map(|range| range.len() as u64).sum::<u64>();
        Ok(plan)
    }

    /// Ends a read whose [`ReadPlan::read_disk`] and [`ReadPlan::read_cached`] came to `outcome`.
    ///
    /// Blocks may have been written, and even destaged, since it was planned. Those writes overlap the read in time, so what was there
    /// before them may be returned.
    ///
    /// # Errors
    /// [`CacheError::Damaged`], or a device's.
    pub fn finish_read(&mut self, plan: ReadPlan, outcome: Result<(), ReadFailure>) -> Result<ReadEnd, CacheError> {
        let ReadPlan { cached, wanted, .. } = plan;
        for PlannedPart { copy, .. } in cached.as_slice() {
            self.let_go(copy);
        }
        match outcome {
            Ok(()) => Ok(ReadEnd::Done(self.begin_keeping(&wanted))),
            Err(ReadFailure(Why::Disk(error))) => Err(error),
            Err(ReadFailure(Why::Cache(unreadable))) => match self.note_unreadable(unreadable) {
                Some(error) => Err(error),
                None => Ok(ReadEnd::Again),
            },
        }
    }
}
