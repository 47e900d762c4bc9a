//! The time since the cache was opened, for the ages of blocks: they are counted in seconds, so the kernel's coarse clock is right enough,
//! which goes on every few milliseconds and takes a quarter of the time to read.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// A clock that never goes back, whatever is done to the time of day.
pub(crate) struct Clock {
    begun: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { begun: now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        now().saturating_sub(self.begun)
    }
}

/// Since the machine was started.
fn now() -> Duration {
    let now = clock_gettime(ClockId::MonotonicCoarse);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
