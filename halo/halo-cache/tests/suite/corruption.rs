//! Damaged media: wrong data is never returned as right.

use super::machine::{Machine, Model, TestCache, Verdict, with};
use crate::promise;
use halo_cache::format::Item;
use halo_cache::{CacheError, Device, Mode, Planted, Recovery, Settings, Zeroing};
use halo_core::{Lbn, SectorMask, Slot};
use halo_media::Medium;

/// A machine whose cache holds whole and partial blocks, one of them in two versions of which the older is not cleared yet.
fn written(planted: Planted) -> Result<(Machine, Model), String> {
    let machine = Machine::new(9, 512, with(planted, Settings::new(Mode::Strict)));
    let mut model = Model::default();
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    for (sector, count) in [(0, 8), (10, 3), (2048, 8), (0, 8)] {
        let bytes = model.write(sector, count);
        cache.write(sector * 512, &bytes).map_err(|error| error.to_string())?;
        model.flushed();
    }
    Ok((machine, model))
}

fn flip(bytes: &[u8], at: usize, bit: u8) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[at] ^= 1 << bit;
    flipped
}

/// Each byte of superblock, items and label in turn: either the cache is refused, or everything is as it was.
pub(crate) fn no_damaged_metadata_byte_changes_what_is_read(planted: Planted) -> Verdict {
    let (machine, model) = written(planted)?;
    let (on_cache, on_disk) = (machine.medium.snapshot(), machine.disk.snapshot());
    let (cache, _) = machine.open().map_err(|error| error.to_string())?;
    let layout = *cache.layout();
    drop(cache);
    let items = layout.item_offset_bytes(Slot(0)) as usize;
    let items = items..items + layout.slots() as usize * 32;
    let records = |device| {
        let [first, second] = layout.record_offsets_bytes(device).map(|offset| offset as usize);
        (first..first + 512).chain(second..second + 512)
    };
    let mut refused = 0;
    for at in records(Device::Cache).chain(items) {
        machine.medium.load(&flip(&on_cache, at, (at % 8) as u8));
        machine.disk.load(&on_disk);
        refused += check_damaged(&machine, &model).map_err(|text| format!("byte {at} of the cache: {text}"))?;
    }
    promise!(refused > 0, "no damaged item was noticed");
    for at in records(Device::Disk) {
        machine.medium.load(&on_cache);
        machine.disk.load(&flip(&on_disk, at, (at % 8) as u8));
        let refused = check_damaged(&machine, &model).map_err(|text| format!("byte {at} of the disk: {text}"))?;
        promise!(refused == 0, "byte {at} of the disk: one damaged copy of the label was too much");
    }
    Ok(())
}

/// More items than are read at once: the newest copy of a block is found wherever it is.
pub(crate) fn recovery_reads_all_items_of_a_cache_of_many(planted: Planted) -> Verdict {
    const TAG: u32 = 0x0101_0101;
    let machine = Machine::new(70_000, 512, with(planted, Settings::new(Mode::Flush)));
    let (cache, _) = machine.open().map_err(|error| error.to_string())?;
    let layout = *cache.layout();
    drop(cache);
    for (version, slot) in [5, 40_000, layout.slots() - 1].map(Slot).into_iter().enumerate() {
        let data = [version as u8 + 1; 4096];
        let item = Item {
            lbn: Lbn(0),
            sequence: version as u64 + 1,
            mask: SectorMask::FULL,
            data_checksum: crc32c::crc32c(&data),
            zeros: false,
        };
        machine
            .medium
            .write_at(layout.data_offset_bytes(slot), &data)
            .and_then(|()| machine.medium.write_at(layout.item_offset_bytes(slot), &item.encode(slot, TAG)))
            .map_err(|error| error.to_string())?;
    }
    let (mut cache, recovery) = machine.open().map_err(|error| error.to_string())?;
    let expected = Recovery { blocks: 1, superseded: 2, damaged_items: 0 };
    promise!(recovery == expected, "{recovery:?}");
    let mut bytes = [0; 4096];
    cache.read(0, &mut bytes).map_err(|error| error.to_string())?;
    promise!(bytes == [3; 4096], "an older copy is read");
    Ok(())
}

