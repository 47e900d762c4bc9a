//! A disk that takes several writes at a time, as many as a throttle allows.

use crate::gate::Gate;
use crate::throttle::MOST_IN_FLIGHT;
use halo_core::address::BLOCK_BYTES;
#[cfg(not(feature = "shuttle"))]
use halo_media::with_others;
use halo_media::{Medium, Piece};
use halo_planted::Mistake;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

/// A longer piece is written as several, so that a read does not wait for all of it; the disk joins them again.
const MOST_PIECE_BYTES: usize = 256 << 10;

/// A batch is not ended before so many: a block is four pieces at most, and some blocks must leave the cache.
const LEAST_PIECES: usize = 8;

/// Writes pieces by up to 32 threads at once, lowest first, so that the disk can choose their order; each piece, and the flush,
/// when the gate lets it through. Ends early, after any piece, when the gate wants shorter batches than before.
///
/// The threads live as long as the call: they cost tens of microseconds per batch, a disk takes milliseconds per piece.
pub(crate) struct PacedDisk<'a, D> {
    disk: &'a D,
    gate: &'a Gate,
    /// Where the first piece begins that was not written, if not all were.
    end: AtomicU64,
    /// Pieces of earlier calls: a batch may be written in several.
    before: AtomicUsize,
}

impl<'a, D: Medium + Sync> PacedDisk<'a, D> {
    pub(crate) fn new(disk: &'a D, gate: &'a Gate) -> Self {
        Self { disk, gate, end: AtomicU64::new(u64::MAX), before: AtomicUsize::new(0) }
    }

    /// The end of the bytes that were written.
    pub(crate) fn end_bytes(&self) -> u64 {
        self.end.load(SeqCst)
    }

    fn end_early(&self, piece: &Piece<'_>) {
        let half_is_enough = Mistake::HalfBlockTaken.is_made();
        let unit_bytes = if half_is_enough { BLOCK_BYTES as u64 } else { 1 };
        let end_bytes = piece.offset_bytes.next_multiple_of(unit_bytes);
        if Mistake::EndOfBatchOverwritten.is_made() {
            self.end.store(end_bytes, SeqCst);
        }
        self.end.fetch_min(end_bytes, SeqCst);
    }
}

