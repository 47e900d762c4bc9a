//! Writes of long sequential streams: they go straight to the disk. An option, see [`crate::Settings::bypass_sequential`].
//!
//! `halo_core::Streams` decides which requests belong to a stream. The disk gets long runs of whole blocks of which the cache has no copy.
//! A block of which the cache has a copy is written to the cache, and the new copy replaces the old one there. So the cache never holds
//! a copy that is older than what the disk has.
//!
//! A flush makes these writes durable in the same way as blocks that were zeroed on the disk itself: it flushes the disk, and then clears the
//! items of older copies ([`DirectChanges`] counts which writes are still waiting for that).
//!
//! While the disk is writing a run, its blocks are marked as being written: no other write, zeroing or destage of them begins.
//! In [`Mode::Ordered`] a write goes straight to the disk only while the cache holds nothing that the disk lacks, because everything in
//! the cache is older and must reach the disk first.

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::parts::parts;
use crate::planted::Bug;
use crate::settings::Mode;
use crate::write_plan::{MOST_STEP_BLOCKS, WritePlan};
use halo_core::Lbn;
use halo_core::address::BLOCK_BYTES;
use halo_media::Medium;
use std::io;
use std::ops::Range;

/// The kind of one step of a write, chosen by [`Cache::begin_change`].
#[must_use = "its blocks stay taken until it is finished"]
pub enum Change {
    /// Fills slots of the cache.
    Cached(WritePlan),
    /// Goes to the disk.
    Direct(Bypass),
}

/// Whole blocks on their way to the disk, past the cache.
#[must_use = "its blocks stay taken until it is finished"]
pub struct Bypass {
    first: Lbn,
    blocks: u64,
}

impl Bypass {
    /// Bytes of the request that it handles, from its beginning.
    pub fn handled_bytes(&self) -> usize {
        self.blocks as usize * BLOCK_BYTES
    }

    /// Writes the first [`Bypass::handled_bytes`] of `bytes` to the disk.
    ///
    /// # Errors
    /// The disk's; any part may have been written.
    pub fn perform(&self, disk: &impl Medium, bytes: &[u8]) -> io::Result<()> {
        disk.write_at(self.first.offset_bytes(), &bytes[..self.handled_bytes()])
    }

    fn run(&self) -> Range<Lbn> {
        self.first..Lbn(self.first.0 + self.blocks)
    }
}

/// Writes that the disk took past the cache, and how many of them a flush has answered for.
#[derive(Clone, Copy, Default)]
pub(crate) struct DirectChanges {
    done: u64,
    durable: u64,
    /// A flush of the disk failed for somebody else: a later one that succeeds says nothing about what was written before.
    doubtful: bool,
}

impl DirectChanges {
    /// The disk has one more.
    pub(crate) fn note(&mut self) {
        self.done += 1;
    }

    fn is_pending(self) -> bool {
        self.done > self.durable
    }

    /// A flush of the disk failed that was none for these.
    pub(crate) fn doubt(&mut self) {
        self.doubtful |= self.is_pending();
    }
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// A request writes `count` bytes: true when it belongs to a long sequential stream. To be asked once for each.
    pub fn is_of_stream(&mut self, offset_bytes: u64, count: usize) -> bool {
        self.streams.as_mut().is_some_and(|streams| streams.note(offset_bytes, count as u64))
    }

    /// True when writes may go to the disk directly.
    pub(crate) fn bypasses(&self) -> bool {
        self.streams.is_some()
    }

    /// Begins a write of `count` bytes, or as much of its beginning as goes the same way: into the cache, as far as there are free
    /// slots and up to the first block that is being written; or, if the request is `of_stream`, to the disk.
    ///
    /// # Errors
    /// As for [`Cache::write`].
    pub fn begin_change(&mut self, offset_bytes: u64, count: usize, of_stream: bool) -> Result<Change, CacheError> {
        self.begin_staging(offset_bytes, count)?;
        Ok(self.next_change(offset_bytes, count, of_stream))
    }

    pub(crate) fn next_change(&mut self, offset_bytes: u64, count: usize, of_stream: bool) -> Change {
        let run = if of_stream { self.bypass_run(offset_bytes, count) } else { None };
        match run {
            Some(run) if run.start == 0 => Change::Direct(self.begin_bypass(offset_bytes, run.len())),
            Some(run) => Change::Cached(self.plan_write(offset_bytes, run.start)),
            None => Change::Cached(self.plan_write(offset_bytes, count)),
        }
    }

