//! The signs that a cache and a disk belong together: superblock and label, and the order in which they are written.

use crate::error::{CacheError, Device, Refusal};
use crate::format::{Id, Lacks, Layout, Note, Place, RECORD_BYTES, Record, RecordState, Stage};
use crate::grow;
use crate::planted::{Bug, Planted};
use crate::release::utc;
use crate::roles::{explain, refuse_other_role};
use crate::settings::{Mode, Settings};
use halo_core::address::SECTOR_BYTES;
use halo_media::Medium;
use std::io;

/// Reads both copies of a device's record. One that cannot be read is as good as damaged, as long as the other can.
pub(crate) fn copies(medium: &impl Medium, device: Device, layout: &Layout) -> Result<[RecordState; 2], CacheError> {
    let mut states = [RecordState::Damaged; 2];
    let mut unread = None;
    for (state, offset_bytes) in states.iter_mut().zip(layout.record_offsets_bytes(device)) {
        match state_at(medium, device, offset_bytes) {
            Ok(found) => *state = found,
            Err(error) => unread = Some(error),
        }
    }
    match unread {
        Some(error) if states == [RecordState::Damaged; 2] => {
            Err(CacheError::io(device, "reading the HALO record")(error))
        }
        _ => Ok(states),
    }
}

fn state_at(medium: &impl Medium, device: Device, offset_bytes: u64) -> io::Result<RecordState> {
    let mut bytes = [0; RECORD_BYTES];
    medium.read_at(offset_bytes, &mut bytes)?;
    Ok(Record::decode(&bytes, device))
}

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

/// Writes both copies, one after the other: a power loss leaves at least one whole.
pub(crate) fn write(medium: &impl Medium, device: Device, layout: &Layout, record: &Record) -> Result<(), CacheError> {
    layout
        .record_offsets_bytes(device)
        .into_iter()
        .try_for_each(|offset_bytes| write_copy(medium, device, offset_bytes, record))
}

/// As [`write`], the second copy first: where that place is a new one, the first copy stays whole until it is written.
pub(crate) fn write_backwards(
    medium: &impl Medium,
    device: Device,
    layout: &Layout,
    record: &Record,
) -> Result<(), CacheError> {
    layout
        .record_offsets_bytes(device)
        .into_iter()
        .rev()
        .try_for_each(|offset_bytes| write_copy(medium, device, offset_bytes, record))
}

/// Writing a copy, and flushing the device.
pub(crate) const WRITING_RECORD: &str = "writing the HALO record";

pub(crate) fn write_copy(
    medium: &impl Medium,
    device: Device,
    offset_bytes: u64,
    record: &Record,
) -> Result<(), CacheError> {
    medium
        .write_at(offset_bytes, &record.encode(device))
        .and_then(|()| medium.barrier())
        .map_err(CacheError::io(device, WRITING_RECORD))
}

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

/// True when all that users lose of the disk is zeros. The copy of a partition table, for instance, lies between the places of records.
fn is_end_blank(disk: &impl Medium, layout: &Layout) -> Result<bool, CacheError> {
    let [label_bytes, _] = layout.record_offsets_bytes(Device::Disk);
    let mut bytes = vec![0; (layout.disk_bytes() - label_bytes) as usize / SECTOR_BYTES * SECTOR_BYTES];
    disk.read_at(label_bytes, &mut bytes).map_err(CacheError::io(Device::Disk, "reading its end"))?;
    Ok(bytes.iter().all(|&byte| byte == 0))
}

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
    if !force && on_disk == [RecordState::Blank; 2] && !is_end_blank(disk, layout)? {
        return Err(Refusal::InUse(Device::Disk).into());
    }
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
    let (mut at_bytes, end_bytes) =
        (layout.item_offset_bytes(halo_core::Slot(0)), layout.data_offset_bytes(halo_core::Slot(0)));
    let zeros = vec![0; 1 << 20];
    while at_bytes < end_bytes {
        let count = (end_bytes - at_bytes).min(zeros.len() as u64);
        medium
            .write_at(at_bytes, &zeros[..count as usize])
            .map_err(CacheError::io(Device::Cache, "clearing the items"))?;
        at_bytes += count;
    }
    medium.barrier().map_err(CacheError::io(Device::Cache, "clearing the items"))
}

