//! Larger devices: the cache medium, the disk, or both.
//!
//! The numbers of items depend on the size of the medium, so a medium grows empty: both the old and the new places of items say
//! "empty" until the superblock switches from one to the other. A disk grows with blocks in the cache; only its label moves.
//! From the first change on, opening the pair goes on with what was interrupted; each step may be repeated.

use crate::cache::Cache;
use crate::creation;
use crate::error::{CacheError, Device, Refusal};
use crate::format::{Layout, Record, RecordState, Stage};
use crate::identity::{check_partners, check_size, copies, write, write_backwards};
use crate::planted::{Bug, Planted};
use crate::settings::Settings;
use halo_media::{Medium, Piece};
use std::io;
use std::ops::Deref;

/// The first bytes of a device, for as long as nobody relies on the rest.
pub struct Prefix<P> {
    device: P,
    len_bytes: u64,
}

impl<P> Prefix<P> {
    /// The first `len_bytes` of a device that has as many at least.
    pub fn of(device: P, len_bytes: u64) -> Self {
        Self { device, len_bytes }
    }
}

impl<P: Deref<Target: Medium>> Medium for Prefix<P> {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn atomic_write_bytes(&self) -> usize {
        self.device.atomic_write_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.device.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.device.write_at(offset_bytes, bytes)
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        self.device.write_pieces(pieces)
    }

    fn barrier(&self) -> io::Result<()> {
        self.device.barrier()
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Takes larger devices into use. When the cache medium became larger, everything goes to the disk first. What the
    /// disk has behind its old end is offered as it is.
    ///
    /// # Errors
    /// A device is smaller than it was, or the pair cannot be opened or drained. After an interruption, opening the pair or
    /// growing it again goes on.
    pub fn grow(medium: &M, disk: &D, settings: Settings) -> Result<Layout, CacheError> {
        finish_interrupted(medium, disk, settings.planted)?;
        let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
        let superblock = RecordState::newest(copies(medium, Device::Cache, &layout)?, Device::Cache)?;
        let sizes = [
            (Device::Cache, superblock.medium_bytes, layout.medium_bytes()),
            (Device::Disk, superblock.disk_bytes, layout.disk_bytes()),
        ];
        for (device, expected_bytes, found_bytes) in sizes {
            if found_bytes < expected_bytes {
                return Err(Refusal::SizeChanged { device, expected_bytes, found_bytes }.into());
            }
        }
        let old_medium = Prefix::of(medium, superblock.medium_bytes);
        let old_disk = Prefix::of(disk, superblock.disk_bytes);
        let (mut cache, _) = Cache::open(old_medium, old_disk, settings)?;
        if layout == cache.layout {
            return Ok(layout);
        }
        if layout.medium_bytes() > superblock.medium_bytes && !settings.planted.has(Bug::GrowWithoutDrain) {
            cache.drain()?;
        }
        let growing = Record {
            generation: cache.record.generation + 1,
            stage: Stage::Growing,
            next_medium_bytes: layout.medium_bytes(),
            next_disk_bytes: layout.disk_bytes(),
            ..cache.record
        };
        write_backwards(medium, Device::Cache, &layout, &growing)?;
        finish(medium, disk, &growing, settings.planted)?;
        Ok(layout)
    }
}

/// Goes on with a growth that was interrupted, if there was one.
pub(crate) fn finish_interrupted(medium: &impl Medium, disk: &impl Medium, planted: Planted) -> Result<(), CacheError> {
    let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
    match RecordState::newest(copies(medium, Device::Cache, &layout)?, Device::Cache) {
        Ok(superblock) if superblock.stage == Stage::Growing => finish(medium, disk, &superblock, planted),
        _ => Ok(()),
    }
}

/// The steps of a growth from the superblock that announces it to the one that ends it.
fn finish(medium: &impl Medium, disk: &impl Medium, superblock: &Record, planted: Planted) -> Result<(), CacheError> {
    check_size(Device::Cache, superblock.next_medium_bytes, medium.len_bytes())?;
    check_size(Device::Disk, superblock.next_disk_bytes, disk.len_bytes())?;
    let old = Layout::new(superblock.medium_bytes, superblock.disk_bytes)?;
    let new = Layout::new(superblock.next_medium_bytes, superblock.next_disk_bytes)?;
    let label = find_label(disk, &old, &new, superblock)?;
    let grown = Record {
        generation: superblock.generation + 1,
        stage: Stage::Active,
        medium_bytes: new.medium_bytes(),
        disk_bytes: new.disk_bytes(),
        next_medium_bytes: 0,
        next_disk_bytes: 0,
        ..*superblock
    };
    if planted.has(Bug::GrowLabelsLast) {
        write(medium, Device::Cache, &new, &grown)?;
    }
    if new.medium_bytes() > old.medium_bytes() && !planted.has(Bug::GrowKeepsOldBytes) {
        creation::clear_items(medium, &new)?;
    }
    if new.disk_bytes() > old.disk_bytes() {
        let label = Record { generation: label.generation + 1, disk_bytes: new.disk_bytes(), ..label };
        write(disk, Device::Disk, &new, &label)?;
        clear_old_label(disk, &old, &new)?;
    }
    write(medium, Device::Cache, &new, &grown)
}

/// The label at the new end of the disk if it was written already, else the one at the old end.
fn find_label(disk: &impl Medium, old: &Layout, new: &Layout, superblock: &Record) -> Result<Record, CacheError> {
    if let Ok(label) = RecordState::newest(copies(disk, Device::Disk, new)?, Device::Disk)
        && label.disk_bytes == new.disk_bytes()
        && label.session == superblock.session
        && check_partners(superblock, &label).is_ok()
    {
        return Ok(label);
    }
    let label = RecordState::newest(copies(disk, Device::Disk, old)?, Device::Disk)?;
    check_partners(superblock, &label)?;
    Ok(label)
}

/// The old label lies where users will read; it must not be found there.
fn clear_old_label(disk: &impl Medium, old: &Layout, new: &Layout) -> Result<(), CacheError> {
    let [from_bytes, _] = old.record_offsets_bytes(Device::Disk);
    let [new_label_bytes, _] = new.record_offsets_bytes(Device::Disk);
    let zeros = vec![0; (old.disk_bytes().min(new_label_bytes) - from_bytes) as usize];
    disk.write_at(from_bytes, &zeros)
        .and_then(|()| disk.barrier())
        .map_err(CacheError::io(Device::Disk, "clearing the old HALO record"))
}