/// 1 when the cache was refused; 0 when it works as if nothing had happened.
fn check_damaged(machine: &Machine, model: &Model) -> Result<usize, String> {
    let Ok((mut cache, _)) = machine.open() else { return Ok(1) };
    model.check_running(&mut cache)?;
    cache.drain().map_err(|error| error.to_string())?;
    model.check_disk(&machine.disk)?;
    Ok(0)
}

/// The offline check names damaged items and data, counts zeros and older copies, and changes nothing.
pub(crate) fn the_offline_check_finds_what_is_damaged_and_writes_nothing(planted: Planted) -> Verdict {
    let (machine, _) = written(planted)?;
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    cache.zero(2040 * 512, 4096, Zeroing::Write).map_err(|error| error.to_string())?;
    let slots = [0, 1, 256].map(|block| cache.slot_of(Lbn(block)));
    let [Some(first), Some(second), Some(third)] = slots else { return Err(format!("not cached: {slots:?}")) };
    let layout = *cache.layout();
    drop(cache);
    let check = |data| {
        let before = (machine.medium.snapshot(), machine.disk.snapshot());
        let report =
            TestCache::check(&machine.medium, &machine.disk, data, |_| ()).map_err(|error| error.to_string())?;
        promise!(before == (machine.medium.snapshot(), machine.disk.snapshot()), "the check wrote something");
        Ok(report)
    };
    let report = check(true)?;
    promise!(report.is_clean(), "nothing is damaged: {report:?}");
    promise!((report.blocks, report.zero_items) == (4, 1), "four blocks, one of zeros: {report:?}");
    let bytes = flip(&machine.medium.snapshot(), layout.item_offset_bytes(first) as usize + 9, 1);
    machine.medium.load(&flip(&bytes, layout.data_offset_bytes(second) as usize + 4095, 7));
    let report = check(true)?;
    promise!(report.damaged_items == [first.0], "{first:?} is damaged: {report:?}");
    promise!(report.damaged_data == [Lbn(1)], "block 1 is damaged: {report:?}");
    promise!(check(false)?.damaged_data_count == 0, "a check of items only reads no data");
    // The content of the slot of a block of zeros does not matter.
    promise!(third.0 < layout.slots(), "{third:?}");
    Ok(())
}

/// With both copies gone the cache or disk is not taken, and the message says which.
pub(crate) fn records_without_a_whole_copy_are_refused(planted: Planted) -> Verdict {
    let (machine, _) = written(planted)?;
    let (cache, _) = machine.open().map_err(|error| error.to_string())?;
    let layout = *cache.layout();
    drop(cache);
    for device in [Device::Cache, Device::Disk] {
        let medium = if device == Device::Cache { &machine.medium } else { &machine.disk };
        let before = medium.snapshot();
        let mut damaged = before.clone();
        for offset in layout.record_offsets_bytes(device) {
            damaged[offset as usize + 100] ^= 1;
        }
        medium.load(&damaged);
        let error = machine.open().err().map(|error| error.to_string()).unwrap_or_default();
        promise!(error.starts_with(&device.to_string()), "{device} with two damaged copies: {error:?}");
        promise!(medium.snapshot() == damaged, "{device}: a refused device was changed");
        medium.load(&before);
    }
    Ok(())
}

