//! The cache behind a lock, and what runs beside it. Reads and writes are in `requests.rs`.

use crate::clock::Clock;
use crate::gate::Gate;
use crate::paced::PacedDisk;
use crate::signal::Signal;
use crate::throttle::ThrottleStatus;
use halo_cache::destage::{DestageBatch, Transferred};
use halo_cache::driver::{self, End, Host, Round};
use halo_cache::{Bug, Cache, CacheError, Mode, Planted, Recovery, Settings, Statistics, Status, note_lacks};
use halo_core::destage::Trigger;
use halo_media::{Medium, intact};
use halo_planted::Mistake;
#[cfg(feature = "shuttle")]
use shuttle::sync::{Mutex, MutexGuard};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
#[cfg(not(feature = "shuttle"))]
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A cache that any number of threads may use at once.
///
/// A read that overlaps a write in time gives, for each sector, what was there before or after it. Everything else is as
/// with [`Cache`].
pub struct SharedCache<M, D> {
    cache: Mutex<Cache<M, D>>,
    /// A commit, destage or zeroing of the disk has ended.
    pub(crate) ended: Signal,
    /// A read or write of the cache medium has ended.
    pub(crate) requests: Signal,
    /// A thread panicked between the steps of a request.
    abandoned: AtomicBool,
    pub(crate) planted: Planted,
    pub(crate) gate: Gate,
    pub(crate) medium: M,
    pub(crate) disk: D,
    pub(crate) mode: Mode,
    pub(crate) opened: Clock,
    recovery_time: Duration,
}

impl<M: Medium + Clone, D: Medium + Clone + Sync> SharedCache<M, D> {
    /// Shares a cache; handles of its devices are cloned, as `Arc`s are.
    pub fn new(cache: Cache<M, D>) -> Self {
        let (medium, disk, mode) = (cache.medium().clone(), cache.disk().clone(), cache.mode());
        let planted = cache.planted();
        let gate = Gate::new(None);
        let recovery_time = Duration::ZERO;
        Self {
            cache: Mutex::new(cache),
            ended: Signal::new(),
            requests: Signal::new(),
            abandoned: AtomicBool::new(false),
            planted,
            gate,
            medium,
            disk,
            mode,
            opened: Clock::start(),
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

    /// Takes the time from here, in nanoseconds since the opening, and not from the machine: for a host that lets time pass by itself, such as
    /// one that replays a trace.
    #[must_use]
    pub fn with_clock(self, nanos: Arc<AtomicU64>) -> Self {
        Self { opened: Clock::Set(nanos), ..self }
    }

    /// Bytes that the device offers.
    pub fn capacity_bytes(&self) -> u64 {
        self.lock().capacity_bytes()
    }

    /// The work since the cache was opened.
    pub fn statistics(&self) -> Statistics {
        self.lock().statistics()
    }

    /// All figures of the cache, at one moment.
    pub fn status(&self) -> Status {
        self.lock().status()
    }

    /// The throttle's status.
    pub fn throttle_status(&self) -> ThrottleStatus {
        self.gate.status()
    }

    /// How long opening took, recovery included.
    pub fn recovery_time(&self) -> Duration {
        self.recovery_time
    }

    /// Blocks that the disk does not have yet.
    pub fn dirty_blocks(&self) -> u64 {
        self.lock().dirty_blocks()
    }

    /// The last step of a write in mode strict.
    pub(crate) fn commit_strictly(&self) -> Result<(), CacheError> {
        driver::commit_strictly(&Threads(self))
    }

    /// A flush.
    pub(crate) fn make_durable(&self) -> Result<(), CacheError> {
        driver::flush(&Threads(self))
    }

    /// One round of destaging if there is reason to: for a thread of the host that calls this again and again, and waits a
    /// little when it gives `false`. `disk_utilisation` is the share of time, 0 to 1, that the disk is busy with requests of
    /// others. True when blocks left the cache.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage_if_due(&self, disk_utilisation: f64) -> Result<bool, CacheError> {
        let mut cache = self.lock();
        cache.note_time(self.opened.elapsed());
        let due = cache.destage_trigger(disk_utilisation);
        drop(cache);
        due.map_or(Ok(false), |trigger| Ok(matches!(self.destage_for(trigger)?, Round::Left(1..))))
    }

    /// Notes on the disk what it lacks, if that is due; as [`halo_cache::note_lacks`], for the thread that destages.
    ///
    /// # Errors
    /// The disk failed.
    pub fn note_lacks(&self, now_seconds: u64) -> Result<(), CacheError> {
        self.lock().note_time(self.opened.elapsed());
        note_lacks(&Threads(self), now_seconds)
    }

    /// One round of destaging.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage(&self) -> Result<Round, CacheError> {
        self.destage_for(Trigger::OnDemand)
    }

