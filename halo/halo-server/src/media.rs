//! Devices by name.

use crate::mask::MaskedDisk;
use halo_media::{FileMedium, Medium};
use halo_nbd::{Address, NbdMedium};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, io};

/// Any device.
pub type AnyMedium = Arc<dyn Medium + Send + Sync>;

/// How the fast medium is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Access {
    /// Reads, writes and syncs.
    #[default]
    File,
    /// A mapping of persistent memory.
    Pmem,
    /// The same code on a file elsewhere, which is then synced like a file.
    PmemWithoutDax,
}

const PREFIXES: [(&str, Access); 2] = [("pmem:", Access::Pmem), ("pmem-without-dax:", Access::PmemWithoutDax)];

/// The fast medium by name: a path, or one behind `pmem:` (persistent memory) or `pmem-without-dax:` (the same path of code on
/// any file, for tests and measurements). What is on the medium is the same for all three.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CacheName {
    access: Access,
    /// File or block device.
    pub path: PathBuf,
}

impl CacheName {
    /// The same medium, whatever the working directory is.
    ///
    /// # Errors
    /// There is no working directory.
    pub fn absolute(&self) -> io::Result<Self> {
        Ok(Self { access: self.access, path: std::path::absolute(&self.path)? })
    }

    /// Opens the medium.
    ///
    /// # Errors
    /// As for [`FileMedium::open`]; with `pmem:`, the file is not on persistent memory.
    pub fn open(&self) -> io::Result<AnyMedium> {
        match self.access {
            Access::File => Ok(Arc::new(FileMedium::open(&self.path)?)),
            access => open_pmem(&self.path, access == Access::Pmem),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn open_pmem(path: &Path, dax: bool) -> io::Result<AnyMedium> {
    use halo_media::PmemMedium;
    Ok(Arc::new(if dax { PmemMedium::open(path)? } else { PmemMedium::open_without_dax(path)? }))
}

#[cfg(not(target_arch = "x86_64"))]
fn open_pmem(path: &Path, _dax: bool) -> io::Result<AnyMedium> {
    let text = format!("{}: persistent memory needs x86-64; use it as an ordinary file", path.display());
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

impl FromStr for CacheName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (access, path) = PREFIXES
            .iter()
            .find_map(|&(prefix, access)| text.strip_prefix(prefix).map(|path| (access, path)))
            .unwrap_or((Access::File, text));
        if path.is_empty() {
            return Err(format!("'{text}' names no file: PATH, pmem:PATH or pmem-without-dax:PATH"));
        }
        Ok(Self { access, path: path.into() })
    }
}

impl fmt::Display for CacheName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = PREFIXES.iter().find(|&&(_, access)| access == self.access).map_or("", |&(prefix, _)| prefix);
        write!(f, "{prefix}{}", self.path.display())
    }
}

/// Opens a disk: a file, a block device, or an NBD export by its address.
///
/// # Errors
/// As for [`FileMedium::open`], [`NbdMedium::connect`] and [`MaskedDisk::new`].
pub fn open_disk(name: &str) -> io::Result<Arc<MaskedDisk>> {
    let disk: AnyMedium = match open_export(name)? {
        Some(export) => export,
        None => Arc::new(FileMedium::open(Path::new(name))?),
    };
    Ok(Arc::new(MaskedDisk::new(disk)?))
}

/// Connects to the export that the name is an address of; nothing for other names.
pub(crate) fn open_export(name: &str) -> io::Result<Option<Arc<NbdMedium>>> {
    if !Address::is_uri(name) {
        return Ok(None);
    }
    let address: Address = name.parse().map_err(|text: String| io::Error::new(io::ErrorKind::InvalidInput, text))?;
    Ok(Some(Arc::new(NbdMedium::connect(&address)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_caches_are_read_as_they_are_printed() {
        for text in ["/a/b", "pmem:/a/b", "pmem-without-dax:a"] {
            let name: CacheName = text.parse().unwrap();
            assert_eq!(name.to_string(), text);
            assert!(!name.path.display().to_string().contains(':'));
        }
        assert!("pmem:".parse::<CacheName>().unwrap_err().starts_with("'pmem:' names no file"));
    }
}
