//! How much of the disk a destage may take, by how long requests wait.
//!
//! Own: the share of the disk that destaging takes is halved when the 99th percentile of the latencies since the last
//! decision is above the target, and grows by one write in flight when it is not. Without enough requests to judge by, the share
//! doubles: an idle disk is taken as a whole within a few batches. The share is a number of writes in flight, 1 to 32, and
//! of blocks per flush of the disk in proportion; below 1 it is the part of the time in which one write is in flight, and
//! the rest is a pause. Not here: clocks. A pure calculation, so that tests need none.

use std::time::Duration;

/// Writes in flight on a disk that nobody else uses. Measured on a model of a 7200 rpm disk: 32 keep its queue full, and more
/// gain nothing.
const MOST_IN_FLIGHT: f64 = 32.0;
/// The disk is never left to requests alone: a cache that is not emptied becomes full.
const LEAST_SHARE: f64 = 1.0 / 16.0;
/// Blocks between two flushes of the disk, for each write in flight: 2048 at full share, 64 with one in flight.
const BLOCKS_PER_IN_FLIGHT: f64 = 64.0;
/// Fewer latencies than this say nothing about a 99th percentile.
const LEAST_SAMPLES: u64 = 50;

/// Latencies in classes that are each a quarter of a power of two wide: a percentile is exact to 19%.
struct Histogram {
    counts: [u64; 256],
    samples: u64,
}

impl Histogram {
    fn new() -> Self {
        Self { counts: [0; 256], samples: 0 }
    }

    fn add(&mut self, nanoseconds: u64) {
        self.counts[class(nanoseconds)] += 1;
        self.samples += 1;
    }

    /// The upper end of the class that holds the 99th percentile.
    fn p99_nanos(&self) -> u64 {
        let mut above = self.samples / 100;
        for (at, &count) in self.counts.iter().enumerate().rev() {
            if count > above {
                return upper_end(at);
            }
            above -= count;
        }
        0
    }
}

fn class(nanoseconds: u64) -> usize {
    let nanoseconds = nanoseconds.max(4);
    let log2 = nanoseconds.ilog2();
    (log2 * 4 + (nanoseconds >> (log2 - 2) & 3) as u32) as usize
}

fn upper_end(class: usize) -> u64 {
    let (log2, quarter) = (class as u32 / 4, class as u64 % 4);
    // The last class has no end.
    (u128::from(4 + quarter + 1) << log2 >> 2).try_into().unwrap_or(u64::MAX)
}

/// What the next batch may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Writes to the disk at a time.
    pub in_flight: usize,
    /// Blocks in the batch, which ends with a flush of the disk.
    pub blocks: usize,
}

/// What a throttle does, for showing it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThrottleStatus {
    /// The target, if there is one.
    pub target_nanos: Option<u64>,
    /// The 99th percentile at the last decision; 0 before the first.
    pub p99_nanos: u64,
    /// The share of the disk: writes in flight, or below 1 a part of the time.
    pub share: f64,
}

/// Decides from the latencies of requests how much of the disk destaging may take.
pub struct Throttle {
    target_nanos: Option<u64>,
    latencies: Histogram,
    share: f64,
    p99_nanos: u64,
}

impl Throttle {
    /// A throttle that keeps the 99th percentile of latencies at `target_nanos`; without a target it takes the whole disk.
    pub fn new(target_nanos: Option<u64>) -> Self {
        Self { target_nanos, latencies: Histogram::new(), share: MOST_IN_FLIGHT, p99_nanos: 0 }
    }

    /// A request took so long.
    pub fn note(&mut self, latency_nanos: u64) {
        self.latencies.add(latency_nanos);
    }

