//! The content that each masked block should have, for whoever opens the disk next.
//!
//! Before a block is written, the record says durably that its checksum counts no more; some time after the write is durable, it has the
//! new one. So at every moment the checksums that count are right, and a power loss leaves those blocks unknown that were being written. No
//! device here: what is to be noted is the mask's to write.

use super::places::{Form, SECTOR_BYTES, common};
use super::record::Stage;
use halo_core::address::BLOCK_BYTES;
use halo_media::Piece;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

const BLOCK_SECTORS: usize = BLOCK_BYTES / SECTOR_BYTES;

/// A block that may not be what its checksum says on the medium.
#[derive(Default)]
struct Change {
    /// Writes under way.
    writers: u32,
    /// The number of the last end of one.
    ended: u64,
    /// A write or a flush failed: nobody knows before the disk is opened anew.
    is_unknown: bool,
}

/// Checksums of plain sectors and blocks, and the blocks that are being written.
pub(super) struct Contents {
    sectors: Vec<u32>,
    blocks: Vec<u32>,
    changes: BTreeMap<usize, Change>,
    /// Blocks of which the record says that they may be written.
    noted: BTreeSet<usize>,
    ends: u64,
}

impl Contents {
    /// What the plain bytes of all places are, by a record that says that of `noted`.
    pub(super) fn of(plain: &[Vec<u8>; 2], noted: BTreeSet<usize>) -> Self {
        let sectors = plain.iter().flat_map(|bytes| bytes.chunks(SECTOR_BYTES)).map(crc32c::crc32c).collect();
        let blocks = plain.iter().flat_map(|bytes| bytes.chunks(BLOCK_BYTES)).map(crc32c::crc32c).collect();
        Self { sectors, blocks, changes: BTreeMap::new(), noted, ends: 0 }
    }

    /// A write of plain bytes begins; gives its masked blocks.
    pub(super) fn begin(&mut self, form: &Form, pieces: &[Piece<'_>]) -> BTreeSet<usize> {
        let mut begun = BTreeSet::new();
        for piece in pieces {
            let range = piece.offset_bytes..piece.offset_bytes + piece.bytes.len() as u64;
            for (place, first_unit) in form.places.iter().zip(form.first_units()) {
                let part = common(&range, place);
                if !part.is_empty() {
                    let bytes = &piece.bytes[(part.start - range.start) as usize..];
                    self.take(first_unit, (part.start - place.start)..(part.end - place.start), bytes, &mut begun);
                }
            }
        }
        for &block in &begun {
            let change = self.changes.entry(block).or_default();
            // The order of two writes of one block is the disk's.
            change.is_unknown |= change.writers > 0;
            change.writers += 1;
            let sectors = &self.sectors[block * BLOCK_SECTORS..][..BLOCK_SECTORS];
            self.blocks[block] = sectors.iter().copied().reduce(joined).unwrap_or_default();
        }
        begun
    }

    /// Takes the checksums of the sectors in a range of one place over.
    fn take(&mut self, first_unit: usize, range: Range<u64>, bytes: &[u8], begun: &mut BTreeSet<usize>) {
        let mut at = range.start;
        while at < range.end {
            let sector = first_unit * BLOCK_SECTORS + at as usize / SECTOR_BYTES;
            let end = range.end.min((at / SECTOR_BYTES as u64 + 1) * SECTOR_BYTES as u64);
            let block = sector / BLOCK_SECTORS;
            if end - at == SECTOR_BYTES as u64 {
                self.sectors[sector] = crc32c::crc32c(&bytes[(at - range.start) as usize..][..SECTOR_BYTES]);
            } else {
                self.changes.entry(block).or_default().is_unknown = true;
            }
            begun.insert(block);
            at = end;
        }
    }

    /// The write ended.
    pub(super) fn end(&mut self, begun: &BTreeSet<usize>, succeeded: bool) {
        self.ends += 1;
        for block in begun {
            let Some(change) = self.changes.get_mut(block) else { continue };
            change.writers -= 1;
            change.ended = self.ends;
            change.is_unknown |= !succeeded;
        }
    }

    /// A flush of the disk begins: gives the number that says which writes it covers.
    pub(super) fn flush_begins(&self) -> u64 {
        self.ends
    }

    /// The flush ended; true when blocks are known again.
    pub(super) fn flush_ended(&mut self, covered: u64, succeeded: bool) -> bool {
        let before = self.changes.len();
        if succeeded {
            self.changes.retain(|_, change| change.writers > 0 || change.is_unknown || change.ended > covered);
        } else {
            self.changes.values_mut().for_each(|change| change.is_unknown = true);
        }
        self.changes.len() < before
    }

    /// True when the record says of all these blocks that they may be written.
    pub(super) fn are_noted(&self, begun: &BTreeSet<usize>) -> bool {
        begun.is_subset(&self.noted)
    }

    /// True when the record says less than is known.
    pub(super) fn is_known_better(&self) -> bool {
        self.noted.len() > self.changes.len()
    }

    /// What a record is to say.
    pub(super) fn stage(&self) -> Stage {
        Stage::Masked { checksums: self.blocks.clone(), written_to: self.changes.keys().copied().collect() }
    }

    /// A record is being written that says this: from now on a write may rely on what it and the one before both say.
    pub(super) fn noting(&mut self, stage: &Stage) {
        if let Stage::Masked { written_to, .. } = stage {
            self.noted.retain(|block| written_to.contains(block));
        }
    }

    /// The record says that durably.
    pub(super) fn note(&mut self, stage: &Stage) {
        if let Stage::Masked { written_to, .. } = stage {
            self.noted.clone_from(written_to);
        }
    }
}

/// The checksum of two neighbours, the second of which is a sector.
fn joined(first: u32, sector: u32) -> u32 {
    // Linear in `first`; the library finds out anew for each call what the bytes behind it do.
    static BEHIND: LazyLock<[u32; 32]> =
        LazyLock::new(|| std::array::from_fn(|bit| crc32c::crc32c_combine(1 << bit, 0, SECTOR_BYTES)));
    let bits = BEHIND.iter().enumerate().filter(|&(bit, _)| first >> bit & 1 == 1);
    bits.fold(sector, |sum, (_, behind)| sum ^ behind)
}
