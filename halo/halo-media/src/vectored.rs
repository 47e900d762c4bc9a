//! Pieces of a file in as few calls as possible: what lies side by side goes in one, and calls that wait for a device go side by side.

use crate::{Piece, ReadPiece, intact};
use rustix::io::{preadv, pwritev, retry_on_intr};
use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::sync::Mutex;
use std::thread::{self, Builder};

/// The most slices that the kernel takes in one call (`IOV_MAX`).
const MOST_SLICES: usize = 1024;

/// Calls at once. Own: a device that takes 50 us gave five times as many blocks with 16 threads as with one.
const MOST_AT_ONCE: usize = 16;

/// Below this a thread costs what it saves. Own: starting one takes tens of microseconds, as the call of a fast device.
const LEAST_CALLS_EACH: usize = 4;

impl Piece<'_> {
    pub(crate) fn end_bytes(&self) -> u64 {
        self.offset_bytes + self.bytes.len() as u64
    }
}

impl ReadPiece<'_> {
    pub(crate) fn end_bytes(&self) -> u64 {
        self.offset_bytes + self.buffer.len() as u64
    }
}

/// Splits pieces into runs: in each, every piece begins where the one before it ends.
pub(crate) fn runs<'a, 'b>(pieces: &'a [Piece<'b>]) -> impl Iterator<Item = &'a [Piece<'b>]> {
    pieces.chunk_by(|one, next| one.end_bytes() == next.offset_bytes)
}

/// The same of pieces to be read, in whichever order they are.
pub(crate) fn read_runs<'a, 'b>(pieces: &'a mut [ReadPiece<'b>]) -> impl Iterator<Item = &'a mut [ReadPiece<'b>]> {
    pieces.sort_unstable_by_key(|piece| piece.offset_bytes);
    pieces.chunk_by_mut(|one, next| one.end_bytes() == next.offset_bytes)
}

/// Writes a run.
pub(crate) fn write_run(file: &File, run: &[Piece<'_>]) -> io::Result<()> {
    let Some(first) = run.first() else { return Ok(()) };
    let mut slices: Vec<_> = run.iter().map(|piece| IoSlice::new(piece.bytes)).collect();
    let (mut rest, mut offset_bytes) = (&mut slices[..], first.offset_bytes);
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        let most = rest.len().min(MOST_SLICES);
        let written = retry_on_intr(|| pwritev(file, &rest[..most], offset_bytes))?;
        if written == 0 {
            return Err(ErrorKind::WriteZero.into());
        }
        offset_bytes += written as u64;
        IoSlice::advance_slices(&mut rest, written);
    }
    Ok(())
}

/// Reads a run.
pub(crate) fn read_run(file: &File, run: &mut [ReadPiece<'_>]) -> io::Result<()> {
    let Some(mut offset_bytes) = run.first().map(|first| first.offset_bytes) else { return Ok(()) };
    let mut slices: Vec<_> = run.iter_mut().map(|piece| IoSliceMut::new(piece.buffer)).collect();
    let mut rest = &mut slices[..];
    IoSliceMut::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        let most = rest.len().min(MOST_SLICES);
        let read = retry_on_intr(|| preadv(file, &mut rest[..most], offset_bytes))?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        offset_bytes += read as u64;
        IoSliceMut::advance_slices(&mut rest, read);
    }
    Ok(())
}

/// Carries out all calls, by several threads where there are many; the first error counts, and then the rest may be left out.
pub(crate) fn side_by_side<T: Send>(calls: Vec<T>, call: impl Fn(T) -> io::Result<()> + Sync) -> io::Result<()> {
    let threads = (calls.len() / LEAST_CALLS_EACH).clamp(1, MOST_AT_ONCE);
    if threads == 1 {
        return calls.into_iter().try_for_each(call);
    }
    let rest = Mutex::new(calls.into_iter());
    let work = || {
        loop {
            let Some(next) = intact(rest.lock()).next() else { return Ok(()) };
            if let Err(error) = call(next) {
                intact(rest.lock()).by_ref().for_each(drop);
                return Err(error);
            }
        }
    };
    with_others(threads - 1, work)
}

