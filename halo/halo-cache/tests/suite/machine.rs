//! A machine with a cache and a disk that lose power together, and a model that knows what may be left.

use super::lying::Lying;
use halo_cache::format::Id;
use halo_cache::{Cache, CacheError, Device, Planted, Recovery, Settings};
use halo_media::{Medium, Power, PowerLossRam, Survival};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) const SECTOR: usize = 512;
/// Blocks that histories use: neighbours, both ends of a bucket, and another bucket.
pub(crate) const BLOCKS: [u64; 7] = [0, 1, 2, 255, 256, 257, 259];
pub(crate) const DISK_BYTES: usize = 260 * 4096 + 4096;

pub(crate) type Ram = Arc<Lying<PowerLossRam>>;
pub(crate) type TestCache = Cache<Ram, Ram>;
/// A broken promise says what was broken.
pub(crate) type Verdict = Result<(), String>;

/// Fails the scenario with a formatted text when the condition does not hold.
#[macro_export]
macro_rules! promise {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}

/// A device whose sectors are written as a whole.
pub(crate) fn ram(bytes: usize, power: &Power, role: Device, planted: Planted) -> Ram {
    Arc::new(Lying::new(PowerLossRam::new(bytes, SECTOR, power), role, planted))
}

/// The content of a sector after its write number `version`: every 8 bytes name both.
pub(crate) fn stamp(sector: u64, version: u32) -> [u8; SECTOR] {
    let word = (sector << 32 | u64::from(version)).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    std::array::from_fn(|at| word[at % 8])
}

pub(crate) struct Machine {
    pub(crate) power: Power,
    pub(crate) medium: Ram,
    pub(crate) disk: Ram,
    pub(crate) settings: Settings,
}

impl Machine {
    /// A cache of `slots` slots that was just created; the disk holds version 0 of every sector. Writes to the cache are torn
    /// between units of `unit_bytes`, writes to the disk between sectors.
    pub(crate) fn new(slots: usize, unit_bytes: usize, settings: Settings) -> Self {
        let machine = Self::blank(slots, unit_bytes, settings);
        machine.create().expect("a new cache");
        machine
    }

    pub(crate) fn blank(slots: usize, unit_bytes: usize, settings: Settings) -> Self {
        let power = Power::new();
        let medium = PowerLossRam::new((3 + slots) * 4096, unit_bytes, &power);
        let medium = Arc::new(Lying::new(medium, Device::Cache, settings.planted));
        let disk = ram(DISK_BYTES, &power, Device::Disk, settings.planted);
        for block in BLOCKS {
            for sector in block * 8..block * 8 + 8 {
                disk.write_at(sector * SECTOR as u64, &stamp(sector, 0)).expect("the disk is on");
            }
        }
        disk.barrier().expect("the disk is on");
        Self { power, medium, disk, settings }
    }

    pub(crate) fn create(&self) -> Result<(), CacheError> {
        Cache::create(&self.medium, &self.disk, Id([1; 16]), Id([2; 16]), false)
    }

    pub(crate) fn create_with_force(&self) -> Result<(), CacheError> {
        Cache::create(&self.medium, &self.disk, Id([1; 16]), Id([2; 16]), true)
    }

    pub(crate) fn open(&self) -> Result<(TestCache, Recovery), CacheError> {
        Cache::open(self.medium.clone(), self.disk.clone(), self.settings)
    }

    /// Plans the next power failure in `events` writes or barriers from now.
    pub(crate) fn fail_in(&self, events: u64) {
        self.power.fail_at(self.power.events() + events);
    }

    /// Power goes and comes back.
    pub(crate) fn lose_power(&self, on_cache: Survival, on_disk: Survival) {
        self.medium.lose_power(on_cache);
        self.disk.lose_power(on_disk);
        self.power.restore();
    }
}

/// The versions that each sector may hold.
#[derive(Clone, Default)]
pub(crate) struct Model {
    sectors: BTreeMap<u64, Versions>,
    next_version: u32,
    /// Versions that are zeros.
    zeros: BTreeSet<u32>,
    /// The writes between two flushes, or a flush and a restart.
    intervals: Vec<Interval>,
    /// The same since the last of them.
    open: Vec<(u64, u32)>,
    /// A result of a read that is not allowed.
    broken: Option<String>,
}

