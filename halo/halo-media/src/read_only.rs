//! Block devices that take no writes, as worn-out flash and `blockdev --setro` have them. Some kernels open them for writing all the same.

use rustix::fs::{major, minor};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// Makes sure that what is there may be written to, as far as the kernel tells of a block device. Files tell when they are opened.
///
/// # Errors
/// One line with what to do.
pub fn refuse_read_only(path: &Path) -> io::Result<()> {
    let Ok(found) = std::fs::metadata(path) else { return Ok(()) };
    if !found.file_type().is_block_device() {
        return Ok(());
    }
    let told = format!("/sys/dev/block/{}:{}/ro", major(found.rdev()), minor(found.rdev()));
    if std::fs::read_to_string(told).is_ok_and(|told| told.trim() == "1") {
        let text = format!("{}: is read-only: make it writable (blockdev --setrw), or name another", path.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(())
}
