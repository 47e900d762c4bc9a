//! The record of the mask at the end of a disk, byte by byte: section "The mask" of FORMAT.md.

use super::places::{Form, MOST_BLOCKS, MOST_SECTORS_OF_VERSION_1, SECTOR_BYTES};
use std::collections::BTreeSet;

/// Size of a record; its copies lie behind those of the label.
pub(super) const RECORD_BYTES: usize = 1536;
const MAGIC: &[u8; 8] = b"HALOMASK";
/// The version that a disk is masked with.
pub(super) const VERSION: u32 = 2;
/// Masked fewer blocks, had checksums of sectors, and none at stage masked.
pub(super) const FIRST_VERSION: u32 = 1;
const TABLE_AT: usize = 40;
const WRITTEN_TO_AT: usize = TABLE_AT + 4 * MOST_BLOCKS;
const CHECKSUM_AT: usize = RECORD_BYTES - 4;

/// How far masking is. Checksums are those of plain units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Each sector is plain or masked; the checksums tell which. All are about to be what `masks` says.
    Changing { checksums: Vec<u32>, masks: bool },
    /// Every sector is masked.
    Masked {
        /// Empty in version 1.
        checksums: Vec<u32>,
        /// Numbers of the units whose checksums say nothing, because a write may have been under way.
        written_to: BTreeSet<usize>,
    },
}

/// A copy that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) version: u32,
    pub(super) generation: u64,
    pub(super) disk_bytes: u64,
    pub(super) stage: Stage,
}

impl Record {
    pub(super) fn encode(&self) -> [u8; RECORD_BYTES] {
        let (stage, table) = match &self.stage {
            Stage::Changing { checksums, masks: false } => (1_u32, checksums),
            Stage::Masked { checksums, .. } => (2, checksums),
            Stage::Changing { checksums, masks: true } => (3, checksums),
        };
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&self.version.to_le_bytes());
        bytes[12..16].copy_from_slice(&stage.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.generation.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.disk_bytes.to_le_bytes());
        bytes[32..36].copy_from_slice(&(table.len() as u32).to_le_bytes());
        for (place, checksum) in bytes[TABLE_AT..CHECKSUM_AT].chunks_exact_mut(4).zip(table) {
            place.copy_from_slice(&checksum.to_le_bytes());
        }
        if let Stage::Masked { written_to, .. } = &self.stage {
            for unit in written_to {
                bytes[WRITTEN_TO_AT + unit / 8] |= 1 << (unit % 8);
            }
        }
        let checksum = crc32c::crc32c(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Nothing when the copy does not count, or is of a disk of another size or with other places.
    pub(super) fn decode(bytes: &[u8], disk_bytes: u64, forms: &[Form; 2]) -> Option<Self> {
        let word = |at: usize| bytes[at..at + 4].iter().rev().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let long = |at: usize| u64::from(word(at + 4)) << 32 | u64::from(word(at));
        let counts = bytes.len() == RECORD_BYTES && &bytes[..8] == MAGIC;
        if !counts || word(CHECKSUM_AT) != crc32c::crc32c(&bytes[..CHECKSUM_AT]) || long(24) != disk_bytes {
            return None;
        }
        let form = forms.iter().find(|form| form.version == word(8))?;
        let (stage, count, is_now) = (word(12), word(32) as usize, form.version == VERSION);
        let is_whole = count == form.units();
        let checksums = (0..count.min(form.units())).map(|number| word(TABLE_AT + number * 4)).collect();
        let stage = match stage {
            1 if is_whole => Stage::Changing { checksums, masks: false },
            2 if is_whole && is_now => {
                let is_set = |unit: &usize| bytes[WRITTEN_TO_AT + unit / 8] >> (unit % 8) & 1 == 1;
                Stage::Masked { checksums, written_to: (0..count).filter(is_set).collect() }
            }
            2 if !is_now => Stage::Masked { checksums: Vec::new(), written_to: BTreeSet::new() },
            3 if is_whole && is_now => Stage::Changing { checksums, masks: true },
            _ => return None,
        };
        Some(Self { version: form.version, generation: long(16), disk_bytes, stage })
    }
}

const _: () = assert!(
    WRITTEN_TO_AT + MOST_BLOCKS.div_ceil(8) <= CHECKSUM_AT
        && TABLE_AT + 4 * MOST_SECTORS_OF_VERSION_1 <= CHECKSUM_AT
        && RECORD_BYTES.is_multiple_of(SECTOR_BYTES)
);
