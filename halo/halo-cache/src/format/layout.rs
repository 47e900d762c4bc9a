//! Where things are on the cache medium and the disk.

use super::{ITEM_BYTES, RECORD_BYTES};
use crate::error::{Device, Refusal};
use halo_core::Slot;
use halo_core::address::{BLOCK_BYTES, MAX_BLOCKS, MAX_SLOTS};

/// The end of the disk that is kept for its label.
pub const LABEL_BYTES: u64 = BLOCK_BYTES as u64;

/// The superblock's first copy has the first block, its second copy the last one: what destroys one end of a device leaves the other.
const SUPERBLOCK_BYTES: u64 = BLOCK_BYTES as u64;
const ITEMS_OFFSET_BYTES: u64 = SUPERBLOCK_BYTES;
const LEAST_SLOTS: u64 = 8;

/// Sizes of both devices, and what follows from them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    medium_bytes: u64,
    disk_bytes: u64,
    slots: u32,
}

impl Layout {
    /// The layout for two devices.
    ///
    /// # Errors
    /// One of them is too small, or larger than 1 TiB (cache) or 256 TiB (disk).
    pub fn new(medium_bytes: u64, disk_bytes: u64) -> Result<Self, Refusal> {
        let block = BLOCK_BYTES as u64;
        let per_slot = block + ITEM_BYTES as u64;
        let least_medium = ITEMS_OFFSET_BYTES + block + LEAST_SLOTS * block + SUPERBLOCK_BYTES;
        let most_medium = MAX_SLOTS * per_slot;
        if !(least_medium..=most_medium).contains(&medium_bytes) {
            return Err(Refusal::BadSize {
                device: Device::Cache,
                found_bytes: medium_bytes,
                least_bytes: least_medium,
                most_bytes: most_medium,
            });
        }
        let (least_disk, most_disk) = (block + LABEL_BYTES, MAX_BLOCKS * block);
        if !(least_disk..=most_disk).contains(&disk_bytes) {
            return Err(Refusal::BadSize {
                device: Device::Disk,
                found_bytes: disk_bytes,
                least_bytes: least_disk,
                most_bytes: most_disk,
            });
        }
        // The items' last block may be used in part only, which can cost one slot.
        let mut slots = (medium_bytes - 2 * SUPERBLOCK_BYTES) / per_slot;
        while items_end(slots) + slots * block > second_superblock(medium_bytes) {
            slots -= 1;
        }
        Ok(Self { medium_bytes, disk_bytes, slots: slots as u32 })
    }

    /// Slots.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Blocks that the disk offers.
    pub fn blocks(&self) -> u64 {
        self.capacity_bytes() / BLOCK_BYTES as u64
    }

    /// Bytes that the disk offers: all but its label, in whole blocks.
    pub fn capacity_bytes(&self) -> u64 {
        (self.disk_bytes - LABEL_BYTES) / BLOCK_BYTES as u64 * BLOCK_BYTES as u64
    }

    /// Size of the cache medium.
    pub fn medium_bytes(&self) -> u64 {
        self.medium_bytes
    }

    /// Size of the disk.
    pub fn disk_bytes(&self) -> u64 {
        self.disk_bytes
    }

    /// Where the item of `slot` is.
    pub fn item_offset_bytes(&self, slot: Slot) -> u64 {
        ITEMS_OFFSET_BYTES + u64::from(slot.0) * ITEM_BYTES as u64
    }

    /// Where the data of `slot` is.
    pub fn data_offset_bytes(&self, slot: Slot) -> u64 {
        items_end(u64::from(self.slots)) + u64::from(slot.0) * BLOCK_BYTES as u64
    }

    /// Where the two copies of the superblock (cache) or label (disk) are.
    pub fn record_offsets_bytes(&self, device: Device) -> [u64; 2] {
        match device {
            Device::Cache => [0, second_superblock(self.medium_bytes)],
            Device::Disk => {
                let label = self.disk_bytes / RECORD_BYTES as u64 * RECORD_BYTES as u64 - LABEL_BYTES;
                [label, label + LABEL_BYTES / 2]
            }
        }
    }
}

/// Where the last whole block of the medium begins.
fn second_superblock(medium_bytes: u64) -> u64 {
    medium_bytes / SUPERBLOCK_BYTES * SUPERBLOCK_BYTES - SUPERBLOCK_BYTES
}

/// Where the items end and the data begins, in whole blocks.
fn items_end(slots: u64) -> u64 {
    (ITEMS_OFFSET_BYTES + slots * ITEM_BYTES as u64).next_multiple_of(BLOCK_BYTES as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_data_of_every_size_lie_within_the_medium_and_do_not_overlap() {
        for medium_bytes in (49_152..2_000_000).step_by(777) {
            let layout = Layout::new(medium_bytes, 1 << 20).unwrap();
            let last = Slot(layout.slots() - 1);
            assert!(layout.item_offset_bytes(last) + 32 <= layout.data_offset_bytes(Slot(0)));
            let [first, second] = layout.record_offsets_bytes(Device::Cache);
            assert!(first + 4096 <= layout.item_offset_bytes(Slot(0)) && second + 4096 <= medium_bytes);
            assert!(layout.data_offset_bytes(last) + 4096 <= second);
            // No more than a block's worth of items and one slot are given away.
            assert!(layout.data_offset_bytes(last) + 3 * 4096 + 32 > second, "{medium_bytes}");
        }
    }

    #[test]
    fn the_label_lies_behind_the_last_block() {
        for disk_bytes in [8192, 8193, 12_287, 1 << 20, (1 << 20) + 513] {
            let layout = Layout::new(1 << 20, disk_bytes).unwrap();
            let [first, second] = layout.record_offsets_bytes(Device::Disk);
            assert!(layout.capacity_bytes() <= first, "{disk_bytes}");
            assert!(second + RECORD_BYTES as u64 <= disk_bytes);
        }
    }

    #[test]
    fn devices_of_impossible_size_are_refused_by_name() {
        let error = Layout::new(0, 1 << 20).unwrap_err();
        assert!(error.to_string().starts_with("cache file: 0 bytes"), "{error}");
        assert!(Layout::new(1 << 50, 1 << 20).is_err());
        let error = Layout::new(1 << 20, 4096).unwrap_err();
        assert!(error.to_string().starts_with("disk file: 4096 bytes"), "{error}");
    }
}