/// The records of two devices that belong together.
pub(crate) struct Pair {
    pub(crate) layout: Layout,
    pub(crate) superblock: Record,
    pub(crate) label: Record,
    /// Superblock, label.
    pub(crate) copies: [[RecordState; 2]; 2],
}

/// Makes sure that cache and disk belong together. Writes nothing.
pub(crate) fn verify(medium: &impl Medium, disk: &impl Medium, planted: Planted) -> Result<Pair, CacheError> {
    let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
    let on_cache = copies(medium, Device::Cache, &layout)?;
    let superblock = usable(&on_cache).map_err(|refusal| explain(refusal, medium))?;
    check_size(Device::Cache, superblock.medium_bytes, layout.medium_bytes())?;
    let on_disk = copies(disk, Device::Disk, &layout)?;
    let label = match RecordState::newest(on_disk, Device::Disk) {
        Ok(label) => label,
        Err(_) if planted.has(Bug::AnyDisk) => superblock,
        // The label of a disk that is larger now is not at its end.
        Err(_) if superblock.disk_bytes < layout.disk_bytes() => {
            return Err(size_changed(Device::Disk, superblock.disk_bytes, layout.disk_bytes()).into());
        }
        Err(refusal) => return Err(explain(refusal, disk)),
    };
    if !planted.has(Bug::AnyDisk) {
        check_partners(&superblock, &label)?;
    }
    check_size(Device::Disk, superblock.disk_bytes, layout.disk_bytes())?;
    let interrupted_open = superblock.session == label.session + 1 && !superblock.label_written;
    if superblock.session != label.session && !interrupted_open && !planted.has(Bug::AnyCopy) {
        let (older, older_session, newer_session) = if superblock.session < label.session {
            (Device::Cache, superblock.session, label.session)
        } else {
            (Device::Disk, label.session, superblock.session)
        };
        return Err(Refusal::OldCopy { older, older_session, newer_session }.into());
    }
    Ok(Pair { layout, superblock, label, copies: [on_cache, on_disk] })
}

/// The superblock of a cache that can be used.
pub(crate) fn usable(copies: &[RecordState; 2]) -> Result<Record, Refusal> {
    let superblock = RecordState::newest(*copies, Device::Cache)?;
    match superblock.stage {
        Stage::Creating => Err(Refusal::NotFinished),
        Stage::Detached => Err(Refusal::Detached),
        Stage::Active | Stage::Detaching | Stage::Growing | Stage::Released => Ok(superblock),
    }
}

/// Makes sure that cache and disk belong together, and notes the new session on both. Gives whether the disk alone is in order.
///
/// The barriers of these notes have a second use: what recovery reads afterwards may, after a kill, have been in a volatile
/// cache only, and is durable now. Without them recovery could clear an older copy while the newer one is lost later.
pub(crate) fn open(
    medium: &impl Medium,
    disk: &impl Medium,
    settings: &Settings,
) -> Result<(Layout, Record, bool), CacheError> {
    let planted = settings.planted;
    grow::finish_interrupted(medium, disk, planted)?;
    let Pair { layout, superblock, label, .. } = verify(medium, disk, planted)?;
    if planted.has(Bug::RecoveryWithoutBarrier) {
        return Ok((layout, superblock, label.ordered));
    }
    // First the cache, then the disk: a power loss in between leaves the cache one ahead, which the next open accepts as long as the cache
    // does not say that the disk had its label.
    let session = label.session + 1;
    let ordered = superblock.ordered && settings.mode == Mode::Ordered;
    let generation = superblock.generation + 1;
    let mut superblock = Record { generation, session, ordered, label_written: false, ..superblock };
    write(medium, Device::Cache, &layout, &superblock)?;
    let place = if settings.place == Place::UNKNOWN { label.note.place } else { settings.place };
    let (mode, at_seconds) = (Some(settings.mode), settings.now_seconds);
    let note = Note { mode, at_seconds, lost: Id::NONE, place, lacks: label.note.lacks };
    let generation = label.generation + 1;
    // An opening closes no gap: a disk that lacks a damaged block is in order again once it has everything.
    let in_order = ordered && (label.ordered || planted.has(Bug::OrderedGapForgotten));
    let label = Record { generation, cache: superblock.cache, session, ordered: in_order, note, ..label };
    write(disk, Device::Disk, &layout, &label)?;
    superblock.generation += 1;
    superblock.label_written = !planted.has(Bug::LabelWrittenUnsaid);
    if superblock.stage == Stage::Detaching {
        // The opener goes on using the pair; only now does the label name the cache again.
        superblock.stage = Stage::Active;
    }
    write(medium, Device::Cache, &layout, &superblock)?;
    Ok((layout, superblock, in_order))
}

