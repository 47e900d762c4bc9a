//! The bytes of a disk that are masked, and with what.

use super::record::{FIRST_VERSION, VERSION};
use halo_core::address::BLOCK_BYTES;
use std::ops::Range;

pub(super) const SECTOR_BYTES: usize = 512;
/// Own: what Linux mounts or assembles has its superblocks, partition tables and labels in the first 68 KiB and the last blocks. ZFS alone
/// reads four labels of 256 KiB: two at the beginning, and two at the end of the last whole 256 KiB.
const FIRST_BLOCKS: u64 = 128;
const LAST_BLOCKS: u64 = 192;
/// Those of version 1 of the record, which left two labels of ZFS plain.
const FIRST_BLOCKS_OF_VERSION_1: u64 = 17;
const LAST_BLOCKS_OF_VERSION_1: u64 = 16;
pub(super) const MOST_BLOCKS: usize = (FIRST_BLOCKS + LAST_BLOCKS) as usize;
pub(super) const MOST_SECTORS_OF_VERSION_1: usize =
    (FIRST_BLOCKS_OF_VERSION_1 + LAST_BLOCKS_OF_VERSION_1) as usize * BLOCK_BYTES / SECTOR_BYTES;

/// What is masked on a disk by the rules of one version of the record.
pub(super) struct Form {
    pub(super) version: u32,
    pub(super) places: [Range<u64>; 2],
    /// A checksum is of so many bytes.
    pub(super) unit_bytes: usize,
}

impl Form {
    /// By the rules of both versions, for a disk that offers `capacity_bytes`.
    pub(super) fn all(capacity_bytes: u64) -> [Self; 2] {
        let earlier = places(capacity_bytes, FIRST_BLOCKS_OF_VERSION_1, LAST_BLOCKS_OF_VERSION_1);
        let now = places(capacity_bytes, FIRST_BLOCKS, LAST_BLOCKS);
        [
            Self { version: FIRST_VERSION, places: earlier, unit_bytes: SECTOR_BYTES },
            Self { version: VERSION, places: now, unit_bytes: BLOCK_BYTES },
        ]
    }

    /// The number of checksums.
    pub(super) fn units(&self) -> usize {
        self.places.iter().map(|place| (place.end - place.start) as usize / self.unit_bytes).sum()
    }

    /// Where each unit begins.
    pub(super) fn offsets(&self) -> impl Iterator<Item = u64> {
        self.places.iter().flat_map(|place| place.clone().step_by(self.unit_bytes))
    }

    /// The number of the first unit of each place.
    pub(super) fn first_units(&self) -> [usize; 2] {
        [0, (self.places[0].end - self.places[0].start) as usize / self.unit_bytes]
    }
}

fn places(capacity_bytes: u64, first_blocks: u64, last_blocks: u64) -> [Range<u64>; 2] {
    let block = BLOCK_BYTES as u64;
    let blocks = capacity_bytes / block;
    let first = blocks.min(first_blocks);
    let last = (blocks - first).min(last_blocks);
    [0..first * block, (blocks - last) * block..blocks * block]
}

/// The part that both have in common; empty when there is none.
pub(super) fn common(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

/// Masks the bytes that lie at `offset_bytes`, or makes them plain again.
pub(super) fn change(offset_bytes: u64, bytes: &mut [u8]) {
    let lead = (offset_bytes.wrapping_neg() % 8).min(bytes.len() as u64) as usize;
    let (lead, rest) = bytes.split_at_mut(lead);
    let key = word(offset_bytes / 8).to_le_bytes();
    lead.iter_mut().zip(&key[offset_bytes as usize % 8..]).for_each(|(byte, key)| *byte ^= key);
    for (number, bytes) in (offset_bytes.div_ceil(8)..).zip(rest.chunks_mut(8)) {
        bytes.iter_mut().zip(word(number).to_le_bytes()).for_each(|(byte, key)| *byte ^= key);
    }
}

/// Makes a unit plain of which each sector is plain or masked, by its checksum when plain; false when it is neither, and stays as it is.
///
/// An exclusive or changes the checksum by a value that does not depend on the content. So one number a sector tells what unmasking it does,
/// and no content is tried.
pub(super) fn make_plain(offset_bytes: u64, unit: &mut [u8], checksum: u32) -> bool {
    let difference = crc32c::crc32c(unit) ^ checksum;
    if difference == 0 {
        return true;
    }
    let of_zeros = crc32c::crc32c(&vec![0; unit.len()]);
    let starts = (0..unit.len()).step_by(SECTOR_BYTES);
    let changes: Vec<u32> = starts
        .map(|start| {
            let mut key = vec![0; unit.len()];
            change(offset_bytes + start as u64, &mut key[start..start + SECTOR_BYTES]);
            crc32c::crc32c(&key) ^ of_zeros
        })
        .collect();
    let is_masked = |sectors: u32, number: usize| sectors >> number & 1 == 1;
    let masked = (1..1_u32 << changes.len()).find(|&sectors| {
        let chosen = changes.iter().enumerate().filter(|&(number, _)| is_masked(sectors, number));
        chosen.fold(0, |sum, (_, change)| sum ^ change) == difference
    });
    let Some(masked) = masked else { return false };
    for (number, sector) in unit.chunks_mut(SECTOR_BYTES).enumerate().filter(|&(number, _)| is_masked(masked, number)) {
        change(offset_bytes + (number * SECTOR_BYTES) as u64, sector);
    }
    true
}

/// The key: `SplitMix64` from zero, a word for each eight bytes of the disk. It hides nothing from anybody who wants to know; it only looks
/// like no file system.
fn word(number: u64) -> u64 {
    let mut word = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
