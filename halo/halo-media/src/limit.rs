//! The limit of this process on the size of files: a write beyond it would be the end of the process, by a signal, and not an error.

use rustix::process::{Resource, getrlimit};
use std::fs::File;
use std::io;
use std::path::Path;

/// Makes sure that a regular file of `len_bytes` may be written to its end. Block devices have no such limit.
///
/// # Errors
/// One line with the limit.
pub(crate) fn check(path: &Path, file: Option<&File>, len_bytes: u64) -> io::Result<()> {
    let Some(most) = getrlimit(Resource::Fsize).current.filter(|&most| most < len_bytes) else { return Ok(()) };
    let is_device = file.map(File::metadata).transpose()?.is_some_and(|found| !found.is_file());
    if is_device {
        return Ok(());
    }
    let text = format!(
        "{}: {len_bytes} bytes, but this process may write only to the first {most} bytes of a file: raise that (ulimit -f)",
        path.display()
    );
    Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
}
