//! Making a pair of two devices: what may be overwritten for it, and in which order it is written.

use crate::error::{CacheError, Device, Refusal};
use crate::format::{Id, Layout, Note, Record, RecordState, Stage};
use crate::identity::{copies, state_at, write};
use crate::roles::refuse_other_role;
use halo_core::Slot;
use halo_core::address::SECTOR_BYTES;
use halo_media::Medium;
use std::ops::Range;

/// As [`copies`], for whoever is about to make the device another's: version 1 had its second superblock in the second block.
fn copies_of_any_version(
    medium: &impl Medium,
    device: Device,
    layout: &Layout,
) -> Result<[RecordState; 2], CacheError> {
    let mut states = copies(medium, device, layout)?;
    if device == Device::Cache
        && let Ok(found @ RecordState::Outdated(_)) = state_at(medium, device, SECOND_OF_VERSION_1_BYTES)
    {
        states[1] = found;
    }
    Ok(states)
}

const SECOND_OF_VERSION_1_BYTES: u64 = 4096;

/// Checks whether creation may use a device. `released`: the cache that the disk was released from, as lost.
fn free_for(
    states: &[RecordState; 2],
    device: Device,
    (cache, released): (Id, Id),
    force: bool,
) -> Result<(), Refusal> {
    if *states == [RecordState::Blank; 2] {
        return Ok(());
    }
    match RecordState::newest_of_any_version(*states, device) {
        Ok(record) => {
            let unbound = match device {
                // An interrupted creation may be begun again; so may a detached cache.
                Device::Cache if matches!(record.stage, Stage::Creating | Stage::Detached) => true,
                // A lost cache came back. The disk never got the blocks that it holds.
                Device::Cache if record.cache == released && released != Id::NONE => {
                    return if force { Ok(()) } else { Err(Refusal::HoldsLostBlocks) };
                }
                Device::Cache => false,
                Device::Disk => record.cache == Id::NONE || record.cache == cache,
            };
            if unbound { Ok(()) } else { Err(Refusal::Bound { device, id: record.cache.to_string() }) }
        }
        Err(refusal @ Refusal::Version { .. }) => Err(refusal),
        Err(_) if force => Ok(()),
        Err(Refusal::NotHalo(_)) => Err(Refusal::InUse(device)),
        Err(refusal) => Err(refusal),
    }
}

/// The places of a device that creation overwrites, or takes from users, and that are not a record of ours. Most file systems leave the first
/// sector of a device to others, and the copy of a partition table lies between the places of a label's copies.
fn taken_places(states: &[RecordState; 2], device: Device, layout: &Layout, len_bytes: u64) -> [Range<u64>; 2] {
    let [first_bytes, second_bytes] = layout.record_offsets_bytes(device);
    let sector = SECTOR_BYTES as u64;
    let end_bytes = len_bytes / sector * sector;
    let none = 0..0;
    match (device, states) {
        // Behind a record of ours, what follows is ours as well.
        (Device::Cache, [RecordState::Blank, RecordState::Blank]) => {
            [first_bytes..layout.data_offset_bytes(Slot(0)), second_bytes..end_bytes]
        }
        (Device::Cache, [RecordState::Blank, _]) => [first_bytes..layout.data_offset_bytes(Slot(0)), none],
        (Device::Disk, [RecordState::Blank, RecordState::Blank]) => [first_bytes..end_bytes, none],
        _ => [none.clone(), none],
    }
}

/// Refuses a device with anything but zeros in those places.
fn refuse_data(
    medium: &impl Medium,
    device: Device,
    states: &[RecordState; 2],
    layout: &Layout,
) -> Result<(), CacheError> {
    let mut chunk = vec![0; CHUNK_BYTES];
    for place in taken_places(states, device, layout, medium.len_bytes()) {
        for at_bytes in place.clone().step_by(CHUNK_BYTES) {
            let bytes = &mut chunk[..(place.end - at_bytes).min(CHUNK_BYTES as u64) as usize];
            medium.read_at(at_bytes, bytes).map_err(CacheError::io(device, "looking for data on it"))?;
            if bytes.iter().any(|&byte| byte != 0) {
                return Err(Refusal::InUse(device).into());
            }
        }
    }
    Ok(())
}