    /// The first run of blocks in the request that the disk can take: the run is long enough, and each block is whole, has no copy in the
    /// cache, and is not being written by another request.
    fn bypass_run(&self, offset_bytes: u64, count: usize) -> Option<Range<usize>> {
        if !self.may_bypass() {
            return None;
        }
        let least_bytes = self.settings.bypass_run_bytes.max(BLOCK_BYTES);
        let mut run: Option<Range<usize>> = None;
        for part in parts(offset_bytes, count).take(MOST_STEP_BLOCKS) {
            let cached = self.directory.find(part.lbn).is_some() && !self.settings.planted.has(Bug::BypassPassesDirty);
            if part.bytes == BLOCK_BYTES && !cached && !self.is_written_to(part.lbn) {
                run = Some(run.map_or(part.at, |run| run.start)..part.in_buffer().end);
            } else if run.as_ref().is_some_and(|run| run.len() >= least_bytes) {
                break;
            } else {
                run = None;
            }
        }
        run.filter(|run| run.len() >= least_bytes)
    }

    /// In mode ordered, the disk must have everything that is in the cache before it gets this write. Copies that only wait to be cleared do
    /// not matter: the disk has them already, and a recovery that destages them again undoes no write that a flush has answered for.
    fn may_bypass(&self) -> bool {
        let in_order = self.settings.mode == Mode::Ordered && !self.settings.planted.has(Bug::BypassOutOfOrder);
        !self.disk_use.has_zeroing() && (!in_order || self.directory.is_empty())
    }

    fn begin_bypass(&mut self, offset_bytes: u64, count: usize) -> Bypass {
        let bypass = Bypass { first: Lbn::containing(offset_bytes), blocks: (count / BLOCK_BYTES) as u64 };
        let planted = self.settings.planted;
        if !planted.has(Bug::BypassUnmarked) {
            self.being_written.begin(bypass.run());
        }
        if !planted.has(Bug::BypassKeepsClean) {
            (bypass.first.0..bypass.run().end.0).for_each(|block| self.drop_clean_copy(Lbn(block)));
        }
        bypass
    }

    /// Acts on the outcome of [`Bypass::perform`]; gives the bytes that the disk took. None when it failed: it may have any part of
    /// them, and the same bytes must be written to the cache, or the request must fail.
    pub fn finish_bypass(&mut self, bypass: &Bypass, outcome: io::Result<()>) -> usize {
        self.being_written.end(&bypass.run());
        if let Err(error) = outcome {
            self.health.note(&CacheError::io(Device::Disk, "writing past the cache")(error));
            if !self.settings.planted.has(Bug::BypassErrorSwallowed) {
                return 0;
            }
        }
        if !self.settings.planted.has(Bug::BypassNotFlushed) {
            self.direct.note();
        }
        self.statistics.written_bytes += bypass.handled_bytes() as u64;
        self.statistics.bypassed_bytes += bypass.handled_bytes() as u64;
        bypass.handled_bytes()
    }

    /// The number of the latest write past the cache that no flush has made durable yet: a flush must flush the disk, commit until nothing
    /// waits to be cleared any more, and then call [`Cache::direct_changes_are_durable`] with that number.
    pub fn pending_direct_changes(&self) -> Option<u64> {
        self.direct.is_pending().then_some(self.direct.done)
    }

    /// Changes of the disk up to this number are durable.
    pub fn direct_changes_are_durable(&mut self, number: u64) {
        self.direct.durable = self.direct.durable.max(number);
    }

    /// Acts on the outcome of a flush of the disk for what it took past the cache.
    ///
    /// # Errors
    /// The outcome was one; or an earlier flush of the disk failed, which is told once.
    pub fn note_disk_flush(&mut self, outcome: io::Result<()>) -> Result<(), CacheError> {
        let doubtful = std::mem::take(&mut self.direct.doubtful);
        let outcome = if doubtful && !self.settings.planted.has(Bug::BypassForgetsFailedFlush) {
            outcome.and(Err(io::Error::other("a flush failed before")))
        } else {
            outcome
        };
        let outcome = outcome.map_err(CacheError::io(Device::Disk, "flushing"));
        self.health.note_outcome(&outcome);
        outcome
    }
}