/// The block with damaged data is reported, by reads and by the drain; it does not reach the disk, and all others do.
pub(crate) fn damaged_data_is_reported_and_never_returned(planted: Planted) -> Verdict {
    let (machine, mut model) = written(planted)?;
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    let slot = cache.slot_of(Lbn(0)).ok_or("block 0 is not cached")?;
    let at = cache.layout().data_offset_bytes(slot) as usize;
    machine.medium.load(&flip(&machine.medium.snapshot(), at + 1000, 3));
    let mut bytes = [7; 4096];
    let read = cache.read(0, &mut bytes);
    promise!(matches!(read, Err(CacheError::Damaged(Lbn(0)))), "reading damaged data: {read:?}");
    let partial = cache.write(0, &[1; 512]);
    promise!(matches!(partial, Err(CacheError::Damaged(Lbn(0)))), "writing a part of a damaged block: {partial:?}");
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    let drained = cache.drain();
    promise!(matches!(drained, Err(CacheError::Damaged(Lbn(0)))), "draining damaged data: {drained:?}");
    promise!(cache.dirty_blocks() == 1, "{} blocks left after draining", cache.dirty_blocks());
    promise!(cache.read(0, &mut bytes).is_err(), "the old block of the disk stood in for a damaged one");
    let mut on_disk = [0; 512];
    machine.disk.read_at(512, &mut on_disk).map_err(|error| error.to_string())?;
    promise!(on_disk == super::machine::stamp(1, 0), "damaged data reached the disk");
    // A whole new block heals it.
    let bytes = model.write(0, 8);
    cache.write(0, &bytes).map_err(|error| error.to_string())?;
    model.flushed();
    cache.drain().map_err(|error| format!("draining a healed cache: {error}"))?;
    model.check_disk(&machine.disk)
}

/// Of a block that is cached in part, and damaged there, the disk has the other sectors.
pub(crate) fn sectors_beside_damaged_ones_are_read_from_the_disk(planted: Planted) -> Verdict {
    let (machine, _) = written(planted)?;
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    let slot = cache.slot_of(Lbn(1)).ok_or("block 1 is not cached")?;
    let at = cache.layout().data_offset_bytes(slot) as usize;
    machine.medium.load(&flip(&machine.medium.snapshot(), at + 1200, 5));
    let mut bytes = [7; 512];
    for sector in [8, 9, 13, 15] {
        cache.read(sector * 512, &mut bytes).map_err(|error| format!("sector {sector}: {error}"))?;
        promise!(bytes == super::machine::stamp(sector, 0), "sector {sector} is not what the disk has");
    }
    for sector in 10..13 {
        let read = cache.read(sector * 512, &mut bytes);
        promise!(matches!(read, Err(CacheError::Damaged(Lbn(1)))), "reading damaged sector {sector}: {read:?}");
    }
    Ok(())
}

/// Damaged items are named; whoever accepts the loss gets everything else.
pub(crate) fn damaged_items_are_dropped_only_when_that_is_accepted(planted: Planted) -> Verdict {
    let (machine, _) = written(planted)?;
    let (cache, _) = machine.open().map_err(|error| error.to_string())?;
    let slot = cache.slot_of(Lbn(256)).ok_or("block 256 is not cached")?;
    let at = cache.layout().item_offset_bytes(slot) as usize;
    let blocks = cache.dirty_blocks();
    drop(cache);
    machine.medium.load(&flip(&machine.medium.snapshot(), at + 16, 2));
    let refused = machine.open().err().map(|error| error.to_string()).unwrap_or_default();
    let named = format!("cache file: 1 items are damaged, the first in slot {}", slot.0);
    promise!(refused.starts_with(&named), "a damaged item: {refused:?}");
    let settings = Settings { accept_damaged_items: true, ..machine.settings };
    let (cache, recovery): (TestCache, Recovery) =
        halo_cache::Cache::open(machine.medium.clone(), machine.disk.clone(), settings)
            .map_err(|error| error.to_string())?;
    promise!(recovery.damaged_items == 1, "{recovery:?}");
    promise!(cache.dirty_blocks() == blocks - 1, "{} of {blocks} blocks", cache.dirty_blocks());
    promise!(cache.cached_sectors(Lbn(1)) == 3, "block 1 has {} sectors", cache.cached_sectors(Lbn(1)));
    Ok(())
}