/// Bytes that are looked at, or cleared, at once.
const CHUNK_BYTES: usize = 1 << 20;

/// The records on two devices of which a pair may be made: without a medium, on those of a new one.
///
/// # Errors
/// One of them is in use. Nothing was written.
pub(crate) fn found_before_creation<M: Medium>(
    medium: Option<&M>,
    disk: &impl Medium,
    layout: &Layout,
    force: bool,
) -> Result<[[RecordState; 2]; 2], CacheError> {
    let on_cache = match medium {
        Some(medium) => copies_of_any_version(medium, Device::Cache, layout)?,
        None => [RecordState::Blank; 2],
    };
    let on_disk = copies(disk, Device::Disk, layout)?;
    let released = RecordState::newest(on_disk, Device::Disk).map_or(Id::NONE, |label| label.note.lost);
    // The disk's label may name it already.
    let begun = interrupted(&on_cache).map_or(Id::NONE, |record| record.cache);
    free_for(&on_cache, Device::Cache, (begun, released), force)?;
    free_for(&on_disk, Device::Disk, (begun, released), force)?;
    medium.map_or(Ok(()), |medium| refuse_other_role(medium, Device::Cache))?;
    refuse_other_role(disk, Device::Disk)?;
    if force {
        return Ok([on_cache, on_disk]);
    }
    if let Some(medium) = medium {
        refuse_data(medium, Device::Cache, &on_cache, layout)?;
    }
    refuse_data(disk, Device::Disk, &on_disk, layout)?;
    Ok([on_cache, on_disk])
}

/// The superblock of a creation that was interrupted.
fn interrupted(on_cache: &[RecordState; 2]) -> Option<Record> {
    RecordState::newest(*on_cache, Device::Cache).ok().filter(|record| record.stage == Stage::Creating)
}

/// Prepares both devices. A power loss at any moment leaves either a whole cache, or one that only says "create me again".
pub(crate) fn create(medium: &impl Medium, disk: &impl Medium, ids: (Id, Id), force: bool) -> Result<(), CacheError> {
    let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
    let (new_cache, new_disk) = ids;
    let [on_cache, on_disk] = found_before_creation(Some(medium), disk, &layout, force)?;
    // The ids of an interrupted creation are kept, because the disk's label may name them already.
    let (cache, disk_id) = interrupted(&on_cache).map_or((new_cache, new_disk), |record| (record.cache, record.disk));
    let generation =
        |states, device| RecordState::newest_of_any_version(states, device).map_or(0, |record| record.generation);
    let mut superblock = Record {
        generation: generation(on_cache, Device::Cache) + 1,
        cache,
        disk: disk_id,
        stage: Stage::Creating,
        session: 0,
        medium_bytes: layout.medium_bytes(),
        disk_bytes: layout.disk_bytes(),
        next_medium_bytes: 0,
        next_disk_bytes: 0,
        ordered: false,
        label_written: false,
        note: Note::default(),
    };
    write(medium, Device::Cache, &layout, &superblock)?;
    clear_items(medium, &layout)?;
    let generation = generation(on_disk, Device::Disk) + 1;
    write(disk, Device::Disk, &layout, &Record { generation, stage: Stage::Active, ..superblock })?;
    superblock.generation += 1;
    superblock.stage = Stage::Active;
    write(medium, Device::Cache, &layout, &superblock)
}

pub(crate) fn clear_items(medium: &impl Medium, layout: &Layout) -> Result<(), CacheError> {
    let (mut at_bytes, end_bytes) = (layout.item_offset_bytes(Slot(0)), layout.data_offset_bytes(Slot(0)));
    let zeros = vec![0; CHUNK_BYTES];
    while at_bytes < end_bytes {
        let count = (end_bytes - at_bytes).min(zeros.len() as u64);
        medium
            .write_at(at_bytes, &zeros[..count as usize])
            .map_err(CacheError::io(Device::Cache, "clearing the items"))?;
        at_bytes += count;
    }
    medium.barrier().map_err(CacheError::io(Device::Cache, "clearing the items"))
}
