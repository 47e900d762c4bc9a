//! A file or block device.

use crate::direct::{self, Direct};
use crate::{GroupCommit, Medium, Piece, check_range};
use rustix::fs::{Advice, FallocateFlags, OFlags, fadvise, fallocate};
use rustix::io::Errno;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A regular file or a block device, locked against other processes while it is open.
///
/// A barrier is one `fdatasync`, shared by all threads that wait for one. That is as good as the device below: it must
/// honour the request, and must write sectors of 512 bytes as a whole.
pub struct FileMedium {
    file: File,
    len_bytes: u64,
    commits: GroupCommit,
    /// Set once the file system or device has refused to make a hole.
    no_holes: AtomicBool,
    /// When it is read and written past the page cache.
    direct: Option<Direct>,
}

impl FileMedium {
    /// Opens an existing file or block device for reading and writing.
    ///
    /// # Errors
    /// It is not there, is read-only, is empty, another process has it open, or it is a device that is mounted or part of
    /// another one. Nothing was changed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file, len_bytes) = open_locked(path, OFlags::empty())?;
        forget_pages(&file).map_err(|error| name(path, &error, "cannot be synced"))?;
        Ok(Self::of((file, len_bytes)))
    }

    /// The same with direct I/O (`O_DIRECT`): requests go past the page cache, which keeps nothing and is not filled.
    ///
    /// # Errors
    /// As for [`FileMedium::open`]; the file system has no direct I/O.
    pub fn open_direct(path: &Path) -> io::Result<Self> {
        let (file, len_bytes) = open_locked(path, OFlags::DIRECT)?;
        forget_pages(&file).map_err(|error| name(path, &error, "cannot be synced"))?;
        let direct = Some(Direct::of(path, &file)?);
        Ok(Self { direct, ..Self::of((file, len_bytes)) })
    }

    /// Allocates what an existing regular file has of holes, so that no later write meets a full file system. Of other files, and
    /// where the file system has no way to do so, nothing is asked.
    ///
    /// # Errors
    /// As for [`FileMedium::open`]; there is no room for it. What the file holds stays as it is.
    pub fn fill_holes(path: &Path) -> io::Result<()> {
        let (file, len_bytes) = open_locked(path, OFlags::empty())?;
        if !file.metadata()?.is_file() {
            return Ok(());
        }
        match fallocate(&file, FallocateFlags::empty(), 0, len_bytes) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            Err(error) => Err(name(path, &error.into(), &format!("cannot be filled with {len_bytes} bytes"))),
        }
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
        let filled = fill_with_zeros(&file, 0, len_bytes).and_then(|()| sync_folder(path));
        if let Err(error) = filled {
            // A file of the wrong size must not be left behind; the first error is the one to tell.
            let _ = std::fs::remove_file(path);
            return Err(name(path, &error, &format!("cannot be filled with {len_bytes} bytes")));
        }
        lock_and_measure(path, file).map(Self::of)
    }

    /// Opens a regular file and makes it `len_bytes` long; the new bytes are zeros, and allocated.
    ///
    /// # Errors
    /// As for [`FileMedium::open`]; it is that large already; there is no room for it. The old bytes stay as they are.
    pub fn extend(path: &Path, len_bytes: u64) -> io::Result<Self> {
        let mut medium = Self::open(path)?;
        if len_bytes <= medium.len_bytes {
            let text = format!("{}: has {} bytes already: ask for more", path.display(), medium.len_bytes);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let filled = fill_with_zeros(&medium.file, medium.len_bytes, len_bytes);
        if let Err(error) = filled {
            // Half a growth is none; the first error is the one to tell.
            let _ = medium.file.set_len(medium.len_bytes);
            return Err(name(path, &error, &format!("cannot be extended to {len_bytes} bytes")));
        }
        medium.len_bytes = len_bytes;
        Ok(medium)
    }

    fn of((file, len_bytes): (File, u64)) -> Self {
        Self { file, len_bytes, commits: GroupCommit::new(), no_holes: AtomicBool::new(false), direct: None }
    }
}

