//! One cache, many threads.
//!
//! [`SharedCache`] keeps the cache of `halo-cache` in a lock and does everything slow outside of it: barriers are shared by all
//! threads that wait for one, reads that need the disk do not hold up others, and a thread of the host destages. Not here:
//! servers and protocols; threads are the host's.

#![forbid(unsafe_code)]

use halo_cache::{Cache, CacheError, Mode, Statistics};
use halo_core::destage::Trigger;
use halo_media::Medium;
#[cfg(feature = "shuttle")]
use shuttle::sync::{Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
#[cfg(not(feature = "shuttle"))]
use std::sync::{Condvar, Mutex, MutexGuard};

/// A cache that any number of threads may use at once.
///
/// A read that overlaps a write in time gives, for each sector, what was there before or after it. Everything else is as
/// with [`Cache`].
pub struct SharedCache<M, D> {
    state: Mutex<State<M, D>>,
    /// A commit or destage has ended.
    ended: Condvar,
    medium: M,
    disk: D,
    mode: Mode,
}

struct State<M, D> {
    cache: Cache<M, D>,
    begun: u64,
    finished: u64,
    committing: bool,
    destaging: bool,
}

impl<M: Medium + Clone, D: Medium + Clone> SharedCache<M, D> {
    /// Shares a cache; handles of its devices are cloned, as `Arc`s are.
    pub fn new(cache: Cache<M, D>) -> Self {
        let (medium, disk, mode) = (cache.medium().clone(), cache.disk().clone(), cache.mode());
        let state = State { cache, begun: 0, finished: 0, committing: false, destaging: false };
        Self { state: Mutex::new(state), ended: Condvar::new(), medium, disk, mode }
    }

    /// Bytes that the device offers.
    pub fn capacity_bytes(&self) -> u64 {
        self.lock().cache.capacity_bytes()
    }

    /// What was done since the cache was opened.
    pub fn statistics(&self) -> Statistics {
        self.lock().cache.statistics()
    }

    /// Blocks that the disk does not have yet.
    pub fn dirty_blocks(&self) -> u64 {
        self.lock().cache.dirty_blocks()
    }

    /// Reads into `buffer`.
    ///
    /// # Errors
    /// As for [`Cache::read`].
    pub fn read(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CacheError> {
        loop {
            let plan = self.lock().cache.plan_read(offset_bytes, buffer.len())?;
            // Nothing is locked while the disk turns. What it gives for blocks that are cached is replaced below.
            plan.read_disk(&self.disk, buffer)?;
            // A block that was cached before and is not any more may have reached the disk after it was read: once more.
            if self.lock().cache.finish_read(&plan, buffer)? {
                return Ok(());
            }
        }
    }

    /// Writes `bytes`; in mode [`Mode::Strict`] they are durable once this is `Ok`.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn write(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        if self.mode == Mode::Strict { self.commit() } else { Ok(()) }
    }

    /// Writes `bytes` and makes them durable.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn write_durably(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        self.commit()
    }

    /// Makes all writes durable that have returned.
    ///
    /// # Errors
    /// As for [`Cache::flush`].
    pub fn flush(&self) -> Result<(), CacheError> {
        self.commit()
    }

    fn stage(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        let mut state = self.lock();
        loop {
            match state.cache.stage(offset_bytes, bytes) {
                // What is under way will free slots. Writing the first part of the request again does no harm.
                Err(CacheError::Full) if state.committing || state.destaging => state = self.wait(state),
                outcome => return outcome,
            }
        }
    }

    /// Waits for a commit that began after this call, or makes it: one for all threads that ask while another is under way.
    fn commit(&self) -> Result<(), CacheError> {
        let mut state = self.lock();
        let wanted = state.begun + 1;
        while state.finished < wanted {
            if state.committing {
                state = self.wait(state);
                continue;
            }
            if state.cache.is_committed() {
                return Ok(());
            }
            // After a failure this is where every waiting thread learns of it: the cache is poisoned.
            let commit = state.cache.begin_commit()?;
            state.committing = true;
            state.begun += 1;
            let number = state.begun;
            drop(state);
            let outcome = commit.make_durable(&self.medium);
            state = self.lock();
            state.committing = false;
            let finished = state.cache.finish_commit(commit, outcome);
            if finished.is_ok() {
                state.finished = number;
            }
            self.ended.notify_all();
            finished?;
        }
        Ok(())
    }

    /// One round of destaging if there is reason to: for a thread of the host that calls this again and again, and waits a
    /// little when it gives `false`. `disk_utilisation` is the share of time, 0 to 1, that the disk is busy with requests of
    /// others. True when blocks left the cache.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage_if_due(&self, disk_utilisation: f64) -> Result<bool, CacheError> {
        let trigger: Option<Trigger> = self.lock().cache.destage_trigger(disk_utilisation);
        if trigger.is_none() { Ok(false) } else { self.destage() }
    }

    /// One round of destaging. True when blocks left the cache.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage(&self) -> Result<bool, CacheError> {
        // Only committed copies can go, and cleared slots become free with a commit.
        self.commit()?;
        let mut state = self.lock();
        while state.destaging {
            state = self.wait(state);
        }
        let Some(batch) = state.cache.begin_destage() else { return Ok(false) };
        state.destaging = true;
        drop(state);
        let outcome = batch.transfer(&self.medium, &self.disk);
        let mut state = self.lock();
        state.destaging = false;
        let left = state.cache.finish_destage(batch, outcome);
        self.ended.notify_all();
        drop(state);
        let left = left?;
        // Two commits: the second clears what could not be cleared together with older copies.
        self.commit()?;
        self.commit()?;
        Ok(left > 0)
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    /// As for [`Cache::drain`].
    pub fn drain(&self) -> Result<(), CacheError> {
        while self.destage()? {}
        let mut state = self.lock();
        while state.committing || state.destaging {
            state = self.wait(state);
        }
        state.cache.drain()
    }

    fn lock(&self) -> MutexGuard<'_, State<M, D>> {
        // A thread that panicked in the cache left it in an unknown state; its assertions will speak again.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<M, D>>) -> MutexGuard<'a, State<M, D>> {
        self.ended.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}
