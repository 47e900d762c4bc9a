//! The cache behind a lock, and what runs beside it. Reads and writes are in `requests.rs`.

use crate::gate::Gate;
use crate::paced::PacedDisk;
use crate::throttle::ThrottleStatus;
use halo_cache::{Bug, Cache, CacheError, Mode, Planted, Recovery, Settings, Statistics, Status};
use halo_core::destage::Trigger;
use halo_media::{Medium, intact};
use halo_planted::Mistake;
#[cfg(feature = "shuttle")]
use shuttle::sync::{Condvar, Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
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
    pub(crate) ended: Condvar,
    /// A read or write of the cache medium has ended.
    pub(crate) requests: Condvar,
    /// A thread panicked between the steps of a request.
    abandoned: AtomicBool,
    pub(crate) planted: Planted,
    pub(crate) gate: Gate,
    pub(crate) medium: M,
    pub(crate) disk: D,
    pub(crate) mode: Mode,
    pub(crate) opened: Instant,
    recovery_time: Duration,
}

pub(crate) struct State<M, D> {
    pub(crate) cache: Cache<M, D>,
    begun: u64,
    finished: u64,
    pub(crate) committing: bool,
    /// A destage or a zeroing of the disk is under way: both change what the disk holds, and exclude each other.
    pub(crate) on_disk: bool,
}

/// What a round of destaging came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// Blocks left the cache.
    Left,
    /// None did.
    Nothing,
    /// None can, and none ever will without help from outside.
    Stuck,
    /// None can before a request has ended.
    Requests,
}

impl<M: Medium, D: Medium> State<M, D> {
    /// With no block to destage: whether a slot will be free. What others staged meanwhile can still be committed and
    /// destaged, so this is to be asked in the same breath as for blocks.
    fn without_blocks(&self) -> Round {
        if self.committing || !self.cache.is_committed() || self.cache.room().free_slots > 0 {
            Round::Nothing
        } else if self.cache.slots_in_use_by_requests() > 0 {
            Round::Requests
        } else {
            Round::Stuck
        }
    }
}

impl<M: Medium + Clone, D: Medium + Clone + Sync> SharedCache<M, D> {
    /// Shares a cache; handles of its devices are cloned, as `Arc`s are.
    pub fn new(cache: Cache<M, D>) -> Self {
        let (medium, disk, mode) = (cache.medium().clone(), cache.disk().clone(), cache.mode());
        let planted = cache.planted();
        let state = State { cache, begun: 0, finished: 0, committing: false, on_disk: false };
        let gate = Gate::new(None);
        let recovery_time = Duration::ZERO;
        Self {
            state: Mutex::new(state),
            ended: Condvar::new(),
            requests: Condvar::new(),
            abandoned: AtomicBool::new(false),
            planted,
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

    /// Waits for a commit that began after this call, or makes it: one for all threads that ask while another is under way. When more
    /// is staged than one commit takes, for as many as it needs.
    pub(crate) fn commit(&self) -> Result<(), CacheError> {
        let mut state = self.lock();
        let planted = self.planted.has(Bug::FlushJoinsRunningCommit) || Mistake::FlushJoinsRunningCommit.is_made();
        let joins = planted && state.committing;
        let wanted = state.begun + u64::from(!joins);
        let wanted_blocks = if joins { 0 } else { state.cache.staged_and_durable_blocks().0 };
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
            let outcome = self.beside(|| commit.make_durable(&self.medium));
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
    pub(crate) fn make_durable(&self) -> Result<(), CacheError> {
        self.commit()?;
        let pending = self.lock().cache.pending_zeroings();
        let Some(number) = pending else { return Ok(()) };
        let flushed =
            if Mistake::ZeroedDiskNotFlushed.is_made() { Ok(()) } else { self.beside(|| self.disk.barrier()) };
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

    pub(crate) fn destage_round(&self, trigger: Trigger) -> Result<Round, CacheError> {
        // Only committed copies can go, and cleared slots become free with a commit.
        self.commit()?;
        let mut state = self.lock();
        while state.on_disk {
            state = self.wait(state);
        }
        let Some(batch) = state.cache.begin_destage_for(trigger, self.gate.batch_blocks()) else {
            return Ok(state.without_blocks());
        };
        state.on_disk = true;
        drop(state);
        let disk = PacedDisk::new(&self.disk, &self.gate);
        let outcome = self.beside(|| batch.transfer_until(&self.medium, &disk, || disk.end_bytes()));
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

    /// Runs what reads or writes a device, without the lock.
    pub(crate) fn beside<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut unless_done = UnlessDone { shared: self, done: false };
        let outcome = work();
        unless_done.done = true;
        outcome
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State<M, D>> {
        self.unless_abandoned(intact(self.state.lock()))
    }

    pub(crate) fn wait<'a>(&self, state: MutexGuard<'a, State<M, D>>) -> MutexGuard<'a, State<M, D>> {
        self.wait_for(&self.ended, state)
    }

    pub(crate) fn wait_for<'a>(
        &self,
        end: &Condvar,
        state: MutexGuard<'a, State<M, D>>,
    ) -> MutexGuard<'a, State<M, D>> {
        self.unless_abandoned(intact(end.wait(state)))
    }

    /// As a lock whose holder panicked: what it had taken is never given back.
    fn unless_abandoned<'a>(&self, state: MutexGuard<'a, State<M, D>>) -> MutexGuard<'a, State<M, D>> {
        assert!(!self.abandoned.load(SeqCst), "a thread panicked in the middle of a request");
        state
    }
}

/// Tells all others when a thread panics between the steps of a request.
struct UnlessDone<'a, M, D> {
    shared: &'a SharedCache<M, D>,
    done: bool,
}

impl<M, D> Drop for UnlessDone<'_, M, D> {
    fn drop(&mut self) {
        if !self.done {
            self.shared.abandoned.store(true, SeqCst);
            // Whoever has looked already waits by now.
            drop(self.shared.state.lock());
            self.shared.ended.notify_all();
            self.shared.requests.notify_all();
        }
    }
}
