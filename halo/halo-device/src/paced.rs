//! A disk that takes several writes at a time, as many as a throttle allows.

use halo_media::{Medium, Piece};
#[cfg(feature = "shuttle")]
use shuttle::thread;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
#[cfg(not(feature = "shuttle"))]
use std::thread;

/// Writes pieces by up to `in_flight` threads at once, lowest first, so that the disk can choose their order.
///
/// The threads live as long as the call: they cost tens of microseconds per batch, a disk takes milliseconds per piece.
pub struct PacedDisk<'a, D> {
    disk: &'a D,
    in_flight: usize,
}

impl<'a, D: Medium + Sync> PacedDisk<'a, D> {
    /// At most `in_flight` writes at a time.
    pub fn new(disk: &'a D, in_flight: usize) -> Self {
        Self { disk, in_flight }
    }
}

impl<D: Medium + Sync> Medium for PacedDisk<'_, D> {
    fn len_bytes(&self) -> u64 {
        self.disk.len_bytes()
    }

    fn atomic_write_bytes(&self) -> usize {
        self.disk.atomic_write_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.disk.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.write_at(offset_bytes, bytes)
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let writers = self.in_flight.min(pieces.len());
        if writers <= 1 {
            return self.disk.write_pieces(pieces);
        }
        let next = AtomicUsize::new(0);
        let write_next = || {
            // After an error the others stop at their next piece.
            while let Some(piece) = pieces.get(next.fetch_add(1, SeqCst)) {
                let written = self.disk.write_at(piece.offset_bytes, piece.bytes);
                if written.is_err() {
                    next.store(pieces.len(), SeqCst);
                    return written;
                }
            }
            Ok(())
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..writers).map(|_| scope.spawn(write_next)).collect();
            let mut outcome = write_next();
            for other in others {
                let written = other.join().unwrap_or_else(|_| Err(io::Error::other("a writer of the disk panicked")));
                outcome = outcome.and(written);
            }
            outcome
        })
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        self.disk.zero_cheaply(offset_bytes, count_bytes)
    }

    fn write_zeros(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.disk.write_zeros(offset_bytes, count_bytes)
    }

    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.disk.discard(offset_bytes, count_bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        self.disk.barrier()
    }
}

#[cfg(test)]
#[cfg(not(feature = "shuttle"))]
mod tests {
    use super::*;
    use std::sync::{Barrier, Mutex};

    /// Writes end only once `together` of them are under way.
    struct Together {
        barrier: Barrier,
        written: Mutex<Vec<u64>>,
        fails_at: u64,
    }

    impl Medium for Together {
        fn len_bytes(&self) -> u64 {
            1 << 30
        }

        fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
            Ok(())
        }

        fn write_at(&self, offset_bytes: u64, _: &[u8]) -> io::Result<()> {
            self.barrier.wait();
            if offset_bytes == self.fails_at {
                return Err(io::Error::other("no"));
            }
            self.written.lock().map_err(|_| io::Error::other("poisoned"))?.push(offset_bytes);
            Ok(())
        }

        fn barrier(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn write(pieces: u64, in_flight: usize, fails_at: u64) -> (io::Result<()>, Vec<u64>) {
        let disk = Together { barrier: Barrier::new(in_flight), written: Mutex::default(), fails_at };
        let pieces: Vec<_> = (0..pieces).map(|at| Piece { offset_bytes: at * 8192, bytes: &[1] }).collect();
        let outcome = PacedDisk::new(&disk, in_flight).write_pieces(&pieces);
        let mut written = disk.written.into_inner().unwrap();
        written.sort_unstable();
        (outcome, written)
    }

    #[test]
    fn thirty_two_writes_are_in_flight_at_once_and_each_piece_is_written_once() {
        let (outcome, written) = write(128, 32, u64::MAX);
        assert!(outcome.is_ok());
        assert_eq!(written, (0..128).map(|at| at * 8192).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_of_one_writer_is_the_outcome() {
        let (outcome, written) = write(4, 4, 8192);
        assert!(outcome.is_err());
        assert_eq!(written, [0, 16_384, 24_576]);
    }
}
