//! The writes that the disk has acknowledged and not yet written.

use crate::profile::WriteCacheProfile;
use std::collections::VecDeque;

/// A cached write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cached {
    pub(crate) first_sector: u64,
    pub(crate) sectors: u64,
    sequence: u64,
}

/// Cached writes, in the order in which they came.
#[derive(Clone, Debug)]
pub(crate) struct WriteCache {
    profile: WriteCacheProfile,
    dirty: VecDeque<Cached>,
    dirty_sectors: u64,
    sequence: u64,
}

impl WriteCache {
    pub(crate) fn new(profile: WriteCacheProfile) -> Self {
        Self { profile, dirty: VecDeque::new(), dirty_sectors: 0, sequence: 0 }
    }

    /// False for a write that would not even fit into the empty cache.
    pub(crate) fn fits(&self, sectors: u64) -> bool {
        sectors * crate::SECTOR_BYTES <= self.profile.capacity_bytes
    }

    /// Takes a write; false when there is no room now.
    pub(crate) fn take(&mut self, first_sector: u64, sectors: u64) -> bool {
        if !self.fits(self.dirty_sectors + sectors) {
            return false;
        }
        self.sequence += 1;
        self.dirty_sectors += sectors;
        let follows = self.dirty.back_mut().filter(|last| last.first_sector + last.sectors == first_sector);
        if let Some(last) = follows {
            // It keeps its number: a flush that waits for its first part must not end before.
            last.sectors += sectors;
        } else {
            self.dirty.push_back(Cached { first_sector, sectors, sequence: self.sequence });
        }
        true
    }

    /// The writes that may be the next to go to the platter.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &Cached> {
        self.dirty.iter().take(self.profile.choice.max(1))
    }

    /// True when nothing is cached.
    pub(crate) fn is_clean(&self) -> bool {
        self.dirty.is_empty()
    }

    /// Takes a candidate out.
    pub(crate) fn remove(&mut self, index: usize) -> Option<Cached> {
        let cached = self.dirty.remove(index)?;
        self.dirty_sectors -= cached.sectors;
        Some(cached)
    }

    /// A mark for [`WriteCache::is_clean_up_to`]: everything taken so far.
    pub(crate) fn mark(&self) -> u64 {
        self.sequence
    }

    /// True when all writes up to a mark have been removed.
    pub(crate) fn is_clean_up_to(&self, mark: u64) -> bool {
        self.dirty.iter().all(|cached| cached.sequence > mark)
    }

    pub(crate) fn flush_nanos(&self) -> u64 {
        self.profile.flush_nanos
    }
}

#[cfg(test)]
mod tests {
    use super::{WriteCache, WriteCacheProfile};

    #[test]
    fn a_flush_waits_for_a_write_that_a_later_one_joined() {
        let mut cache = WriteCache::new(WriteCacheProfile { capacity_bytes: 1 << 20, flush_nanos: 0, choice: 4 });
        assert!(cache.take(0, 8));
        let mark = cache.mark();

        assert!(cache.take(8, 8));
        assert!(!cache.is_clean_up_to(mark), "the first eight sectors are not on the platter");

        assert_eq!(cache.remove(0).map(|piece| piece.sectors), Some(16));
        assert!(cache.is_clean_up_to(mark));
    }
}
