//! `halo grow`.

use crate::arguments::Grow;
use crate::bytes::show_bytes;
use crate::drain::drain_with_progress;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::{Pair, unopened};
use halo_cache::format::{Layout, RECORD_BYTES, Record, RecordState, Stage};
use halo_cache::{Cache, CacheError, Device, Refusal};
use halo_media::Medium;
use halo_server::{DirectIo, MaskedDisk};
use serde_json::json;
use std::sync::Arc;

pub(crate) fn run(options: &Grow) -> Outcome {
    let mut pair = Pair::lock_to_write(&options.devices, DirectIo::Off)?;
    let layout = planned(options, &pair)?;
    let before = recorded(&pair)?;
    let grows = before.stage == Stage::Growing
        || (before.medium_bytes, before.disk_bytes) != (layout.medium_bytes(), layout.disk_bytes());
    if options.dry_run || !grows {
        return tell(options, &layout, grows);
    }
    let settings = pair.settings_for(options.accept_damaged)?;
    let hidden = unmask_before_growth(&pair)?;
    if before.stage != Stage::Growing && layout.medium_bytes() > before.medium_bytes {
        // While the file has its size still: what cannot be brought to the disk hinders the growth, and nothing else.
        let drained = pair
            .open_as_recorded(&before, options.accept_damaged)
            .and_then(|mut cache| drain_with_progress(&mut cache, options.accept_damaged));
        drained.map_err(|failure| not_grown(hidden.as_ref(), false, failure))?;
    }
    if layout.medium_bytes() > pair.medium.len_bytes() {
        let extended = pair.extended(layout.medium_bytes());
        pair = extended.map_err(|failure| not_grown(hidden.as_ref(), false, failure))?;
    }
    let layout = Cache::grow(&pair.medium, &pair.disk, settings).or_else(|error| {
        let has_begun = recorded(&pair)?.stage == Stage::Growing;
        Err(not_grown(hidden.as_ref(), has_begun, error.into()))
    })?;
    // A cache that grew has nothing left; one whose disk alone grew may.
    let blocks = pair.check(false)?.blocks;
    let changed = if blocks > 0 { pair.mask.mask() } else { pair.mask.unmask() };
    changed.map_err(|error| unopened(error, Device::Disk))?;
    tell(options, &layout, grows)
}

fn tell(options: &Grow, layout: &Layout, grows: bool) -> Outcome {
    let (slots, cache_bytes, capacity_bytes) = (layout.slots(), layout.medium_bytes(), layout.capacity_bytes());
    if options.json {
        let report = json!({
            "grown": grows && !options.dry_run, "slots": slots, "cache_bytes": cache_bytes, "capacity_bytes": capacity_bytes,
        });
        return print(&format!("{report}\n"));
    }
    let done = match (grows, options.dry_run) {
        (false, _) => "as before  ",
        (true, true) => "would be   ",
        (true, false) => "grown      ",
    };
    let (cache, capacity) = (show_bytes(cache_bytes), show_bytes(capacity_bytes));
    print(&format!("{done} cache {cache}, {slots} blocks; {capacity} for users\n"))
}

/// The layout after the growth that was asked for, which nothing forbids.
fn planned(options: &Grow, pair: &Pair) -> Result<Layout, Failure> {
    refuse_other_pairs(pair)?;
    if let Some(bytes) = options.size {
        refuse_size(options, pair, bytes)?;
    }
    let recorded = recorded(pair)?;
    let medium_bytes = options.size.unwrap_or_else(|| pair.medium.len_bytes());
    let sizes = [
        (Device::Cache, recorded.medium_bytes, medium_bytes),
        (Device::Disk, recorded.disk_bytes, pair.disk.len_bytes()),
    ];
    if let Some((device, expected_bytes, found_bytes)) = sizes.into_iter().find(|(_, expected, found)| found < expected)
    {
        return Err(CacheError::from(Refusal::SizeChanged { device, expected_bytes, found_bytes }).into());
    }
    Ok(Layout::new(medium_bytes, pair.disk.len_bytes()).map_err(CacheError::from)?)
}

/// Devices may be larger than recorded here, also after a growth that was interrupted; all else that is wrong with a pair counts.
fn refuse_other_pairs(pair: &Pair) -> Outcome {
    match Cache::check(&pair.medium, &pair.disk, false, |_| ()) {
        Ok(_) | Err(CacheError::Refused(Refusal::SizeChanged { .. })) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Where the disk becomes larger, the record of the mask lies at its old end, and some masked blocks do. Gives what hid that disk before. A disk
/// that keeps its size keeps its mask until it has everything.
fn unmask_before_growth(pair: &Pair) -> Result<Option<MaskedDisk>, Failure> {
    let failed = |error| unopened(error, Device::Disk);
    refuse_other_pairs(pair)?;
    let disk_bytes = recorded(pair)?.disk_bytes;
    if disk_bytes == pair.disk.len_bytes() {
        pair.mask.settle().map_err(failed)?;
        return Ok(None);
    }
    let before = MaskedDisk::of_size(Arc::clone(&pair.disk), disk_bytes).map_err(failed)?;
    before.settle().map_err(failed)?;
    let hid = before.has_present_mask();
    before.unmask().map_err(failed)?;
    Ok(hid.then_some(before))
}

/// The error of a growth, after which the disk is as it was before, also hidden. From its first change on (`has_begun`), only going on with it
/// helps: then the next opening masks the disk, and so it does one of an earlier version.
fn not_grown(hidden: Option<&MaskedDisk>, has_begun: bool, failure: Failure) -> Failure {
    let Some(before) = hidden.filter(|_| !has_begun) else { return failure };
    match before.mask() {
        Ok(()) => failure,
        Err(error) => failure.with(|why| format!("{why}; and the disk shows itself, though it lacks blocks: {error}")),
    }
}

/// The sizes of both as the cache knows them, whatever they are now.
fn recorded(pair: &Pair) -> Result<Record, Failure> {
    let layout = Layout::new(pair.medium.len_bytes(), pair.disk.len_bytes()).map_err(CacheError::from)?;
    let mut copies = [RecordState::Damaged; 2];
    for (copy, offset_bytes) in copies.iter_mut().zip(layout.record_offsets_bytes(Device::Cache)) {
        let mut bytes = [0; RECORD_BYTES];
        // One that cannot be read is as good as damaged.
        if pair.medium.read_at(offset_bytes, &mut bytes).is_ok() {
            *copy = Record::decode(&bytes, Device::Cache);
        }
    }
    Ok(RecordState::newest(copies, Device::Cache).map_err(CacheError::from)?)
}

fn refuse_size(options: &Grow, pair: &Pair, bytes: u64) -> Outcome {
    let (path, found_bytes) = (&options.devices.cache.path, pair.medium.len_bytes());
    let begun = recorded(pair)?;
    if begun.stage == Stage::Growing && bytes != begun.next_medium_bytes {
        let text = format!("--size: a growth to {} bytes was interrupted", begun.next_medium_bytes);
        return Err(Failure::input(format!("{text}: finish it first, without --size")));
    }
    if bytes < found_bytes {
        let text = format!("--size: {bytes} bytes, but {} has {found_bytes}: a cache cannot shrink", path.display());
        return Err(Failure::input(text));
    }
    if bytes > found_bytes && !path.is_file() {
        return Err(Failure::input(format!("--size: {} is no file: make the device itself larger", path.display())));
    }
    Ok(())
}
