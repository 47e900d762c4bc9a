//! The cache: reads, writes, flushes.

use crate::being_written::BeingWritten;
use crate::bypass::DirectChanges;
use crate::clean::Clean;
use crate::commits::Commits;
use crate::disk_use::DiskUse;
use crate::driver::{Alone, Round};
use crate::epochs::Epochs;
use crate::error::{CacheError, Device};
use crate::format::{Id, Layout, Record};
use crate::health::Health;
use crate::noting::Noting;
use crate::planted::{Bug, Planted};
use crate::recovery::{self, Recovery};
use crate::settings::{Mode, Settings, Statistics};
use crate::slots::Slots;
use crate::{creation, driver, identity};
use halo_core::address::SECTOR_BYTES;
use halo_core::destage::{Destager, Trigger};
use halo_core::{Ages, CachedBlock, Directory, Due, Streams};
use halo_media::Medium;

/// A write cache on `medium` in front of `disk`.
///
/// One caller at a time. Requests are in whole sectors of 512 bytes.
pub struct Cache<M, D> {
    pub(crate) medium: M,
    pub(crate) disk: D,
    pub(crate) layout: Layout,
    pub(crate) record: Record,
    pub(crate) settings: Settings,
    pub(crate) directory: Directory,
    pub(crate) destager: Destager,
    pub(crate) slots: Slots,
    /// With [`Settings::clean_blocks`].
    pub(crate) clean: Option<Clean>,
    pub(crate) commits: Commits,
    pub(crate) disk_use: DiskUse,
    pub(crate) health: Health,
    pub(crate) statistics: Statistics,
    pub(crate) recovery: Recovery,
    /// Copies that the disk must take in order; empty but in [`Mode::Ordered`].
    pub(crate) epochs: Epochs,
    pub(crate) ages: Ages,
    pub(crate) due: Due,
    pub(crate) noting: Noting,
    /// Writes that the disk took past the cache.
    pub(crate) direct: DirectChanges,
    /// With [`Settings::bypass_sequential`].
    pub(crate) streams: Option<Streams>,
    pub(crate) being_written: BeingWritten,
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// Prepares `medium` and `disk` for each other. All that was on the disk stays, but for its last 4 KiB.
    ///
    /// # Errors
    /// One of them is in use; with `force`, data that is not HALO's is overwritten, a bound cache or disk never is. After
    /// an interruption, creation can be repeated.
    pub fn create(medium: &M, disk: &D, cache_id: Id, disk_id: Id, force: bool) -> Result<(), CacheError> {
        creation::create(medium, disk, (cache_id, disk_id), force)
    }

    /// Finds out whether [`Cache::create`] would make a pair of `disk` and `medium`, or, without one, a new medium of `medium_bytes`: gives its
    /// layout. Writes nothing.
    ///
    /// # Errors
    /// As for [`Cache::create`].
    pub fn may_create(medium: Option<&M>, medium_bytes: u64, disk: &D, force: bool) -> Result<Layout, CacheError> {
        let layout = Layout::new(medium_bytes, disk.len_bytes())?;
        creation::found_before_creation(medium, disk, &layout, force)?;
        Ok(layout)
    }

    /// Opens a cache with its disk, and rebuilds what was in memory.
    ///
    /// # Errors
    /// [`CacheError::Refused`]: they do not belong together, or items are damaged. The data of neither was changed.
    pub fn open(medium: M, disk: D, settings: Settings) -> Result<(Self, Recovery), CacheError> {
        let (layout, record, in_order) = identity::open(&medium, &disk, &settings)?;
        let epoch_slots = if settings.mode == Mode::Ordered { layout.slots() } else { 0 };
        let mut cache = Self {
            medium,
            disk,
            layout,
            record,
            settings,
            directory: Directory::new(layout.blocks(), layout.slots(), u64::from(record.cache.tag())),
            destager: Destager::new(settings.destage_settings(layout.slots())),
            slots: Slots::new(layout.slots(), settings.planted),
            clean: settings.clean_blocks.then(|| Clean::new(layout.slots())),
            commits: Commits::new(settings.commit_blocks, settings.mode == Mode::Ordered),
            disk_use: DiskUse::default(),
            health: Health::default(),
            statistics: Statistics::default(),
            recovery: Recovery::default(),
            epochs: Epochs::new(epoch_slots),
            ages: settings.due().ages(layout.slots()),
            due: Due::new(settings.due()),
            noting: Noting::default(),
            direct: DirectChanges::default(),
            streams: settings.bypass_sequential.map(Streams::new),
            being_written: BeingWritten::default(),
        };
        cache.epochs.set_gap(!in_order);
        cache.recovery = recovery::rebuild(&mut cache)?;
        cache.note_dropped_items()?;
        if settings.mode == Mode::Ordered && !cache.record.ordered {
            cache.begin_order()?;
        } else if cache.directory.is_empty() {
            cache.close_gap()?;
        }
        let recovery = cache.recovery;
        Ok((cache, recovery))
    }

    /// True when the disk takes copies in the order of their commits.
    pub(crate) fn in_order(&self) -> bool {
        self.settings.mode == Mode::Ordered && self.record.ordered
    }

    /// Empties a cache that was used without an order, so that everything in it is in order from now on.
    fn begin_order(&mut self) -> Result<(), CacheError> {
        if !self.settings.planted.has(Bug::OrderedWithoutDrain) {
            self.drain()?;
        }
        self.record = identity::begin_order(&self.medium, &self.disk, &self.layout, &self.record)?;
        self.epochs.set_gap(false);
        Ok(())
    }

