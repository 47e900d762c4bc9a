//! Persistent memory: a file that is mapped, on a file system that maps the memory itself (DAX).
//!
//! The mapping is a slice of 64-bit words that are read and written atomically, so that threads may use it at once and a power
//! loss tears nothing smaller than a word. Each write flushes its cache lines and waits for them (`sfence`), because a fence
//! waits only for the flushes of its own thread; the barrier has nothing left to do. Not here: anything but x86-64.
//!
//! Unsafe: mapping and unmapping, the slice over the mapping, and the instructions that flush lines.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use crate::lock::Locked;
use crate::sigbus::Watched;
use crate::{GroupCommit, Medium, check_range};
use rustix::fs::OFlags;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::arch::asm;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const WORD_BYTES: usize = size_of::<u64>();
const LINE_BYTES: usize = 64;

/// How a cache line is written back, the best that the processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineFlush {
    /// Writes back and keeps the line.
    Clwb,
    /// Writes back and drops the line.
    ClflushOpt,
    /// The same, one line after the other.
    Clflush,
}

impl LineFlush {
    /// The best of this processor.
    pub fn detect() -> Self {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = info.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        let has = |flag| flags.split_ascii_whitespace().any(|word| word == flag);
        match (has("clwb"), has("clflushopt")) {
            (true, _) => Self::Clwb,
            (_, true) => Self::ClflushOpt,
            _ => Self::Clflush,
        }
    }

    fn flush(self, line: *const u8) {
        #[cfg(test)]
        tests::FLUSHED.with_borrow_mut(|flushed| flushed.push(line.addr()));
        // SAFETY: the instructions read the address only, which lies in the mapping, and change no register or flag; `detect`
        // gives only what the processor has, and every x86-64 has `clflush`.
        unsafe {
            match self {
                Self::Clwb => asm!("clwb [{}]", in(reg) line, options(nostack, preserves_flags)),
                Self::ClflushOpt => asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags)),
                Self::Clflush => asm!("clflush [{}]", in(reg) line, options(nostack, preserves_flags)),
            }
        }
    }
}

/// A mapped file, locked against other processes while it is open; offsets and lengths are multiples of 8 bytes.
///
/// As with any mapping, the process is ended by a signal when another one makes the file shorter, or a page is bad; a line on standard error says
/// so before (`sigbus`).
pub struct PmemMedium {
    start: *mut AtomicU64,
    len_bytes: usize,
    line_flush: LineFlush,
    /// Without DAX, what must be synced after the lines are flushed.
    page_cache: Option<GroupCommit>,
    file: File,
    watched: Option<Watched>,
    _below: Vec<File>,
}

// SAFETY: the mapping belongs to this value until it is dropped, and is accessed as atomic words only.
unsafe impl Send for PmemMedium {}
// SAFETY: as above.
unsafe impl Sync for PmemMedium {}

