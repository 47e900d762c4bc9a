//! Files and block devices that no other process of this machine has.
//!
//! A file is locked (`flock`), whatever its name. A block device is claimed from the kernel (`O_EXCL`), which knows of file systems and of devices
//! above it, whatever the node is called. A loop device is another name of the file below it: that is locked as well, so that a server by the
//! loop device and one by the file refuse each other. Where only a part of the file is meant (a partition, an offset), that lock is shared with
//! others who mean a part. Not covered: two device-mapper devices over the same blocks, a loop device whose file has no name here (deleted, or in
//! another mount namespace), two machines, two clients of an NBD server.

use crate::direct;
use crate::named::{empty, name};
use rustix::fs::{OFlags, major, minor};
use std::fs::{File, Metadata, OpenOptions, TryLockError, read_to_string};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Loop devices over loop devices; more are no use of anybody.
const MOST_LEVELS: usize = 8;
/// Own: udev takes far less than a second, unless the machine is very busy.
const UDEV_PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// An open file or block device, given free when it is dropped.
pub(crate) struct Locked {
    pub(crate) file: File,
    pub(crate) len_bytes: u64,
    /// The files that it is another name of.
    pub(crate) below: Vec<File>,
}

impl Locked {
    /// Opens an existing file or block device for reading and writing, with these flags in addition.
    ///
    /// # Errors
    /// It cannot be opened, another process has it, or it is empty.
    pub(crate) fn open(path: &Path, mut flags: OFlags) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        if std::fs::metadata(path).is_ok_and(|found| found.file_type().is_block_device()) {
            flags |= OFlags::EXCL;
        }
        options.read(true).write(true).custom_flags(flags.bits().cast_signed());
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => claimed(path),
            io::ErrorKind::InvalidInput if flags.contains(OFlags::DIRECT) => direct::none(path),
            _ => name(path, &error, "cannot be opened for reading and writing"),
        })?;
        Self::of(path, file)
    }

    /// Locks what was opened by this name.
    ///
    /// # Errors
    /// Another process has it, or it is empty.
    pub(crate) fn of(path: &Path, mut file: File) -> io::Result<Self> {
        lock(path, &file, false)?;
        let below = lock_below(path, &file)?;
        // A block device has no length in its metadata.
        let len_bytes = file.seek(SeekFrom::End(0))?;
        if len_bytes == 0 {
            return Err(empty(path));
        }
        Ok(Self { file, len_bytes, below })
    }
}

fn claimed(path: &Path) -> io::Error {
    let text = format!("{}: in use by another process, mounted, or part of another device", path.display());
    io::Error::new(io::ErrorKind::WouldBlock, text)
}

/// A block device is waited for: by then this process has claimed it, and udev, which looks at a device after each process that wrote to it,
/// locks it meanwhile.
fn lock(path: &Path, file: &File, shared: bool) -> io::Result<()> {
    let is_device = file.metadata()?.file_type().is_block_device();
    let (since, patience) = (Instant::now(), if is_device { UDEV_PATIENCE } else { Duration::ZERO });
    let attempt = || if shared { file.try_lock_shared() } else { file.try_lock() };
    let mut locked = attempt();
    while matches!(locked, Err(TryLockError::WouldBlock)) && since.elapsed() < patience {
        sleep(LOOK);
        locked = attempt();
    }
    match locked {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let text = format!("{}: in use by another process", path.display());
            Err(io::Error::new(io::ErrorKind::WouldBlock, text))
        }
        Err(TryLockError::Error(error)) => Err(name(path, &error, "cannot be locked")),
    }
}

/// Locks all that `file` is another name of.
fn lock_below(path: &Path, file: &File) -> io::Result<Vec<File>> {
    let mut locked = Vec::new();
    let mut metadata = file.metadata()?;
    let mut in_part = false;
    while let Some(backing) = Backing::of(&metadata).filter(|_| locked.len() < MOST_LEVELS) {
        in_part |= backing.in_part;
        let Some(below) = backing.open(in_part)? else { break };
        lock(&backing.path, &below, in_part).map_err(|error| name(path, &error, "a loop device"))?;
        metadata = below.metadata()?;
        locked.push(below);
    }
    Ok(locked)
}

/// The file of a loop device.
struct Backing {
    path: PathBuf,
    /// Only a part of it is meant.
    in_part: bool,
}

impl Backing {
    fn of(device: &Metadata) -> Option<Self> {
        if !device.file_type().is_block_device() {
            return None;
        }
        let node = PathBuf::from(format!("/sys/dev/block/{}:{}", major(device.rdev()), minor(device.rdev())));
        let is_partition = node.join("partition").exists();
        let whole = if is_partition { node.join("..") } else { node };
        let told = |what: &str| read_to_string(whole.join("loop").join(what)).ok();
        let path = PathBuf::from(told("backing_file")?.trim_end_matches('\n'));
        let is_whole = |what: &str| told(what).is_none_or(|bytes| bytes.trim() == "0");
        Some(Self { path, in_part: is_partition || !is_whole("offset") || !is_whole("sizelimit") })
    }

    /// Nothing when it has no name here, or may not be opened.
    fn open(&self, in_part: bool) -> io::Result<Option<File>> {
        let Ok(found) = std::fs::metadata(&self.path) else { return Ok(None) };
        let claim = found.file_type().is_block_device() && !in_part;
        let flags = if claim { OFlags::EXCL } else { OFlags::empty() };
        match OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Err(claimed(&self.path)),
            opened => Ok(opened.ok()),
        }
    }
}
