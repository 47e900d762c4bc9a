//! A cache and a disk that no server has open.

use crate::arguments::Devices;
use crate::outcome::{Failure, Outcome, Progress};
use halo_cache::format::Stage;
use halo_cache::{Cache, CheckReport, Settings};
use halo_server::{AnyMedium, open_disk};
use std::io;
use std::path::Path;

/// Both devices, locked.
pub(crate) struct Pair {
    pub(crate) medium: AnyMedium,
    pub(crate) disk: AnyMedium,
}

impl Pair {
    /// Locks both without changing anything.
    pub(crate) fn lock(devices: &Devices) -> Result<Self, Failure> {
        refuse_one_for_both(devices)?;
        let medium = devices.cache.open().map_err(|error| unopened(error, "cache"))?;
        let disk = open_disk(&devices.disk).map_err(|error| unopened(error, "disk"))?;
        Ok(Self { medium, disk })
    }

    /// Looks at all items and, with `data`, at what they say of the data; refuses devices that do not belong together.
    pub(crate) fn check(&self, data: bool) -> Result<CheckReport, Failure> {
        let mut progress = Progress::new();
        let report = Cache::check(&self.medium, &self.disk, data, |checked| {
            progress.tell(|| format!("{} of {} slots checked", checked.slots, checked.of_slots));
        })?;
        Ok(report)
    }

    /// For work on a cache that nobody uses: what it destages goes in order, if that was promised.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings::new(Cache::mode_on(&self.medium, &self.disk)?))
    }

    /// Opens the cache for work.
    pub(crate) fn open(self) -> Result<Cache<AnyMedium, AnyMedium>, Failure> {
        let settings = self.settings()?;
        let (cache, _) = Cache::open(self.medium, self.disk, settings)?;
        Ok(cache)
    }
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

/// A stage for people.
pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Creating => "creating",
        Stage::Active => "active",
        Stage::Growing => "growing",
        Stage::Detaching => "detaching",
        Stage::Detached => "detached",
    }
}

/// A locked device has a server that can be asked instead.
pub(crate) fn unopened(error: io::Error, device: &str) -> Failure {
    let hint =
        if error.kind() == io::ErrorKind::WouldBlock { "; a server is asked with --socket or --control" } else { "" };
    Failure::from(error).with(|text| format!("{device}: {text}{hint}"))
}
