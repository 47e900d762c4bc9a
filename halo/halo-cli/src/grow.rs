//! `halo grow`.

use crate::arguments::Grow;
use crate::bytes::show_bytes;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::Pair;
use halo_cache::format::{Layout, RECORD_BYTES, Record, RecordState};
use halo_cache::{Cache, CacheError, Device, Refusal};
use halo_media::{FileMedium, Medium};
use halo_server::{DirectIo, MaskedDisk};
use std::sync::Arc;

pub(crate) fn run(options: &Grow) -> Outcome {
    let mut pair = Pair::lock(&options.devices, DirectIo::Off)?;
    if let Some(bytes) = options.size {
        pair = extended(options, pair, bytes)?;
    }
    unmask_before_growth(&pair)?;
    let layout = Cache::grow(&pair.medium, &pair.disk, pair.settings()?)?;
    let (cache, capacity) = (show_bytes(layout.medium_bytes()), show_bytes(layout.capacity_bytes()));
    print(&format!("grown       cache {cache}, {} blocks; {capacity} for users\n", layout.slots()))
}

/// The record of the mask lies at the disk's old end, and some masked blocks do. The next opening masks the disk again.
fn unmask_before_growth(pair: &Pair) -> Outcome {
    match Cache::check(&pair.medium, &pair.disk, false, |_| ()) {
        Ok(_) | Err(CacheError::Refused(Refusal::SizeChanged { .. })) => {}
        Err(error) => return Err(error.into()),
    }
    let before = match recorded_disk_bytes(pair)? {
        bytes if bytes == pair.disk.len_bytes() => Arc::clone(&pair.mask),
        bytes => Arc::new(MaskedDisk::of_size(Arc::clone(&pair.disk), bytes)?),
    };
    before.settle()?;
    Ok(before.unmask()?)
}

/// The size of the disk as the cache knows it, whatever it is now.
fn recorded_disk_bytes(pair: &Pair) -> Result<u64, Failure> {
    let layout = Layout::new(pair.medium.len_bytes(), pair.disk.len_bytes()).map_err(CacheError::from)?;
    let mut copies = [RecordState::Damaged; 2];
    for (copy, offset_bytes) in copies.iter_mut().zip(layout.record_offsets_bytes(Device::Cache)) {
        let mut bytes = [0; RECORD_BYTES];
        pair.medium.read_at(offset_bytes, &mut bytes)?;
        *copy = Record::decode(&bytes, Device::Cache);
    }
    Ok(RecordState::newest(copies, Device::Cache).map_err(CacheError::from)?.disk_bytes)
}

/// The pair with a cache file of `bytes`, all of them allocated.
fn extended(options: &Grow, pair: Pair, bytes: u64) -> Result<Pair, Failure> {
    let path = &options.devices.cache.path;
    let found_bytes = pair.medium.len_bytes();
    if bytes < found_bytes {
        let text = format!("--size: {bytes} bytes, but {} has {found_bytes}: a cache cannot shrink", path.display());
        return Err(Failure::input(text));
    }
    if bytes == found_bytes {
        return Ok(pair);
    }
    // Nothing is made longer for a pair that is none; larger than recorded it may be, after a growth that was interrupted.
    match Cache::check(&pair.medium, &pair.disk, false, |_| ()) {
        Ok(_) | Err(CacheError::Refused(Refusal::SizeChanged { .. })) => {}
        Err(error) => return Err(error.into()),
    }
    if !path.is_file() {
        return Err(Failure::input(format!("--size: {} is no file: make the device itself larger", path.display())));
    }
    drop(pair);
    drop(FileMedium::extend(path, bytes)?);
    Pair::lock(&options.devices, DirectIo::Off)
}
