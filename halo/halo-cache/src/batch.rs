//! Blocks on their way to the disk: which they are stays as it is while they are written, without holding the cache.

use crate::error::{CacheError, Device};
use crate::format::Layout;
use crate::identity;
use crate::planted::{Bug, Planted};
use halo_core::address::{BLOCK_BYTES, SECTOR_BYTES};
use halo_core::{CachedBlock, SectorMask, Slot};
use halo_media::{Medium, Piece, ReadPiece};
use std::time::Duration;

/// A copy on its way to the disk.
#[derive(Clone, Copy)]
pub(crate) struct Outgoing {
    pub(crate) block: CachedBlock,
    pub(crate) checksum: u32,
    pub(crate) zeros: bool,
}

/// Blocks on their way to the disk.
#[must_use = "a batch keeps other destages out until it is finished"]
#[derive(Clone)]
pub struct DestageBatch {
    /// Round by round, each ascending by place on the disk.
    pub(crate) blocks: Vec<Outgoing>,
    /// Where each round ends in `blocks`. The disk has one durably before it gets any of the next; without an order, there is one.
    pub(crate) round_ends: Vec<usize>,
    /// When they were chosen, since the cache was opened.
    pub(crate) begun: Duration,
    /// In [`crate::Mode::Ordered`], they are the first copies of the queue.
    pub(crate) in_order: bool,
    pub(crate) layout: Layout,
    pub(crate) planted: Planted,
}

/// The disk has the first blocks of the batch, durably, but for damaged ones.
pub struct Transferred {
    pub(crate) taken: usize,
    pub(crate) damaged: Vec<Slot>,
}

impl DestageBatch {
    /// Blocks in the batch.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// True without blocks; a batch never is.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Writes the batch to the disk and flushes it.
    ///
    /// Neighbouring sectors make one piece, and all pieces of a round are handed over together, so that a disk can keep its queue
    /// full. Holes are left alone: reading them to fill them costs more than it saves. Blocks that do not match their checksum
    /// stay in the cache.
    ///
    /// # Errors
    /// Any part of the batch may be on the disk; all of it is still in the cache.
    pub fn transfer(&self, medium: &impl Medium, disk: &impl Medium) -> Result<Transferred, CacheError> {
        self.transfer_until(medium, disk, || u64::MAX)
    }

    /// As [`DestageBatch::transfer`], for disks that may take only a part. `end_bytes`, asked after each [`Medium::write_pieces`], says
    /// that the disk was given what lies before this offset, and nothing else; then it is given nothing more, and the other blocks stay
    /// in the cache.
    ///
    /// # Errors
    /// As for [`DestageBatch::transfer`].
    pub fn transfer_until(
        &self,
        medium: &impl Medium,
        disk: &impl Medium,
        end_bytes: impl Fn() -> u64,
    ) -> Result<Transferred, CacheError> {
        let mut transferred = Transferred { taken: 0, damaged: Vec::new() };
        for &round_end in &self.round_ends {
            let round = &self.blocks[transferred.taken..round_end];
            self.transfer_round(round, medium, disk, &mut transferred.damaged)?;
            let is_last = round_end == self.blocks.len() || end_bytes() < u64::MAX;
            if is_last || !self.planted.has(Bug::OrderedRoundsNotFlushed) {
                disk.barrier().map_err(CacheError::io(Device::Disk, "flushing"))?;
            }
            let end_bytes = if self.planted.has(Bug::EndedBatchDropsTheRest) { u64::MAX } else { end_bytes() };
            let block_end_bytes = |outgoing: &Outgoing| outgoing.block.lbn.offset_bytes() + BLOCK_BYTES as u64;
            transferred.taken += round.partition_point(|outgoing| block_end_bytes(outgoing) <= end_bytes);
            if end_bytes < u64::MAX {
                break;
            }
        }
        Ok(transferred)
    }

    /// The blocks of a round one behind the other, all read at once. Of a block that cannot be read, any bytes: its checksum tells.
    fn read_round(&self, round: &[Outgoing], medium: &impl Medium) -> Result<Vec<u8>, CacheError> {
        let mut data = vec![0; round.len() * BLOCK_BYTES];
        let places = round.iter().zip(data.chunks_exact_mut(BLOCK_BYTES)).filter(|(outgoing, _)| !outgoing.zeros);
        let piece = |(outgoing, buffer): (&Outgoing, _)| ReadPiece {
            offset_bytes: self.layout.data_offset_bytes(outgoing.block.slot),
            buffer,
        };
        let mut pieces: Vec<_> = places.map(piece).collect();
        if let Err(error) = medium.read_pieces(&mut pieces) {
            if !self.is_readable(medium) {
                return Err(CacheError::io(Device::Cache, "reading for the disk")(error));
            }
            // A few bad sectors must not keep all other blocks from the disk.
            for piece in &mut pieces {
                if medium.read_at(piece.offset_bytes, piece.buffer).is_err() {
                    piece.buffer.fill(0);
                }
            }
        }
        Ok(data)
    }

    /// False when the medium reads nothing any more, not even its own records.
    fn is_readable(&self, medium: &impl Medium) -> bool {
        self.planted.has(Bug::DeadMediumGivenUp) || identity::copies(medium, Device::Cache, &self.layout).is_ok()
    }

    /// A block is passed over, so that the disk alone will not be in order after the next round.
    fn note_gap(&self, disk: &impl Medium) -> Result<(), CacheError> {
        if self.in_order && !self.planted.has(Bug::OrderedAfterDamage) {
            identity::note_order(disk, &self.layout, false, self.planted)?;
        }
        Ok(())
    }

    fn transfer_round(
        &self,
        round: &[Outgoing],
        medium: &impl Medium,
        disk: &impl Medium,
        damaged: &mut Vec<Slot>,
    ) -> Result<(), CacheError> {
        let data = self.read_round(round, medium)?;
        let mut ranges: Vec<(u64, std::ops::Range<usize>)> = Vec::new();
        for (number, &Outgoing { block, checksum, zeros }) in round.iter().enumerate() {
            if zeros && self.planted.has(Bug::DestageSkipsZeros) {
                continue;
            }
            let start = number * BLOCK_BYTES;
            let whole = &data[start..start + BLOCK_BYTES];
            if crc32c::crc32c(whole) != checksum && !self.planted.has(Bug::NoChecksumWhenDestaging) {
                damaged.push(block.slot);
                continue;
            }
            let mask = if self.planted.has(Bug::DestageWholeBlocks) { SectorMask::FULL } else { block.mask };
            for (first, count) in mask.runs() {
                let at_bytes = block.lbn.offset_bytes() + (first * SECTOR_BYTES) as u64;
                let run = start + first * SECTOR_BYTES..start + (first + count) * SECTOR_BYTES;
                match ranges.last_mut() {
                    // Blocks that are neighbours on the disk are neighbours in memory, unless a block between them was left out.
                    Some((offset_bytes, range))
                        if *offset_bytes + range.len() as u64 == at_bytes && range.end == run.start =>
                    {
                        range.end = run.end;
                    }
                    _ => ranges.push((at_bytes, run)),
                }
            }
        }
        if !damaged.is_empty() {
            self.note_gap(disk)?;
        }
        let pieces: Vec<_> =
            ranges.into_iter().map(|(offset_bytes, range)| Piece { offset_bytes, bytes: &data[range] }).collect();
        disk.write_pieces(&pieces).map_err(CacheError::io(Device::Disk, "writing"))
    }
}
