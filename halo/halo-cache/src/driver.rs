//! The order in which commits, destages and drains take their steps, and who waits for whom: for one thread as for many.
//!
//! A step either has the cache or works on a device; no step does both but where a part of a block is zeroed. Between two steps anything may
//! happen that other threads do. Not here: reads, writes and zeroing, which wait for nothing but room, and the lock and the threads
//! themselves, which are a [`Host`]'s.

use crate::batch::{DestageBatch, Transferred};
use crate::cache::Cache;
use crate::destage::first_damaged;
use crate::error::CacheError;
use crate::planted::Bug;
use halo_core::destage::Trigger;
use halo_media::Medium;
use std::cell::RefCell;
use std::io;

/// The ends that a step may wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Of a commit, a destage, or a zeroing of the disk.
    OfWork,
    /// Of a read or write of the cache medium.
    OfRequest,
}

/// The owner of a cache: one thread, or many threads with a lock.
pub trait Host<M: Medium, D: Medium> {
    /// Takes a step with the cache, which nobody else has meanwhile.
    fn with<T>(&self, step: impl FnOnce(&mut Cache<M, D>) -> T) -> T;

    /// Tries a step with the cache, again after each end of that kind, until it gives something.
    ///
    /// # Errors
    /// [`CacheError::Full`]: there is nobody to wait for.
    fn when<T>(&self, end: End, step: impl FnMut(&mut Cache<M, D>) -> Option<T>) -> Result<T, CacheError>;

    /// Works on the devices without the cache.
    fn beside<T>(&self, work: impl FnOnce(&M, &D) -> T) -> T;

    /// Wakes those that wait for the end of work; they try again.
    fn work_ended(&self) {}

    /// Blocks that a batch may have now.
    fn most_batch_blocks(&self) -> usize {
        usize::MAX
    }

    /// Writes a batch to the disk.
    ///
    /// # Errors
    /// As for [`DestageBatch::transfer`].
    fn transfer(&self, batch: &DestageBatch) -> Result<Transferred, CacheError> {
        self.beside(|medium, disk| batch.transfer(medium, disk))
    }

    /// Flushes the disk for blocks that were written or zeroed on it.
    ///
    /// # Errors
    /// The disk's.
    fn flush_disk(&self) -> io::Result<()> {
        self.beside(|_, disk| disk.barrier())
    }

    /// A known mistake: a flush is content with a commit that was under way already.
    fn joins_running_commit(&self) -> bool {
        false
    }
}

/// The outcome of a round of destaging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// So many blocks left the cache; none when all were damaged, or written again meanwhile.
    Left(u64),
    /// There was none that the disk could take, and there may be room.
    Nothing,
    /// None can leave, and none ever will without help from outside.
    Stuck,
    /// None can before a request has ended.
    Requests,
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// True while a destage or a zeroing changes what the disk holds: they exclude each other.
    pub fn disk_is_taken(&self) -> bool {
        self.disk_use.is_taken()
    }

    /// True when a batch in order waits for slots that were not cleared yet: damaged copies may have become some right now.
    fn must_clear_first(&mut self) -> bool {
        self.let_superseded_damage_go();
        self.in_order() && self.slots.has_clearable() && !self.settings.planted.has(Bug::OrderedBeforeClearing)
    }

    /// A planted mistake.
    fn goes_on_uncleared(&self) -> bool {
        self.in_order() && self.commits.staged_blocks() == 0 && self.settings.planted.has(Bug::OrderedBeforeClearing)
    }

    /// With no block to destage: whether a slot will be free. What others staged meanwhile can still be committed and
    /// destaged, so this is to be asked in the same breath as for blocks.
    fn without_blocks(&self) -> Round {
        if self.commits.in_flight() || !self.is_committed() || self.room().free_slots > 0 {
            Round::Nothing
        } else if self.slots_in_use_by_requests() > 0 {
            Round::Requests
        } else {
            Round::Stuck
        }
    }
}

