//! Both copies of superblock and label: which are whole, and how one that is not is restored.

use crate::cache::Cache;
use crate::error::{CacheError, Device, Refusal};
use crate::format::{Layout, RECORD_BYTES, Record, RecordState, Stage};
use crate::identity::{Pair, check_size, copies, usable, verify};
use crate::planted::{Bug, Planted};
use crate::release::Orphan;
use halo_core::address::BLOCK_BYTES;
use halo_media::Medium;

/// The state of one copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyState {
    /// It is what counts.
    Whole,
    /// It is whole, and from before an interruption: the next opening writes both anew.
    Older,
    /// It does not count.
    Damaged,
}

/// The copies of superblock and label, each first the one that lies lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordCopies {
    /// On the cache medium: at its beginning, at its end.
    pub superblock: [CopyState; 2],
    /// On the disk.
    pub label: [CopyState; 2],
}

impl RecordCopies {
    pub(crate) fn of(pair: &Pair) -> Self {
        let [on_cache, on_disk] = &pair.copies;
        Self { superblock: judge(on_cache, &pair.superblock), label: judge(on_disk, &pair.label) }
    }

    /// Copies that do not count.
    pub fn damaged(&self) -> usize {
        self.superblock.iter().chain(&self.label).filter(|&&copy| copy == CopyState::Damaged).count()
    }
}

fn judge(copies: &[RecordState; 2], counts: &Record) -> [CopyState; 2] {
    copies.map(|copy| match copy {
        RecordState::Valid(record) if record == *counts => CopyState::Whole,
        RecordState::Valid(record) if (record.cache, record.disk) == (counts.cache, counts.disk) => CopyState::Older,
        _ => CopyState::Damaged,
    })
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Writes every copy of superblock and label anew that is not what counts, if its partner is; says what they were. With
    /// `label_lost`, a label of which no copy is left is made from the superblock.
    ///
    /// # Errors
    /// Both copies of one of them are gone, or the two devices do not belong together. Nothing was changed, unless a device
    /// failed.
    pub fn repair(medium: &M, disk: &D, label_lost: bool, planted: Planted) -> Result<RecordCopies, CacheError> {
        let pair = match verify(medium, disk, planted) {
            Err(error) if label_lost && has_no_label(&error) => return restore_label(medium, disk, planted),
            verified => verified?,
        };
        let before = RecordCopies::of(&pair);
        for (offset_bytes, state) in pair.layout.record_offsets_bytes(Device::Cache).into_iter().zip(before.superblock)
        {
            if state != CopyState::Whole {
                // Its block as a whole: in part, it would have to be read first, which may be what fails.
                write_block(medium, Device::Cache, offset_bytes, &[&pair.superblock])?;
            }
        }
        if before.label != [CopyState::Whole; 2] && !planted.has(Bug::RepairCacheOnly) {
            write_label(disk, &pair.layout, &pair.label)?;
        }
        Ok(before)
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// What a cache has whose disk has no copy of its label left that could be restored from the other; nothing where it has one. Writes
    /// nothing.
    ///
    /// # Errors
    /// The label cannot be made anew either, or the two devices do not belong together.
    pub fn without_label(medium: &M, disk: &D) -> Result<Option<Orphan>, CacheError> {
        match verify(medium, disk, Planted::NONE) {
            Err(error) if has_no_label(&error) => {
                superblock_for_label(medium, disk, Planted::NONE)?;
                Self::orphan(medium).map(Some)
            }
            verified => verified.map(|_| None),
        }
    }
}

fn has_no_label(error: &CacheError) -> bool {
    use Refusal::{NotHalo, RecordDamaged};
    matches!(
        error,
        CacheError::Io { device: Device::Disk, .. }
            | CacheError::Refused(RecordDamaged(Device::Disk) | NotHalo(Device::Disk))
    )
}

fn restore_label(medium: &impl Medium, disk: &impl Medium, planted: Planted) -> Result<RecordCopies, CacheError> {
    let (layout, on_cache, superblock) = superblock_for_label(medium, disk, planted)?;
    // Nobody knows any more whether the disk lacks a copy that was passed over. It is in order once it has everything.
    let ordered = superblock.ordered && planted.has(Bug::LostGapForgotten);
    write_label(disk, &layout, &Record { stage: Stage::Active, ordered, ..superblock })?;
    Ok(RecordCopies { superblock: judge(&on_cache, &superblock), label: [CopyState::Damaged; 2] })
}

/// The superblock says all that a label does, but for whether the disk alone is in order, and the proof that this is the disk: whoever calls has
/// seen to that.
fn superblock_for_label(
    medium: &impl Medium,
    disk: &impl Medium,
    planted: Planted,
) -> Result<(Layout, [RecordState; 2], Record), CacheError> {
    let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
    let on_cache = copies(medium, Device::Cache, &layout)?;
    let superblock = usable(&on_cache)?;
    if !planted.has(Bug::LabelOfAnySize) {
        check_size(Device::Disk, superblock.disk_bytes, layout.disk_bytes())?;
    }
    if superblock.stage == Stage::Growing {
        // The label of a disk that grows may be at its old end.
        return Err(Refusal::RecordDamaged(Device::Disk).into());
    }
    Ok((layout, on_cache, superblock))
}

/// Both copies in one write: one that was whole is written as it was.
fn write_label(disk: &impl Medium, layout: &Layout, label: &Record) -> Result<(), CacheError> {
    let [first_bytes, _] = layout.record_offsets_bytes(Device::Disk);
    write_block(disk, Device::Disk, first_bytes, &[label; 2])
}

/// Records, evenly spread over a block.
fn write_block(medium: &impl Medium, device: Device, offset_bytes: u64, records: &[&Record]) -> Result<(), CacheError> {
    let mut block = [0; BLOCK_BYTES];
    for (place, record) in block.chunks_exact_mut(BLOCK_BYTES / records.len()).zip(records) {
        place[..RECORD_BYTES].copy_from_slice(&record.encode(device));
    }
    medium
        .write_at(offset_bytes, &block)
        .and_then(|()| medium.barrier())
        .map_err(CacheError::io(device, "restoring the HALO record"))
}