    fn destage_for(&self, trigger: Trigger) -> Result<Round, CacheError> {
        driver::destage_round(&Threads(self), trigger)
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    /// As for [`Cache::drain`].
    pub fn drain(&self) -> Result<(), CacheError> {
        driver::drain(&Threads(self))
    }

    /// Waits for what is under way to free slots, or clears and destages; see the crate about a full cache.
    pub(crate) fn make_room(&self) -> Result<(), CacheError> {
        self.gate.hurry(|| driver::make_room(&Threads(self)))
    }

    /// Gives the cache back, for detaching it: when no other thread uses it any more.
    pub fn into_cache(self) -> Cache<M, D> {
        intact(self.cache.into_inner())
    }

    /// Runs what reads or writes a device, without the lock.
    pub(crate) fn beside<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut unless_done = UnlessDone { shared: self, done: false };
        let outcome = work();
        unless_done.done = true;
        outcome
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Cache<M, D>> {
        self.unless_abandoned(intact(self.cache.lock()))
    }

    pub(crate) fn wait_for<'a>(&self, end: End, cache: MutexGuard<'a, Cache<M, D>>) -> MutexGuard<'a, Cache<M, D>> {
        let signal = match end {
            End::OfWork => &self.ended,
            End::OfRequest => &self.requests,
        };
        #[cfg(feature = "planted-bugs")]
        if self.planted.has(Bug::WaitersNotCounted) {
            return self.unless_abandoned(signal.wait_uncounted(cache));
        }
        self.unless_abandoned(signal.wait(cache))
    }

    /// As a lock whose holder panicked: what it had taken is never given back.
    fn unless_abandoned<'a>(&self, cache: MutexGuard<'a, Cache<M, D>>) -> MutexGuard<'a, Cache<M, D>> {
        assert!(!self.abandoned.load(SeqCst), "a thread panicked in the middle of a request");
        cache
    }
}

/// Threads that take the steps of a shared cache's protocol.
struct Threads<'a, M, D>(&'a SharedCache<M, D>);

impl<M: Medium + Clone, D: Medium + Clone + Sync> Host<M, D> for Threads<'_, M, D> {
    fn with<T>(&self, step: impl FnOnce(&mut Cache<M, D>) -> T) -> T {
        step(&mut self.0.lock())
    }

    fn when<T>(&self, end: End, mut step: impl FnMut(&mut Cache<M, D>) -> Option<T>) -> Result<T, CacheError> {
        let mut cache = self.0.lock();
        loop {
            if let Some(given) = step(&mut cache) {
                return Ok(given);
            }
            cache = self.0.wait_for(end, cache);
        }
    }

    fn beside<T>(&self, work: impl FnOnce(&M, &D) -> T) -> T {
        self.0.beside(|| work(&self.0.medium, &self.0.disk))
    }

    fn work_ended(&self) {
        self.0.ended.tell();
    }

    fn most_batch_blocks(&self) -> usize {
        self.0.gate.batch_blocks()
    }

    fn transfer(&self, batch: &DestageBatch) -> Result<Transferred, CacheError> {
        self.beside(|medium, disk| {
            let disk = PacedDisk::new(disk, &self.0.gate);
            batch.transfer_until(medium, &disk, || disk.end_bytes())
        })
    }

    fn flush_disk(&self) -> io::Result<()> {
        let flushed =
            if Mistake::ZeroedDiskNotFlushed.is_made() { Ok(()) } else { self.beside(|_, disk| disk.barrier()) };
        if Mistake::LateZeroesForgotten.is_made() {
            self.with(|cache| cache.pending_direct_changes().map(|number| cache.direct_changes_are_durable(number)));
        }
        flushed
    }

    fn joins_running_commit(&self) -> bool {
        self.0.planted.has(Bug::FlushJoinsRunningCommit) || Mistake::FlushJoinsRunningCommit.is_made()
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
            // A thread that has looked already waits by now.
            drop(self.shared.cache.lock());
            self.shared.ended.tell();
            self.shared.requests.tell();
        }
    }
}
