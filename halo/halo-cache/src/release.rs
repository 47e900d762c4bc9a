//! Taking a disk away from a cache that is lost, and a cache from a disk. Writes the label or the superblock, and nothing else.

use crate::cache::Cache;
use crate::check::each_item;
use crate::error::{CacheError, Device, Refusal};
use crate::format::{Id, ItemState, Layout, Note, Record, RecordState, Stage};
use crate::identity::{copies, usable, write, write_copy};
use crate::planted::{Bug, Planted};
use crate::recovery::can_be_torn;
use crate::roles::explain;
use halo_media::Medium;
use std::collections::HashSet;

/// A disk's label about the cache that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The cache; at a disk that was released, the lost one.
    pub cache: Id,
    /// Counts the times that the pair was opened.
    pub session: u64,
    /// True when the disk alone is in the order of the flushes.
    pub ordered: bool,
    /// The note of its last use.
    pub note: Note,
    /// True when it was released already.
    pub released: bool,
    generation: u64,
}

/// The size of a medium does not matter to where a label lies, nor that of a disk to where a superblock does.
const ANY_MEDIUM_BYTES: u64 = 1 << 20;
const ANY_DISK_BYTES: u64 = 1 << 20;

/// A cache that is looked at without its disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orphan {
    /// The disk.
    pub disk: Id,
    /// Counts the times that the pair was opened.
    pub session: u64,
    /// Different blocks that the cache has and the disk may lack.
    pub blocks: u64,
    /// Items that cannot be read.
    pub damaged_items: u64,
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Reads which cache a disk belongs to. Writes nothing.
    ///
    /// # Errors
    /// [`Refusal::NotBound`], or it has no label that can be read.
    pub fn bound(disk: &D) -> Result<Bound, CacheError> {
        let layout = Layout::new(ANY_MEDIUM_BYTES, disk.len_bytes())?;
        let label = RecordState::newest_of_any_version(copies(disk, Device::Disk, &layout)?, Device::Disk)
            .map_err(|refusal| explain(refusal, disk))?;
        let released = label.stage == Stage::Released;
        if label.cache == Id::NONE && !released {
            return Err(Refusal::NotBound.into());
        }
        let cache = if released { label.note.lost } else { label.cache };
        let Record { session, ordered, note, generation, .. } = label;
        Ok(Bound { cache, session, ordered, note, released, generation })
    }

    /// Gives a disk free whose cache is lost. What the disk does not have of that cache's blocks is given up; its content stays
    /// as it is. Of a disk that was released before, both copies of the label are made whole.
    ///
    /// # Errors
    /// The disk belongs to no cache, or failed: then it may be released or not, and this can be repeated.
    pub fn release(disk: &D, now_seconds: u64, planted: Planted) -> Result<Bound, CacheError> {
        let bound = Self::bound(disk)?;
        let layout = Layout::new(ANY_MEDIUM_BYTES, disk.len_bytes())?;
        let label = RecordState::newest_of_any_version(copies(disk, Device::Disk, &layout)?, Device::Disk)?;
        let released = if bound.released {
            label
        } else {
            let lost = if planted.has(Bug::ReleaseForgetsTheLost) { Id::NONE } else { bound.cache };
            Record {
                generation: bound.generation + 1,
                cache: Id::NONE,
                stage: Stage::Released,
                note: Note { lost, at_seconds: now_seconds, ..bound.note },
                ..label
            }
        };
        if planted.has(Bug::ReleaseOneCopy) {
            write_copy(disk, Device::Disk, layout.record_offsets_bytes(Device::Disk)[0], &released)?;
        } else {
            write(disk, Device::Disk, &layout, &released)?;
        }
        Ok(bound)
    }

    /// Counts the blocks of which a medium has items of `cache`, as one of `medium_bytes` has them: whatever is left of its superblocks, and
    /// of a medium that became shorter. Writes nothing.
    ///
    /// # Errors
    /// The medium failed.
    pub fn blocks_left(
        medium: &M,
        medium_bytes: u64,
        disk: &D,
        cache: Id,
        planted: Planted,
    ) -> Result<u64, CacheError> {
        // A file that is too small for a cache holds no items.
        let Ok(layout) = Layout::new(medium_bytes, disk.len_bytes()) else { return Ok(0) };
        let mut blocks = HashSet::new();
        let looked = each_item(medium, &layout, cache.tag(), |_, item| {
            if let ItemState::Valid(item) = item {
                blocks.insert(item.lbn);
            }
            Ok(())
        });
        // Behind its end there is nothing to be found.
        let cut_short = medium.len_bytes() < medium_bytes || planted.has(Bug::UnreadableItemsAreNone);
        looked.or_else(|error| if cut_short { Ok(()) } else { Err(error) })?;
        Ok(blocks.len() as u64)
    }

    /// Reads which disk a cache belongs to, and how much it holds. Writes nothing.
    ///
    /// # Errors
    /// It is no cache that is in use, or its medium failed.
    pub fn orphan(medium: &M) -> Result<Orphan, CacheError> {
        orphan(medium).map(|(orphan, ..)| orphan)
    }

    /// Gives a cache free whose disk is lost: it can be created anew, in front of another one. Blocks that only it has are given up.
    ///
    /// # Errors
    /// As for [`Cache::orphan`]; if the medium failed, the cache may be free or not, and this can be repeated.
    pub fn release_cache(medium: &M) -> Result<Orphan, CacheError> {
        let (orphan, layout, superblock) = orphan(medium)?;
        let free = Record { generation: superblock.generation + 1, stage: Stage::Detached, ..superblock };
        write(medium, Device::Cache, &layout, &free)?;
        Ok(orphan)
    }
}

fn orphan(medium: &impl Medium) -> Result<(Orphan, Layout, Record), CacheError> {
    let layout = Layout::new(medium.len_bytes(), ANY_DISK_BYTES)?;
    let superblock = usable(&copies(medium, Device::Cache, &layout)?).map_err(|refusal| explain(refusal, medium))?;
    let layout = Layout::new(superblock.medium_bytes, superblock.disk_bytes)?;
    let (mut blocks, mut damaged_items) = (HashSet::new(), 0);
    each_item(medium, &layout, superblock.cache.tag(), |_, item| {
        match item {
            ItemState::Empty => {}
            ItemState::Damaged if can_be_torn(medium) => {}
            ItemState::Valid(item) => drop(blocks.insert(item.lbn)),
            ItemState::Damaged => damaged_items += 1,
        }
        Ok(())
    })?;
    let Record { disk, session, .. } = superblock;
    Ok((Orphan { disk, session, blocks: blocks.len() as u64, damaged_items }, layout, superblock))
}

/// A time for people: seconds since 1970 as a date of the Gregorian calendar.
pub fn utc(seconds: u64) -> String {
    if seconds == 0 {
        return "at a time that is not known".into();
    }
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // The calendar repeats itself every 400 years of 146,097 days.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{:02} {hour:02}:{minute:02}:{second:02} UTC", days + 1)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn times_are_shown_as_dates() {
        for (seconds, text) in [
            (1, "1970-01-01 00:00:01 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (951_868_800, "2000-03-01 00:00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(seconds), text);
        }
        assert!(utc(u64::MAX).ends_with("UTC"));
    }
}