/// Does `work` on this thread, and on so many others as the system gives of `most_others`, which may be none: so `work` is what any number of
/// threads can share. The first error counts.
///
/// # Errors
/// One of `work`.
pub fn with_others(most_others: usize, work: impl Fn() -> io::Result<()> + Sync) -> io::Result<()> {
    thread::scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (0..most_others).map_while(start).collect();
        others.into_iter().fold(work(), |outcome, other| {
            outcome.and(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::{Barrier, Condvar};

    fn pattern(count: usize) -> Vec<u8> {
        (0..count).map(|at| (at / 7 + at) as u8).collect()
    }

    #[test]
    fn a_run_of_more_pieces_than_a_call_takes_is_written_and_read_whole() {
        let file = tempfile::tempfile().unwrap();
        let bytes = pattern(3 * MOST_SLICES * 5);
        // Some are empty, also the first.
        let mut pieces = vec![Piece { offset_bytes: 100, bytes: &[] }];
        pieces
            .extend(bytes.chunks(5).enumerate().map(|(at, bytes)| Piece { offset_bytes: 100 + at as u64 * 5, bytes }));
        assert_eq!(runs(&pieces).count(), 1);
        write_run(&file, &pieces).unwrap();
        let mut read = vec![0; bytes.len()];
        file.read_exact_at(&mut read, 100).unwrap();
        assert!(read == bytes);
        let mut scattered = vec![0; bytes.len()];
        let mut pieces: Vec<_> = scattered.chunks_mut(3).enumerate().collect();
        // In any order.
        pieces.reverse();
        let mut pieces: Vec<_> =
            pieces.into_iter().map(|(at, buffer)| ReadPiece { offset_bytes: 100 + at as u64 * 3, buffer }).collect();
        let mut runs: Vec<_> = read_runs(&mut pieces).collect();
        assert_eq!(runs.len(), 1);
        read_run(&file, runs[0]).unwrap();
        assert!(scattered == bytes);
    }

    #[test]
    fn what_does_not_touch_is_another_run() {
        let bytes = [0; 8];
        let piece = |offset_bytes| Piece { offset_bytes, bytes: &bytes };
        let lengths: Vec<_> = runs(&[piece(0), piece(8), piece(17), piece(9)]).map(<[_]>::len).collect();
        assert_eq!(lengths, [2, 1, 1]);
    }

    #[test]
    fn a_run_beyond_the_end_is_an_error() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(10).unwrap();
        let mut buffer = [0; 8];
        let error = read_run(&file, &mut [ReadPiece { offset_bytes: 4, buffer: &mut buffer }]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn many_calls_are_under_way_at_once_and_each_is_made_once() {
        let (together, made) = (Barrier::new(MOST_AT_ONCE), AtomicUsize::new(0));
        let calls: Vec<_> = (0..MOST_AT_ONCE * LEAST_CALLS_EACH).collect();
        side_by_side(calls, |number| {
            made.fetch_add(number, SeqCst);
            // Ends only once all threads are in a call.
            together.wait();
            Ok(())
        })
        .unwrap();
        assert_eq!(made.into_inner(), (0..MOST_AT_ONCE * LEAST_CALLS_EACH).sum());
        // Few calls take no thread.
        let here = thread::current().id();
        side_by_side(
            vec![1, 2, 3],
            |_| if thread::current().id() == here { Ok(()) } else { Err(io::Error::other("")) },
        )
        .unwrap();
    }

    #[test]
    fn an_error_is_the_outcome_and_ends_the_rest() {
        let (made, failed, told) = (AtomicUsize::new(0), Mutex::new(false), Condvar::new());
        let outcome = side_by_side((0..1000).collect(), |number| {
            made.fetch_add(1, SeqCst);
            if number == 0 {
                *failed.lock().unwrap() = true;
                told.notify_all();
                return Err(io::Error::other("no"));
            }
            drop(told.wait_while(failed.lock().unwrap(), |failed| !*failed).unwrap());
            Ok(())
        });
        assert!(outcome.is_err());
        assert!(made.into_inner() < 1000, "it went on");
    }
}
