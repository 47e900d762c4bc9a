//! `halo create`.

use crate::arguments::Create;
use crate::bytes::show_bytes;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::{refuse_one_for_both, unopened, writable};
use halo_cache::format::Id;
use halo_cache::{Cache, Device};
use halo_media::{FileMedium, Medium};
use halo_server::{AnyMedium, DirectIo, open_disk, reaching_beyond};
use serde_json::json;
use std::fs::File;
use std::io::Read;
use std::path::Path;

pub(crate) fn run(options: &Create) -> Outcome {
    let name = &options.devices.cache;
    refuse_one_for_both(&options.devices)?;
    let disk: AnyMedium =
        open_disk(&options.devices.disk, DirectIo::Off).map_err(|error| unopened(error, Device::Disk))?;
    writable(Path::new(&options.devices.disk), Device::Disk)?;
    let size = new_size(options)?;
    // Nothing is made for devices that are not taken.
    let layout = if let Some(bytes) = size {
        Cache::<AnyMedium, _>::may_create(None, bytes, &disk, options.force)?
    } else {
        let medium = name.open(DirectIo::Off).map_err(|error| unopened(error, Device::Cache))?;
        writable(&name.path, Device::Cache)?;
        Cache::may_create(Some(&medium), medium.len_bytes(), &disk, options.force)?
    };
    if !options.force {
        refuse_file_system(&disk, layout.capacity_bytes())?;
    }
    let medium_bytes = layout.medium_bytes();
    let (cache_id, disk_id) = (random_id()?, random_id()?);
    if !options.dry_run {
        match size {
            Some(bytes) => drop(FileMedium::create(&name.path, bytes)?),
            None => FileMedium::fill_holes(&name.path)?,
        }
        let created = name
            .open(DirectIo::Off)
            .map_err(Failure::from)
            .and_then(|medium| Cache::create(&medium, &disk, cache_id, disk_id, options.force).map_err(Failure::from));
        if created.is_err() && size.is_some() {
            // The file was made by this command, and is of no use.
            let _ = std::fs::remove_file(&name.path);
        }
        created?;
    }
    let (slots, capacity_bytes) = (layout.slots(), layout.capacity_bytes());
    if options.json {
        let report = json!({
            "created": !options.dry_run, "slots": slots, "cache_bytes": medium_bytes, "capacity_bytes": capacity_bytes,
        });
        return print(&format!("{report}\n"));
    }
    let done = if options.dry_run { "would be bound" } else { "bound" };
    print(&format!(
        "{done}: {name} ({}, {slots} blocks) in front of {} ({} for users)\nserve it: halo serve {name} {} --socket SOCKET\n",
        show_bytes(medium_bytes),
        options.devices.disk,
        show_bytes(capacity_bytes),
        options.devices.disk,
    ))
}

/// Refuses a file system that reaches into the last block, which users lose. The block may be zeros when the file system has not used it yet; the
/// file system could not be mounted any more.
fn refuse_file_system(disk: &AnyMedium, capacity_bytes: u64) -> Outcome {
    match reaching_beyond(disk, capacity_bytes)? {
        Some(name) => Err(Failure::state(format!(
            "disk file: the {name} on it reaches into its last 4096 bytes, which the cache takes: make it smaller first (ext4: resize2fs), or give it up with --force"
        ))),
        None => Ok(()),
    }
}

/// The size of a cache file that is to be made; nothing when the cache is there already.
fn new_size(options: &Create) -> Result<Option<u64>, Failure> {
    let path = options.devices.cache.path.display();
    match (options.size, options.devices.cache.path.exists()) {
        (Some(_), true) => Err(Failure::input(format!(
            "{path}: exists already: leave --size out to use it as it is, name a new file, or remove it if a creation was cut short"
        ))),
        (None, false) => Err(Failure::input(format!("{path}: is not there: give its --size to make it"))),
        (size, _) => Ok(size),
    }
}

fn random_id() -> Result<Id, Failure> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(Id(bytes))
}
