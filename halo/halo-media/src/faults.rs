//! A layer that makes a medium fail on command.

use crate::Medium;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// Passes everything on, and fails what it was told to fail.
pub struct Faulty<M> {
    medium: M,
    writes_from: AtomicU64,
    writes_to: AtomicU64,
    barriers: AtomicBool,
    reads_from: AtomicU64,
    reads_to: AtomicU64,
}

impl<M: Medium> Faulty<M> {
    /// A layer that fails nothing yet.
    pub fn new(medium: M) -> Self {
        Self {
            medium,
            writes_from: AtomicU64::new(0),
            writes_to: AtomicU64::new(0),
            barriers: AtomicBool::new(false),
            reads_from: AtomicU64::new(0),
            reads_to: AtomicU64::new(0),
        }
    }

    /// Fails writes that touch `bytes`, without writing anything; an empty range fails none.
    pub fn fail_writes(&self, bytes: Range<u64>) {
        self.writes_from.store(bytes.start, SeqCst);
        self.writes_to.store(bytes.end, SeqCst);
    }

    /// Fails all barriers, or none.
    pub fn fail_barriers(&self, fail: bool) {
        self.barriers.store(fail, SeqCst);
    }

    /// Fails reads that touch `bytes`; an empty range fails none.
    pub fn fail_reads(&self, bytes: Range<u64>) {
        self.reads_from.store(bytes.start, SeqCst);
        self.reads_to.store(bytes.end, SeqCst);
    }

    fn fail_write(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        let end_bytes = offset_bytes + count_bytes;
        if offset_bytes < self.writes_to.load(SeqCst) && end_bytes > self.writes_from.load(SeqCst) {
            return Err(io::Error::other("injected write error"));
        }
        Ok(())
    }

    /// The medium below.
    pub fn inner(&self) -> &M {
        &self.medium
    }
}

impl<M: Medium> Medium for Faulty<M> {
    fn len_bytes(&self) -> u64 {
        self.medium.len_bytes()
    }

    fn atomic_write_bytes(&self) -> usize {
        self.medium.atomic_write_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end_bytes = offset_bytes + buffer.len() as u64;
        if offset_bytes < self.reads_to.load(SeqCst) && end_bytes > self.reads_from.load(SeqCst) {
            return Err(io::Error::other("injected read error"));
        }
        self.medium.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.fail_write(offset_bytes, bytes.len() as u64)?;
        self.medium.write_at(offset_bytes, bytes)
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        self.fail_write(offset_bytes, count_bytes)?;
        self.medium.zero_cheaply(offset_bytes, count_bytes)
    }

    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        self.fail_write(offset_bytes, count_bytes)?;
        self.medium.discard(offset_bytes, count_bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        if self.barriers.load(SeqCst) {
            return Err(io::Error::other("injected flush error"));
        }
        self.medium.barrier()
    }
}
