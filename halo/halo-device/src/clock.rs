//! The time since the cache was opened, for the ages of blocks: they are counted in seconds, so the kernel's coarse clock is right enough,
//! which goes on every few milliseconds and takes a quarter of the time to read.

use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

/// A clock that never goes back, whatever is done to the time of day.
pub(crate) enum Clock {
    /// The machine's, begun then.
    Machine { begun: Duration },
    /// Somebody sets it, in nanoseconds since the opening.
    Set(Arc<AtomicU64>),
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self::Machine { begun: now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self {
            Self::Machine { begun } => now().saturating_sub(*begun),
            Self::Set(nanos) => Duration::from_nanos(nanos.load(SeqCst)),
        }
    }
}

/// Since the machine was started.
fn now() -> Duration {
    let now = clock_gettime(ClockId::MonotonicCoarse);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
