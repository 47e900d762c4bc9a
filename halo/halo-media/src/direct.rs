//! Direct I/O: requests of any range and with any buffer, as the aligned ones that a device takes past the page cache.
//!
//! Not here: what makes writes durable. A direct write lies in the device's own cache as any other, until a barrier.

use crate::{Piece, ReadPiece, intact, vectored};
use rustix::fs::{AtFlags, StatxFlags, fstatfs, statx};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Condvar, Mutex};

pub(crate) const TMPFS_MAGIC: u64 = 0x0102_1994;
/// Units that a device may want, if the kernel does not say which. Own: as QEMU tries them, up to the largest sector there is.
const UNITS: [usize; 4] = [512, 1024, 2048, 4096];

/// How a file takes direct requests.
pub(crate) struct Direct {
    /// Offsets and lengths must be multiples of this.
    unit: usize,
    /// Addresses of buffers must.
    memory_unit: usize,
    writes: Mutex<Vec<Write>>,
    ended: Condvar,
}

/// A write under way: the units that it touches.
#[derive(Clone, PartialEq, Eq)]
struct Write {
    units: Range<u64>,
    /// A part of some unit is kept, which has been read and is written again.
    keeps: bool,
}

impl Direct {
    /// The units that the open file takes.
    ///
    /// # Errors
    /// Its file system has no direct I/O.
    pub(crate) fn of(path: &Path, file: &File) -> io::Result<Self> {
        let told = statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN).ok();
        let told = told.filter(|found| found.stx_mask & StatxFlags::DIOALIGN.bits() != 0);
        match told.map(|found| (found.stx_dio_offset_align as usize, found.stx_dio_mem_align as usize)) {
            Some((0, _) | (_, 0)) => Err(none(path)),
            Some((unit, memory_unit)) => Ok(Self::with_units(unit, memory_unit)),
            // A file in memory takes the flag on newer kernels, and is in the page cache all the same.
            None if fstatfs(file)?.f_type.cast_unsigned() as u64 == TMPFS_MAGIC => Err(none(path)),
            None => Self::probe(path, file),
        }
    }

    fn probe(path: &Path, file: &File) -> io::Result<Self> {
        let takes = |unit: &usize| file.read_at(&mut Aligned::new(*unit, *unit).bytes()[..], 0).is_ok();
        let unit = UNITS.into_iter().find(takes).ok_or_else(|| none(path))?;
        Ok(Self::with_units(unit, unit))
    }

    fn with_units(unit: usize, memory_unit: usize) -> Self {
        Self { unit, memory_unit, writes: Mutex::default(), ended: Condvar::new() }
    }

    pub(crate) fn read(&self, file: &File, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let units = self.units(offset_bytes, buffer.len());
        if self.is_aligned(&units, offset_bytes, buffer) {
            return file.read_exact_at(buffer, offset_bytes);
        }
        let mut read = self.buffer(&units);
        self.read_units(file, &units, read.bytes())?;
        buffer.copy_from_slice(&read.bytes()[(offset_bytes - units.start) as usize..][..buffer.len()]);
        Ok(())
    }

    /// Reads pieces each of which begins where the one before it ends, by one call.
    pub(crate) fn read_run(&self, file: &File, run: &mut [ReadPiece<'_>]) -> io::Result<()> {
        if let [piece] = run {
            return self.read(file, piece.offset_bytes, piece.buffer);
        }
        let fits = |piece: &ReadPiece<'_>| {
            self.is_aligned(&self.units_of(piece.offset_bytes, piece.buffer), piece.offset_bytes, piece.buffer)
        };
        if run.iter().all(fits) {
            return vectored::read_run(file, run);
        }
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return Ok(()) };
        let (start, end) = (first.offset_bytes, last.end_bytes());
        let mut read = vec![0; (end - start) as usize];
        self.read(file, start, &mut read)?;
        let mut rest = &read[..];
        for piece in run {
            let (bytes, others) = rest.split_at(piece.buffer.len());
            piece.buffer.copy_from_slice(bytes);
            rest = others;
        }
        Ok(())
    }

    /// Writes pieces that are in any order and do not overlap: neighbours go together, by one call.
    pub(crate) fn write(&self, file: &File, pieces: &[Piece<'_>]) -> io::Result<()> {
        let (mut rest, mut groups) = (pieces, Vec::new());
        while let Some(first) = rest.first() {
            let mut units = self.units(first.offset_bytes, first.bytes.len());
            let touches = |piece: &&Piece<'_>| {
                let next = self.units(piece.offset_bytes, piece.bytes.len());
                let together = next.start >= units.start && next.start <= units.end;
                units.end = if together { units.end.max(next.end) } else { units.end };
                together
            };
            let count = 1 + rest[1..].iter().take_while(touches).count();
            let (now, later) = rest.split_at(count);
            groups.push((units, now));
            rest = later;
        }
        vectored::side_by_side(groups, |(units, pieces)| self.write_together(file, &units, pieces))
    }

    fn write_together(&self, file: &File, units: &Range<u64>, pieces: &[Piece<'_>]) -> io::Result<()> {
        let bytes: usize = pieces.iter().map(|piece| piece.bytes.len()).sum();
        let keeps = bytes as u64 != units.end - units.start;
        self.alone(&Write { units: units.clone(), keeps }, || {
            let fits = |piece: &Piece<'_>| {
                self.is_aligned(&self.units_of(piece.offset_bytes, piece.bytes), piece.offset_bytes, piece.bytes)
            };
            if !keeps && pieces.iter().all(fits) {
                return vectored::runs(pieces).try_for_each(|run| vectored::write_run(file, run));
            }
            let mut written = self.buffer(units);
            if keeps {
                self.read_units(file, units, written.bytes())?;
            }
            for piece in pieces {
                let at = (piece.offset_bytes - units.start) as usize;
                written.bytes()[at..at + piece.bytes.len()].copy_from_slice(piece.bytes);
            }
            file.write_all_at(written.bytes(), units.start)
        })
    }

    /// Works while no other write is under way in these units, if either of both keeps a part of one: it would bring back what the
    /// other has overwritten.
    fn alone<T>(&self, write: &Write, work: impl FnOnce() -> T) -> T {
        let mut writes = intact(self.writes.lock());
        let conflicts = |other: &Write| {
            let apart = other.units.end <= write.units.start || write.units.end <= other.units.start;
            !apart && (other.keeps || write.keeps)
        };
        while writes.iter().any(conflicts) {
            writes = intact(self.ended.wait(writes));
        }
        writes.push(write.clone());
        drop(writes);
        let outcome = work();
        let mut writes = intact(self.writes.lock());
        if let Some(at) = writes.iter().position(|other| other == write) {
            writes.swap_remove(at);
        }
        drop(writes);
        self.ended.notify_all();
        outcome
    }

    fn units(&self, offset_bytes: u64, count: usize) -> Range<u64> {
        let unit = self.unit as u64;
        offset_bytes / unit * unit..(offset_bytes + count as u64).next_multiple_of(unit)
    }

    fn units_of(&self, offset_bytes: u64, bytes: &[u8]) -> Range<u64> {
        self.units(offset_bytes, bytes.len())
    }

    fn is_aligned(&self, units: &Range<u64>, offset_bytes: u64, buffer: &[u8]) -> bool {
        let whole = units.start == offset_bytes && units.end == offset_bytes + buffer.len() as u64;
        whole && buffer.as_ptr().addr().is_multiple_of(self.memory_unit)
    }

    fn buffer(&self, units: &Range<u64>) -> Aligned {
        Aligned::new((units.end - units.start) as usize, self.memory_unit)
    }

    fn read_units(&self, file: &File, units: &Range<u64>, buffer: &mut [u8]) -> io::Result<()> {
        file.read_exact_at(buffer, units.start).map_err(|error| match error.kind() {
            // Bytes behind the last whole unit cannot be reached.
            ErrorKind::UnexpectedEof => {
                let text =
                    format!("direct I/O reads whole units of {} bytes, and the length is no multiple of it", self.unit);
                io::Error::new(ErrorKind::InvalidInput, text)
            }
            _ => error,
        })
    }
}