impl PmemMedium {
    /// Opens a file on a file system with DAX. The kernel maps it so that a flushed line is durable (`MAP_SYNC`), or refuses.
    ///
    /// # Errors
    /// As for [`crate::FileMedium::open`]; the file is not on persistent memory. Nothing was changed.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::map(path, MapFlags::SHARED_VALIDATE | MapFlags::SYNC, None).map_err(|error| match error.raw_os_error() {
            Some(_) => io::Error::new(
                error.kind(),
                format!("{}: not on persistent memory (DAX): {error}; use it as an ordinary file", path.display()),
            ),
            None => error,
        })
    }

    /// Opens any file, whose pages a barrier then writes with `fdatasync` like those of [`crate::FileMedium`]: for tests, and
    /// for measuring the path of persistent memory on memory that is not persistent. Slower than [`crate::FileMedium`].
    ///
    /// # Errors
    /// As for [`crate::FileMedium::open`].
    pub fn open_without_dax(path: &Path) -> io::Result<Self> {
        Self::map(path, MapFlags::SHARED, Some(GroupCommit::new()))
    }

    fn map(path: &Path, flags: MapFlags, page_cache: Option<GroupCommit>) -> io::Result<Self> {
        let Locked { file, len_bytes, below } = Locked::open(path, OFlags::empty())?;
        let len_bytes = len_bytes as usize / WORD_BYTES * WORD_BYTES;
        // SAFETY: a new mapping at an address of the kernel's choice; nothing else is there.
        let start =
            unsafe { mmap(std::ptr::null_mut(), len_bytes, ProtFlags::READ | ProtFlags::WRITE, flags, &file, 0) }?;
        let watched = Some(Watched::new(start.addr(), len_bytes));
        let line_flush = LineFlush::detect();
        Ok(Self { start: start.cast(), len_bytes, line_flush, page_cache, file, watched, _below: below })
    }

    /// How lines are flushed.
    pub fn line_flush(&self) -> LineFlush {
        self.line_flush
    }

    /// The words of a range.
    fn words(&self, offset_bytes: u64, count: usize) -> io::Result<&[AtomicU64]> {
        check_range(self.len_bytes as u64, offset_bytes, count)?;
        if !(offset_bytes as usize | count).is_multiple_of(WORD_BYTES) {
            let text = format!("{count} bytes at {offset_bytes} are not in whole words of 8 bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        // SAFETY: the mapping is aligned to pages, `len_bytes` long and lives as long as `self`; any bytes are a word.
        let all = unsafe { std::slice::from_raw_parts(self.start, self.len_bytes / WORD_BYTES) };
        let first = offset_bytes as usize / WORD_BYTES;
        Ok(&all[first..first + count / WORD_BYTES])
    }

    /// Writes lines back to the memory, and waits until they are there.
    fn persist(&self, words: &[AtomicU64]) {
        lines(words).for_each(|line| self.line_flush.flush(line));
        // SAFETY: the instruction has no operands; without `nomem`, no write is moved past it.
        unsafe { asm!("sfence", options(nostack, preserves_flags)) };
    }
}

/// The beginnings of all lines that words lie in.
fn lines(words: &[AtomicU64]) -> impl Iterator<Item = *const u8> {
    let range = words.as_ptr_range();
    let first = range.start.cast::<u8>().map_addr(|address| address & !(LINE_BYTES - 1));
    let following = std::iter::successors(Some(first), |line| Some(line.wrapping_add(LINE_BYTES)));
    following.take_while(move |&line| line < range.end.cast())
}

impl Medium for PmemMedium {
    fn len_bytes(&self) -> u64 {
        self.len_bytes as u64
    }

    /// A word: what the processor writes at once. Lines of 64 bytes reach the memory one by one, but a line may go at any
    /// moment, between any two of its words.
    fn atomic_write_bytes(&self) -> usize {
        WORD_BYTES
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let words = self.words(offset_bytes, buffer.len())?;
        for (bytes, word) in buffer.chunks_exact_mut(WORD_BYTES).zip(words) {
            bytes.copy_from_slice(&word.load(Relaxed).to_ne_bytes());
        }
        Ok(())
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        let words = self.words(offset_bytes, bytes.len())?;
        for (word, bytes) in words.iter().zip(bytes.chunks_exact(WORD_BYTES)) {
            let mut value = [0; WORD_BYTES];
            value.copy_from_slice(bytes);
            word.store(u64::from_ne_bytes(value), Relaxed);
        }
        self.persist(words);
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        match &self.page_cache {
            Some(commits) => commits.sync(|| self.file.sync_data()),
            None => Ok(()),
        }
    }
}

impl Drop for PmemMedium {
    fn drop(&mut self) {
        // First: what comes to lie there is none of ours.
        self.watched = None;
        // SAFETY: the mapping was made with this length and nothing refers to it any more. It can fail only for other arguments.
        let unmapped = unsafe { munmap(self.start.cast(), self.len_bytes) };
        debug_assert!(unmapped.is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileMedium;
    use std::cell::RefCell;

    fn file(len_bytes: u64) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("medium");
        drop(FileMedium::create(&path, len_bytes).unwrap());
        (folder, path)
    }

    #[test]
    fn what_is_written_to_the_mapping_is_in_the_file() {
        let (_folder, path) = file(1 << 20);
        let medium = PmemMedium::open_without_dax(&path).unwrap();
        let bytes: Vec<u8> = (0..8192_u32).map(|at| at as u8).collect();
        medium.write_at(4096 - 8, &bytes).unwrap();
        medium.barrier().unwrap();
        let mut read = vec![0; 8192];
        medium.read_at(4096 - 8, &mut read).unwrap();
        assert_eq!(read, bytes);
        drop(medium);
        assert_eq!(std::fs::read(&path).unwrap()[4088..4088 + 8192], bytes);
    }

    thread_local! {
        /// Addresses of the lines that this thread has flushed.
        pub(super) static FLUSHED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }

    /// On memory that is not persistent nothing else shows that a line was forgotten.
    #[test]
    fn each_line_that_a_write_touches_is_flushed() {
        let (_folder, path) = file(4096);
        let medium = PmemMedium::open_without_dax(&path).unwrap();
        for first in 0..20 {
            for count in 1..40 {
                FLUSHED.take();
                medium.write_at(first as u64 * 8, &vec![1; count * 8]).unwrap();
                let words = (first..first + count).map(|word| medium.start.addr() + word * 8);
                let mut touched: Vec<_> = words.map(|address| address / 64 * 64).collect();
                touched.dedup();
                assert_eq!(FLUSHED.take(), touched, "{count} words from {first}");
            }
        }
    }

    #[test]
    fn every_way_of_flushing_that_the_processor_has_leaves_the_bytes_alone() {
        let (_folder, path) = file(4096);
        let mut medium = PmemMedium::open_without_dax(&path).unwrap();
        let best = medium.line_flush();
        let usable = match best {
            LineFlush::Clwb => vec![LineFlush::Clwb, LineFlush::ClflushOpt, LineFlush::Clflush],
            LineFlush::ClflushOpt => vec![LineFlush::ClflushOpt, LineFlush::Clflush],
            LineFlush::Clflush => vec![LineFlush::Clflush],
        };
        for (at, line_flush) in usable.into_iter().enumerate() {
            medium.line_flush = line_flush;
            medium.write_at(8, &[at as u8 + 1; 200]).unwrap();
            let mut read = [0; 216];
            medium.read_at(0, &mut read).unwrap();
            assert!(read[8..208].iter().all(|&byte| byte == at as u8 + 1), "{line_flush:?}");
            assert_eq!((&read[..8], &read[208..]), (&[0; 8][..], &[0; 8][..]));
        }
    }

    #[test]
    fn a_file_that_is_not_on_persistent_memory_is_refused_by_name() {
        let (_folder, path) = file(4096);
        if let Err(error) = PmemMedium::open(&path) {
            assert!(error.to_string().contains("not on persistent memory"), "{error}");
        }
        drop(PmemMedium::open_without_dax(&path).unwrap());
    }

    #[test]
    fn ranges_outside_or_off_the_words_and_files_in_use_are_refused() {
        let (_folder, path) = file(4096);
        let medium = PmemMedium::open_without_dax(&path).unwrap();
        assert!(medium.write_at(4, &[0; 8]).is_err() && medium.write_at(0, &[0; 4]).is_err());
        assert!(medium.read_at(4096, &mut [0; 8]).is_err() && medium.read_at(u64::MAX - 7, &mut [0; 8]).is_err());
        assert!(PmemMedium::open_without_dax(&path).err().unwrap().to_string().contains("in use"));
        assert_eq!((medium.len_bytes(), medium.atomic_write_bytes()), (4096, 8));
    }
}
