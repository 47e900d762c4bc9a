//! The cache behind a lock, and what runs beside it.

use crate::gate::Gate;
use crate::paced::PacedDisk;
use crate::throttle::ThrottleStatus;
use halo_cache::{Cache, CacheError, Mode, Recovery, Settings, Statistics, Status, Zeroing};
use halo_core::destage::Trigger;
use halo_media::{Medium, intact};
use halo_planted::Mistake;
#[cfg(feature = "shuttle")]
use shuttle::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(feature = "shuttle"))]
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A cache that any number of threads may use at once.
///
/// A read that overlaps a write in time gives, for each sector, what was there before or after it. Everything else is as
/// with [`Cache`].
pub struct SharedCache<M, D> {
    state: Mutex<State<M, D>>,
    /// A commit, destage or zeroing of the disk has ended.
    ended: Condvar,
    gate: Gate,
    medium: M,
    disk: D,
    mode: Mode,
    opened: Instant,
    recovery_time: Duration,
}

struct State<M, D> {
    cache: Cache<M, D>,
    begun: u64,
    finished: u64,
    committing: bool,
    /// A destage or a zeroing of the disk is under way: both change what the disk holds, and exclude each other.
    on_disk: bool,
}

/// What a round of destaging came to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Blocks left the cache.
    Left,
    /// None did.
    Nothing,
    /// None can, and none ever will without help from outside.
    Stuck,
}

impl<M: Medium, D: Medium> State<M, D> {
    /// With no block to destage: no slot is free, and none will be. What others staged meanwhile can still be committed and
    /// destaged, so this is to be asked in the same breath as for blocks.
    fn is_stuck(&self) -> bool {
        !self.committing && self.cache.is_committed() && self.cache.room().free_slots == 0
    }
}

impl<M: Medium + Clone, D: Medium + Clone + Sync> SharedCache<M, D> {
    /// Shares a cache; handles of its devices are cloned, as `Arc`s are.
    pub fn new(cache: Cache<M, D>) -> Self {
        let (medium, disk, mode) = (cache.medium().clone(), cache.disk().clone(), cache.mode());
        let state = State { cache, begun: 0, finished: 0, committing: false, on_disk: false };
        let gate = Gate::new(None);
        let recovery_time = Duration::ZERO;
        Self {
            state: Mutex::new(state),
            ended: Condvar::new(),
            gate,
            medium,
            disk,
            mode,
            opened: Instant::now(),
            recovery_time,
        }
    }

    /// Opens a cache and shares it.
    ///
    /// # Errors
    /// As for [`Cache::open`].
    pub fn open(medium: M, disk: D, settings: Settings) -> Result<(Self, Recovery), CacheError> {
        let start = Instant::now();
        let (cache, recovery) = Cache::open(medium, disk, settings)?;
        Ok((Self { recovery_time: start.elapsed(), ..Self::new(cache) }, recovery))
    }

    /// Makes destaging yield to reads of the disk so that the 99th percentile of their latencies stays at the target; see
    /// [`crate::Throttle`].
    #[must_use]
    pub fn with_p99_target(self, target: Duration) -> Self {
        Self { gate: Gate::new(Some(target)), ..self }
    }

    /// Bytes that the device offers.
    pub fn capacity_bytes(&self) -> u64 {
        self.lock().cache.capacity_bytes()
    }

    /// What was done since the cache was opened.
    pub fn statistics(&self) -> Statistics {
        self.lock().cache.statistics()
    }

    /// All figures of the cache, at one moment.
    pub fn status(&self) -> Status {
        self.lock().cache.status()
    }

    /// What the throttle does.
    pub fn throttle_status(&self) -> ThrottleStatus {
        self.gate.status()
    }

    /// How long opening took, recovery included.
    pub fn recovery_time(&self) -> Duration {
        self.recovery_time
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
            if plan.needs_disk() {
                self.gate.read(|| plan.read_disk(&self.disk, buffer))?;
            }
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
        let at_once = self.mode == Mode::Strict && !Mistake::StrictWriteNotDurable.is_made();
        if at_once { self.commit() } else { Ok(()) }
    }

