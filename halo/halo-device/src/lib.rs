//! One cache, many threads.
//!
//! [`SharedCache`] keeps the cache of `halo-cache` in a lock and does everything slow outside of it: barriers are shared by all
//! threads that wait for one, reads and writes do not hold up others, and a thread of the host destages. It makes
//! room for requests that read the disk ([`Throttle`]). Not here: servers and protocols; threads are the host's.
//!
//! When the cache is full a write waits until a destage has made room, and runs it if no other thread does. It
//! fails only when the disk takes no blocks. It never goes around the cache.

#![forbid(unsafe_code)]

mod clock;
mod gate;
mod paced;
mod requests;
mod shared;
mod signal;
mod throttle;

pub use shared::SharedCache;
pub use throttle::{Admission, Reading, Throttle, ThrottleStatus};
