//! Single records and items: read as the specification reads them, and written back the same.

use crate::input::Input;
use crate::reference;
use halo_cache::Device;
use halo_cache::format::{Id, Item, ItemState, Record, RecordState};
use halo_core::{Lbn, SectorMask, Slot};

/// A superblock or label: which of both, whether magic and checksum are put right, and its bytes.
pub fn superblock(input: &[u8]) {
    let mut input = Input::new(input);
    let choices = input.byte();
    let (device, magic) = if choices & 1 == 0 { (Device::Cache, *b"HALOCACH") } else { (Device::Disk, *b"HALODISK") };
    let mut bytes: [u8; 512] = input.bytes();
    if choices & 2 == 0 {
        bytes[..8].copy_from_slice(&magic);
        // Also versions to come, which do not count.
        bytes[8..12].copy_from_slice(&(1 + u32::from(choices >> 2 & 7)).to_le_bytes());
        let checksum = crc32c::crc32c(&bytes[..508]);
        bytes[508..].copy_from_slice(&checksum.to_le_bytes());
    }
    let found = match Record::decode(&bytes, device) {
        RecordState::Valid(record) => {
            let again = Record::decode(&record.encode(device), device);
            assert_eq!(again, RecordState::Valid(record), "a record is not read as it was written");
            Some(fields(&record))
        }
        _ => None,
    };
    assert_eq!(found, reference::record(&bytes, magic), "a record is not read as specified");
}

fn fields(record: &Record) -> reference::RecordFields {
    let (Id(cache), Id(disk)) = (record.cache, record.disk);
    reference::RecordFields {
        stage: record.stage as u32,
        generation: record.generation,
        cache,
        disk,
        session: record.session,
        sizes_bytes: [record.medium_bytes, record.disk_bytes, record.next_medium_bytes, record.next_disk_bytes],
        ordered: record.ordered,
        label_written: record.label_written,
    }
}

/// An item: slot, size of the disk, whether the checksum is put right, and its bytes.
pub fn items(input: &[u8]) {
    let mut input = Input::new(input);
    let (slot, blocks, put_right) = (u32::from(input.u16()), input.number(), input.flag());
    let mut bytes: [u8; 32] = input.bytes();
    let tag = u32::from_le_bytes([1; 4]);
    if put_right {
        bytes[20..24].copy_from_slice(&tag.to_le_bytes());
        let checksum = reference::item_checksum(&bytes, slot);
        bytes[28..].copy_from_slice(&checksum.to_le_bytes());
    }
    let found = match Item::decode(&bytes, Slot(slot), tag, blocks) {
        ItemState::Empty => reference::Item::Empty,
        ItemState::Damaged => reference::Item::Damaged,
        ItemState::Valid(item) => {
            assert_eq!(item.encode(Slot(slot), tag), bytes, "an item is not written as it was read");
            let Item { lbn: Lbn(block), sequence: commit, mask: SectorMask(sectors), data_checksum, zeros } = item;
            reference::Item::Whole(reference::ItemFields { block, commit, sectors, zeros, data_checksum })
        }
    };
    assert_eq!(found, reference::item(&bytes, slot, tag, blocks), "an item is not read as specified");
}
