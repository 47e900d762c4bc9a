//! A disk of which both are lost, its cache and the label that told of it.

use super::{AnyCache, Found, NOT_ANSWERING, RESCUE, has_no_label, there};
use crate::arguments::Release;
use crate::outcome::{Failure, Outcome, confirm, note, print};
use crate::pair::unopened;
use halo_cache::{CacheError, Device};
use halo_media::says_lost;
use halo_server::{AnyMedium, CacheName, Guess, MaskedDisk};
use serde_json::json;

/// Unmasks a disk if its content says that it is masked; nothing else of it changes but its last 4 KiB.
pub(super) fn run(options: &Release, mask: &MaskedDisk, disk: &AnyMedium) -> Outcome {
    let Some(cache) = &options.cache else {
        let text = "the disk file does not say where its cache was: name that place with --cache";
        return Err(Failure::input(text));
    };
    let found = format!("cache       {cache} {}\n", fate(&cache.as_file(), &options.device, disk)?);
    let failed = |error| unopened(error, Device::Disk);
    let guess = mask.guess().map_err(failed)?;
    let told = tell(guess, &options.device)?;
    if options.json {
        note(found.trim_end());
    } else {
        print(&format!("{found}{told}"))?;
    }
    let masked = matches!(guess, Guess::Masked(_));
    if !options.dry_run {
        if masked && !options.yes {
            confirm(&format!("Unmask {}?", options.device))?;
        }
        mask.unmask_by_guess().map_err(failed)?;
    }
    if options.json {
        let shows = if let Guess::Masked(shows) | Guess::Plain(shows) = guess { shows } else { None };
        return print(&format!("{}\n", json!({ "released": !options.dry_run, "was_masked": masked, "shows": shows })));
    }
    if options.dry_run {
        return Ok(());
    }
    let how = if masked { "it can be used as it is, or" } else { "it was plain already;" };
    print(&format!("released    {}: {how} halo create gives it a new cache\n", options.device))
}

/// Why nothing can be had from a cache in this place; refuses to go on when there may be something, since no label says whether it is of this disk.
fn fate(name: &CacheName, disk_name: &str, disk: &AnyMedium) -> Result<String, Failure> {
    let medium = match Found::at(name)? {
        Found::There(medium) => medium,
        Found::Lost(why) => return Ok(why),
    };
    match AnyCache::without_label(&medium, disk) {
        Ok(_) => Err(there(name, &format!("halo repair {name} {disk_name} --label-lost makes the label anew"))),
        Err(CacheError::Io { device: Device::Cache, source, .. }) if says_lost(&source) => {
            Ok(format!("cannot be read ({source}); {NOT_ANSWERING}"))
        }
        Err(error) if has_no_label(&error) => Err(there(name, &error.to_string())),
        Err(error) => {
            let reason = format!("it is no cache of which this disk could be ({error}), unless it is a ruin of one");
            Err(there(name, &format!("{reason}; {RESCUE}; to give it up, erase it and name a place where nothing is")))
        }
    }
}

/// Describes the disk; fails for one that is to stay as it is.
fn tell(guess: Guess, disk: &str) -> Result<String, Failure> {
    let named = |shows: Option<&str>| shows.map_or_else(String::new, |name| format!(", and shows {name}"));
    let text = match guess {
        Guess::Masked(shows) => format!(
            "disk        {disk} has no label; by its content it is masked{}\n\
             lost        every acknowledged write that had not reached the disk: how much that is, nobody knows any more\n\
             left        an unordered mixture of old and new blocks, unless the mode was ordered: check its file system, and restore what that finds damaged\n",
            shows.map_or_else(String::new, |name| format!(", and shows {name} once it is not"))
        ),
        Guess::Plain(shows) => {
            format!("disk        {disk} has no label, is not masked{}: it stays as it is\n", named(shows))
        }
        Guess::Covered(name) => {
            let text = format!(
                "disk file: shows {name}, which was put there while it was masked: it is the disk's now, and can be used as it is"
            );
            return Err(Failure::state(format!(
                "{text}; to have what is below it instead, erase it (wipefs --all) and repeat this"
            )));
        }
        Guess::Unknown => {
            let text = "disk file: nothing tells whether it is masked, so that nothing was changed: without its mask it would show no file system";
            return Err(Failure::state(format!("{text} that is known here, and has no sector of one byte alone")));
        }
    };
    Ok(text)
}