/// Everything that a disk with a volatile cache may hold when the power fails between two flushes.
#[derive(Clone, Default)]
struct Interval {
    /// Each sector at the first flush.
    before: BTreeMap<u64, u32>,
    writes: Vec<(u64, u32)>,
}

#[derive(Clone, Default)]
struct Versions {
    durable: u32,
    /// Written since, not known to be durable; the last one is what a read sees.
    maybe: Vec<u32>,
}

impl Model {
    /// A write that is about to be issued; gives its data. Until it is acknowledged as durable it may or may not be there.
    pub(crate) fn write(&mut self, sector: u64, count: u64) -> Vec<u8> {
        self.next_version += 1;
        let mut bytes = Vec::new();
        for at in sector..sector + count {
            self.sectors.entry(at).or_default().maybe.push(self.next_version);
            self.open.push((at, self.next_version));
            bytes.extend_from_slice(&stamp(at, self.next_version));
        }
        bytes
    }

    /// Zeros that are about to be issued, for the sectors that histories use.
    pub(crate) fn zero(&mut self, sector: u64, count: u64) {
        self.next_version += 1;
        self.zeros.insert(self.next_version);
        for at in BLOCKS.into_iter().flat_map(|block| block * 8..block * 8 + 8) {
            if (sector..sector + count).contains(&at) {
                self.sectors.entry(at).or_default().maybe.push(self.next_version);
                self.open.push((at, self.next_version));
            }
        }
    }

    /// The last write of these sectors was refused before anything was done.
    pub(crate) fn refused(&mut self, sector: u64, count: u64) {
        for at in sector..sector + count {
            self.sectors.entry(at).or_default().maybe.pop();
        }
    }

    fn content(&self, sector: u64, version: u32) -> [u8; SECTOR] {
        if self.zeros.contains(&version) { [0; SECTOR] } else { stamp(sector, version) }
    }

    /// A flush ended, or the machine was started anew.
    fn close_interval(&mut self, before: BTreeMap<u64, u32>) {
        self.intervals.push(Interval { before, writes: std::mem::take(&mut self.open) });
    }

    fn durable(&self) -> BTreeMap<u64, u32> {
        self.sectors.iter().map(|(&sector, versions)| (sector, versions.durable)).collect()
    }

    /// Everything written so far is durable.
    pub(crate) fn flushed(&mut self) {
        let before = self.durable();
        self.close_interval(before);
        for versions in self.sectors.values_mut() {
            if let Some(&newest) = versions.maybe.last() {
                versions.durable = newest;
                versions.maybe.clear();
            }
        }
    }

    /// While running: reads see the newest version of everything.
    pub(crate) fn check_running(&self, cache: &mut TestCache) -> Verdict {
        self.check(cache, |versions| vec![*versions.maybe.last().unwrap_or(&versions.durable)]).map(|_| ())
    }

    /// After a restart: each sector holds its durable version or a later one, and what it holds is durable now.
    pub(crate) fn check_restarted(&mut self, cache: &mut TestCache) -> Verdict {
        let found = self.check(cache, |versions| {
            let mut allowed = versions.maybe.clone();
            allowed.push(versions.durable);
            allowed
        })?;
        let before = self.durable();
        self.close_interval(before);
        for (sector, version) in found {
            self.sectors.insert(sector, Versions { durable: version, maybe: Vec::new() });
        }
        Ok(())
    }

