//! The record of the mask at the end of a disk, byte by byte: section "The mask" of FORMAT.md.

use super::places::SECTOR_BYTES;

/// Size of a record; its copies lie behind those of the label.
pub(super) const RECORD_BYTES: usize = 1536;
const MAGIC: &[u8; 8] = b"HALOMASK";
const VERSION: u32 = 1;
const TABLE_AT: usize = 40;
const CHECKSUM_AT: usize = RECORD_BYTES - 4;

/// How far masking is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Each sector is plain or masked: the checksums of the plain ones tell which.
    Changing(Vec<u32>),
    /// Every sector is masked.
    Masked,
}

/// A copy that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) generation: u64,
    pub(super) disk_bytes: u64,
    pub(super) stage: Stage,
}

impl Record {
    pub(super) fn encode(&self) -> [u8; RECORD_BYTES] {
        let (stage, table) = match &self.stage {
            Stage::Changing(table) => (1_u32, &table[..]),
            Stage::Masked => (2, &[][..]),
        };
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&stage.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.generation.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.disk_bytes.to_le_bytes());
        bytes[32..36].copy_from_slice(&(table.len() as u32).to_le_bytes());
        for (place, checksum) in bytes[TABLE_AT..CHECKSUM_AT].chunks_exact_mut(4).zip(table) {
            place.copy_from_slice(&checksum.to_le_bytes());
        }
        let checksum = crc32c::crc32c(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Nothing when the copy does not count, or is of a disk of another size or with other places.
    pub(super) fn decode(bytes: &[u8], disk_bytes: u64, sectors: usize) -> Option<Self> {
        let word = |at: usize| bytes[at..at + 4].iter().rev().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let long = |at: usize| u64::from(word(at + 4)) << 32 | u64::from(word(at));
        let counts = bytes.len() == RECORD_BYTES && &bytes[..8] == MAGIC && word(8) == VERSION;
        if !counts || word(CHECKSUM_AT) != crc32c::crc32c(&bytes[..CHECKSUM_AT]) || long(24) != disk_bytes {
            return None;
        }
        let count = word(32) as usize;
        let stage = match word(12) {
            1 if count == sectors => Stage::Changing((0..count).map(|number| word(TABLE_AT + number * 4)).collect()),
            2 => Stage::Masked,
            _ => return None,
        };
        Some(Self { generation: long(16), disk_bytes, stage })
    }
}

const _: () =
    assert!(TABLE_AT + 4 * super::places::MOST_SECTORS <= CHECKSUM_AT && RECORD_BYTES.is_multiple_of(SECTOR_BYTES));
