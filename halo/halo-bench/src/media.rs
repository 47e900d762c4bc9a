//! Devices for benches: one that keeps records and forgets data, and one that takes as long as a disk on a clock of its own.

use halo_disk::{Disk, Operation, Profile, Request, SECTOR_BYTES};
use halo_media::{Medium, Piece};
use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The byte that fills every block of data in benches.
pub const DATA: u8 = 7;

/// A medium of any size that keeps its beginning and its end, where records and items are, and reads as [`DATA`] everywhere
/// else: a million blocks without their four gigabytes.
pub struct Hollow {
    len_bytes: u64,
    forgotten: Range<u64>,
    kept: Mutex<Vec<u8>>,
}

impl Hollow {
    /// Keeps `head_bytes` at the beginning and `tail_bytes` at the end.
    pub fn new(len_bytes: u64, head_bytes: u64, tail_bytes: u64) -> Self {
        let forgotten = head_bytes..len_bytes - tail_bytes;
        Self { len_bytes, forgotten, kept: Mutex::new(vec![0; (head_bytes + tail_bytes) as usize]) }
    }

    /// A cache of `slots` slots.
    pub fn cache(slots: u64) -> Self {
        let head_bytes = 4096 + (32 * slots).next_multiple_of(4096);
        Self::new(head_bytes + 4096 * slots + 4096, head_bytes, 4096)
    }

    /// A disk.
    pub fn disk(len_bytes: u64) -> Self {
        Self::new(len_bytes, 0, 4096)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<u8>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the kept bytes are; nothing for data.
    fn place(&self, offset_bytes: u64, count: usize) -> Option<Range<usize>> {
        let gap = if offset_bytes >= self.forgotten.end { self.forgotten.end - self.forgotten.start } else { 0 };
        let start = (offset_bytes - gap) as usize;
        (!self.forgotten.contains(&offset_bytes)).then_some(start..start + count)
    }
}

impl Medium for Hollow {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self.place(offset_bytes, buffer.len()) {
            Some(place) => buffer.copy_from_slice(&self.kept()[place]),
            None => buffer.fill(DATA),
        }
        Ok(())
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(place) = self.place(offset_bytes, bytes.len()) {
            self.kept()[place].copy_from_slice(bytes);
        }
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        Ok(())
    }
}

const IN_FLIGHT: usize = 32;

/// A medium that takes as long as a disk would, on a clock of its own.
pub struct Timed {
    medium: Hollow,
    clock: Mutex<Clock>,
}

struct Clock {
    disk: Disk,
    now_nanos: u64,
    in_flight: usize,
    commands: u64,
}

impl Clock {
    fn submit(&mut self, operation: Operation, offset_bytes: u64, bytes: usize) {
        self.commands += 1;
        let (first_sector, sectors) = (offset_bytes / SECTOR_BYTES, bytes as u64 / SECTOR_BYTES);
        self.disk.submit(self.now_nanos, Request { id: self.commands, operation, first_sector, sectors });
        self.in_flight += 1;
    }

    /// Lets time pass until at most `most` commands are in flight.
    fn wait(&mut self, most: usize) {
        let mut completed = Vec::new();
        while self.in_flight > most {
            let Some(next_nanos) = self.disk.next_event_nanos() else { return };
            self.now_nanos = next_nanos;
            self.disk.advance(self.now_nanos, &mut completed);
            self.in_flight -= completed.drain(..).count();
        }
    }
}

impl Timed {
    /// A disk of `len_bytes`.
    pub fn new(len_bytes: u64, profile: Profile) -> Self {
        let clock = Clock { disk: Disk::new(profile), now_nanos: 0, in_flight: 0, commands: 0 };
        Self { medium: Hollow::disk(len_bytes), clock: Mutex::new(clock) }
    }

    /// Time of the disk so far.
    pub fn seconds(&self) -> f64 {
        self.clock().now_nanos as f64 / 1e9
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Medium for Timed {
    fn len_bytes(&self) -> u64 {
        self.medium.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut clock = self.clock();
        clock.submit(Operation::Read, offset_bytes, buffer.len());
        clock.wait(0);
        self.medium.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_pieces(&[Piece { offset_bytes, bytes }])
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let mut clock = self.clock();
        for piece in pieces {
            clock.wait(IN_FLIGHT - 1);
            clock.submit(Operation::Write, piece.offset_bytes, piece.bytes.len());
            self.medium.write_at(piece.offset_bytes, piece.bytes)?;
        }
        clock.wait(0);
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        let mut clock = self.clock();
        clock.submit(Operation::Flush, 0, 0);
        clock.wait(0);
        Ok(())
    }
}
