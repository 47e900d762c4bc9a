//! A disk that looks like none while its cache has blocks that it lacks.
//!
//! A disk that is mounted without its cache lacks files, and writes to it are lost later. So the first and last blocks, where
//! operating systems look for file systems, are masked on the disk: every byte combined with a fixed key by exclusive or. Nothing is
//! moved, so that nothing else is needed to undo it, not even the cache. Not here: who masks when, which is the server's and the
//! commands'. Start with [`MaskedDisk`].

mod places;
mod record;

use crate::media::AnyMedium;
use halo_cache::Device;
use halo_cache::format::Layout;
use halo_media::{Medium, Piece, ReadPiece, intact};
use halo_planted::Mistake;
use places::{SECTOR_BYTES, change, common, places, signature};
use record::{RECORD_BYTES, Record, Stage};
use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Where a copy of the record lies behind a copy of the label.
const BEHIND_LABEL_BYTES: u64 = 512;
/// The size of a cache does not matter to where the end of its disk lies.
const ANY_CACHE_BYTES: u64 = 1 << 20;

/// A disk, and its mask if it has one. Reads and writes are of the plain bytes, whatever is on the disk.
///
/// [`MaskedDisk::settle`] comes before any of them; the disk has one user at a time while its mask changes.
pub struct MaskedDisk {
    disk: AnyMedium,
    /// Masked ranges; empty when the disk is too small to be one.
    places: [Range<u64>; 2],
    copies_bytes: Option<[u64; 2]>,
    disk_bytes: u64,
    masked: AtomicBool,
    record: Mutex<Option<Record>>,
}

impl MaskedDisk {
    /// Reads whether the disk is masked. Writes nothing.
    ///
    /// # Errors
    /// Its end cannot be read.
    pub fn new(disk: AnyMedium) -> io::Result<Self> {
        let disk_bytes = disk.len_bytes();
        Self::of_size(disk, disk_bytes)
    }

    /// The same for a disk that was masked when it had another size.
    ///
    /// # Errors
    /// As for [`MaskedDisk::new`].
    pub fn of_size(disk: AnyMedium, disk_bytes: u64) -> io::Result<Self> {
        let layout = Layout::new(ANY_CACHE_BYTES, disk_bytes).ok().filter(|_| disk_bytes <= disk.len_bytes());
        let places = places(layout.map_or(0, |layout| layout.capacity_bytes()));
        let copies_bytes =
            layout.map(|layout| layout.record_offsets_bytes(Device::Disk).map(|at| at + BEHIND_LABEL_BYTES));
        let sectors = places.iter().map(|place| (place.end - place.start) as usize / SECTOR_BYTES).sum();
        let mut newest: Option<Record> = None;
        let mut unread = Vec::new();
        for offset_bytes in copies_bytes.into_iter().flatten() {
            let mut bytes = [0; RECORD_BYTES];
            match disk.read_at(offset_bytes, &mut bytes) {
                Ok(()) => {
                    let found = Record::decode(&bytes, disk_bytes, sectors);
                    let newer =
                        |record: &Record| newest.as_ref().is_none_or(|newest| newest.generation < record.generation);
                    if let Some(record) = found.filter(newer) {
                        newest = Some(record);
                    }
                }
                Err(error) => unread.push(error),
            }
        }
        if let (None, 2, Some(error)) = (&newest, unread.len(), unread.pop()) {
            return Err(error);
        }
        let masked = AtomicBool::new(newest.as_ref().is_some_and(|record| record.stage == Stage::Masked));
        Ok(Self { disk, places, copies_bytes, disk_bytes, masked, record: Mutex::new(newest) })
    }

    /// True when the disk shows no file system.
    pub fn is_masked(&self) -> bool {
        self.masked.load(SeqCst)
    }

