//! One item: what a slot holds.

use halo_core::{Lbn, SectorMask, Slot};

/// Size of an item.
pub const ITEM_BYTES: usize = 32;

/// Says that a slot holds a copy of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The block.
    pub lbn: Lbn,
    /// Its generation: the highest of all items of a block is the newest. Never 0.
    pub sequence: u64,
    /// The sectors of the slot that count.
    pub mask: SectorMask,
    /// CRC-32C of the slot's 4096 bytes.
    pub data_checksum: u32,
    /// The block is all zeros; what the slot holds means nothing. Then all sectors count, and the checksum is
    /// [`ZEROS_CHECKSUM`].
    pub zeros: bool,
}

/// Numbers of commits are below: there is always a higher one.
const MOST_COMMITS: u64 = 1 << 63;

/// CRC-32C of 4096 zeros.
pub const ZEROS_CHECKSUM: u32 = 0x98f9_4189;

/// An item as its 32 bytes were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemState {
    /// All zero: the slot is free.
    Empty,
    /// An item of this cache, in its own place.
    Valid(Item),
    /// Neither.
    Damaged,
}

impl Item {
    /// The bytes for `slot` of the cache with this `tag`.
    pub fn encode(&self, slot: Slot, tag: u32) -> [u8; ITEM_BYTES] {
        let mut bytes = [0; ITEM_BYTES];
        bytes[0..8].copy_from_slice(&self.lbn.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[16] = self.mask.0;
        bytes[17] = u8::from(self.zeros);
        bytes[20..24].copy_from_slice(&tag.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.data_checksum.to_le_bytes());
        let checksum = checksum(&bytes, slot);
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of `slot`, which must belong to the cache with this `tag` and a disk of `blocks` blocks.
    pub fn decode(bytes: &[u8; ITEM_BYTES], slot: Slot, tag: u32, blocks: u64) -> ItemState {
        if bytes.iter().all(|&byte| byte == 0) {
            return ItemState::Empty;
        }
        if u32_at(bytes, 28) != checksum(bytes, slot) {
            return ItemState::Damaged;
        }
        Self::decode_unchecked(bytes, tag, blocks)
    }

    /// As [`Item::decode`], without looking at the item's own checksum.
    pub(crate) fn decode_unchecked(bytes: &[u8; ITEM_BYTES], tag: u32, blocks: u64) -> ItemState {
        let item = Self {
            lbn: Lbn(u64_at(bytes, 0)),
            sequence: u64_at(bytes, 8),
            mask: SectorMask(bytes[16]),
            data_checksum: u32_at(bytes, 24),
            zeros: bytes[17] == 1,
        };
        let whole = item.mask == SectorMask::FULL && item.data_checksum == ZEROS_CHECKSUM;
        let numbered = (1..MOST_COMMITS).contains(&item.sequence);
        let fits = item.lbn.0 < blocks && numbered && !item.mask.is_empty() && (whole || !item.zeros);
        if fits && bytes[17] <= 1 && bytes[18..20] == [0; 2] && u32_at(bytes, 20) == tag {
            ItemState::Valid(item)
        } else {
            ItemState::Damaged
        }
    }
}

/// The bytes that the checksum of an item covers, as whole words in one place: recovery sums millions of items, and the processor's
/// instruction takes as long for a single byte at the end of a piece as for a word.
#[repr(align(8))]
struct Covered([u8; ITEM_BYTES]);

/// Covers the slot number too, in place of itself, so that an item that was written to the wrong place is not taken for one.
fn checksum(bytes: &[u8; ITEM_BYTES], slot: Slot) -> u32 {
    let mut covered = Covered(*bytes);
    let last = u64::from(u32_at(bytes, 24)) | u64::from(slot.0) << 32;
    covered.0[24..].copy_from_slice(&last.to_le_bytes());
    crc32c::crc32c(&covered.0)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: Item =
        Item { lbn: Lbn(0x1234), sequence: 77, mask: SectorMask(0x0f), data_checksum: 0xdead_beef, zeros: false };

    #[test]
    fn an_item_of_zeros_is_read_as_it_was_written_and_covers_its_block() {
        let zeros = Item { mask: SectorMask::FULL, data_checksum: ZEROS_CHECKSUM, zeros: true, ..ITEM };
        assert_eq!(crc32c::crc32c(&[0; 4096]), ZEROS_CHECKSUM);
        assert_eq!(Item::decode(&zeros.encode(Slot(9), 5), Slot(9), 5, 0x1235), ItemState::Valid(zeros));
        let partial = Item { mask: SectorMask(1), ..zeros };
        assert_eq!(Item::decode(&partial.encode(Slot(9), 5), Slot(9), 5, 0x1235), ItemState::Damaged);
    }

    #[test]
    fn an_item_is_read_as_it_was_written() {
        let bytes = ITEM.encode(Slot(9), 5);
        assert_eq!(Item::decode(&bytes, Slot(9), 5, 0x1235), ItemState::Valid(ITEM));
        assert_eq!(Item::decode(&[0; 32], Slot(9), 5, 0x1235), ItemState::Empty);
    }

    #[test]
    fn an_item_in_the_wrong_slot_cache_or_disk_is_damaged() {
        let bytes = ITEM.encode(Slot(9), 5);
        assert_eq!(Item::decode(&bytes, Slot(8), 5, 0x1235), ItemState::Damaged);
        assert_eq!(Item::decode(&bytes, Slot(9), 6, 0x1235), ItemState::Damaged);
        assert_eq!(Item::decode(&bytes, Slot(9), 5, 0x1234), ItemState::Damaged);
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let bytes = ITEM.encode(Slot(9), 5);
        for bit in 0..ITEM_BYTES * 8 {
            let mut changed = bytes;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Item::decode(&changed, Slot(9), 5, 0x1235), ItemState::Damaged, "bit {bit}");
        }
    }

    /// Pins the format: this array may never change while the version is 1.
    #[test]
    fn version_1_of_an_item_is_these_bytes() {
        let bytes = ITEM.encode(Slot(9), 5);
        let expected =
            [0x34, 0x12, 0, 0, 0, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0, 0x0f, 0, 0, 0, 5, 0, 0, 0, 0xef, 0xbe, 0xad, 0xde];
        assert_eq!(bytes[..28], expected);
        assert_eq!(bytes[28..], [0x9f, 0x82, 0xc8, 0xb2]);
    }
}
