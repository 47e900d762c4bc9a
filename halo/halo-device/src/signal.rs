//! Says to those who wait under a lock that something has changed. A condition variable enters the kernel for that, also when nobody
//! waits, which takes longer than all that a request does in memory; so those who wait are counted.

use halo_media::intact;
#[cfg(feature = "shuttle")]
use shuttle::sync::{Condvar, MutexGuard};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
#[cfg(not(feature = "shuttle"))]
use std::sync::{Condvar, MutexGuard};
use std::time::Duration;

/// A condition of what one lock guards.
pub(crate) struct Signal {
    changed: Condvar,
    /// Changed under the lock only. Whoever is not counted yet when the lock was given up after a change sees that change before waiting.
    waiting: AtomicUsize,
}

impl Signal {
    pub(crate) fn new() -> Self {
        Self { changed: Condvar::new(), waiting: AtomicUsize::new(0) }
    }

    /// Waits for a change after this one was looked at.
    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.waiting.fetch_add(1, Relaxed);
        let guard = intact(self.changed.wait(guard));
        self.waiting.fetch_sub(1, Relaxed);
        guard
    }

    /// As [`Signal::wait`], for `pause` at most.
    pub(crate) fn wait_at_most<'a, T>(&self, guard: MutexGuard<'a, T>, pause: Duration) -> MutexGuard<'a, T> {
        self.waiting.fetch_add(1, Relaxed);
        let (guard, _) = intact(self.changed.wait_timeout(guard, pause));
        self.waiting.fetch_sub(1, Relaxed);
        guard
    }

    /// As [`Signal::wait`], without being counted: a known mistake.
    #[cfg(feature = "planted-bugs")]
    pub(crate) fn wait_uncounted<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        intact(self.changed.wait(guard))
    }

    /// Wakes all who wait. To be called once the lock under which something was changed is given up.
    pub(crate) fn tell(&self) {
        if self.waiting.load(Relaxed) > 0 {
            self.changed.notify_all();
        }
    }
}
