//! Mistakes that are a device's own, as a layer of the medium: barriers that it forgets, and an error that it hides. The cache above does
//! all that it should, and the promises must notice all the same.

use super::machine::DISK_BYTES;
use halo_cache::format::Layout;
use halo_cache::{Bug, Device, Planted};
use halo_core::Slot;
use halo_media::{Medium, Piece, ReadPiece};
use std::io;
use std::ops::Deref;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

/// The kinds of writes since the last barrier was asked for.
const RECORDS: u8 = 1;
const ITEMS: u8 = 2;
const DATA: u8 = 4;

pub(crate) struct Lying<M> {
    medium: M,
    role: Device,
    planted: Planted,
    written: AtomicU8,
}

impl<M: Medium> Lying<M> {
    /// A device of this role, with this mistake if it is one of its own.
    pub(crate) fn new(medium: M, role: Device, planted: Planted) -> Self {
        Self { medium, role, planted, written: AtomicU8::new(0) }
    }

    fn note(&self, offset_bytes: u64) {
        let len_bytes = self.medium.len_bytes();
        let first = match self.role {
            Device::Cache => Layout::new(len_bytes, DISK_BYTES as u64)
                .map_or([0, 0], |layout| [layout.item_offset_bytes(Slot(0)), layout.data_offset_bytes(Slot(0))]),
            Device::Disk => [0, 0],
        };
        let is_record = offset_bytes < first[0] || offset_bytes >= len_bytes - 4096;
        let kind = match offset_bytes {
            _ if is_record => RECORDS,
            _ if offset_bytes < first[1] => ITEMS,
            _ => DATA,
        };
        self.written.fetch_or(kind, SeqCst);
    }

    fn forgets(&self, written: u8) -> bool {
        let of_records = (Bug::NoBarrierAfterRecords, written == RECORDS);
        let mistakes: &[_] = match self.role {
            Device::Cache => &[
                of_records,
                (Bug::NoBarrierBeforeItems, written == DATA),
                (Bug::NoBarrierAfterItems, written & ITEMS != 0),
            ],
            Device::Disk => &[of_records, (Bug::NoDiskFlush, written & DATA != 0)],
        };
        mistakes.iter().any(|&(bug, applies)| applies && self.planted.has(bug))
    }
}

impl<M> Deref for Lying<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.medium
    }
}

impl<M: Medium> Medium for Lying<M> {
    fn len_bytes(&self) -> u64 {
        self.medium.len_bytes()
    }

    fn atomic_write_bytes(&self) -> usize {
        self.medium.atomic_write_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.medium.read_at(offset_bytes, buffer)
    }

    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        self.medium.read_pieces(pieces)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.note(offset_bytes);
        self.medium.write_at(offset_bytes, bytes)
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        for piece in pieces {
            self.note(piece.offset_bytes);
        }
        self.medium.write_pieces(pieces)
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        self.note(offset_bytes);
        self.medium.zero_cheaply(offset_bytes, count_bytes)
    }

    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.medium.discard(offset_bytes, count_bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        if self.forgets(self.written.swap(0, SeqCst)) {
            return Ok(());
        }
        let outcome = self.medium.barrier();
        let hides = self.role == Device::Disk && self.planted.has(Bug::IgnoreDiskFlushError);
        if hides { Ok(()) } else { outcome }
    }
}
