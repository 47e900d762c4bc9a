//! The errors of the cache, and the state that each leaves behind.

use crate::format::VERSION;
use halo_core::Lbn;
use halo_media::lasts_until_reopened;
use std::fmt;
use std::io;
use thiserror::Error;

/// The one of the two devices that an error came from: a file or a block device, by its role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The fast medium.
    Cache,
    /// The disk behind it.
    Disk,
}

impl Device {
    /// The way out when no copy of its record is left.
    fn without_record(self) -> &'static str {
        match self {
            Self::Cache => "halo/rescue reads the blocks of a cache without it",
            Self::Disk => "halo repair CACHE DISK --label-lost makes it anew",
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cache => "cache file",
            Self::Disk => "disk file",
        })
    }
}

/// A request was not carried out.
#[derive(Debug, Error)]
pub enum CacheError {
    /// A device failed. After a failed write to the cache medium the cache is poisoned; after a failed write to the disk
    /// the blocks are still in the cache.
    #[error("{device}: {action} failed: {source}")]
    Io {
        /// The device.
        device: Device,
        /// The action that failed.
        action: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The cached copy of a block cannot be read, or does not match its checksum. Its old content on the disk is not returned instead.
    #[error(
        "{0}: the cached copy cannot be read, or does not match its checksum; write the whole block anew, or restore it"
    )]
    Damaged(Lbn),
    /// An earlier write to the cache medium failed, so nothing is known about what it holds. Reopening recovers it.
    #[error("the cache takes no writes since its medium failed: reopen it")]
    Poisoned,
    /// No slot can be freed: the disk takes no writes, every block is damaged, or a commit or destage is under
    /// way, after which the request can be repeated.
    #[error("the cache is full and the disk takes no blocks")]
    Full,
    /// The request is not a multiple of 512 bytes or leaves the device. Nothing was changed.
    #[error("{count} bytes at {offset_bytes}: not in whole sectors of 512 bytes within {capacity_bytes} bytes")]
    BadRange {
        /// Where it begins.
        offset_bytes: u64,
        /// Its length in bytes.
        count: u64,
        /// The device's size.
        capacity_bytes: u64,
    },
    /// The devices were not opened or changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl CacheError {
    /// True when the disk will take no blocks before cache and disk are opened anew.
    pub fn lasts_until_reopened(&self) -> bool {
        match self {
            Self::Poisoned => true,
            Self::Io { source, .. } => lasts_until_reopened(source),
            _ => false,
        }
    }

    pub(crate) fn io(device: Device, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { device, action, source }
    }
}

/// Why devices are not taken. Nothing was written to either.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// No superblock.
    #[error(
        "{0}: not part of a HALO cache: create one first, or, if its HALO record was overwritten, {advice}",
        advice = .0.without_record()
    )]
    NotHalo(Device),
    /// Both copies of the superblock or label are damaged.
    #[error("{0}: both copies of its HALO record are damaged: {advice}", advice = .0.without_record())]
    RecordDamaged(Device),
    /// Written by another program.
    #[error(
        "{device}: format version {version}, but this program uses version {VERSION}: {}",
        if *version < VERSION { "detach it with the program that made it, then create it anew" } else { "use the newer program" }
    )]
    Version {
        /// Where.
        device: Device,
        /// The version that was found.
        version: u32,
    },
    /// Creation would overwrite something.
    #[error(
        "{0}: holds data that creation would overwrite: clear it first if it is not needed, or give it up with --force"
    )]
    InUse(Device),
    /// Creation would overwrite a cache or take a disk away from one.
    #[error("{device}: belongs to a HALO cache ({id}): detach that first{}", lost_advice(*device))]
    Bound {
        /// Where.
        device: Device,
        /// The cache's id.
        id: String,
    },
    /// The device is in use in the other role.
    #[error("{device}: is {} ({id}): name the cache first, then its disk", other_role(*device))]
    OtherRole {
        /// As it was named.
        device: Device,
        /// The id of the cache that it is or belongs to.
        id: String,
    },
    /// Creation would overwrite blocks that the disk never got.
    #[error("cache file: the disk was released from it, as lost, and lacks what it holds: --force gives that up")]
    HoldsLostBlocks,
    /// The disk was given free without this cache.
    #[error("disk file: was released from this cache file, as lost, {at}: halo/rescue reads what both hold")]
    Released {
        /// When.
        at: String,
    },
    /// The disk is free.
    #[error("disk file: belongs to no HALO cache: there is nothing to release")]
    NotBound,
    /// Creation was interrupted.
    #[error("cache file: its creation was interrupted: create it again")]
    NotFinished,
    /// The cache was taken away from its disk for good.
    #[error("cache file: it was detached: create it anew")]
    Detached,
    /// Cache and disk do not name each other.
    #[error("cache file: belongs to disk {expected}, but the disk file is {found}: use the right disk")]
    WrongDisk {
        /// The disk that the cache names.
        expected: String,
        /// The disk at hand.
        found: String,
    },
    /// The disk names another cache.
    #[error("disk file: belongs to cache {expected}, but the cache file is {found}: use the right cache")]
    WrongCache {
        /// The cache that the disk names.
        expected: String,
        /// The cache at hand.
        found: String,
    },
    /// One of the two is a copy from an earlier time.
    #[error("{older}: an older copy (session {older_session}, its partner is at {newer_session}): use the newest copy")]
    OldCopy {
        /// The older of the two.
        older: Device,
        /// Its session.
        older_session: u64,
        /// The partner's session.
        newer_session: u64,
    },
    /// The device is not as large as it was.
    #[error(
        "{device}: {found_bytes} bytes, but it had {expected_bytes}: use the right device, or grow the cache if it became larger"
    )]
    SizeChanged {
        /// The device that is another one.
        device: Device,
        /// As recorded.
        expected_bytes: u64,
        /// As found.
        found_bytes: u64,
    },
    /// Too small or too large for the format.
    #[error("{device}: {found_bytes} bytes, but it must have {least_bytes} to {most_bytes}")]
    BadSize {
        /// The device that is meant.
        device: Device,
        /// As found.
        found_bytes: u64,
        /// At least.
        least_bytes: u64,
        /// At most.
        most_bytes: u64,
    },
    /// Items that are neither empty nor whole: acknowledged writes may be lost.
    #[error(
        "cache file: {count} items are damaged, the first in slot {first_slot}: restore the cache, or accept the loss"
    )]
    ItemsDamaged {
        /// How many.
        count: u64,
        /// The first.
        first_slot: u32,
    },
}

fn other_role(device: Device) -> &'static str {
    match device {
        Device::Cache => "the disk behind a HALO cache",
        Device::Disk => "a HALO cache itself",
    }
}

fn lost_advice(device: Device) -> &'static str {
    match device {
        Device::Cache => "; if its disk is lost: halo release CACHE --disk-lost",
        Device::Disk => "; if that cache is lost: halo release DISK --cache-lost",
    }
}
