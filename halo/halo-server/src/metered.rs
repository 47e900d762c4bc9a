//! How busy a disk is with reads of clients, and how long it lets requests wait.

use crate::waits::Waits;
use halo_media::{Medium, Piece, ReadPiece, intact};
use std::io;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Passes everything on, and measures for how long at least one read was under way. Writes to the disk are the cache's own: they count as waits
/// only.
pub(crate) struct Metered<D> {
    disk: D,
    meter: Mutex<Meter>,
    waits: Waits,
}

struct Meter {
    reads_under_way: u64,
    busy_since: Instant,
    busy: Duration,
    sampled_at: Instant,
    utilisation: f64,
}

/// Own: shorter than a person's patience, longer than many reads.
const SAMPLE: Duration = Duration::from_millis(250);

impl<D: Medium> Metered<D> {
    pub(crate) fn new(disk: D) -> Self {
        let now = Instant::now();
        let meter =
            Meter { reads_under_way: 0, busy_since: now, busy: Duration::ZERO, sampled_at: now, utilisation: 0.0 };
        Self { disk, meter: Mutex::new(meter), waits: Waits::default() }
    }

    /// The share of time, 0 to 1, in the last quarter of a second or longer.
    pub(crate) fn utilisation(&self) -> f64 {
        let mut meter = self.lock();
        let now = Instant::now();
        let elapsed = now - meter.sampled_at;
        if elapsed >= SAMPLE {
            meter.settle(now);
            meter.utilisation = meter.busy.as_secs_f64() / elapsed.as_secs_f64();
            meter.busy = Duration::ZERO;
            meter.sampled_at = now;
        }
        meter.utilisation
    }

    /// How long the oldest request of any kind has been under way, if there is one.
    pub(crate) fn longest_wait(&self) -> Option<Duration> {
        self.waits.longest()
    }

    fn read<T>(&self, read: impl FnOnce() -> T) -> T
    where
        D: Medium,
    {
        let mut meter = self.lock();
        meter.settle(Instant::now());
        meter.reads_under_way += 1;
        drop(meter);
        let outcome = self.waits.during(read);
        let mut meter = self.lock();
        meter.settle(Instant::now());
        meter.reads_under_way -= 1;
        outcome
    }

    fn lock(&self) -> MutexGuard<'_, Meter> {
        intact(self.meter.lock())
    }
}

impl Meter {
    /// Adds the time since reads have been under way.
    fn settle(&mut self, now: Instant) {
        if self.reads_under_way > 0 {
            self.busy += now - self.busy_since;
        }
        self.busy_since = now;
    }
}

impl<D: Medium> Medium for Metered<D> {
    fn len_bytes(&self) -> u64 {
        self.disk.len_bytes()
    }

    fn atomic_write_bytes(&self) -> usize {
        self.disk.atomic_write_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read(|| self.disk.read_at(offset_bytes, buffer))
    }

    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        self.read(|| self.disk.read_pieces(pieces))
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.waits.during(|| self.disk.write_at(offset_bytes, bytes))
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        self.waits.during(|| self.disk.write_pieces(pieces))
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        self.waits.during(|| self.disk.zero_cheaply(offset_bytes, count_bytes))
    }

    fn write_zeros(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.waits.during(|| self.disk.write_zeros(offset_bytes, count_bytes))
    }

    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.waits.during(|| self.disk.discard(offset_bytes, count_bytes))
    }

    fn barrier(&self) -> io::Result<()> {
        self.waits.during(|| self.disk.barrier())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    /// A disk whose reads and writes take a moment.
    struct Slow;

    const MOMENT: Duration = Duration::from_millis(2);

    impl Medium for Slow {
        fn len_bytes(&self) -> u64 {
            4096
        }

        fn atomic_write_bytes(&self) -> usize {
            512
        }

        fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
            sleep(MOMENT);
            Ok(())
        }

        fn write_at(&self, _: u64, _: &[u8]) -> io::Result<()> {
            sleep(MOMENT);
            Ok(())
        }

        fn barrier(&self) -> io::Result<()> {
            sleep(MOMENT);
            Ok(())
        }
    }

    /// The busy time since the last sample, which is far away.
    fn busy(act: impl FnOnce(&Metered<Slow>)) -> Duration {
        let metered = Metered::new(Slow);
        act(&metered);
        metered.lock().busy
    }

    #[test]
    fn a_disk_is_busy_with_reads_however_they_are_asked_for_and_with_nothing_else() {
        let mut bytes = [0; 512];
        assert!(busy(|disk| disk.read_at(0, &mut bytes).unwrap()) >= MOMENT);
        let mut bytes = [0; 512];
        let mut pieces = [ReadPiece { offset_bytes: 0, buffer: &mut bytes }];
        assert!(busy(|disk| disk.read_pieces(&mut pieces).unwrap()) >= MOMENT);
        assert_eq!(busy(|disk| disk.write_at(0, &[0; 512]).unwrap()), Duration::ZERO);
        assert_eq!(busy(|disk| disk.barrier().unwrap()), Duration::ZERO);
    }

    #[test]
    fn a_disk_that_was_read_long_ago_is_idle() {
        let metered = Metered::new(Slow);
        let quarter_ago = Instant::now().checked_sub(SAMPLE).unwrap();
        {
            let mut meter = metered.lock();
            (meter.busy, meter.sampled_at) = (SAMPLE / 2, quarter_ago);
        }
        let utilisation = metered.utilisation();
        let least = (SAMPLE / 2).as_secs_f64() / quarter_ago.elapsed().as_secs_f64();
        assert!((least..=0.5).contains(&utilisation), "{utilisation}, and not {least} or more");
        metered.lock().sampled_at = quarter_ago;
        assert!(metered.utilisation() < f64::EPSILON, "reads of an earlier sample count again");
    }

    #[test]
    fn a_read_that_is_under_way_counts_until_now_and_two_at_once_count_once() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut meter =
            Meter { reads_under_way: 0, busy_since: start, busy: Duration::ZERO, sampled_at: start, utilisation: 0.0 };
        meter.settle(at(1));
        meter.reads_under_way = 2;
        meter.settle(at(3));
        meter.reads_under_way = 1;
        meter.settle(at(4));
        assert_eq!(meter.busy, Duration::from_secs(3));
    }
}
