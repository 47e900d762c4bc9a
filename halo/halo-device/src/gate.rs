//! The throttle with its clock: where threads wait until they may write to the disk.

use crate::signal::Signal;
use crate::throttle::{Admission, Throttle, ThrottleStatus};
use halo_media::intact;
#[cfg(feature = "shuttle")]
use shuttle::sync::{Mutex, MutexGuard};
#[cfg(not(feature = "shuttle"))]
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Lets reads of requests through at once, and writes of destaging when the throttle does.
pub(crate) struct Gate {
    throttle: Mutex<Throttle>,
    /// A read or write has ended, or a writer waits for room.
    changed: Signal,
    since: Instant,
}

impl Gate {
    pub(crate) fn new(target: Option<Duration>) -> Self {
        let nanos = target.map(|target| target.as_nanos().try_into().unwrap_or(u64::MAX));
        Self { throttle: Mutex::new(Throttle::new(nanos)), changed: Signal::new(), since: Instant::now() }
    }

    /// A read of a request, which destaging is to make room for.
    pub(crate) fn read<T>(&self, read: impl FnOnce() -> T) -> T {
        let reading = self.change(Throttle::begin_read);
        let outcome = read();
        self.change(|throttle, now_nanos| throttle.end_read(now_nanos, reading));
        outcome
    }

    /// A write of destaging, or a flush after it: waits for its turn.
    pub(crate) fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        self.wait_for_admission();
        let outcome = write();
        self.change(Throttle::end_write);
        outcome
    }

    /// While `work` runs, a request waits for destaging to make room.
    pub(crate) fn hurry<T>(&self, work: impl FnOnce() -> T) -> T {
        self.change(|throttle, _| throttle.begin_waiting());
        let outcome = work();
        self.change(|throttle, _| throttle.end_waiting());
        outcome
    }

    /// While `work` runs, a request waits for the batch under way to end; the reads are as urgent as before.
    pub(crate) fn shorten_batches<T>(&self, work: impl FnOnce() -> T) -> T {
        self.change(|throttle, _| throttle.begin_waiting_for_disk());
        let outcome = work();
        self.change(|throttle, _| throttle.end_waiting_for_disk());
        outcome
    }

    pub(crate) fn batch_blocks(&self) -> usize {
        let throttle = self.lock();
        throttle.batch_blocks(self.now_nanos())
    }

    pub(crate) fn status(&self) -> ThrottleStatus {
        self.lock().status()
    }

    fn wait_for_admission(&self) {
        let mut throttle = self.lock();
        loop {
            let now_nanos = self.now_nanos();
            throttle = match throttle.admit(now_nanos) {
                Admission::Go => return,
                Admission::Wait(None) => self.changed.wait(throttle),
                Admission::Wait(Some(until_nanos)) => {
                    let pause = Duration::from_nanos(until_nanos.saturating_sub(now_nanos));
                    self.changed.wait_at_most(throttle, pause)
                }
            };
        }
    }

    /// The time is taken under the lock, so that it never falls.
    fn change<T>(&self, change: impl FnOnce(&mut Throttle, u64) -> T) -> T {
        let mut throttle = self.lock();
        let now_nanos = self.now_nanos();
        let outcome = change(&mut throttle, now_nanos);
        drop(throttle);
        self.changed.tell();
        outcome
    }

    fn now_nanos(&self) -> u64 {
        self.since.elapsed().as_nanos().try_into().unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, Throttle> {
        intact(self.throttle.lock())
    }
}
