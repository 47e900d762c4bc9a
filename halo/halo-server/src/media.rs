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

/// The devices, of both, that are read and written with direct I/O, past the page cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DirectIo {
    /// None.
    #[default]
    Off,
    /// The cache.
    Cache,
    /// The disk.
    Disk,
    /// Both.
    Both,
}

const DIRECT_IO: [(&str, DirectIo); 4] =
    [("off", DirectIo::Off), ("cache", DirectIo::Cache), ("disk", DirectIo::Disk), ("both", DirectIo::Both)];

impl DirectIo {
    fn open(self, device: Self, path: &Path) -> io::Result<FileMedium> {
        if self.covers(device) { FileMedium::open_direct(path) } else { FileMedium::open(path) }
    }

    fn covers(self, device: Self) -> bool {
        self == device || self == Self::Both
    }

    /// Refuses a device that is no file or block device of this machine.
    fn refuse_for(self, device: Self, name: impl fmt::Display, why: &str) -> io::Result<()> {
        if !self.covers(device) {
            return Ok(());
        }
        let text = format!("{name}: direct I/O is for files and block devices: {why}");
        Err(io::Error::new(io::ErrorKind::InvalidInput, text))
    }
}

impl FromStr for DirectIo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = DIRECT_IO.iter().find(|(known, _)| *known == text);
        found.map(|&(_, devices)| devices).ok_or_else(|| "use off, cache, disk or both".into())
    }
}

impl fmt::Display for DirectIo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DIRECT_IO.iter().find(|(_, known)| known == self).map_or("off", |(name, _)| name))
    }
}

const PREFIXES: [(&str, Access); 2] = [("pmem:", Access::Pmem), ("pmem-without-dax:", Access::PmemWithoutDax)];

/// The fast medium by name: a path, or one behind `pmem:` (persistent memory) or `pmem-without-dax:` (the same path of code on
/// any file, for tests and measurements). The medium holds the same for all three.
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

    /// The same medium as an ordinary file, whose errors are errors: of a mapping they are the end of the process, by a signal.
    #[must_use]
    pub fn as_file(&self) -> Self {
        Self { access: Access::File, path: self.path.clone() }
    }

    /// Allocates the holes of a file, which a copy of a cache may have, so that no write meets a full file system.
    ///
    /// # Errors
    /// As for [`FileMedium::fill_holes`].
    pub(crate) fn fill_holes(&self) -> io::Result<()> {
        // Of a mapped file above all: there the end of the room is a signal, and no error.
        FileMedium::fill_holes(&self.path)
    }

    /// Opens the medium.
    ///
    /// # Errors
    /// As for [`FileMedium::open`] and [`FileMedium::open_direct`]; with `pmem:`, the file is not on persistent memory.
    pub fn open(&self, direct_io: DirectIo) -> io::Result<AnyMedium> {
        if self.access == Access::File {
            return Ok(Arc::new(direct_io.open(DirectIo::Cache, &self.path)?));
        }
        direct_io.refuse_for(DirectIo::Cache, self, "persistent memory is mapped")?;
        open_pmem(&self.path, self.access == Access::Pmem)
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
/// As for [`FileMedium::open`], [`FileMedium::open_direct`], [`NbdMedium::connect`] and [`MaskedDisk::new`].
pub fn open_disk(name: &str, direct_io: DirectIo) -> io::Result<Arc<MaskedDisk>> {
    let disk: AnyMedium = match open_export(name, direct_io)? {
        Some(export) => export,
        None => Arc::new(direct_io.open(DirectIo::Disk, Path::new(name))?),
    };
    Ok(Arc::new(MaskedDisk::new(disk)?))
}

/// Connects to the export that the name is an address of; nothing for other names.
pub(crate) fn open_export(name: &str, direct_io: DirectIo) -> io::Result<Option<Arc<NbdMedium>>> {
    if !Address::is_uri(name) {
        return Ok(None);
    }
    direct_io.refuse_for(DirectIo::Disk, name, "how an NBD server reads and writes is its own")?;
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
        for text in ["off", "cache", "disk", "both"] {
            assert_eq!(text.parse::<DirectIo>().unwrap().to_string(), text);
        }
        assert!("pmem:".parse::<CacheName>().unwrap_err().starts_with("'pmem:' names no file"));
    }
}
