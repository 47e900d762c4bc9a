//! Letting damaged blocks go whose loss the operator accepts.

use crate::cache::Cache;
use crate::error::CacheError;
use halo_core::Lbn;
use halo_media::Medium;
use std::collections::BTreeSet;

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Writes everything to the disk but the blocks whose cached copy does not match its checksum, and drops these: the disk
    /// keeps what it has of them. Gives them, ascending.
    ///
    /// # Errors
    /// As for [`Cache::drain`], but for damaged blocks.
    pub fn drain_giving_up_damaged(&mut self) -> Result<Vec<Lbn>, CacheError> {
        let mut given_up = BTreeSet::new();
        loop {
            match self.drain() {
                Err(CacheError::Damaged(_)) => given_up.extend(self.drop_damaged()),
                outcome => return outcome.map(|()| given_up.into_iter().collect()),
            }
        }
    }

    /// Drops the damaged copies that a drain has found.
    fn drop_damaged(&mut self) -> Vec<Lbn> {
        let (mut dropped, mut slots, mut from) = (Vec::new(), BTreeSet::new(), 0);
        while let Some(bucket) = self.directory.buckets().next_activated(from) {
            let held = &self.slots;
            self.directory.remove_if(bucket, |block| {
                let leaves = held.is_damaged(block.slot);
                if leaves {
                    dropped.push(block.lbn);
                    slots.insert(block.slot);
                }
                leaves
            });
            from = bucket.0 + 1;
        }
        // In order, the same copies were set aside, and damaged older ones of their blocks.
        slots.extend(self.epochs.take_superseded(|_| true));
        for &slot in &slots {
            self.ages.end(slot);
        }
        self.slots.put_on_disk(slots.into_iter(), !self.commits.in_flight());
        dropped
    }
}