/// The line for a file system that has no direct I/O.
pub(crate) fn none(path: &Path) -> io::Error {
    let text = format!("{}: its file system has no direct I/O: use it without, or move the file", path.display());
    io::Error::new(ErrorKind::Unsupported, text)
}

/// Bytes that begin at a multiple of some number of them.
struct Aligned {
    bytes: Vec<u8>,
    range: Range<usize>,
}

impl Aligned {
    fn new(count: usize, unit: usize) -> Self {
        let bytes = vec![0; count + unit];
        let start = bytes.as_ptr().align_offset(unit);
        Self { bytes, range: start..start + count }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes[self.range.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    /// The logic, on a file that takes any request.
    fn file(bytes: usize) -> File {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(&vec![9; bytes], 0).unwrap();
        file
    }

    #[test]
    fn requests_of_any_range_change_and_give_what_they_name() {
        const BYTES: usize = 64 << 10;
        for unit in UNITS {
            let (file, direct, mut expected) = (file(BYTES), Direct::with_units(unit, unit), vec![9; BYTES]);
            for step in 0..300_usize {
                // Three pieces, which share a unit with the next or do not.
                let first = step * 7919 % (BYTES - 9000);
                let places = [first, first + 1 + step % 600, first + 4000].map(|at| at..at + 1 + step * 31 % 5000);
                let places =
                    [places[0].start..places[0].end.min(places[1].start), places[1].clone(), places[2].clone()];
                let places =
                    [places[0].clone(), places[1].start..places[1].end.min(places[2].start), places[2].clone()];
                let bytes = vec![step as u8; 5000];
                let pieces = places.map(|at| {
                    expected[at.clone()].fill(step as u8);
                    Piece { offset_bytes: at.start as u64, bytes: &bytes[..at.len()] }
                });
                direct.write(&file, &pieces).unwrap();
                let mut read = vec![0; 1 + step * 13 % 9000];
                direct.read(&file, first as u64, &mut read).unwrap();
                assert!(read == expected[first..first + read.len()], "unit {unit}, step {step}");
                // The same in pieces that touch, whose ends are anywhere.
                let mut again = vec![0; read.len()];
                let (one, rest) = again.split_at_mut(read.len() / 3);
                let (two, three) = rest.split_at_mut(rest.len() / 2);
                let mut at = first as u64;
                let mut run = [one, two, three].map(|buffer| {
                    let offset_bytes = at;
                    at += buffer.len() as u64;
                    ReadPiece { offset_bytes, buffer }
                });
                direct.read_run(&file, &mut run).unwrap();
                assert!(again == read, "unit {unit}, step {step}");
            }
            let mut all = vec![0; BYTES];
            direct.read(&file, 0, &mut all).unwrap();
            assert!(all == expected, "unit {unit}");
        }
    }

    #[test]
    fn writers_of_one_unit_lose_nothing_of_each_other() {
        const ITEM_BYTES: usize = 32;
        let (file, direct) = (file(8192), Direct::with_units(4096, 4096));
        // Each has an item in both units, and one writes a whole unit again and again.
        thread::scope(|scope| {
            for writer in 0..4_usize {
                let (file, direct) = (&file, &direct);
                scope.spawn(move || {
                    for round in 0..500_usize {
                        let offset_bytes = (round % 2 * 4096 + writer * ITEM_BYTES) as u64;
                        let piece = Piece { offset_bytes, bytes: &[round as u8; ITEM_BYTES] };
                        direct.write(file, &[piece]).unwrap();
                        let mut read = [0; ITEM_BYTES];
                        direct.read(file, offset_bytes, &mut read).unwrap();
                        assert_eq!(read, [round as u8; ITEM_BYTES], "writer {writer}, round {round}");
                    }
                });
            }
        });
        assert!(direct.writes.lock().unwrap().is_empty());
    }

    #[test]
    fn a_write_waits_for_one_in_its_units_if_either_keeps_a_part() {
        let write = |units: Range<u64>, keeps| Write { units, keeps };
        let cases = [
            (write(0..512, true), write(0..512, true), true),
            (write(0..512, true), write(0..4096, false), true),
            (write(0..4096, false), write(512..1024, true), true),
            (write(0..512, true), write(512..1024, true), false),
            (write(0..4096, false), write(0..4096, false), false),
        ];
        for (first, second, waits) in cases {
            let direct = Direct::with_units(512, 512);
            let (tell, told) = mpsc::channel();
            // Far longer than the second takes when nothing keeps it.
            let patience = Duration::from_millis(if waits { 50 } else { 10_000 });
            thread::scope(|scope| {
                let beside = direct.alone(&first, || {
                    scope.spawn(|| direct.alone(&second, || tell.send(()).unwrap()));
                    told.recv_timeout(patience).is_ok()
                });
                assert_eq!(beside, !waits, "{:?} and {:?}", first.units, second.units);
                if waits {
                    told.recv().unwrap();
                }
            });
        }
    }

    #[test]
    fn what_lies_behind_the_last_whole_unit_is_refused() {
        let (file, direct) = (file(4608), Direct::with_units(4096, 4096));
        let error = direct.read(&file, 4096, &mut [0; 512]).unwrap_err();
        assert!(error.to_string().contains("whole units of 4096 bytes"), "{error}");
        assert!(direct.write(&file, &[Piece { offset_bytes: 4096, bytes: &[0; 512] }]).is_err());
    }
}