    fn check(&self, cache: &mut TestCache, allowed: impl Fn(&Versions) -> Vec<u32>) -> Result<Vec<(u64, u32)>, String> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        let (status, mut found) = (cache.status(), Vec::new());
        let lacks = status.dirty_blocks + status.ordered_copies > 0;
        promise!(status.oldest_dirty.is_some() == lacks, "the oldest block of {} is old", status.dirty_blocks);
        let untouched = Versions::default();
        for block in BLOCKS {
            let mut bytes = [0; 4096];
            cache.read(block * 4096, &mut bytes).map_err(|error| format!("reading block {block}: {error}"))?;
            for (sector, content) in (block * 8..).zip(bytes.chunks_exact(SECTOR)) {
                let versions = allowed(self.sectors.get(&sector).unwrap_or(&untouched));
                if let Some(&version) = versions.iter().find(|&&version| content == self.content(sector, version)) {
                    found.push((sector, version));
                } else {
                    let is = (0..=self.next_version).find(|&version| content == self.content(sector, version));
                    return Err(format!("sector {sector}: one of {versions:?} expected, {is:?} found"));
                }
            }
        }
        Ok(found)
    }

    /// The newest version of each sector that was ever written.
    pub(crate) fn newest(&self) -> BTreeMap<u64, u32> {
        let newest = |versions: &Versions| *versions.maybe.last().unwrap_or(&versions.durable);
        self.sectors.iter().map(|(&sector, versions)| (sector, newest(versions))).collect()
    }

    /// A read began when `before` was the newest of everything, has just ended, and gave `bytes`; if it may not, the next check says so.
    pub(crate) fn note_overlapped(&mut self, before: &BTreeMap<u64, u32>, sector: u64, bytes: &[u8]) {
        for (sector, content) in (sector..).zip(bytes.chunks_exact(SECTOR)) {
            let first = before.get(&sector).copied().unwrap_or(0);
            if !(first..=self.next_version).any(|version| content == self.content(sector, version)) {
                self.broken.get_or_insert(format!("sector {sector} was read older than version {first}"));
            }
        }
    }

    /// Checks a read of a whole block while running.
    pub(crate) fn check_block(&self, block: u64, bytes: &[u8]) -> Verdict {
        let untouched = Versions::default();
        for (sector, content) in (block * 8..).zip(bytes.chunks_exact(SECTOR)) {
            let versions = self.sectors.get(&sector).unwrap_or(&untouched);
            let newest = *versions.maybe.last().unwrap_or(&versions.durable);
            promise!(content == self.content(sector, newest), "sector {sector} is not version {newest}");
        }
        Ok(())
    }

    /// The disk alone, after the cache was lost: what a plain disk with a volatile cache could hold, which is everything up
    /// to some flush, and of what was written before the next one any part.
    pub(crate) fn check_prefix(&self, disk: &Ram) -> Verdict {
        let bytes = disk.snapshot();
        let last = Interval { before: self.durable(), writes: self.open.clone() };
        let fits = |interval: &Interval| {
            BLOCKS.into_iter().flat_map(|block| block * 8..block * 8 + 8).find(|&sector| {
                let found = &bytes[sector as usize * SECTOR..][..SECTOR];
                let before = interval.before.get(&sector).copied().unwrap_or(0);
                let written = interval.writes.iter().filter(|(at, _)| *at == sector).map(|(_, version)| *version);
                !written.chain([before]).any(|version| found == self.content(sector, version))
            })
        };
        let misfits: Vec<_> = self.intervals.iter().chain([&last]).map(fits).collect();
        promise!(misfits.contains(&None), "the disk fits between no two flushes; sectors that do not fit: {misfits:?}");
        Ok(())
    }

    /// Checks that the disk alone holds the newest version of everything after a drain.
    pub(crate) fn check_disk(&self, disk: &Ram) -> Verdict {
        let untouched = Versions::default();
        for sector in BLOCKS.into_iter().flat_map(|block| block * 8..block * 8 + 8) {
            let versions = self.sectors.get(&sector).unwrap_or(&untouched);
            let newest = *versions.maybe.last().unwrap_or(&versions.durable);
            let mut bytes = [0; SECTOR];
            disk.read_at(sector * SECTOR as u64, &mut bytes).map_err(|error| error.to_string())?;
            promise!(bytes == self.content(sector, newest), "disk: sector {sector} is not version {newest}");
        }
        Ok(())
    }
}

pub(crate) fn with(planted: Planted, mut settings: Settings) -> Settings {
    settings.planted = planted;
    settings
}
