//! How long the oldest of the requests has been waiting that are under way.

use halo_media::intact;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Requests under way.
#[derive(Default)]
pub(crate) struct Waits(Mutex<UnderWay>);

#[derive(Default)]
struct UnderWay {
    /// By number, and so by age.
    begun: BTreeMap<u64, Instant>,
    count: u64,
}

impl Waits {
    /// Counts `request` as long as it takes.
    pub(crate) fn during<T>(&self, request: impl FnOnce() -> T) -> T {
        let mut under_way = self.lock();
        under_way.count += 1;
        let number = under_way.count;
        under_way.begun.insert(number, Instant::now());
        drop(under_way);
        let outcome = request();
        self.lock().begun.remove(&number);
        outcome
    }

    /// Of the oldest; nothing when none is under way.
    pub(crate) fn longest(&self) -> Option<Duration> {
        self.lock().begun.first_key_value().map(|(_, begun)| begun.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, UnderWay> {
        intact(self.0.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_request_counts_as_long_as_it_is_under_way() {
        let waits = Waits::default();
        assert_eq!(waits.longest(), None);
        waits.during(|| {
            let older = waits.longest().unwrap();
            waits.during(|| assert!(waits.longest().unwrap() >= older));
            assert!(waits.longest().unwrap() >= older);
        });
        assert_eq!(waits.longest(), None);
    }
}