    /// An item that was dropped may have been of a write that is acknowledged, and older than what the disk gets next. With no block left, the
    /// disk gets nothing, and is in order as it is.
    fn note_dropped_items(&mut self) -> Result<(), CacheError> {
        let lacks_one = recovery::may_have_dropped_a_write(self) && !self.directory.is_empty();
        if self.in_order() && lacks_one && !self.settings.planted.has(Bug::OrderedAfterDamage) {
            identity::note_order(&self.disk, &self.layout, false, self.settings.planted)?;
            self.epochs.set_gap(true);
        }
        Ok(())
    }

    /// The disk has everything, so that it alone is in order again.
    pub(crate) fn close_gap(&mut self) -> Result<(), CacheError> {
        if self.in_order() && self.epochs.has_gap() {
            identity::note_order(&self.disk, &self.layout, true, self.settings.planted)?;
            self.epochs.set_gap(false);
        }
        Ok(())
    }

    /// Bytes that the device offers: the disk's, without its label.
    pub fn capacity_bytes(&self) -> u64 {
        self.layout.capacity_bytes()
    }

    /// The fast medium.
    pub fn medium(&self) -> &M {
        &self.medium
    }

    /// The disk.
    pub fn disk(&self) -> &D {
        &self.disk
    }

    /// When a write is acknowledged.
    pub fn mode(&self) -> Mode {
        self.settings.mode
    }

    /// The mistake that is switched on, for hosts that make some of their own.
    pub fn planted(&self) -> Planted {
        self.settings.planted
    }

    /// Where things are on both devices.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Blocks in the cache that the disk does not have yet.
    pub fn dirty_blocks(&self) -> u64 {
        self.directory.len()
    }

    /// Writes `bytes`. In mode [`Mode::Strict`] they are durable once this is `Ok`; else once a later flush is.
    ///
    /// # Errors
    /// Sectors of the range may have their old or new content. After an error of the cache medium see
    /// [`CacheError::Poisoned`].
    pub fn write(&mut self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        if self.settings.mode == Mode::Strict { driver::commit_strictly(&Alone::with(self)) } else { Ok(()) }
    }

    /// Writes `bytes` and makes them durable (a write with FUA), and all writes before them.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn write_durably(&mut self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        self.flush()
    }

    /// Makes all writes that have returned durable.
    ///
    /// # Errors
    /// None of them may be, and the cache is poisoned.
    pub fn flush(&mut self) -> Result<(), CacheError> {
        driver::flush(&Alone::with(self))
    }

    /// Makes everything durable that was staged, and clears slots that wait for it.
    ///
    /// # Errors
    /// Nothing of it may be, and the cache is poisoned.
    pub fn commit(&mut self) -> Result<(), CacheError> {
        driver::commit(&Alone::with(self))
    }

    /// Writes the next buckets to the disk; gives the number of blocks that left the cache, 0 when none can.
    ///
    /// # Errors
    /// The blocks are still in the cache.
    pub fn destage(&mut self) -> Result<u64, CacheError> {
        loop {
            match driver::destage_round(&Alone::with(self), Trigger::OnDemand)? {
                // All were damaged, which others need not be.
                Round::Left(0) => {}
                Round::Left(blocks) => return Ok(blocks),
                Round::Nothing | Round::Stuck | Round::Requests => return Ok(0),
            }
        }
    }

    /// Begins every change.
    pub(crate) fn begin_staging(&mut self, offset_bytes: u64, count: usize) -> Result<(), CacheError> {
        self.check_range(offset_bytes, count)?;
        if self.health.is_poisoned() {
            return Err(CacheError::Poisoned);
        }
        self.directory.tick();
        self.note_write();
        Ok(())
    }

    /// True when what the slot holds can lose its meaning: nothing on the medium refers to it yet.
    pub(crate) fn in_place(&self, block: CachedBlock) -> bool {
        self.slots.is_untaken(block.slot) || self.settings.planted.has(Bug::OverwriteInPlace)
    }

    /// Makes sure that a write can have a slot: by clearing what is no longer needed, then by destaging.
    pub(crate) fn make_room(&mut self) -> Result<(), CacheError> {
        driver::make_room(&Alone::with(self))
    }

    /// Writes everything to the disk and flushes it.
    ///
    /// # Errors
    /// The disk failed, or a block is damaged. Blocks that the disk did not take are still in the cache.
    pub fn drain(&mut self) -> Result<(), CacheError> {
        driver::drain(&Alone::with(self))
    }

    /// Drains the cache and frees the disk; gives both devices back.
    ///
    /// # Errors
    /// As for [`Cache::drain`]. The pair can be opened again.
    pub fn detach(mut self) -> Result<(M, D), CacheError> {
        if !self.settings.planted.has(Bug::DetachWithoutDrain) {
            self.drain()?;
        }
        identity::detach(&self.medium, &self.disk, &self.layout, &self.record, self.settings.planted)?;
        Ok((self.medium, self.disk))
    }

    pub(crate) fn or_poison(&mut self, outcome: std::io::Result<()>, action: &'static str) -> Result<(), CacheError> {
        let Err(source) = outcome else { return Ok(()) };
        let error = CacheError::Io { device: Device::Cache, action, source };
        self.health.poison(&error);
        Err(error)
    }

    pub(crate) fn check_range(&self, offset_bytes: u64, count: usize) -> Result<(), CacheError> {
        let capacity_bytes = self.layout.capacity_bytes();
        let whole_sectors = (offset_bytes | count as u64).is_multiple_of(SECTOR_BYTES as u64);
        match offset_bytes.checked_add(count as u64) {
            Some(end_bytes) if whole_sectors && end_bytes <= capacity_bytes => Ok(()),
            _ => Err(CacheError::BadRange { offset_bytes, count: count as u64, capacity_bytes }),
        }
    }
}
