//! `halo release`: a disk whose cache is lost, or a cache whose disk is.

mod without_label;

use crate::arguments::Release;
use crate::outcome::{Failure, Outcome, Progress, confirm, note, print};
use crate::pair::{unopened, writable};
use halo_cache::format::Lacks;
use halo_cache::{Bound, Cache, CacheError, Device, Orphan, Planted, Refusal, utc};
use halo_media::{Medium, says_lost};
use halo_server::{AnyMedium, CacheName, DirectIo, mode_name, now_seconds, open_disk};
use serde_json::json;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

type AnyCache = Cache<AnyMedium, AnyMedium>;

pub(crate) fn run(options: &Release) -> Outcome {
    if options.disk_lost { release_cache(options) } else { release_disk(options) }
}

fn release_cache(options: &Release) -> Outcome {
    let cache = &options.device;
    let name = cache.parse::<CacheName>().map_err(Failure::input)?;
    let medium = name.open(DirectIo::Off).map_err(|error| unopened(error, Device::Cache))?;
    writable(&name.path, Device::Cache)?;
    let orphan = AnyCache::orphan(&medium).map_err(|error| swapped(error, "its cache is lost: --cache-lost"))?;
    let Orphan { disk, session, blocks, damaged_items } = orphan;
    if !options.json {
        print(&format!(
            "cache       {cache}, bound to disk {disk}; opened {session} times\n\
             lost        {blocks} blocks, which the disk may lack, and {damaged_items} that cannot be read; with the disk, or a whole copy of it, halo detach saves them\n"
        ))?;
    }
    if !options.dry_run {
        if !options.yes {
            confirm(&format!("Release {cache} from this disk for good?"))?;
        }
        AnyCache::release_cache(&medium)?;
    }
    if options.json {
        let report = json!({
            "released": !options.dry_run, "disk_id": disk.to_string(), "sessions": session, "lost_blocks": blocks,
            "damaged_items": damaged_items,
        });
        return print(&format!("{report}\n"));
    }
    if options.dry_run {
        return Ok(());
    }
    print(&format!("released    {cache}: halo create puts it in front of another disk\n"))
}

fn release_disk(options: &Release) -> Outcome {
    let mask = open_disk(&options.device, DirectIo::Off).map_err(|error| unopened(error, Device::Disk))?;
    writable(Path::new(&options.device), Device::Disk)?;
    let disk = Arc::clone(&mask) as AnyMedium;
    let bound = match AnyCache::bound(&disk) {
        Err(error) if has_no_label(&error) && options.label_lost => {
            return without_label::run(options, &mask, &disk);
        }
        Err(error) if has_no_label(&error) => {
            return Err(Failure::from(error).with(|text| format!("{text}; {LABEL_LOST}")));
        }
        bound => bound.map_err(|error| swapped(error, "its disk is lost: --disk-lost"))?,
    };
    if options.label_lost {
        return Err(Failure::input("the disk has its label: give it free without --label-lost"));
    }
    if !bound.released {
        let fates = look_for(options, &bound, &disk)?;
        if options.json {
            note(fates.trim_end());
        } else {
            print(&format!("{fates}{}", losses(options, &bound)))?;
        }
        if !options.dry_run && !options.yes {
            confirm(&format!("Release {} from this cache for good?", options.device))?;
        }
    }
    if !options.dry_run {
        // First: a disk that is free is never masked.
        if let Some(shown) = mask.give_up().map_err(|error| unopened(error, Device::Disk))? {
            note(&format!("the disk shows {shown}, which was put there without the cache, and stays as it is"));
        }
        AnyCache::release(&disk, now_seconds(), Planted::NONE)?;
    }
    if options.json {
        return print(&format!("{}\n", report(options, &bound)));
    }
    match (bound.released, options.dry_run) {
        (true, _) => print(&format!("released    {} already, {}\n", options.device, utc(bound.note.at_seconds))),
        (false, true) => Ok(()),
        (false, false) => print(&format!(
            "released    {}: it can be used as it is, or halo create gives it a new cache\n",
            options.device
        )),
    }
}

/// The way out where a disk was behind a cache and does not say so any more.
const LABEL_LOST: &str = "if this disk had a cache, which is lost like its label: --label-lost";

