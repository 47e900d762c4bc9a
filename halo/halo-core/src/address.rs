//! Block, slot and bucket numbers, and the widths they are packed into.
//!
//! Not here: anything that keeps state. Start with [`Lbn`].

use std::fmt;

/// The smallest unit that a disk writes as a whole.
pub const SECTOR_BYTES: usize = 512;
/// The unit of caching: one item, one slot.
pub const BLOCK_BYTES: usize = 4096;
/// Sectors in a block; a [`SectorMask`] has one bit for each.
pub const SECTORS_PER_BLOCK: usize = BLOCK_BYTES / SECTOR_BYTES;
/// The region of the disk that one bucket stands for. Source: Auburn §3.1.1.
pub const BUCKET_BYTES: u64 = 1 << 20;
/// Blocks in a bucket.
pub const BLOCKS_PER_BUCKET: u64 = BUCKET_BYTES / BLOCK_BYTES as u64;

/// Bits of a block number in an index entry: disks up to 256 TiB.
pub const LBN_BITS: u32 = 36;
/// Bits of a slot or handle number: caches up to 1 TiB.
pub const SLOT_BITS: u32 = 28;
/// Blocks a disk may have: the number of all ones marks an empty index entry.
pub const MAX_BLOCKS: u64 = (1 << LBN_BITS) - 1;
/// Slots a cache may have: the number of all ones means "none".
pub const MAX_SLOTS: u64 = NONE as u64;

/// "No slot", "no handle": all bits set.
pub(crate) const NONE: u32 = (1 << SLOT_BITS) - 1;

/// A 4 KiB block of the disk, counted from 0: the paper's LBN in units of one cache item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lbn(pub u64);

impl Lbn {
    /// The block that holds the byte at `offset_bytes`.
    pub const fn containing(offset_bytes: u64) -> Self {
        Self(offset_bytes / BLOCK_BYTES as u64)
    }

    /// Where the block begins on the disk.
    pub const fn offset_bytes(self) -> u64 {
        self.0 * BLOCK_BYTES as u64
    }

    /// The bucket whose region holds this block.
    pub const fn bucket(self) -> Bucket {
        Bucket((self.0 / BLOCKS_PER_BUCKET) as u32)
    }

    /// The block's place in its bucket.
    pub const fn index_in_bucket(self) -> u8 {
        (self.0 % BLOCKS_PER_BUCKET) as u8
    }
}

impl fmt::Display for Lbn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}", self.0)
    }
}

/// A 4 KiB place in the cache, counted from 0: the paper's PBN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

/// A 1 MiB region of the disk, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bucket(pub u32);

impl Bucket {
    /// The block of this bucket at `index`.
    pub const fn block(self, index: u8) -> Lbn {
        Lbn(self.0 as u64 * BLOCKS_PER_BUCKET + index as u64)
    }
}

/// The sectors of a block that are cached: bit `i` stands for sector `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SectorMask(pub u8);

impl SectorMask {
    /// No sector.
    pub const EMPTY: Self = Self(0);
    /// The whole block.
    pub const FULL: Self = Self(0xff);

    /// Sectors `first` to `first + count - 1` of a block.
    ///
    /// # Panics
    /// When the range leaves the block.
    pub const fn range(first: usize, count: usize) -> Self {
        assert!(first + count <= SECTORS_PER_BLOCK);
        Self((((1_u16 << count) - 1) << first) as u8)
    }

    /// Sectors in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Sectors in both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// True when every sector of `other` is in this mask.
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// True for sector `index`.
    pub const fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// True when no sector is in the mask.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Runs of neighbouring sectors, lowest first, as (first, count).
    pub fn runs(self) -> impl Iterator<Item = (usize, usize)> {
        let mut rest = u32::from(self.0);
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let first = rest.trailing_zeros();
            let count = (rest >> first).trailing_ones();
            rest &= !(((1 << count) - 1) << first);
            Some((first as usize, count as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_name_each_sector_of_every_mask_once_and_never_touch() {
        for bits in 0..=255_u8 {
            let runs: Vec<_> = SectorMask(bits).runs().collect();
            let union = runs
                .iter()
                .fold(SectorMask::EMPTY, |mask, &(first, count)| mask.union(SectorMask::range(first, count)));
            assert_eq!(union, SectorMask(bits));
            assert!(runs.windows(2).all(|pair| pair[0].0 + pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn a_block_is_found_again_from_its_bucket_and_index() {
        for block in [0, 1, 255, 256, 257, MAX_BLOCKS - 1] {
            let lbn = Lbn(block);
            assert_eq!(lbn.bucket().block(lbn.index_in_bucket()), lbn);
            assert_eq!(Lbn::containing(lbn.offset_bytes() + 4095), lbn);
        }
    }
}
