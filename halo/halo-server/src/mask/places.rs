//! The bytes of a disk that are masked, and with what.

use halo_core::address::BLOCK_BYTES;
use std::ops::Range;

pub(super) const SECTOR_BYTES: usize = 512;
/// Own: superblocks, partition tables and labels of what Linux mounts or assembles lie in the first 68 KiB (btrfs has the last of them, at
/// 64 KiB) and in the last blocks (the second partition table, RAID).
const FIRST_BLOCKS: u64 = 17;
const LAST_BLOCKS: u64 = 16;
pub(super) const MOST_SECTORS: usize = (FIRST_BLOCKS + LAST_BLOCKS) as usize * BLOCK_BYTES / SECTOR_BYTES;

/// The masked ranges of a disk that offers `capacity_bytes`.
pub(super) fn places(capacity_bytes: u64) -> [Range<u64>; 2] {
    let block = BLOCK_BYTES as u64;
    let blocks = capacity_bytes / block;
    let first = blocks.min(FIRST_BLOCKS);
    let last = (blocks - first).min(LAST_BLOCKS);
    [0..first * block, (blocks - last) * block..blocks * block]
}

/// The part that both have in common; empty when there is none.
pub(super) fn common(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

/// Masks the bytes that lie at `offset_bytes`, or makes them plain again.
pub(super) fn change(offset_bytes: u64, bytes: &mut [u8]) {
    for (at, byte) in (offset_bytes..).zip(bytes) {
        *byte ^= word(at / 8).to_le_bytes()[at as usize % 8];
    }
}

/// The key: `SplitMix64` from zero, a word for each eight bytes of the disk. It hides nothing from anybody who wants to know; it only looks
/// like no file system.
fn word(number: u64) -> u64 {
    let mut word = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The probable content of a disk, by signatures that no other bytes show by chance.
pub(super) fn signature(first: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&str, usize, &[u8]); 13] = [
        ("XFS", 0, b"XFSB"),
        ("a LUKS volume", 0, b"LUKS\xba\xbe"),
        ("NTFS", 3, b"NTFS    "),
        ("exFAT", 3, b"EXFAT   "),
        ("FAT", 54, b"FAT1"),
        ("FAT", 82, b"FAT32   "),
        ("LVM", 24, b"LVM2 001"),
        ("LVM", 536, b"LVM2 001"),
        ("a partition table", 512, b"EFI PART"),
        ("F2FS", 1024, &[0x10, 0x20, 0xf5, 0xf2]),
        ("swap", 4086, b"SWAPSPACE2"),
        ("a RAID", 4096, &[0xfc, 0x4e, 0x2b, 0xa9]),
        ("btrfs", 65_600, b"_BHRfS_M"),
    ];
    let known = KNOWN.iter().find(|(_, at, magic)| first.get(*at..at + magic.len()) == Some(*magic));
    known.map(|&(name, ..)| name).or_else(|| is_ext(first).then_some("ext2, ext3 or ext4"))
}

/// Its magic is two bytes only: the fields around it must be sound, too.
fn is_ext(first: &[u8]) -> bool {
    let word = |at: usize| {
        first
            .get(1024 + at..1028 + at)
            .map_or(u32::MAX, |bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
    };
    word(56) & 0xffff == 0xef53 && word(24) <= 6 && word(76) <= 1 && (1..=1 << 16).contains(&(word(88) & 0xffff))
}
