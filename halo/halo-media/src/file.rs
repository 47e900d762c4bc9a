//! A file or block device.

use crate::direct::Direct;
use crate::lock::Locked;
use crate::named::name;
use crate::{GroupCommit, Medium, Piece, ReadPiece, check_range, limit, vectored};
use rustix::fs::{Advice, FallocateFlags, OFlags, SeekFrom, fadvise, fallocate, seek};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
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
    _below: Vec<File>,
}

impl FileMedium {
    /// Opens an existing file or block device for reading and writing.
    ///
    /// # Errors
    /// It is not there, is read-only, is empty, another process has it open, or it is a device that is mounted or part of
    /// another one. Nothing was changed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let locked = Self::locked(path, OFlags::empty())?;
        forget_pages(&locked.file).map_err(|error| name(path, &error, "cannot be synced"))?;
        Ok(Self::of(locked))
    }

    /// The same with direct I/O (`O_DIRECT`): requests go past the page cache, which keeps nothing and is not filled.
    ///
    /// # Errors
    /// As for [`FileMedium::open`]; the file system has no direct I/O.
    pub fn open_direct(path: &Path) -> io::Result<Self> {
        let locked = Self::locked(path, OFlags::DIRECT)?;
        forget_pages(&locked.file).map_err(|error| name(path, &error, "cannot be synced"))?;
        let direct = Some(Direct::of(path, &locked.file)?);
        Ok(Self { direct, ..Self::of(locked) })
    }

    /// Allocates what an existing regular file has of holes, so that no later write meets a full file system. Of other files, and
    /// where the file system has no way to do so, nothing is asked. Nor of what is allocated: XFS wants room for all that is named.
    ///
    /// # Errors
    /// As for [`FileMedium::open`]; there is no room for it. What the file holds stays as it is.
    pub fn fill_holes(path: &Path) -> io::Result<()> {
        let Locked { file, len_bytes, .. } = Locked::open(path, OFlags::empty())?;
        let found = file.metadata()?;
        if !found.is_file() || found.blocks() * SECTOR_OF_STAT_BYTES >= len_bytes {
            return Ok(());
        }
        match holes(&file, len_bytes).and_then(|holes| {
            holes
                .iter()
                .try_for_each(|hole| fallocate(&file, FallocateFlags::empty(), hole.start, hole.end - hole.start))
        }) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            Err(error) => Err(name(path, &error.into(), &format!("cannot be filled with {len_bytes} bytes"))),
        }
    }

    /// Makes a file of `len_bytes` zeros, whose blocks are allocated now so that no later write meets a full file system. Its owner alone may
    /// read it: it will hold what is read-protected on the disk.
    ///
    /// # Errors
    /// It exists already, or there is no room for it.
    pub fn create(path: &Path, len_bytes: u64) -> io::Result<Self> {
        limit::check(path, None, len_bytes)?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .map_err(|error| name(path, &error, "cannot be created"))?;
        let filled = fill_with_zeros(&file, 0, len_bytes).and_then(|()| sync_folder(path));
        if let Err(error) = filled {
            // A file of the wrong size must not be left behind; the first error is the one to tell.
            let _ = std::fs::remove_file(path);
            return Err(name(path, &error, &format!("cannot be filled with {len_bytes} bytes")));
        }
        Locked::of(path, file).map(Self::of)
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
        limit::check(path, Some(&medium.file), len_bytes)?;
        let filled = fill_with_zeros(&medium.file, medium.len_bytes, len_bytes);
        if let Err(error) = filled {
            // Half a growth is none; the first error is the one to tell.
            let _ = medium.file.set_len(medium.len_bytes);
            return Err(name(path, &error, &format!("cannot be extended to {len_bytes} bytes")));
        }
        medium.len_bytes = len_bytes;
        Ok(medium)
    }

    fn locked(path: &Path, flags: OFlags) -> io::Result<Locked> {
        let locked = Locked::open(path, flags)?;
        limit::check(path, Some(&locked.file), locked.len_bytes).map(|()| locked)
    }

    fn of(locked: Locked) -> Self {
        Self {
            file: locked.file,
            len_bytes: locked.len_bytes,
            commits: GroupCommit::new(),
            no_holes: AtomicBool::new(false),
            direct: None,
            _below: locked.below,
        }
    }
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

    /// Neighbours are read by one call. Past the page cache many calls are made side by side, since each waits for the device.
    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        for piece in &*pieces {
            check_range(self.len_bytes, piece.offset_bytes, piece.buffer.len())?;
        }
        let mut runs = vectored::read_runs(pieces);
        match &self.direct {
            Some(direct) => vectored::side_by_side(runs.collect(), |run| direct.read_run(&self.file, run)),
            None => runs.try_for_each(|run| vectored::read_run(&self.file, run)),
        }
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_pieces(&[Piece { offset_bytes, bytes }])
    }

    /// As reads.
    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        for piece in pieces {
            check_range(self.len_bytes, piece.offset_bytes, piece.bytes.len())?;
        }
        match &self.direct {
            Some(direct) => direct.write(&self.file, pieces),
            None => vectored::runs(pieces).try_for_each(|run| vectored::write_run(&self.file, run)),
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

    /// A cut behind our back is noticed here, before anything is believed to be durable: writes make the file longer again, and
    /// what was there is zeros.
    fn barrier(&self) -> io::Result<()> {
        self.commits.sync(|| {
            self.file.sync_data()?;
            let found = self.file.metadata()?;
            if found.is_file() && found.len() < self.len_bytes {
                return Err(io::Error::other(format!("it has {} bytes, and had {}", found.len(), self.len_bytes)));
            }
            Ok(())
        })
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

/// The unit that `stat` counts in, on any file system.
const SECTOR_OF_STAT_BYTES: u64 = 512;

/// The holes of a file, as far as its file system tells.
fn holes(file: &File, len_bytes: u64) -> Result<Vec<Range<u64>>, Errno> {
    let (mut holes, mut at_bytes) = (Vec::new(), 0);
    while at_bytes < len_bytes {
        let start = seek(file, SeekFrom::Hole(at_bytes))?;
        let end = match seek(file, SeekFrom::Data(start)) {
            // No data is left.
            Err(Errno::NXIO) => len_bytes,
            end => end?,
        };
        if start < end {
            holes.push(start..end);
        }
        at_bytes = end;
    }
    Ok(holes)
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

#[cfg(test)]
mod tests;