/// Notes on both that everything is in order from now on; the cache is empty. The disk says so last.
pub(crate) fn begin_order(
    medium: &impl Medium,
    disk: &impl Medium,
    layout: &Layout,
    superblock: &Record,
) -> Result<Record, CacheError> {
    let superblock = Record { generation: superblock.generation + 1, ordered: true, ..*superblock };
    write(medium, Device::Cache, layout, &superblock)?;
    note_order(disk, layout, true, Planted::NONE)?;
    Ok(superblock)
}

/// Notes on the disk whether it alone is in order, unless it says so already.
pub(crate) fn note_order(
    disk: &impl Medium,
    layout: &Layout,
    ordered: bool,
    planted: Planted,
) -> Result<(), CacheError> {
    let label = RecordState::newest(copies(disk, Device::Disk, layout)?, Device::Disk)?;
    if label.ordered == ordered {
        return Ok(());
    }
    let label = Record { generation: label.generation + 1, ordered, ..label };
    if planted.has(Bug::GapInOneCopy) {
        return write_copy(disk, Device::Disk, layout.record_offsets_bytes(Device::Disk)[0], &label);
    }
    write(disk, Device::Disk, layout, &label)
}

/// Notes on the disk what it lacks. What was complete once stays so: a note that does not know since when keeps what the last one knew.
pub(crate) fn note_lacks(disk: &impl Medium, layout: &Layout, lacks: Lacks) -> Result<(), CacheError> {
    let label = RecordState::newest(copies(disk, Device::Disk, layout)?, Device::Disk)?;
    let since_seconds = if lacks.since_seconds == 0 { label.note.lacks.since_seconds } else { lacks.since_seconds };
    let note = Note { lacks: Lacks { since_seconds, ..lacks }, ..label.note };
    write(disk, Device::Disk, layout, &Record { generation: label.generation + 1, note, ..label })
}

pub(crate) fn check_partners(superblock: &Record, label: &Record) -> Result<(), Refusal> {
    if label.stage == Stage::Released && label.note.lost == superblock.cache {
        return Err(Refusal::Released { at: utc(label.note.at_seconds) });
    }
    if superblock.disk != label.disk {
        return Err(Refusal::WrongDisk { expected: superblock.disk.to_string(), found: label.disk.to_string() });
    }
    // Detaching may have freed the label already.
    let freed = superblock.stage == Stage::Detaching && label.cache == Id::NONE;
    if superblock.cache != label.cache && !freed {
        return Err(Refusal::WrongCache { expected: label.cache.to_string(), found: superblock.cache.to_string() });
    }
    Ok(())
}

pub(crate) fn check_size(device: Device, expected_bytes: u64, found_bytes: u64) -> Result<(), Refusal> {
    if expected_bytes == found_bytes { Ok(()) } else { Err(size_changed(device, expected_bytes, found_bytes)) }
}

fn size_changed(device: Device, expected_bytes: u64, found_bytes: u64) -> Refusal {
    Refusal::SizeChanged { device, expected_bytes, found_bytes }
}

/// Frees the disk. The cache holds nothing any more.
pub(crate) fn detach(
    medium: &impl Medium,
    disk: &impl Medium,
    layout: &Layout,
    superblock: &Record,
    planted: Planted,
) -> Result<(), CacheError> {
    let mut superblock = Record { generation: superblock.generation + 1, stage: Stage::Detaching, ..*superblock };
    write(medium, Device::Cache, layout, &superblock)?;
    let label = RecordState::newest(copies(disk, Device::Disk, layout)?, Device::Disk)?;
    let freed = Record { generation: label.generation + 1, cache: Id::NONE, ordered: false, ..label };
    if planted.has(Bug::DetachOneCopy) {
        write_copy(disk, Device::Disk, layout.record_offsets_bytes(Device::Disk)[0], &freed)?;
    } else {
        write(disk, Device::Disk, layout, &freed)?;
    }
    superblock.generation += 1;
    superblock.stage = Stage::Detached;
    write(medium, Device::Cache, layout, &superblock)
}
