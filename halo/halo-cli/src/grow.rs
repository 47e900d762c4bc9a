//! `halo grow`.

use crate::arguments::Grow;
use crate::bytes::show_bytes;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::Pair;
use halo_cache::{Cache, CacheError, Refusal};
use halo_media::{FileMedium, Medium};

pub(crate) fn run(options: &Grow) -> Outcome {
    let mut pair = Pair::lock(&options.devices)?;
    if let Some(bytes) = options.size {
        pair = extended(options, pair, bytes)?;
    }
    let layout = Cache::grow(&pair.medium, &pair.disk, pair.settings()?)?;
    let (cache, capacity) = (show_bytes(layout.medium_bytes()), show_bytes(layout.capacity_bytes()));
    print(&format!("grown       cache {cache}, {} blocks; {capacity} for users\n", layout.slots()))
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
    Pair::lock(&options.devices)
}
