//! A file or block device.

use crate::{GroupCommit, Medium, check_range};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A regular file or a block device, locked against other processes while it is open.
///
/// A barrier is one `fdatasync`, shared by all threads that wait for one. That is as good as the device below: it must
/// honour the request, and must write sectors of 512 bytes as a whole.
pub struct FileMedium {
    file: File,
    len_bytes: u64,
    commits: GroupCommit,
}

impl FileMedium {
    /// Opens an existing file or block device for reading and writing.
    ///
    /// # Errors
    /// It is not there, is read-only, is empty, or another process has it open. Nothing was changed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(|error| name(path, &error, "cannot be opened for reading and writing"))?;
        Self::from_file(path, file)
    }

    /// Makes a file of `len_bytes` zeros, whose blocks are allocated now so that no later write meets a full file system.
    ///
    /// # Errors
    /// It exists already, or there is no room for it.
    pub fn create(path: &Path, len_bytes: u64) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|error| name(path, &error, "cannot be created"))?;
        let filled = fill_with_zeros(&file, len_bytes).and_then(|()| sync_folder(path));
        if let Err(error) = filled {
            // A file of the wrong size must not be left behind; the first error is the one to tell.
            let _ = std::fs::remove_file(path);
            return Err(name(path, &error, &format!("cannot be filled with {len_bytes} bytes")));
        }
        Self::from_file(path, file)
    }

    fn from_file(path: &Path, mut file: File) -> io::Result<Self> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let text = format!("{}: in use by another process", path.display());
                return Err(io::Error::new(io::ErrorKind::WouldBlock, text));
            }
            Err(TryLockError::Error(error)) => return Err(name(path, &error, "cannot be locked")),
        }
        // A block device has no length in its metadata.
        let len_bytes = file.seek(SeekFrom::End(0))?;
        if len_bytes == 0 {
            let text = format!("{}: has no size", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        Ok(Self { file, len_bytes, commits: GroupCommit::new() })
    }
}

impl Medium for FileMedium {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        check_range(self.len_bytes, offset_bytes, buffer.len())?;
        self.file.read_exact_at(buffer, offset_bytes)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        check_range(self.len_bytes, offset_bytes, bytes.len())?;
        self.file.write_all_at(bytes, offset_bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        self.commits.sync(|| self.file.sync_data())
    }
}

fn fill_with_zeros(file: &File, len_bytes: u64) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    let mut at_bytes = 0;
    while at_bytes < len_bytes {
        let count = (len_bytes - at_bytes).min(zeros.len() as u64);
        file.write_all_at(&zeros[..count as usize], at_bytes)?;
        at_bytes += count;
    }
    file.sync_all()
}

/// The name of a new file is durable only once its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

fn name(path: &Path, error: &io::Error, what: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {what}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("medium");
        let medium = FileMedium::create(&path, 3 << 20).unwrap();
        medium.write_at((3 << 20) - 4, b"last").unwrap();
        medium.barrier().unwrap();
        drop(medium);
        let medium = FileMedium::open(&path).unwrap();
        let mut bytes = [0; 4];
        medium.read_at((3 << 20) - 4, &mut bytes).unwrap();
        assert_eq!((&bytes, medium.len_bytes()), (b"last", 3 << 20));
    }

    #[test]
    fn a_file_that_is_in_use_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("medium");
        let first = FileMedium::create(&path, 4096).unwrap();
        let error = FileMedium::open(&path).err().unwrap();
        assert!(error.to_string().contains("in use by another process"), "{error}");
        drop(first);
        assert!(FileMedium::open(&path).is_ok());
    }

    #[test]
    fn an_existing_file_is_not_overwritten_and_an_empty_one_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("medium");
        std::fs::write(&path, "").unwrap();
        assert!(FileMedium::create(&path, 4096).is_err());
        let error = FileMedium::open(&path).err().unwrap();
        assert!(error.to_string().contains("has no size"), "{error}");
        let missing = FileMedium::open(&folder.path().join("missing")).err().unwrap();
        assert!(missing.to_string().contains("missing: cannot be opened"), "{missing}");
    }

    #[test]
    fn a_range_beyond_the_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let medium = FileMedium::create(&folder.path().join("medium"), 4096).unwrap();
        assert!(medium.write_at(4095, b"ab").is_err());
        assert!(medium.read_at(u64::MAX, &mut [0; 2]).is_err());
        assert!(medium.write_at(4094, b"ab").is_ok());
    }
}