/// Advice for who names what is left as what is lost.
fn swapped(error: CacheError, advice: &str) -> Failure {
    match error {
        CacheError::Refused(Refusal::OtherRole { device, id }) => {
            let role = if device == Device::Cache { "the disk behind a HALO cache" } else { "a HALO cache" };
            Failure::state(format!("this is {role} ({id}): if {advice}"))
        }
        error => error.into(),
    }
}

/// Makes sure that the cache is in none of the places where it may be; says what was found there.
fn look_for(options: &Release, bound: &Bound, disk: &AnyMedium) -> Result<String, Failure> {
    let known = bound.note.place.name().and_then(|name| name.parse::<CacheName>().ok());
    let mut places: Vec<_> = known.into_iter().chain(options.cache.clone()).collect();
    places.dedup();
    if places.is_empty() && bound.session > 0 {
        return Err(Failure::input("the disk file does not say where its cache was: name that place with --cache"));
    }
    places
        .iter()
        .map(|place| Ok(format!("cache       {place} {}\n", fate(place, bound, &options.device, disk)?)))
        .collect()
}

/// An SSD whose file system was not mounted looks like a lost one.
const NOT_THERE: &str = "is not there: if only its file system is not mounted, mount it first";

/// As every file on a file system that gave up, though the device below may have all of it.
const NOT_ANSWERING: &str = "mount its file system anew, or reset its device, before it is given up";

/// The way out where a cache can be read and no more, as on a file system that became read-only after an error of its SSD.
const RESCUE: &str = "if it can be read, halo/rescue CACHE DISK IMAGE saves what it has";

/// The content of a place where a cache may be.
enum Found {
    There(AnyMedium),
    /// Nothing, for this reason.
    Lost(String),
}

impl Found {
    /// Refuses to go on when there is something that cannot be looked at.
    fn at(name: &CacheName) -> Result<Self, Failure> {
        let there = |reason: &str| there(name, reason);
        Ok(match name.open(DirectIo::Off) {
            Ok(medium) => Self::There(medium),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(there("it is in use")),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                // Also of an SSD that wore out, and can be read only.
                let reason = "it cannot be looked at without the permission to read and write it";
                return Err(there(&format!("{reason}; {RESCUE}")));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Self::Lost(NOT_THERE.into()),
            Err(error) if says_lost(&error) => Self::Lost(format!("cannot be opened ({error}); {NOT_ANSWERING}")),
            Err(error) => return Err(there(&format!("{error}; {RESCUE}"))),
        })
    }
}

fn there(name: &CacheName, reason: &str) -> Failure {
    Failure::state(format!("cache file: {name} is there, so that nothing is released: {reason}"))
}

/// Why nothing can be had from the cache in this place; refuses to go on when something can.
fn fate(name: &CacheName, bound: &Bound, disk_name: &str, disk: &AnyMedium) -> Result<String, Failure> {
    // Persistent memory may have died, too.
    let name = name.as_file();
    let there = |reason: &str| there(&name, reason);
    let medium = match Found::at(&name)? {
        Found::There(medium) => medium,
        Found::Lost(why) => return Ok(why),
    };
    let mut progress = Progress::new();
    let checked = AnyCache::check(&medium, disk, true, |checked| {
        progress.tell(|| format!("{} of {} slots of {name} looked at", checked.slots, checked.of_slots));
    });
    match checked {
        Ok(report) => {
            let accept = if report.is_clean() { "" } else { " --accept-damaged" };
            let blocks = report.blocks;
            Err(there(&format!("halo detach {name} {disk_name}{accept} saves its {blocks} blocks first")))
        }
        Err(CacheError::Io { device: Device::Cache, source, .. }) if says_lost(&source) => {
            Ok(format!("cannot be read ({source}); {NOT_ANSWERING}"))
        }
        Err(CacheError::Refused(refusal)) if is_of_no_use(&refusal) => {
            let blocks = match ruin_bytes(&refusal, &medium) {
                Some(bytes) => AnyCache::blocks_left(&medium, bytes, disk, bound.cache, Planted::NONE)?,
                None => 0,
            };
            if blocks > 0 {
                let reason = format!("it cannot be opened ({refusal}), but has {blocks} blocks of this disk");
                return Err(there(&format!("{reason}; {RESCUE}; to give them up, erase it or remove the file")));
            }
            Ok(format!("cannot be used ({refusal})"))
        }
        Err(error @ CacheError::Io { device: Device::Cache, .. }) => Err(there(&format!("{error}; {RESCUE}"))),
        Err(error) => Err(there(&error.to_string())),
    }
}

