//! `halo grow`.

use crate::arguments::Grow;
use crate::bytes::show_bytes;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::Pair;
use halo_cache::{Cache, Mode, Settings};
use halo_media::Medium;
use std::fs::OpenOptions;
use std::path::Path;

pub(crate) fn run(options: &Grow) -> Outcome {
    let path = &options.devices.cache.path;
    let pair = Pair::lock(&options.devices)?;
    if let Some(bytes) = options.size {
        let found_bytes = pair.medium.len_bytes();
        if bytes < found_bytes {
            let text =
                format!("--size: {bytes} bytes, but {} has {found_bytes}: a cache cannot shrink", path.display());
            return Err(Failure::input(text));
        }
    }
    let pair = match options.size {
        Some(bytes) => {
            pair.check(false)?;
            drop(pair);
            extend(path, bytes)?;
            Pair::lock(&options.devices)?
        }
        None => pair,
    };
    let layout = Cache::grow(&pair.medium, &pair.disk, Settings::new(Mode::Flush))?;
    let (cache, capacity) = (show_bytes(layout.medium_bytes()), show_bytes(layout.capacity_bytes()));
    print(&format!("grown       cache {cache}, {} blocks; {capacity} for users\n", layout.slots()))
}

/// Makes a file longer. A block device is made larger with the tools of its kind.
fn extend(path: &Path, bytes: u64) -> Outcome {
    let failed = |error: std::io::Error| Failure::state(format!("{}: {error}", path.display()));
    let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(Failure::input(format!("--size: {} is no file: make the device itself larger", path.display())));
    }
    file.set_len(bytes).and_then(|()| file.sync_all()).map_err(failed)
}