/// Waits for a commit that began after this call, or makes it: one for all threads that ask while another is under way. When more
/// is staged than one commit takes, for as many as it needs.
///
/// # Errors
/// Nothing of it may be durable, and the cache is poisoned.
pub fn commit<M: Medium, D: Medium>(host: &impl Host<M, D>) -> Result<(), CacheError> {
    let (mut wanted, joins) = (None, host.joins_running_commit());
    loop {
        let begun = host.when(End::OfWork, |cache| {
            let (commits, blocks) = *wanted.get_or_insert_with(|| cache.to_be_durable(joins));
            let (_, durable_blocks) = cache.staged_and_durable_blocks();
            if cache.commits.finished() >= commits && durable_blocks >= blocks {
                return Some(Ok(None));
            }
            if cache.commits.in_flight() {
                return None;
            }
            // After a failure this is where every waiting thread learns of it: the cache is poisoned.
            Some(if cache.is_committed() { Ok(None) } else { cache.begin_commit().map(Some) })
        })?;
        let Some(commit) = begun? else { return Ok(()) };
        let outcome = host.beside(|medium, _| commit.make_durable(medium));
        let finished = host.with(|cache| cache.finish_commit(commit, outcome));
        host.work_ended();
        finished?;
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Commits that must have ended, and blocks that must be durable, for what is staged now.
    fn to_be_durable(&self, joins: bool) -> (u64, u64) {
        if joins && self.commits.in_flight() {
            return (self.commits.begun(), 0);
        }
        let cut_short = self.settings.planted.has(Bug::LargeFlushCutShort);
        (self.commits.begun() + 1, if cut_short { 0 } else { self.staged_and_durable_blocks().0 })
    }
}

/// The last step of a write in mode strict: it is durable after this.
///
/// # Errors
/// As for [`flush`].
pub fn commit_strictly<M: Medium, D: Medium>(host: &impl Host<M, D>) -> Result<(), CacheError> {
    let bypasses = host.with(|cache| cache.bypasses() && !cache.settings.planted.has(Bug::BypassStrictNotFlushed));
    if bypasses { flush(host) } else { commit(host) }
}

/// A flush: a commit, and what is owed to blocks that were written or zeroed on the disk itself.
///
/// # Errors
/// As for [`commit`]; or the disk failed.
pub fn flush<M: Medium, D: Medium>(host: &impl Host<M, D>) -> Result<(), CacheError> {
    let (planted, poisoned) = host.with(|cache| (cache.settings.planted, cache.health.is_poisoned()));
    if poisoned {
        return Err(CacheError::Poisoned);
    }
    if !planted.has(Bug::FlushWithoutCommit) {
        commit(host)?;
    }
    let Some(number) = host.with(|cache| cache.pending_direct_changes()) else { return Ok(()) };
    if !planted.has(Bug::ZeroedDiskNotFlushed) {
        let flushed = host.flush_disk();
        host.with(|cache| cache.note_disk_flush(flushed))?;
    }
    if !planted.has(Bug::ZeroedBlocksComeBack) {
        // Two commits that begin now clear all items that were waiting when the disk was written or zeroed.
        commit(host)?;
        commit(host)?;
    }
    host.with(|cache| cache.direct_changes_are_durable(number));
    Ok(())
}

/// One round of destaging: blocks go to the disk, and their slots are free at its end.
///
/// # Errors
/// The blocks are still in the cache.
pub fn destage_round<M: Medium, D: Medium>(host: &impl Host<M, D>, trigger: Trigger) -> Result<Round, CacheError> {
    // Only committed copies can go, and cleared slots become free with a commit.
    if !host.with(|cache| cache.goes_on_uncleared()) {
        commit(host)?;
    }
    if host.with(Cache::must_clear_first) {
        commit(host)?;
        commit(host)?;
    }
    let mut waits = false;
    let begun = host.when(End::OfWork, |cache| {
        if !cache.disk_use.admits_round(&mut waits) {
            return None;
        }
        let batch = cache.begin_destage_for(trigger, host.most_batch_blocks());
        if batch.is_some() {
            cache.disk_use.set_round(true);
        }
        Some(batch.ok_or_else(|| cache.without_blocks()))
    });
    if waits {
        host.with(|cache| cache.disk_use.set_round_waits(&mut waits, false));
    }
    let batch = match begun? {
        Ok(batch) => batch,
        Err(round) => {
            // A zeroing may have let this round go first.
            host.work_ended();
            return Ok(round);
        }
    };
    let clears_first = batch.planted.has(Bug::ClearBeforeDiskWrite);
    let left = if clears_first { clear_first(host, batch) } else { transfer(host, batch) };
    // Two commits: the second clears what could not be cleared together with older copies. In order, the next batch may
    // begin only after that.
    let uncleared = host.with(|cache| cache.goes_on_uncleared());
    let cleared = if uncleared { Ok(()) } else { commit(host).and_then(|()| commit(host)) };
    host.with(|cache| cache.disk_use.set_round(false));
    host.work_ended();
    cleared?;
    left.map(Round::Left)
}

fn transfer<M: Medium, D: Medium>(host: &impl Host<M, D>, batch: DestageBatch) -> Result<u64, CacheError> {
    let outcome = host.transfer(&batch);
    host.with(|cache| cache.finish_destage(batch, outcome))
}

fn clear_first<M: Medium, D: Medium>(host: &impl Host<M, D>, batch: DestageBatch) -> Result<u64, CacheError> {
    let blocks = batch.clone();
    let pretended = Transferred { taken: batch.len(), damaged: Vec::new() };
    let finished = host.with(|cache| cache.finish_destage(batch, Ok(pretended)))?;
    commit(host)?;
    host.transfer(&blocks)?;
    Ok(finished)
}

/// Writes everything to the disk and flushes it, until at one moment nothing is left, not even an item to be cleared.
///
/// # Errors
/// The disk failed, or a block is damaged. Blocks that the disk did not take are still in the cache.
pub fn drain<M: Medium, D: Medium>(host: &impl Host<M, D>) -> Result<(), CacheError> {
    loop {
        let round = destage_round(host, Trigger::OnDemand)?;
        if matches!(round, Round::Left(_)) {
            continue;
        }
        flush(host)?;
        let drained = host.when(End::OfWork, |cache| {
            let waits = cache.commits.in_flight() || cache.disk_is_taken();
            (!waits).then(|| cache.end_drain())
        })?;
        if drained? {
            return Ok(());
        }
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// False when more was written meanwhile.
    fn end_drain(&mut self) -> Result<bool, CacheError> {
        let drained = self.how_drained()?;
        if drained {
            self.close_gap()?;
        }
        Ok(drained)
    }

    fn how_drained(&self) -> Result<bool, CacheError> {
        if self.pending_direct_changes().is_some() || !self.is_committed() {
            return if self.health.is_poisoned() { Err(CacheError::Poisoned) } else { Ok(false) };
        }
        if self.directory.is_empty() {
            return Ok(true);
        }
        // All is committed, and still the disk takes nothing.
        Err(first_damaged(self).map_or(CacheError::Full, CacheError::Damaged))
    }
}

/// Waits for what is under way to free slots, or clears and destages.
///
/// # Errors
/// [`CacheError::Full`]: no slot will be free. As for [`destage_round`].
pub fn make_room<M: Medium, D: Medium>(host: &impl Host<M, D>) -> Result<(), CacheError> {
    loop {
        let room = host.when(End::OfWork, |cache| {
            let room = cache.room();
            let waits = room.free_slots == 0 && (cache.commits.in_flight() || cache.disk_is_taken());
            (!waits).then_some(room)
        })?;
        if room.free_slots > 0 {
            return Ok(());
        }
        if room.clearable_slots > 0 {
            commit(host)?;
            continue;
        }
        match destage_round(host, Trigger::OnDemand)? {
            Round::Left(_) | Round::Nothing => {}
            Round::Stuck => return Err(CacheError::Full),
            Round::Requests => wait_for_requests(host)?,
        }
    }
}

/// Waits until a request has ended that keeps a slot from being free, unless there is room already.
fn wait_for_requests<M: Medium, D: Medium>(host: &impl Host<M, D>) -> Result<(), CacheError> {
    let mut waited = false;
    host.when(End::OfRequest, |cache| {
        let room = cache.room();
        let is_over = waited || room.free_slots + room.clearable_slots > 0 || cache.slots_in_use_by_requests() == 0;
        waited = true;
        is_over.then_some(())
    })
}

/// One thread, which has the cache to itself.
pub(crate) struct Alone<'a, M, D>(RefCell<&'a mut Cache<M, D>>);

impl<'a, M: Medium, D: Medium> Alone<'a, M, D> {
    pub(crate) fn with(cache: &'a mut Cache<M, D>) -> Self {
        Self(RefCell::new(cache))
    }
}

impl<M: Medium, D: Medium> Host<M, D> for Alone<'_, M, D> {
    fn with<T>(&self, step: impl FnOnce(&mut Cache<M, D>) -> T) -> T {
        step(&mut self.0.borrow_mut())
    }

    fn when<T>(&self, _: End, mut step: impl FnMut(&mut Cache<M, D>) -> Option<T>) -> Result<T, CacheError> {
        step(&mut self.0.borrow_mut()).ok_or(CacheError::Full)
    }

    fn beside<T>(&self, work: impl FnOnce(&M, &D) -> T) -> T {
        let cache = self.0.borrow();
        work(&cache.medium, &cache.disk)
    }
}
