//! Devices by name.

use halo_media::{FileMedium, Medium};
use halo_nbd::{Address, NbdMedium};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Any device.
pub type AnyMedium = Arc<dyn Medium + Send + Sync>;

/// Opens the fast medium: a file or block device.
///
/// # Errors
/// As for [`FileMedium::open`].
pub fn open_cache_medium(path: &Path) -> io::Result<AnyMedium> {
    Ok(Arc::new(FileMedium::open(path)?))
}

/// Opens a disk: a file, a block device, or an NBD export by its address.
///
/// # Errors
/// As for [`FileMedium::open`] and [`NbdMedium::connect`].
pub fn open_disk(name: &str) -> io::Result<AnyMedium> {
    if Address::is_uri(name) {
        let address: Address =
            name.parse().map_err(|text: String| io::Error::new(io::ErrorKind::InvalidInput, text))?;
        return Ok(Arc::new(NbdMedium::connect(&address)?));
    }
    Ok(Arc::new(FileMedium::open(Path::new(name))?))
}
