//! A cache and a disk that no server has open.

use crate::arguments::Devices;
use crate::outcome::{Failure, Outcome, Progress, note};
use halo_cache::format::{Record, Stage};
use halo_cache::{Cache, CacheError, CheckReport, Device, Prefix, Refusal, Settings};
use halo_media::{FileMedium, refuse_read_only};
use halo_server::{AnyMedium, CacheName, DirectIo, MaskedDisk, WRITTEN_OUTSIDE, open_disk, session};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Both devices, locked.
pub(crate) struct Pair {
    pub(crate) medium: AnyMedium,
    pub(crate) disk: AnyMedium,
    /// The disk as it is seen without the cache.
    pub(crate) mask: Arc<MaskedDisk>,
    name: CacheName,
}

impl Pair {
    /// Locks both without changing anything.
    pub(crate) fn lock(devices: &Devices, direct_io: DirectIo) -> Result<Self, Failure> {
        refuse_one_for_both(devices)?;
        let medium = devices.cache.open(direct_io).map_err(|error| unopened(error, Device::Cache))?;
        let mask = open_disk(&devices.disk, direct_io).map_err(|error| unopened(error, Device::Disk))?;
        Ok(Self { medium, disk: Arc::clone(&mask) as AnyMedium, mask, name: devices.cache.clone() })
    }

    /// The same for work that writes to both.
    pub(crate) fn lock_to_write(devices: &Devices, direct_io: DirectIo) -> Result<Self, Failure> {
        let pair = Self::lock(devices, direct_io)?;
        writable(&devices.cache.path, Device::Cache)?;
        writable(Path::new(&devices.disk), Device::Disk)?;
        Ok(pair)
    }

    /// Looks at all items and, with `data`, at what they say of the data; refuses devices that do not belong together.
    pub(crate) fn check(&self, data: bool) -> Result<CheckReport, Failure> {
        let mut progress = Progress::new();
        let report = Cache::check(&self.medium, &self.disk, data, |checked| {
            progress.tell(|| format!("{} of {} slots checked", checked.slots, checked.of_slots));
        })?;
        Ok(report)
    }

    /// What the disk shows that somebody wrote there without its cache.
    pub(crate) fn written_outside(&self) -> Result<Option<String>, Failure> {
        self.mask.written_outside().map_err(|error| unopened(error, Device::Disk))
    }

    /// For work on a cache that nobody uses: what it destages goes in order, if that was promised.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        Ok(session(Cache::mode_on(&self.medium, &self.disk)?, &self.name))
    }

    /// Opens the cache for work; with `accept_damaged`, damaged items are dropped, and their number is told.
    pub(crate) fn open(self, accept_damaged: bool) -> Result<Cache<AnyMedium, AnyMedium>, Failure> {
        self.mask.settle().map_err(|error| unopened(error, Device::Disk))?;
        let settings = self.settings_for(accept_damaged)?;
        open(self.medium, self.disk, settings)
    }

    /// The same of devices that may have become larger than `recorded`, with the sizes that they had.
    pub(crate) fn open_as_recorded(
        &self,
        recorded: &Record,
        accept_damaged: bool,
    ) -> Result<Cache<AnyMedium, AnyMedium>, Failure> {
        let before = |device: &AnyMedium, len_bytes| Arc::new(Prefix::of(Arc::clone(device), len_bytes)) as AnyMedium;
        let (medium, disk) = (before(&self.medium, recorded.medium_bytes), before(&self.disk, recorded.disk_bytes));
        open(medium, disk, self.settings_for(accept_damaged)?)
    }

    /// Settings for a growth or an opening that may drop damaged items.
    pub(crate) fn settings_for(&self, accept_damaged: bool) -> Result<Settings, Failure> {
        Ok(Settings { accept_damaged_items: accept_damaged, ..self.settings()? })
    }

    /// The pair with its cache file made `bytes` long, all of them allocated.
    pub(crate) fn extended(self, bytes: u64) -> Result<Self, Failure> {
        let Self { medium, disk, mask, name } = self;
        // It holds the file's lock.
        drop(medium);
        drop(FileMedium::extend(&name.path, bytes)?);
        let medium = name.open(DirectIo::Off).map_err(|error| unopened(error, Device::Cache))?;
        Ok(Self { medium, disk, mask, name })
    }
}

fn open(medium: AnyMedium, disk: AnyMedium, settings: Settings) -> Result<Cache<AnyMedium, AnyMedium>, Failure> {
    let (cache, recovery) = Cache::open(medium, disk, settings).map_err(|error| match error {
        CacheError::Refused(Refusal::ItemsDamaged { .. }) => {
            Failure::from(error).with(|text| format!("{text} with --accept-damaged"))
        }
        error => error.into(),
    })?;
    if settings.accept_damaged_items && recovery.damaged_items > 0 {
        note(&format!("{} damaged items were dropped, as accepted", recovery.damaged_items));
    }
    Ok(cache)
}

/// The second lock would be refused with a misleading reason.
pub(crate) fn refuse_one_for_both(devices: &Devices) -> Outcome {
    let place = |path: &Path| path.canonicalize().ok();
    match place(&devices.cache.path) {
        Some(path) if place(Path::new(&devices.disk)).as_ref() == Some(&path) => {
            Err(Failure::input(format!("{}: given as cache and as disk: name two devices", path.display())))
        }
        _ => Ok(()),
    }
}

/// The refusal of a disk that shows this.
pub(crate) fn shows(what: &str) -> Failure {
    Failure::state(format!("disk file: shows {what}, {WRITTEN_OUTSIDE}"))
}

/// Refuses a block device that takes no writes. An export tells when it is opened.
pub(crate) fn writable(path: &Path, device: Device) -> Outcome {
    refuse_read_only(path).map_err(|error| unopened(error, device))
}

/// A stage for people.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Creating => "creating",
        Stage::Active => "active",
        Stage::Growing => "growing",
        Stage::Detaching => "detaching",
        Stage::Detached => "detached",
        Stage::Released => "released",
    }
}

/// A locked device has a server that can be asked instead.
pub(crate) fn unopened(error: io::Error, device: Device) -> Failure {
    let hint =
        if error.kind() == io::ErrorKind::WouldBlock { "; a server is asked with --socket or --control" } else { "" };
    Failure::from(error).with(|text| format!("{device}: {text}{hint}"))
}