    /// Decides about the next batch. `must` is set when the cache is nearly full: destaging then goes on whatever the
    /// latencies are, with one write in flight at least, because requests wait for it.
    pub fn decide(&mut self, must: bool) -> Pace {
        if let Some(target_nanos) = self.target_nanos {
            if self.latencies.samples >= LEAST_SAMPLES {
                self.p99_nanos = self.latencies.p99_nanos();
                self.latencies = Histogram::new();
                let larger = if self.share < 1.0 { self.share * 2.0 } else { self.share + 1.0 };
                let share = if self.p99_nanos > target_nanos { self.share / 2.0 } else { larger };
                self.share = share.clamp(LEAST_SHARE, MOST_IN_FLIGHT);
            } else {
                self.share = (self.share * 2.0).min(MOST_IN_FLIGHT);
            }
        }
        let in_flight = if must { self.share.max(1.0) } else { self.share }.ceil();
        Pace { in_flight: in_flight as usize, blocks: (in_flight * BLOCKS_PER_IN_FLIGHT) as usize }
    }

    /// How long to leave the disk alone after a batch that took `batch`.
    pub fn pause(&self, batch: Duration) -> Duration {
        if self.share < 1.0 { batch.mul_f64(1.0 / self.share - 1.0) } else { Duration::ZERO }
    }

    /// For showing it.
    pub fn status(&self) -> ThrottleStatus {
        ThrottleStatus { target_nanos: self.target_nanos, p99_nanos: self.p99_nanos, share: self.share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(throttle: &mut Throttle, latency_nanos: u64) -> Pace {
        for _ in 0..100 {
            throttle.note(latency_nanos);
        }
        throttle.decide(false)
    }

    #[test]
    fn the_percentile_is_never_below_the_true_one_and_less_than_a_quarter_above() {
        for true_nanos in [5, 1000, 123_456, 20_000_000, 1 << 40, u64::MAX / 2] {
            let mut histogram = Histogram::new();
            for _ in 0..98 {
                histogram.add(4);
            }
            histogram.add(true_nanos);
            histogram.add(true_nanos);
            let found = histogram.p99_nanos() as f64;
            assert!(found >= true_nanos as f64 && found <= true_nanos as f64 * 1.25 + 1.0, "{found} of {true_nanos}");
        }
    }

    #[test]
    fn latencies_above_the_target_halve_the_share_down_to_pauses() {
        let mut throttle = Throttle::new(Some(1_000_000));
        let in_flight: Vec<_> = (0..9).map(|_| decide(&mut throttle, 5_000_000).in_flight).collect();
        assert_eq!(in_flight, [16, 8, 4, 2, 1, 1, 1, 1, 1]);
        assert_eq!(throttle.pause(Duration::from_millis(10)), Duration::from_millis(150));
    }

    #[test]
    fn latencies_below_the_target_give_the_share_back_one_by_one() {
        let mut throttle = Throttle::new(Some(1_000_000));
        for _ in 0..5 {
            decide(&mut throttle, 5_000_000);
        }
        let in_flight: Vec<_> = (0..4).map(|_| decide(&mut throttle, 1000).in_flight).collect();
        assert_eq!(in_flight, [2, 3, 4, 5]);
        assert_eq!(throttle.pause(Duration::from_millis(10)), Duration::ZERO);
    }

    #[test]
    fn a_disk_without_requests_is_taken_as_a_whole_again() {
        let mut throttle = Throttle::new(Some(1_000_000));
        for _ in 0..20 {
            decide(&mut throttle, 5_000_000);
        }
        let in_flight: Vec<_> = (0..10).map(|_| throttle.decide(false).in_flight).collect();
        assert_eq!(in_flight, [1, 1, 1, 1, 2, 4, 8, 16, 32, 32]);
    }

    #[test]
    fn a_nearly_full_cache_is_emptied_however_long_requests_take() {
        let mut throttle = Throttle::new(Some(1));
        for _ in 0..20 {
            decide(&mut throttle, 5_000_000);
        }
        assert_eq!(throttle.decide(true), Pace { in_flight: 1, blocks: 64 });
    }

    #[test]
    fn without_a_target_nothing_is_held_back() {
        let mut throttle = Throttle::new(None);
        assert_eq!(decide(&mut throttle, u64::MAX), Pace { in_flight: 32, blocks: 2048 });
    }
}
