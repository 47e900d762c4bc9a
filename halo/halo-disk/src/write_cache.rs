//! What the disk has acknowledged and not yet written.

use crate::profile::WriteCacheProfile;

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
    dirty: Vec<Cached>,
    dirty_sectors: u64,
    sequence: u64,
    /// The host's bytes come over one link.
    link_free_nanos: u64,
}

impl WriteCache {
    pub(crate) fn new(profile: WriteCacheProfile) -> Self {
        Self { profile, dirty: Vec::new(), dirty_sectors: 0, sequence: 0, link_free_nanos: 0 }
    }

    /// Takes a write; gives the time at which it is acknowledged, or nothing when there is no room.
    pub(crate) fn take(&mut self, now_nanos: u64, first_sector: u64, sectors: u64) -> Option<u64> {
        if (self.dirty_sectors + sectors) * crate::SECTOR_BYTES > self.profile.capacity_bytes {
            return None;
        }
        self.sequence += 1;
        self.dirty_sectors += sectors;
        let follows = self.dirty.last_mut().filter(|last| last.first_sector + last.sectors == first_sector);
        if let Some(last) = follows {
            last.sectors += sectors;
            last.sequence = self.sequence;
        } else {
            self.dirty.push(Cached { first_sector, sectors, sequence: self.sequence });
        }
        let transfer_nanos = sectors * crate::SECTOR_BYTES * 1_000_000_000 / self.profile.bytes_per_second;
        self.link_free_nanos = self.link_free_nanos.max(now_nanos) + transfer_nanos;
        Some(self.link_free_nanos)
    }

    /// The writes that may be the next to go to the platter.
    pub(crate) fn candidates(&self) -> &[Cached] {
        &self.dirty[..self.dirty.len().min(self.profile.choice.max(1))]
    }

    /// Takes a candidate out.
    pub(crate) fn remove(&mut self, index: usize) -> Cached {
        let cached = self.dirty.remove(index);
        self.dirty_sectors -= cached.sectors;
        cached
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