/// The size of the cache of which this may be a ruin: its superblocks are gone, or its end.
fn ruin_bytes(refusal: &Refusal, medium: &AnyMedium) -> Option<u64> {
    match refusal {
        Refusal::NotHalo(_) | Refusal::RecordDamaged(_) => Some(medium.len_bytes()),
        Refusal::SizeChanged { expected_bytes, .. } => Some(*expected_bytes),
        _ => None,
    }
}

/// True when what is there is not this cache, or a ruin of it.
fn is_of_no_use(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::NotHalo(device)
        | Refusal::RecordDamaged(device)
        | Refusal::BadSize { device, .. }
        | Refusal::OtherRole { device, .. } => *device == Device::Cache,
        Refusal::SizeChanged { device, expected_bytes, found_bytes } => {
            *device == Device::Cache && found_bytes < expected_bytes
        }
        Refusal::OldCopy { older, .. } => *older == Device::Cache,
        Refusal::WrongDisk { .. } | Refusal::WrongCache { .. } | Refusal::Detached | Refusal::NotFinished => true,
        _ => false,
    }
}

/// True when nothing can be read of a label, or it was never one.
fn has_no_label(error: &CacheError) -> bool {
    use Refusal::{NotHalo, RecordDamaged};
    matches!(error, CacheError::Refused(RecordDamaged(Device::Disk) | NotHalo(Device::Disk)))
}

fn losses(options: &Release, bound: &Bound) -> String {
    let disk = &options.device;
    let Bound { cache, session, note, .. } = bound;
    if *session == 0 {
        return format!("disk        {disk}, bound to cache {cache}, which was never used\nlost        nothing\n");
    }
    let mode = note.mode.map_or("not known", mode_name);
    let (lost, left) = if bound.ordered {
        (
            "the writes after the last flush that the disk has as a whole",
            "all writes up to that flush and any part of those before the next, as after a power loss",
        )
    } else {
        (
            "every acknowledged write that had not reached the disk",
            "an unordered mixture of old and new blocks: check its file system, and restore what that finds damaged",
        )
    };
    format!(
        "disk        {disk}, bound to cache {cache}; opened {session} times, last {}, mode {mode}\nlost        {lost}\nnoted       {}\nleft        {left}\n",
        utc(note.at_seconds),
        noted(&note.lacks)
    )
}

/// Says how many blocks the disk lacked at the server's last note.
fn noted(lacks: &Lacks) -> String {
    let Lacks { at_seconds, blocks, since_seconds } = *lacks;
    if at_seconds == 0 {
        return "never: how much that is, and how old the oldest of it, is not known".into();
    }
    let complete = match since_seconds {
        0 => "how old the oldest of them was is not known".into(),
        since => format!("it had everything that was flushed before {}", utc(since)),
    };
    format!("{}: the disk lacked {blocks} blocks; {complete}", utc(at_seconds))
}

fn report(options: &Release, bound: &Bound) -> serde_json::Value {
    let Lacks { at_seconds, blocks, since_seconds } = bound.note.lacks;
    let known = |seconds: u64| Some(seconds).filter(|&seconds| seconds > 0);
    let opened_seconds = Some(bound.note.at_seconds).filter(|&seconds| seconds > 0 && !bound.released);
    json!({
        "released": bound.released || !options.dry_run, "was_released": bound.released, "cache_id": bound.cache.to_string(),
        "cache": bound.note.place.name(), "mode": bound.note.mode.map(mode_name), "disk_in_order": bound.ordered,
        "sessions": bound.session, "last_opened_seconds": opened_seconds,
        "noted_seconds": known(at_seconds), "noted_dirty_blocks": known(at_seconds).map(|_| blocks),
        "complete_before_seconds": known(since_seconds),
    })
}
