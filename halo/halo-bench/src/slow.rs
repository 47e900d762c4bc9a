//! A medium that takes a while for each access, in wall time, and any number of accesses at once: what a device with a queue does.

use halo_media::{Medium, Piece, ReadPiece};
use std::io;
use std::thread::sleep;
use std::time::Duration;

/// Adds a time to each read, write and barrier.
#[derive(Clone)]
pub struct Slow<M> {
    medium: M,
    access: Duration,
}

impl<M> Slow<M> {
    /// Each access takes `access` longer than on `medium`.
    pub fn new(medium: M, access: Duration) -> Self {
        Self { medium, access }
    }

    fn pass(&self) {
        // Even a sleep of no time is a call of the kernel.
        if !self.access.is_zero() {
            sleep(self.access);
        }
    }
}

impl<M: Medium> Medium for Slow<M> {
    fn len_bytes(&self) -> u64 {
        self.medium.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.pass();
        self.medium.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.pass();
        self.medium.write_at(offset_bytes, bytes)
    }

    /// As if all were handed to the device at once, whose queue has 32 places.
    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        for pieces in pieces.chunks_mut(32) {
            self.pass();
            self.medium.read_pieces(pieces)?;
        }
        Ok(())
    }

    /// As reads.
    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        for pieces in pieces.chunks(32) {
            self.pass();
            self.medium.write_pieces(pieces)?;
        }
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        self.pass();
        self.medium.barrier()
    }
}
