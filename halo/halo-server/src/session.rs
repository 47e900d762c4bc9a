//! The note on a disk about the session that begins, for the day on which its cache is lost.

use crate::media::CacheName;
use halo_cache::format::Place;
use halo_cache::{Mode, Settings};
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970, UTC; 0 on a machine whose clock is before that.
pub fn now_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The defaults for a mode, with the cache's name and the time for the disk's label.
pub fn session(mode: Mode, cache: &CacheName) -> Settings {
    // Without a working directory the name is no path that anybody could follow later.
    let place = cache.absolute().map_or(Place::UNKNOWN, |name| Place::named(&name.to_string()));
    Settings { place, now_seconds: now_seconds(), ..Settings::new(mode) }
}
