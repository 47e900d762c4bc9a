//! Where bytes are kept: the cache device, and the disk behind it.
//!
//! [`Medium`] is the whole contract. [`PowerLossRam`] forgets at a power loss what no barrier covered, torn and reordered;
//! [`FileMedium`] is a file or block device, `PmemMedium` persistent memory; [`Faulty`] is a layer that makes either of them fail. Not here: what the bytes
//! mean. Start with [`Medium`].

mod direct;
mod faults;
mod file;
mod group_commit;
mod intact;
mod limit;
mod lock;
mod named;
#[cfg(target_arch = "x86_64")]
mod pmem;
mod ram;
mod read_only;
#[cfg(target_arch = "x86_64")]
mod sigbus;
mod vectored;

pub use faults::Faulty;
pub use file::FileMedium;
pub use group_commit::{GroupCommit, lasts_until_reopened};
pub use intact::intact;
pub use named::says_lost;
#[cfg(target_arch = "x86_64")]
pub use pmem::{LineFlush, PmemMedium};
pub use ram::{Power, PowerLossRam, Survival};
pub use read_only::refuse_read_only;
pub use vectored::with_others;

use std::io;
use std::sync::Arc;

/// One piece of a larger write.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Where it goes.
    pub offset_bytes: u64,
    /// The bytes to write.
    pub bytes: &'a [u8],
}

/// One piece of a larger read.
#[derive(Debug)]
pub struct ReadPiece<'a> {
    /// Where it comes from.
    pub offset_bytes: u64,
    /// The buffer to fill.
    pub buffer: &'a mut [u8],
}

/// Bytes that outlive a power loss, once a barrier has said so.
///
/// The promises of every medium: a read sees all writes that returned before it began. A write that returned is durable
/// once a [`Medium::barrier`] that began afterwards is `Ok`. Until then a power loss may keep any part of it in units of
/// [`Medium::atomic_write_bytes`], in any order: each unit is afterwards as it was at the last barrier, or as any write
/// since then left it.
pub trait Medium {
    /// Size.
    fn len_bytes(&self) -> u64;

    /// Aligned units of this size are written as a whole or not at all when the power fails.
    fn atomic_write_bytes(&self) -> usize {
        512
    }

    /// Fills `buffer` from `offset_bytes`.
    ///
    /// # Errors
    /// The buffer's content is undefined.
    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Fills all pieces, in any order or at the same time; afterwards they may stand in another order.
    ///
    /// # Errors
    /// The content of all buffers is undefined.
    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        pieces.iter_mut().try_for_each(|piece| self.read_at(piece.offset_bytes, piece.buffer))
    }

    /// Writes `bytes` at `offset_bytes`.
    ///
    /// # Errors
    /// Any part of the range may have been written.
    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()>;

    /// Writes all pieces, in any order or at the same time: the pieces do not overlap.
    ///
    /// # Errors
    /// Any part of any piece may have been written.
    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        pieces.iter().try_for_each(|piece| self.write_at(piece.offset_bytes, piece.bytes))
    }

    /// Makes `count_bytes` from `offset_bytes` read as zeros if that costs far less than writing them, as a hole in a file
    /// does. False: nothing was done. True: it counts as a write.
    ///
    /// # Errors
    /// Any part of the range may have been zeroed.
    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        check_range(self.len_bytes(), offset_bytes, count_bytes as usize).map(|()| false)
    }

    /// Makes `count_bytes` from `offset_bytes` read as zeros, by writing them where there is no cheaper way.
    ///
    /// # Errors
    /// Any part of the range may have been zeroed.
    fn write_zeros(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        if self.zero_cheaply(offset_bytes, count_bytes)? { Ok(()) } else { fill(self, offset_bytes, count_bytes) }
    }

    /// Says that nobody needs `count_bytes` from `offset_bytes` any more. Their content is then undefined until they are
    /// written; a medium that has no use for this leaves them as they are.
    ///
    /// # Errors
    /// As if it had succeeded.
    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        check_range(self.len_bytes(), offset_bytes, count_bytes as usize)
    }

    /// Makes all writes that have returned durable.
    ///
    /// # Errors
    /// Nothing is known about any write since the last barrier that succeeded.
    fn barrier(&self) -> io::Result<()>;
}

impl<M: Medium + ?Sized> Medium for Arc<M> {
    fn len_bytes(&self) -> u64 {
        (**self).len_bytes()
    }
    fn atomic_write_bytes(&self) -> usize {
        (**self).atomic_write_bytes()
    }
    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset_bytes, buffer)
    }
    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        (**self).read_pieces(pieces)
    }
    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_at(offset_bytes, bytes)
    }
    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        (**self).write_pieces(pieces)
    }
    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        (**self).zero_cheaply(offset_bytes, count_bytes)
    }
    fn write_zeros(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        (**self).write_zeros(offset_bytes, count_bytes)
    }
    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        (**self).discard(offset_bytes, count_bytes)
    }
    fn barrier(&self) -> io::Result<()> {
        (**self).barrier()
    }
}

/// Writes zeros as ordinary bytes: for a [`Medium::write_zeros`] that has no other way.
///
/// # Errors
/// Any part of the range may have been written.
pub fn fill(medium: &(impl Medium + ?Sized), offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
    let zeros = vec![0; count_bytes.min(1 << 20) as usize];
    let mut written = 0;
    while written < count_bytes {
        let count = (count_bytes - written).min(zeros.len() as u64);
        medium.write_at(offset_bytes + written, &zeros[..count as usize])?;
        written += count;
    }
    Ok(())
}

/// Refuses a range that leaves a medium of `len_bytes`.
fn check_range(len_bytes: u64, offset_bytes: u64, count: usize) -> io::Result<()> {
    match offset_bytes.checked_add(count as u64) {
        Some(end) if end <= len_bytes => Ok(()),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{count} bytes at {offset_bytes} leave a medium of {len_bytes} bytes"),
        )),
    }
}