    /// Content that was put on a masked disk without regard to the mask.
    ///
    /// # Errors
    /// The disk failed.
    pub fn written_outside(&self) -> io::Result<Option<&'static str>> {
        if self.is_masked() { Ok(signature(&self.read_raw(0)?)) } else { Ok(None) }
    }

    /// Ends what an interruption left half done: the disk is plain then, or masked as a whole. Before any other use but of its label.
    ///
    /// # Errors
    /// It was written to without the cache, or failed.
    pub fn settle(&self) -> io::Result<()> {
        if let Some(what) = self.written_outside()? {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("shows {what}, {WRITTEN_OUTSIDE}")));
        }
        let record = intact(self.record.lock()).clone();
        let Some(Record { stage: Stage::Changing(table), .. }) = record else { return Ok(()) };
        let mut checksums = table.iter().copied();
        let mut plain = Vec::new();
        for number in 0..2 {
            let mut bytes = self.read_raw(number)?;
            for (at, sector) in (self.places[number].start..).step_by(SECTOR_BYTES).zip(bytes.chunks_mut(SECTOR_BYTES))
            {
                let expected = checksums.next().unwrap_or_default();
                if crc32c::crc32c(sector) != expected {
                    change(at, sector);
                }
                if crc32c::crc32c(sector) != expected {
                    let text = format!("has a sector at {at} {WRITTEN_OUTSIDE}");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, text));
                }
            }
            plain.push(bytes);
        }
        // The interruption may have left the other copy at the stage before, which counts again while this one is erased.
        self.note(Stage::Changing(table))?;
        self.write_raw(&plain)?;
        self.erase()
    }

    /// Makes the disk look like none. What a power loss interrupts, [`MaskedDisk::settle`] ends.
    ///
    /// # Errors
    /// The disk failed; it must not be used before it was settled.
    pub fn mask(&self) -> io::Result<()> {
        if self.is_masked() || self.copies_bytes.is_none() {
            return Ok(());
        }
        let mut bytes = vec![self.read_raw(0)?, self.read_raw(1)?];
        self.note(Stage::Changing(checksums(&bytes)))?;
        for (place, bytes) in self.places.iter().zip(&mut bytes) {
            change(place.start, bytes);
        }
        self.write_raw(&bytes)?;
        self.masked.store(true, SeqCst);
        self.note(Stage::Masked)
    }

    /// Makes the disk what it is without its cache: when the cache has nothing that the disk lacks, or is lost.
    ///
    /// # Errors
    /// As for [`MaskedDisk::mask`].
    pub fn unmask(&self) -> io::Result<()> {
        if !self.is_masked() {
            return Ok(());
        }
        let mut bytes = vec![self.read_raw(0)?, self.read_raw(1)?];
        for (place, bytes) in self.places.iter().zip(&mut bytes) {
            change(place.start, bytes);
        }
        self.note(Stage::Changing(checksums(&bytes)))?;
        self.write_raw(&bytes)?;
        self.masked.store(false, SeqCst);
        self.erase()
    }

    /// Makes a disk whose cache is lost what it is without it. One that was written to without the cache stays as that left it: gives
    /// what it then shows.
    ///
    /// # Errors
    /// As for [`MaskedDisk::mask`].
    pub fn give_up(&self) -> io::Result<Option<&'static str>> {
        let shown = self.written_outside()?;
        if shown.is_some() {
            self.masked.store(false, SeqCst);
            self.erase()?;
        } else {
            self.settle()?;
            self.unmask()?;
        }
        Ok(shown)
    }

    /// After the whole end of the disk was lost: it is masked if its cache has blocks for it (`dirty`), or if only so it shows a file
    /// system.
    ///
    /// # Errors
    /// The disk failed.
    pub fn note_after_loss(&self, dirty: bool) -> io::Result<()> {
        if intact(self.record.lock()).is_some() || self.copies_bytes.is_none() {
            return Ok(());
        }
        let raw = self.read_raw(0)?;
        let mut changed = raw.clone();
        change(0, &mut changed);
        let shows = signature(&raw).is_some();
        if !shows && (dirty || signature(&changed).is_some()) {
            self.masked.store(true, SeqCst);
            self.note(Stage::Masked)?;
        }
        Ok(())
    }

    fn read_raw(&self, number: usize) -> io::Result<Vec<u8>> {
        let place = &self.places[number];
        let mut bytes = vec![0; (place.end - place.start) as usize];
        self.disk.read_at(place.start, &mut bytes)?;
        Ok(bytes)
    }

    fn write_raw(&self, bytes: &[Vec<u8>]) -> io::Result<()> {
        for (place, bytes) in self.places.iter().zip(bytes) {
            self.disk.write_at(place.start, bytes)?;
        }
        self.disk.barrier()
    }

    /// Both copies, one after the other: one of them is whole at every moment.
    fn note(&self, stage: Stage) -> io::Result<()> {
        let mut record = intact(self.record.lock());
        let generation = record.as_ref().map_or(0, |record| record.generation) + 1;
        let newest = Record { generation, disk_bytes: self.disk_bytes, stage };
        self.write_copies(&newest.encode())?;
        *record = Some(newest);
        Ok(())
    }

    fn erase(&self) -> io::Result<()> {
        self.write_copies(&[0; RECORD_BYTES])?;
        *intact(self.record.lock()) = None;
        Ok(())
    }

    fn write_copies(&self, bytes: &[u8; RECORD_BYTES]) -> io::Result<()> {
        self.copies_bytes.into_iter().flatten().try_for_each(|offset_bytes| {
            self.disk.write_at(offset_bytes, bytes)?;
            self.disk.barrier()
        })
    }

    /// Calls with each part of a range: true for those that are masked.
    fn each_part(&self, range: Range<u64>, mut act: impl FnMut(Range<u64>, bool) -> io::Result<()>) -> io::Result<()> {
        let mut at = range.start;
        for place in self.places.iter().filter(|_| self.is_masked()) {
            let masked = common(&range, place);
            if masked.is_empty() {
                continue;
            }
            if at < masked.start {
                act(at..masked.start, false)?;
            }
            at = masked.end;
            act(masked, true)?;
        }
        if at < range.end { act(at..range.end, false) } else { Ok(()) }
    }

    /// Turns bytes read from the disk into those behind the mask.
    fn show(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.each_part(offset_bytes..offset_bytes + buffer.len() as u64, |part, masked| {
            if masked {
                change(
                    part.start,
                    &mut buffer[(part.start - offset_bytes) as usize..(part.end - offset_bytes) as usize],
                );
            }
            Ok(())
        })
    }

    fn touches_a_place(&self, offset_bytes: u64, count: u64) -> bool {
        let range = offset_bytes..offset_bytes.saturating_add(count);
        self.is_masked() && self.places.iter().any(|place| !common(&range, place).is_empty())
    }

    /// The bytes that go to the disk for `bytes`: masked, and with the record as it is where somebody writes the end as a whole.
    fn outgoing(&self, offset_bytes: u64, bytes: &[u8]) -> Option<Vec<u8>> {
        let range = offset_bytes..offset_bytes + bytes.len() as u64;
        let copies =
            self.copies_bytes.into_iter().flatten().map(|at| (at, common(&range, &(at..at + RECORD_BYTES as u64))));
        let copies: Vec<_> = copies.filter(|(_, part)| !part.is_empty()).collect();
        if copies.is_empty() && !self.touches_a_place(offset_bytes, bytes.len() as u64) {
            return None;
        }
        let mut bytes = bytes.to_vec();
        let places = self.places.iter().filter(|_| self.is_masked()).map(|place| common(&range, place));
        for part in places.filter(|part| !part.is_empty()) {
            let (first, end) = (part.start - offset_bytes, part.end - offset_bytes);
            change(part.start, &mut bytes[first as usize..end as usize]);
        }
        if let Some(record) = &*intact(self.record.lock()) {
            let record = record.encode();
            for (at, part) in copies {
                let own = &record[(part.start - at) as usize..(part.end - at) as usize];
                bytes[(part.start - offset_bytes) as usize..][..own.len()].copy_from_slice(own);
            }
        }
        Some(bytes)
    }
}

