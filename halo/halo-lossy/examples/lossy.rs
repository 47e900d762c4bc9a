//! The calls by which a server reads, changes and syncs its files, with a journal of what they overwrite.
//!
//! Syncs are not passed on: nothing but the journal decides what a power loss leaves. Calls on other files go to the kernel as they are.
#![allow(missing_docs, unsafe_code, clippy::missing_safety_doc, clippy::cast_possible_wrap)]

use halo_lossy::journal::Record;
use halo_lossy::{SECTOR_BYTES, VARIABLE};
use libc::{c_int, c_long, c_void, off_t, size_t, ssize_t};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread::sleep;
use std::time::Duration;

/// Own: long enough that threads meet during a sync.
const SYNC: Duration = Duration::from_micros(300);
const SLOW_WRITE: Duration = Duration::from_millis(1);
const LOOK: Duration = Duration::from_millis(1);

/// A file whose changes are undone by a power loss.
struct Watched {
    device: u64,
    inode: u64,
    /// For what a change overwrites: the caller's own descriptor may take direct requests only.
    before: File,
    journal: PathBuf,
    /// The journal and its length. Held during a change, so that the order is the journal's.
    state: Mutex<(File, u64)>,
}

impl Watched {
    fn open(file: &str, journal: &str) -> Option<Self> {
        let found = std::fs::metadata(file).ok()?;
        let out = OpenOptions::new().create(true).append(true).open(journal).ok()?;
        let length = out.metadata().ok()?.len();
        Some(Self {
            device: found.dev(),
            inode: found.ino(),
            before: File::open(file).ok()?,
            journal: journal.into(),
            state: Mutex::new((out, length)),
        })
    }

    fn lock(&self) -> MutexGuard<'_, (File, u64)> {
        self.state.lock().unwrap_or_else(|_| std::process::abort())
    }

    /// Past this library's own calls, which may be told to fail.
    fn read_before(&self, buffer: &mut [u8], offset: off_t) -> c_long {
        // SAFETY: the buffer is as long as it says.
        unsafe { libc::syscall(libc::SYS_pread64, self.before.as_raw_fd(), buffer.as_mut_ptr(), buffer.len(), offset) }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.journal.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    fn is_told(&self, ending: &str) -> bool {
        self.beside(ending).exists()
    }

    /// Whether writes wait, for a journal of this length.
    fn is_full(&self, length: u64) -> bool {
        let told = std::fs::read_to_string(self.beside(".full-at")).ok();
        told.and_then(|bytes| bytes.parse().ok()).is_some_and(|bytes: u64| length >= bytes)
    }
}

fn append(state: &mut (File, u64), record: &Record) {
    let bytes = record.encode();
    // A journal with a gap would undo the wrong things.
    if state.0.write_all(&bytes).is_err() {
        std::process::abort();
    }
    state.1 += bytes.len() as u64;
}

fn watched(fd: c_int) -> Option<&'static Watched> {
    static FILES: OnceLock<Vec<Watched>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let pairs = std::env::var(VARIABLE).unwrap_or_default();
        pairs.split(',').filter_map(|pair| pair.split_once('=')).filter_map(|(a, b)| Watched::open(a, b)).collect()
    });
    // SAFETY: the structure is filled by the call, or not looked at.
    let found = unsafe {
        let mut found = std::mem::zeroed::<libc::stat>();
        (libc::fstat(fd, &raw mut found) == 0).then_some(found)?
    };
    files.iter().find(|file| (file.device, file.inode) == (found.st_dev, found.st_ino))
}

fn fail() -> c_int {
    // SAFETY: the place is the calling thread's own.
    unsafe { *libc::__errno_location() = libc::EIO }
    -1
}

/// Carries out a change of a range behind a record of what it overwrites.
fn change(fd: c_int, offset: off_t, count: usize, carry_out: impl FnOnce() -> c_long) -> c_long {
    let Some(file) = watched(fd) else { return carry_out() };
    if file.is_told(".fail-write") {
        return c_long::from(fail());
    }
    if file.is_told(".slow") {
        sleep(SLOW_WRITE);
    }
    // A sector of which a part is written is written as a whole.
    let sector = SECTOR_BYTES as off_t;
    let first = offset / sector * sector;
    let mut before = vec![0_u8; ((offset - first) as usize + count).next_multiple_of(SECTOR_BYTES)];
    let mut state = file.lock();
    while file.is_full(state.1) {
        drop(state);
        sleep(LOOK);
        state = file.lock();
    }
    let mut read = 0;
    while let got @ 1.. = file.read_before(&mut before[read..], first + read as off_t) {
        read += got as usize;
    }
    append(&mut state, &Record::Change { offset_bytes: first as u64, before });
    carry_out()
}

