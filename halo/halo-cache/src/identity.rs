//! The signs that a cache and a disk belong together: superblock and label, and the order in which they are written.

use crate::error::{CacheError, Device, Refusal};
use crate::format::{Id, Lacks, Layout, Note, Place, RECORD_BYTES, Record, RecordState, Stage};
use crate::grow;
use crate::planted::{Bug, Planted};
use crate::release::utc;
use crate::roles::explain;
use crate::settings::{Mode, Settings};
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

pub(crate) fn state_at(medium: &impl Medium, device: Device, offset_bytes: u64) -> io::Result<RecordState> {
    let mut bytes = [0; RECORD_BYTES];
    medium.read_at(offset_bytes, &mut bytes)?;
    Ok(Record::decode(&bytes, device))
}

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