/// The message about a masked disk that shows something, and the advice.
pub const WRITTEN_OUTSIDE: &str = "which was written without its cache, and the cache's blocks would destroy it; to keep what was written, move the \
                       cache away and halo release DISK --cache-lost; to keep the cache's blocks, restore the disk as it was before";

/// In the order of the places.
fn checksums(plain: &[Vec<u8>]) -> Vec<u32> {
    plain.iter().flat_map(|bytes| bytes.chunks(SECTOR_BYTES)).map(crc32c::crc32c).collect()
}

impl Medium for MaskedDisk {
    fn len_bytes(&self) -> u64 {
        self.disk.len_bytes()
    }

    fn atomic_write_bytes(&self) -> usize {
        self.disk.atomic_write_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.disk.read_at(offset_bytes, buffer)?;
        self.show(offset_bytes, buffer)
    }

    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        self.disk.read_pieces(pieces)?;
        if Mistake::MaskedBytesShown.is_made() {
            return Ok(());
        }
        pieces.iter_mut().try_for_each(|piece| self.show(piece.offset_bytes, piece.buffer))
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        match self.outgoing(offset_bytes, bytes) {
            Some(bytes) => self.disk.write_at(offset_bytes, &bytes),
            None => self.disk.write_at(offset_bytes, bytes),
        }
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let changed: Vec<_> = pieces.iter().map(|piece| self.outgoing(piece.offset_bytes, piece.bytes)).collect();
        let pieces = pieces.iter().zip(&changed);
        let pieces: Vec<_> = pieces
            .map(|(piece, changed)| Piece { bytes: changed.as_deref().unwrap_or(piece.bytes), ..*piece })
            .collect();
        self.disk.write_pieces(&pieces)
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        if self.touches_a_place(offset_bytes, count_bytes) && !Mistake::MaskedPlacePunched.is_made() {
            Ok(false)
        } else {
            self.disk.zero_cheaply(offset_bytes, count_bytes)
        }
    }

    fn write_zeros(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.each_part(offset_bytes..offset_bytes + count_bytes, |part, masked| {
            let count = part.end - part.start;
            if masked {
                self.write_at(part.start, &vec![0; count as usize])
            } else {
                self.disk.write_zeros(part.start, count)
            }
        })
    }

    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.each_part(offset_bytes..offset_bytes + count_bytes, |part, masked| {
            if masked { Ok(()) } else { self.disk.discard(part.start, part.end - part.start) }
        })
    }

    fn barrier(&self) -> io::Result<()> {
        self.disk.barrier()
    }
}

#[cfg(test)]
mod tests;