/// Opens an existing file or block device, with these flags in addition, and locks it; gives its length.
pub(crate) fn open_locked(path: &Path, mut flags: OFlags) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    // A file system or another device that is on a block device looks at no lock, but the kernel knows of it.
    if std::fs::metadata(path).is_ok_and(|found| found.file_type().is_block_device()) {
        flags |= OFlags::EXCL;
    }
    let file =
        options.read(true).write(true).custom_flags(flags.bits().cast_signed()).open(path).map_err(
            |error| match error.kind() {
                io::ErrorKind::ResourceBusy => {
                    let text =
                        format!("{}: in use by another process, mounted, or part of another device", path.display());
                    io::Error::new(io::ErrorKind::WouldBlock, text)
                }
                io::ErrorKind::InvalidInput if flags.contains(OFlags::DIRECT) => direct::none(path),
                _ => name(path, &error, "cannot be opened for reading and writing"),
            },
        )?;
    lock_and_measure(path, file)
}

fn lock_and_measure(path: &Path, mut file: File) -> io::Result<(File, u64)> {
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
    Ok((file, len_bytes))
}

impl Medium for FileMedium {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        check_range(self.len_bytes, offset_bytes, buffer.len())?;
        match &self.direct {
            Some(direct) => direct.read(&self.file, offset_bytes, buffer),
            None => self.file.read_exact_at(buffer, offset_bytes),
        }
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_pieces(&[Piece { offset_bytes, bytes }])
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        for piece in pieces {
            check_range(self.len_bytes, piece.offset_bytes, piece.bytes.len())?;
        }
        match &self.direct {
            Some(direct) => direct.write(&self.file, pieces),
            None => pieces.iter().try_for_each(|piece| self.file.write_all_at(piece.bytes, piece.offset_bytes)),
        }
    }

    /// A hole in a regular file; on a block device a request that the device carries out by itself (discard or write
    /// zeroes), which the kernel refuses when the device cannot.
    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        check_range(self.len_bytes, offset_bytes, count_bytes as usize)?;
        if self.no_holes.load(Relaxed) || count_bytes == 0 {
            return Ok(count_bytes == 0);
        }
        let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        match fallocate(&self.file, hole, offset_bytes, count_bytes) {
            Ok(()) => Ok(true),
            Err(Errno::OPNOTSUPP | Errno::NODEV | Errno::NOSYS) => {
                self.no_holes.store(true, Relaxed);
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn barrier(&self) -> io::Result<()> {
        self.commits.sync(|| self.file.sync_data())
    }
}

/// Makes reads see what is on the device. After a failed sync of an earlier process the page cache may hold what never got there,
/// without remembering that it did not.
fn forget_pages(file: &File) -> io::Result<()> {
    file.sync_data()?;
    // Only advice, and of no use on some file systems, which have no device behind them.
    let _ = fadvise(file, 0, None, Advice::DontNeed);
    Ok(())
}

fn fill_with_zeros(file: &File, from_bytes: u64, len_bytes: u64) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    let mut at_bytes = from_bytes;
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
    use std::os::unix::fs::MetadataExt;

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
    fn holes_of_a_file_are_filled_and_its_bytes_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("medium");
        std::fs::write(&path, "begins so").unwrap();
        File::options().write(true).open(&path).unwrap().set_len(1 << 20).unwrap();
        FileMedium::fill_holes(&path).unwrap();
        let file = std::fs::metadata(&path).unwrap();
        assert!(file.len() == 1 << 20 && file.blocks() * 512 >= 1 << 20, "{} of 512 bytes", file.blocks());
        assert!(std::fs::read(&path).unwrap().starts_with(b"begins so\0"));
    }

    /// Bytes that this process has got from devices; nothing where that is not told.
    fn bytes_from_devices() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/io").ok()?;
        text.lines().find_map(|line| line.strip_prefix("read_bytes: ")?.parse().ok())
    }

    fn is_in_memory(path: &Path) -> bool {
        rustix::fs::statfs(path).unwrap().f_type.cast_unsigned() as u64 == direct::TMPFS_MAGIC
    }

    /// A folder of the build is seldom in memory.
    fn folder_on_a_device() -> tempfile::TempDir {
        let program = std::env::current_exe().unwrap();
        tempfile::tempdir_in(program.parent().unwrap()).unwrap()
    }

    #[test]
    fn what_is_read_after_opening_comes_from_the_device() {
        const BYTES: usize = 16 << 20;
        let folder = folder_on_a_device();
        let path = folder.path().join("medium");
        drop(FileMedium::create(&path, BYTES as u64).unwrap());
        let medium = FileMedium::open(&path).unwrap();
        let Some(before) = bytes_from_devices().filter(|_| !is_in_memory(&path)) else { return };
        medium.read_at(0, &mut vec![1; BYTES]).unwrap();
        let read_bytes = bytes_from_devices().unwrap() - before;
        assert!(read_bytes >= BYTES as u64, "{read_bytes} bytes were read from the device");
    }

    #[test]
    fn what_is_read_directly_comes_from_the_device_each_time() {
        const BYTES: usize = 4 << 20;
        let folder = folder_on_a_device();
        let path = folder.path().join("medium");
        drop(FileMedium::create(&path, BYTES as u64).unwrap());
        if is_in_memory(&path) {
            return;
        }
        let medium = FileMedium::open_direct(&path).unwrap();
        // 100 bytes across the end of a block, as no device takes them.
        medium.write_at(8142, &[7; 100]).unwrap();
        medium.barrier().unwrap();
        let Some(before) = bytes_from_devices() else { return };
        let mut bytes = vec![1; BYTES];
        (0..3).for_each(|_| medium.read_at(0, &mut bytes).unwrap());
        let read_bytes = bytes_from_devices().unwrap() - before;
        assert!(read_bytes >= 3 * BYTES as u64, "{read_bytes} bytes were read from the device");
        assert!(bytes.iter().enumerate().all(|(at, &byte)| byte == if (8142..8242).contains(&at) { 7 } else { 0 }));
        drop(medium);
        let medium = FileMedium::open(&path).unwrap();
        let mut bytes = [0; 100];
        medium.read_at(8142, &mut bytes).unwrap();
        assert_eq!(bytes, [7; 100]);
    }

    #[test]
    fn a_file_system_without_direct_io_is_named_in_one_line() {
        let folder = Path::new("/dev/shm");
        let Ok(folder) = tempfile::tempdir_in(folder) else { return };
        let path = folder.path().join("medium");
        drop(FileMedium::create(&path, 4096).unwrap());
        if !is_in_memory(&path) {
            return;
        }
        let error = FileMedium::open_direct(&path).err().unwrap().to_string();
        assert!(error.contains("medium: its file system has no direct I/O") && !error.contains('\n'), "{error}");
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
    fn zeroed_bytes_read_as_zeros_and_their_neighbours_stay() {
        let folder = tempfile::tempdir().unwrap();
        let medium = FileMedium::create(&folder.path().join("medium"), 1 << 20).unwrap();
        medium.write_at(0, &vec![7; 1 << 20]).unwrap();
        medium.write_zeros(4096, 500_000).unwrap();
        let mut bytes = vec![1; 1 << 20];
        medium.read_at(0, &mut bytes).unwrap();
        let zeroed = 4096..4096 + 500_000;
        assert!(bytes.iter().enumerate().all(|(at, &byte)| byte == if zeroed.contains(&at) { 0 } else { 7 }));
        assert!(medium.zero_cheaply(1 << 20, 1).is_err());
    }

    #[test]
    fn an_extended_file_keeps_its_bytes_and_gains_zeros() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("medium");
        FileMedium::create(&path, 4096).unwrap().write_at(0, &[7; 4096]).unwrap();
        let medium = FileMedium::extend(&path, 12_288).unwrap();
        let mut bytes = vec![1; 12_288];
        medium.read_at(0, &mut bytes).unwrap();
        assert!(bytes[..4096] == [7; 4096] && bytes[4096..] == [0; 8192]);
        let smaller = FileMedium::extend(&path, 4096).err().unwrap();
        assert!(smaller.to_string().contains("in use"), "{smaller}");
        drop(medium);
        let smaller = FileMedium::extend(&path, 4096).err().unwrap();
        assert!(smaller.to_string().contains("12288 bytes already"), "{smaller}");
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