fn read(fd: c_int, carry_out: impl FnOnce() -> c_long) -> ssize_t {
    let fails = watched(fd).is_some_and(|file| file.is_told(".fail-read"));
    (if fails { c_long::from(fail()) } else { carry_out() }) as ssize_t
}

fn sync(fd: c_int, number: c_long) -> c_int {
    // SAFETY: the kernel's own call.
    let Some(file) = watched(fd) else { return unsafe { libc::syscall(number, fd) as c_int } };
    let mut state = file.lock();
    let covers_bytes = state.1;
    append(&mut state, &Record::SyncBegan);
    drop(state);
    sleep(SYNC);
    while file.is_told(".hold") {
        sleep(LOOK);
    }
    if file.is_told(".fail-sync") {
        append(&mut file.lock(), &Record::SyncFailed { covers_bytes });
        return fail();
    }
    append(&mut file.lock(), &Record::SyncEnded { covers_bytes });
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwrite64(fd: c_int, buffer: *const c_void, count: size_t, offset: off_t) -> ssize_t {
    // SAFETY: the caller's buffer, passed on as it is.
    change(fd, offset, count, || unsafe { libc::syscall(libc::SYS_pwrite64, fd, buffer, count, offset) }) as ssize_t
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwrite(fd: c_int, buffer: *const c_void, count: size_t, offset: off_t) -> ssize_t {
    // SAFETY: as above.
    unsafe { pwrite64(fd, buffer, count, offset) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwritev64(fd: c_int, slices: *const libc::iovec, count: c_int, offset: off_t) -> ssize_t {
    // SAFETY: the caller's slices.
    let bytes = unsafe { std::slice::from_raw_parts(slices, count as usize) }.iter().map(|slice| slice.iov_len).sum();
    // SAFETY: passed on as they are. The offset is one word here, and the other half of it none.
    change(fd, offset, bytes, || unsafe { libc::syscall(libc::SYS_pwritev, fd, slices, count, offset, 0) }) as ssize_t
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pwritev(fd: c_int, slices: *const libc::iovec, count: c_int, offset: off_t) -> ssize_t {
    // SAFETY: as above.
    unsafe { pwritev64(fd, slices, count, offset) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fallocate64(fd: c_int, mode: c_int, offset: off_t, count: off_t) -> c_int {
    // SAFETY: the kernel's own call.
    change(fd, offset, count as usize, || unsafe { libc::syscall(libc::SYS_fallocate, fd, mode, offset, count) })
        as c_int
}

#[unsafe(no_mangle)]
pub extern "C" fn fallocate(fd: c_int, mode: c_int, offset: off_t, count: off_t) -> c_int {
    fallocate64(fd, mode, offset, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fdatasync(fd: c_int) -> c_int {
    sync(fd, libc::SYS_fdatasync)
}

#[unsafe(no_mangle)]
pub extern "C" fn fsync(fd: c_int) -> c_int {
    sync(fd, libc::SYS_fsync)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pread64(fd: c_int, buffer: *mut c_void, count: size_t, offset: off_t) -> ssize_t {
    // SAFETY: the caller's buffer, passed on as it is.
    read(fd, || unsafe { libc::syscall(libc::SYS_pread64, fd, buffer, count, offset) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pread(fd: c_int, buffer: *mut c_void, count: size_t, offset: off_t) -> ssize_t {
    // SAFETY: as above.
    unsafe { pread64(fd, buffer, count, offset) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn preadv64(fd: c_int, slices: *const libc::iovec, count: c_int, offset: off_t) -> ssize_t {
    // SAFETY: the caller's slices. The offset is one word here, and the other half of it none.
    read(fd, || unsafe { libc::syscall(libc::SYS_preadv, fd, slices, count, offset, 0) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn preadv(fd: c_int, slices: *const libc::iovec, count: c_int, offset: off_t) -> ssize_t {
    // SAFETY: as above.
    unsafe { preadv64(fd, slices, count, offset) }
}
