//! Reads and writes of a disk with its mask.

use super::places::{change, common};
use super::record::{RECORD_BYTES, VERSION};
use super::{Contents, MaskedDisk, State};
use halo_media::{Medium, Piece, ReadPiece, intact};
use halo_planted::Mistake;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

impl MaskedDisk {
    /// Calls with each part of a range: true for those that are masked.
    fn each_part(&self, range: Range<u64>, mut act: impl FnMut(Range<u64>, bool) -> io::Result<()>) -> io::Result<()> {
        let mut at = range.start;
        for place in self.masked_places() {
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
    pub(super) fn show(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
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
        self.masked_places().iter().any(|place| !common(&range, place).is_empty())
    }

    /// The bytes that go to the disk for `bytes`: masked, and with the record as it is where somebody writes the end as a whole.
    fn outgoing(&self, offset_bytes: u64, bytes: &[u8]) -> Option<Vec<u8>> {
        let range = offset_bytes..offset_bytes + bytes.len() as u64;
        let copies = self.copies_bytes.into_iter().flatten().enumerate();
        let copies = copies.map(|(number, at)| (number, at, common(&range, &(at..at + RECORD_BYTES as u64))));
        let copies: Vec<_> = copies.filter(|(_, _, part)| !part.is_empty()).collect();
        if copies.is_empty() && !self.touches_a_place(offset_bytes, bytes.len() as u64) {
            return None;
        }
        let mut bytes = bytes.to_vec();
        for place in self.masked_places() {
            let part = common(&range, place);
            if !part.is_empty() {
                let (first, end) = (part.start - offset_bytes, part.end - offset_bytes);
                change(part.start, &mut bytes[first as usize..end as usize]);
            }
        }
        let state = self.state();
        if state.newest.is_some() {
            for (number, at, part) in copies {
                let own = &state.copies[number][(part.start - at) as usize..(part.end - at) as usize];
                bytes[(part.start - offset_bytes) as usize..][..own.len()].copy_from_slice(own);
            }
        }
        Some(bytes)
    }

    /// Writes pieces, with a record of which masked blocks are written.
    fn write(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let begun = self.begin_write(pieces)?;
        let changed: Vec<_> = pieces.iter().map(|piece| self.outgoing(piece.offset_bytes, piece.bytes)).collect();
        let outgoing: Vec<_> = pieces
            .iter()
            .zip(&changed)
            .map(|(piece, changed)| Piece { bytes: changed.as_deref().unwrap_or(piece.bytes), ..*piece })
            .collect();
        let written = self.disk.write_pieces(&outgoing);
        self.end_write(&begun, written.is_ok());
        written
    }

    /// Returns once the record says that these blocks are written: one write of it, and one flush of the disk, for all threads that wait.
    fn begin_write(&self, pieces: &[Piece<'_>]) -> io::Result<BTreeSet<usize>> {
        let touches = |piece: &Piece<'_>| self.touches_a_place(piece.offset_bytes, piece.bytes.len() as u64);
        if !self.has_present_mask() || !pieces.iter().any(touches) {
            return Ok(BTreeSet::new());
        }
        let mut state = self.state();
        let Some(contents) = &mut state.contents else {
            return Err(io::Error::other("the disk is masked, and was not settled before a write"));
        };
        let begun = contents.begin(self.form(VERSION), pieces);
        while let Some(next) =
            state.contents.as_ref().filter(|contents| !contents.are_noted(&begun)).map(Contents::stage)
        {
            if state.is_written {
                state = intact(self.noted.wait(state));
                continue;
            }
            state.is_written = true;
            let (number, record) = (state.spare, self.next_record(&state, VERSION, next));
            if let Some(contents) = &mut state.contents {
                contents.noting(&record.stage);
            }
            drop(state);
            let noted = self.write_copy(number, &record).and_then(|()| self.disk.barrier());
            state = self.state();
            state.is_written = false;
            self.noted.notify_all();
            if let Err(error) = noted {
                // As after any flush that failed: what was written before may be lost, too.
                if let Some(contents) = &mut state.contents {
                    contents.flush_ended(0, false);
                }
                end(&mut state, &begun, false);
                return Err(error);
            }
            state.take_durable(record);
        }
        Ok(begun)
    }

    fn end_write(&self, begun: &BTreeSet<usize>, succeeded: bool) {
        if !begun.is_empty() {
            end(&mut self.state(), begun, succeeded);
        }
    }

    /// Blocks that are known again are noted without a flush: until there is one, the other copy says that they are not.
    fn end_flush(&self, covered: u64, succeeded: bool) -> io::Result<()> {
        let mut state = self.state();
        let is_written = state.is_written;
        let Some(contents) = &mut state.contents else { return Ok(()) };
        if !contents.flush_ended(covered, succeeded) || is_written {
            return Ok(());
        }
        let known = contents.stage();
        // A power loss may leave either copy: no write relies on what only this one says.
        contents.noting(&known);
        let record = self.next_record(&state, VERSION, known);
        self.write_copy(state.spare, &record)?;
        state.take(record);
        Ok(())
    }
}

fn end(state: &mut State, begun: &BTreeSet<usize>, succeeded: bool) {
    if let Some(contents) = &mut state.contents {
        contents.end(begun, succeeded);
    }
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
        self.write(&[Piece { offset_bytes, bytes }])
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        self.write(pieces)
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
        if !self.has_present_mask() {
            return self.disk.barrier();
        }
        let covered = self.state().contents.as_ref().map_or(0, Contents::flush_begins);
        let flushed = self.disk.barrier();
        self.end_flush(covered, flushed.is_ok())?;
        flushed
    }
}
