//! How long requests take, counted by powers of two.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// 1 microsecond to 34 seconds, and longer.
const CLASSES: usize = 26;

/// Requests of one kind.
#[derive(Default)]
pub(crate) struct Latency {
    /// Requests that took less than 2^i microseconds, and not less than half of that; the last class takes all longer ones.
    classes: [AtomicU64; CLASSES],
    sum_nanos: AtomicU64,
}

/// All kinds of requests.
#[derive(Default)]
pub(crate) struct Latencies {
    /// Reads.
    pub(crate) read: Latency,
    /// Writes, trims and writes of zeros.
    pub(crate) write: Latency,
    /// Flushes.
    pub(crate) flush: Latency,
}

impl Latency {
    /// Counts a request.
    pub(crate) fn record(&self, elapsed: Duration) {
        let micros = elapsed.as_micros() as u64;
        let class = (u64::BITS - micros.leading_zeros()) as usize;
        self.classes[class.min(CLASSES - 1)].fetch_add(1, Relaxed);
        self.sum_nanos.fetch_add(elapsed.as_nanos() as u64, Relaxed);
    }

    /// Requests so far.
    pub(crate) fn count(&self) -> u64 {
        self.classes.iter().map(|class| class.load(Relaxed)).sum()
    }

    /// Time of all requests together.
    pub(crate) fn sum_seconds(&self) -> f64 {
        self.sum_nanos.load(Relaxed) as f64 / 1e9
    }

    /// For each bound in seconds the requests that took less.
    pub(crate) fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let mut count = 0;
        self.classes[..CLASSES - 1].iter().enumerate().map(move |(class, requests)| {
            count += requests.load(Relaxed);
            ((1_u64 << class) as f64 / 1e6, count)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_counted_below_every_bound_that_it_kept() {
        let latency = Latency::default();
        for micros in [0, 1, 3, 1000, u64::MAX / 1_000_000] {
            latency.record(Duration::from_micros(micros));
        }
        let below = |bound: f64| latency.cumulative().find(|&(seconds, _)| seconds >= bound).map(|(_, count)| count);
        assert_eq!([1e-6, 2e-6, 4e-6, 1024e-6].map(below), [1, 2, 3, 4].map(Some));
        assert_eq!((latency.count(), latency.cumulative().last().map(|(_, count)| count)), (5, Some(4)));
    }
}