    /// Writes `bytes` and makes them durable.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn write_durably(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        self.make_durable()
    }

    /// Makes all writes durable that have returned.
    ///
    /// # Errors
    /// As for [`Cache::flush`].
    pub fn flush(&self) -> Result<(), CacheError> {
        self.make_durable()
    }

    /// Makes `count_bytes` read as zeros; see [`Zeroing`]. Durable when a write would be.
    ///
    /// # Errors
    /// As for [`Cache::zero`].
    pub fn zero(&self, offset_bytes: u64, count_bytes: usize, zeroing: Zeroing) -> Result<(), CacheError> {
        let mut handled = 0;
        while handled < count_bytes {
            let mut state = self.gate.hurry(|| {
                let mut state = self.lock();
                while state.on_disk {
                    state = self.wait(state);
                }
                state
            });
            state.cache.note_time(self.opened.elapsed());
            let step = state.cache.begin_zeroing(offset_bytes + handled as u64, count_bytes - handled, zeroing)?;
            state.on_disk = true;
            drop(state);
            let outcome = step.zero_disk(&self.disk);
            let mut state = self.lock();
            state.on_disk = false;
            let finished = state.cache.finish_zeroing(&step, outcome);
            self.ended.notify_all();
            drop(state);
            finished?;
            handled += step.handled_bytes();
            if step.handled_bytes() == 0 {
                self.make_room()?;
            }
        }
        let at_once = self.mode == Mode::Strict && !Mistake::StrictZeroNotDurable.is_made();
        if at_once { self.make_durable() } else { self.check_range(offset_bytes, count_bytes) }
    }

    /// An empty range may still lie outside of the device.
    fn check_range(&self, offset_bytes: u64, count_bytes: usize) -> Result<(), CacheError> {
        if count_bytes > 0 { Ok(()) } else { self.lock().cache.zero(offset_bytes, 0, Zeroing::Write) }
    }

    fn stage(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        let mut staged = 0;
        loop {
            let mut state = self.lock();
            state.cache.note_time(self.opened.elapsed());
            staged += state.cache.stage_what_fits(offset_bytes + staged as u64, &bytes[staged..])?;
            drop(state);
            if staged == bytes.len() {
                return Ok(());
            }
            self.make_room()?;
        }
    }

    /// Waits for what is under way to free slots, or clears and destages; see the crate about a full cache.
    fn make_room(&self) -> Result<(), CacheError> {
        self.gate.hurry(|| self.wait_for_room())
    }

    fn wait_for_room(&self) -> Result<(), CacheError> {
        loop {
            let state = self.lock();
            let room = state.cache.room();
            if room.free_slots > 0 {
                return Ok(());
            }
            if state.committing || state.on_disk {
                drop(self.wait(state));
                continue;
            }
            drop(state);
            if room.clearable_slots > 0 {
                self.commit()?;
            } else if self.destage_round(Trigger::OnDemand)? == Round::Stuck {
                return Err(CacheError::Full);
            }
        }
    }

    /// Waits for a commit that began after this call, or makes it: one for all threads that ask while another is under way. When more
    /// is staged than one commit takes, for as many as it needs.
    fn commit(&self) -> Result<(), CacheError> {
        let mut state = self.lock();
        if Mistake::FlushJoinsRunningCommit.is_made() && state.committing {
            drop(self.wait(state));
            return Ok(());
        }
        let wanted = state.begun + 1;
        let (wanted_blocks, _) = state.cache.staged_and_durable_blocks();
        while state.finished < wanted || state.cache.staged_and_durable_blocks().1 < wanted_blocks {
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

    /// A flush: a commit, and what is owed to blocks that were zeroed on the disk.
    fn make_durable(&self) -> Result<(), CacheError> {
        self.commit()?;
        let pending = self.lock().cache.pending_zeroings();
        let Some(number) = pending else { return Ok(()) };
        let flushed = if Mistake::ZeroedDiskNotFlushed.is_made() { Ok(()) } else { self.disk.barrier() };
        self.lock().cache.note_disk_flush(flushed)?;
        // Two commits that begin now clear all items that were waiting when the disk was zeroed.
        self.commit()?;
        self.commit()?;
        self.lock().cache.zeroings_are_durable(number);
        Ok(())
    }

    /// One round of destaging if there is reason to: for a thread of the host that calls this again and again, and waits a
    /// little when it gives `false`. `disk_utilisation` is the share of time, 0 to 1, that the disk is busy with requests of
    /// others. True when blocks left the cache.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage_if_due(&self, disk_utilisation: f64) -> Result<bool, CacheError> {
        let mut state = self.lock();
        state.cache.note_time(self.opened.elapsed());
        let due = state.cache.destage_trigger(disk_utilisation);
        drop(state);
        due.map_or(Ok(false), |trigger| Ok(self.destage_round(trigger)? == Round::Left))
    }

    /// One round of destaging. True when blocks left the cache.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage(&self) -> Result<bool, CacheError> {
        Ok(self.destage_round(Trigger::OnDemand)? == Round::Left)
    }

    fn destage_round(&self, trigger: Trigger) -> Result<Round, CacheError> {
        // Only committed copies can go, and cleared slots become free with a commit.
        self.commit()?;
        let mut state = self.lock();
        while state.on_disk {
            state = self.wait(state);
        }
        let Some(batch) = state.cache.begin_destage_for(trigger, self.gate.batch_blocks()) else {
            return Ok(if state.is_stuck() { Round::Stuck } else { Round::Nothing });
        };
        state.on_disk = true;
        drop(state);
        let disk = PacedDisk::new(&self.disk, &self.gate);
        let outcome = batch.transfer_until(&self.medium, &disk, || disk.end_bytes());
        let left = self.lock().cache.finish_destage(batch, outcome);
        // Two commits: the second clears what could not be cleared together with older copies. In order, the next batch may
        // begin only after that.
        let cleared = self.commit().and_then(|()| self.commit());
        self.lock().on_disk = false;
        self.ended.notify_all();
        cleared?;
        Ok(if left? > 0 { Round::Left } else { Round::Nothing })
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    /// As for [`Cache::drain`].
    pub fn drain(&self) -> Result<(), CacheError> {
        while self.destage()? {}
        let mut state = self.lock();
        while state.committing || state.on_disk {
            state = self.wait(state);
        }
        state.cache.drain()
    }

    /// Gives the cache back, for detaching it: when no other thread uses it any more.
    pub fn into_cache(self) -> Cache<M, D> {
        intact(self.state.into_inner()).cache
    }

    fn lock(&self) -> MutexGuard<'_, State<M, D>> {
        lock(&self.state)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<M, D>>) -> MutexGuard<'a, State<M, D>> {
        intact(self.ended.wait(state))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    intact(mutex.lock())
}