/// The same on threads of made-up schedules, of which there are always enough.
#[cfg(feature = "shuttle")]
fn with_others(most_others: usize, work: impl Fn() -> io::Result<()> + Sync) -> io::Result<()> {
    shuttle::thread::scope(|scope| {
        let others: Vec<_> = (0..most_others).map(|_| scope.spawn(&work)).collect();
        others.into_iter().fold(work(), |outcome, other| {
            outcome.and(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })
}

fn split<'a>(pieces: &[Piece<'a>]) -> Vec<Piece<'a>> {
    let parts = pieces.iter().flat_map(|piece| {
        let dropped_bytes = if Mistake::EndOfPieceDropped.is_made() && piece.bytes.len() > MOST_PIECE_BYTES {
            piece.bytes.len() % MOST_PIECE_BYTES
        } else {
            0
        };
        let parts = piece.bytes[..piece.bytes.len() - dropped_bytes].chunks(MOST_PIECE_BYTES).enumerate();
        parts.map(|(at, bytes)| Piece { offset_bytes: piece.offset_bytes + (at * MOST_PIECE_BYTES) as u64, bytes })
    });
    parts.collect()
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
        let pieces = split(pieces);
        let writers = MOST_IN_FLIGHT.min(pieces.len());
        let next = AtomicUsize::new(0);
        let before = self.before.fetch_add(pieces.len(), SeqCst);
        let write_next = || {
            // After an error the others stop at their next piece.
            loop {
                let number = next.fetch_add(1, SeqCst);
                let Some(piece) = pieces.get(number) else { return Ok(()) };
                // Pieces with lower numbers were all taken, so that what lies before the first that is left will be written.
                if self.end_bytes() < u64::MAX || before + number >= self.gate.batch_blocks().max(LEAST_PIECES) {
                    self.end_early(piece);
                    return Ok(());
                }
                let written = self.gate.write(|| self.disk.write_at(piece.offset_bytes, piece.bytes));
                if written.is_err() && !Mistake::DiskErrorSwallowed.is_made() {
                    next.store(pieces.len(), SeqCst);
                    return written;
                }
            }
        };
        with_others(writers.saturating_sub(1), write_next)
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
        if Mistake::DiskNotFlushed.is_made() {
            return Ok(());
        }
        self.gate.write(|| self.disk.barrier())
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

    fn write(pieces: u64, together: usize, fails_at: u64) -> (io::Result<()>, Vec<u64>) {
        let disk = Together { barrier: Barrier::new(together), written: Mutex::default(), fails_at };
        let pieces: Vec<_> = (0..pieces).map(|at| Piece { offset_bytes: at * 8192, bytes: &[1] }).collect();
        let outcome = PacedDisk::new(&disk, &Gate::new(None)).write_pieces(&pieces);
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

    #[test]
    fn a_batch_ends_early_for_a_writer_that_waits_and_what_lies_before_its_end_is_written() {
        let gate = Gate::new(Some(std::time::Duration::from_millis(40)));
        let disk = Together { barrier: Barrier::new(1), written: Mutex::default(), fails_at: u64::MAX };
        let pieces: Vec<_> = (0..1000).map(|at| Piece { offset_bytes: at * 8192, bytes: &[1] }).collect();
        let paced = PacedDisk::new(&disk, &gate);
        gate.hurry(|| paced.write_pieces(&pieces)).unwrap();
        let end_bytes = paced.end_bytes();
        let written = disk.written.into_inner().unwrap();
        let before_end = || pieces.iter().filter(|piece| piece.offset_bytes < end_bytes);
        assert!(before_end().all(|piece| written.contains(&piece.offset_bytes)));
        assert_eq!(before_end().count(), gate.hurry(|| gate.batch_blocks()));
    }

    /// Else a batch would end within its first block, which then never leaves the cache.
    #[test]
    fn the_shortest_batch_has_a_block_of_four_runs() {
        let gate = Gate::new(Some(std::time::Duration::from_nanos(1)));
        let disk = Together { barrier: Barrier::new(1), written: Mutex::default(), fails_at: u64::MAX };
        let pieces: Vec<_> = (0..64).map(|run| Piece { offset_bytes: run * 1024, bytes: &[1] }).collect();
        let end_bytes = (0..1000).map(|_| {
            for _ in 0..20 {
                // Each of these reads is late.
                gate.write(|| gate.read(|| std::thread::sleep(std::time::Duration::from_micros(1))));
            }
            let paced = PacedDisk::new(&disk, &gate);
            paced.write_pieces(&pieces).unwrap();
            paced.end_bytes()
        });
        // On a machine that was slow, the last read is long ago, and the batch a long one.
        let end_bytes = end_bytes.into_iter().find(|&end_bytes| end_bytes < u64::MAX).unwrap();
        assert!(end_bytes >= BLOCK_BYTES as u64, "it ended at {end_bytes}");
    }

    #[test]
    fn a_long_piece_is_cut_without_loss() {
        let bytes: Vec<u8> = (0..MOST_PIECE_BYTES * 2 + 512).map(|at| (at / 512) as u8).collect();
        let parts = split(&[Piece { offset_bytes: 4096, bytes: &bytes }]);
        assert_eq!(parts.len(), 3);
        let mut end = 4096;
        for part in &parts {
            assert!(part.offset_bytes == end && part.bytes.len() <= MOST_PIECE_BYTES);
            end += part.bytes.len() as u64;
        }
        let joined: Vec<u8> = parts.iter().flat_map(|part| part.bytes).copied().collect();
        assert_eq!(joined, bytes);
    }
}
