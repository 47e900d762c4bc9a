//! Names for what somebody put on a disk. Whether anybody did so is for checksums to tell, where there are any.

/// The probable content of a disk, by signatures that no other bytes show by chance.
pub(super) fn signature(first: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&str, usize, &[u8]); 18] = [
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
        (
            "bcachefs",
            4120,
            &[0xc6, 0x85, 0x73, 0xf6, 0x66, 0xce, 0x90, 0xa9, 0xd9, 0x6a, 0x60, 0xcf, 0x80, 0x3d, 0xf7, 0xef],
        ),
        ("JFS", 32_768, b"JFS1"),
        ("ISO 9660", 32_769, b"CD001"),
        ("UDF", 32_769, b"BEA01"),
        ("ReiserFS", 65_588, b"ReIsEr"),
        ("btrfs", 65_600, b"_BHRfS_M"),
    ];
    let known = KNOWN.iter().find(|(_, at, magic)| first.get(*at..at + magic.len()) == Some(*magic));
    known
        .map(|&(name, ..)| name)
        .or_else(|| is_ext(first).then_some("ext2, ext3 or ext4"))
        .or_else(|| is_zfs(first).then_some("ZFS"))
        .or_else(|| is_mbr(first).then_some("a partition table"))
}

/// The bytes that a file system takes for its own, if it is one that says so where it begins.
///
/// Source: ext4's and XFS's superblocks (`s_blocks_count_lo` and `_hi`, `s_log_block_size`; `sb_blocksize`, `sb_dblocks`).
pub(super) fn claimed_bytes(first: &[u8]) -> Option<u64> {
    const EXT_64_BIT: u32 = 0x80;
    let word = |at: usize| Some(u32::from_le_bytes(*first.get(at..)?.first_chunk()?));
    let ext = |at: usize| word(1024 + at);
    if is_ext(first) {
        let high = if ext(96)? & EXT_64_BIT != 0 { ext(336)? } else { 0 };
        let blocks = u64::from(high) << 32 | u64::from(ext(4)?);
        return blocks.checked_mul(1024 << ext(24)?);
    }
    if first.starts_with(b"XFSB") {
        let blocks = u64::from(word(8)?.swap_bytes()) << 32 | u64::from(word(12)?.swap_bytes());
        return blocks.checked_mul(word(4)?.swap_bytes().into());
    }
    None
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

/// The uberblocks of a label are the second half of its 256 KiB, one each KiB at least, in the byte order of who wrote them.
fn is_zfs(first: &[u8]) -> bool {
    const MAGIC: u64 = 0x00ba_b10c;
    let ring = first.get(128 << 10..256 << 10).unwrap_or_default();
    ring.chunks(1024).any(|place| place.starts_with(&MAGIC.to_le_bytes()) || place.starts_with(&MAGIC.to_be_bytes()))
}

/// As for ext: four entries that are empty or sound.
fn is_mbr(first: &[u8]) -> bool {
    let is_sound = |entry: &[u8]| {
        let of_use = entry[4] != 0 && entry[8..12] != [0; 4] && entry[12..16] != [0; 4];
        matches!(entry[0], 0 | 0x80) && (of_use || entry.iter().all(|&byte| byte == 0))
    };
    first.get(510..512) == Some(&[0x55, 0xaa]) && first[446..510].chunks(16).all(is_sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_say_how_large_they_are_and_others_say_nothing() {
        let mut xfs = vec![0; 4096];
        xfs[..4].copy_from_slice(b"XFSB");
        xfs[4..8].copy_from_slice(&4096_u32.to_be_bytes());
        xfs[8..16].copy_from_slice(&(5_u64 << 32 | 7).to_be_bytes());
        assert_eq!(claimed_bytes(&xfs), Some((5 << 32 | 7) * 4096));
        let mut ext = vec![0; 4096];
        let mut put = |at: usize, value: u32| ext[1024 + at..1028 + at].copy_from_slice(&value.to_le_bytes());
        for (at, value) in [(4, 9), (24, 2), (56, 0xef53), (88, 256), (336, 3)] {
            put(at, value);
        }
        assert_eq!(claimed_bytes(&ext), Some(9 * 4096), "without 64 bits");
        ext[1024 + 96] = 0x80;
        assert_eq!(claimed_bytes(&ext), Some((3 << 32 | 9) * 4096));
        assert_eq!((claimed_bytes(&[]), claimed_bytes(&[0; 4096])), (None, None));
        assert_eq!(claimed_bytes(&xfs[..10]), None, "cut off");
    }
}
