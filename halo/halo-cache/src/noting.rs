//! Notes in the disk's label of what the disk lacks, for whoever has only the disk one day.
//!
//! A note is for people: nothing else is decided by it, and one that is late is still true of its time. Not here: when the host has a
//! moment for one, and the time of day, which the host tells.

use crate::cache::Cache;
use crate::driver::{Alone, Host};
use crate::error::{CacheError, Device};
use crate::format::{Lacks, Layout};
use crate::identity::{self, WRITING_RECORD};
use crate::planted::Bug;
use crate::recovery::may_have_dropped_a_write;
use halo_media::Medium;
use std::time::Duration;

/// The last note of this session.
#[derive(Default)]
pub(crate) struct Noting {
    /// When it was begun, since the cache was opened.
    begun: Duration,
    /// The blocks in it, once the disk has it.
    blocks: Option<u64>,
}

/// Notes in the disk's label what it lacks, if a note is due: when the last one, or the opening, is [`crate::Settings::note_every`] ago, and
/// not again and again that nothing is lacking. `now_seconds`: seconds since 1970, UTC.
///
/// # Errors
/// The disk failed. It may have the note or not; the next is due as late as after one that succeeded.
pub fn note_lacks<M: Medium, D: Medium>(host: &impl Host<M, D>, now_seconds: u64) -> Result<(), CacheError> {
    let Some((lacks, layout)) = host.with(|cache| cache.begin_note(now_seconds)) else { return Ok(()) };
    let outcome = host.beside(|_, disk| identity::note_lacks(disk, &layout, lacks));
    let noted = host.with(|cache| cache.finish_note(lacks, outcome));
    host.work_ended();
    noted
}

impl<M: Medium, D: Medium> Cache<M, D> {
    /// As the function [`note_lacks`].
    ///
    /// # Errors
    /// As there.
    pub fn note_lacks(&mut self, now_seconds: u64) -> Result<(), CacheError> {
        note_lacks(&Alone::with(self), now_seconds)
    }

    /// Takes the disk, as a destage does: both may write the label.
    fn begin_note(&mut self, now_seconds: u64) -> Option<(Lacks, Layout)> {
        let (now, blocks) = (self.ages.now(), self.directory.len());
        let is_due = self.settings.note_every.is_some_and(|every| now >= self.noting.begun + every);
        let is_known = blocks == 0 && self.noting.blocks == Some(0);
        if !is_due || is_known || self.disk_is_taken() || now_seconds == 0 {
            return None;
        }
        self.noting = Noting { begun: now, blocks: None };
        self.disk_use.set_round(true);
        let since_seconds = self.complete_before(now_seconds).unwrap_or(0);
        Some((Lacks { at_seconds: now_seconds, blocks, since_seconds }, self.layout))
    }

    /// The disk has all that was written before this; nothing when the oldest block is from before the opening, whose age nobody knows, or when a
    /// write may have been dropped there.
    fn complete_before(&self, now_seconds: u64) -> Option<u64> {
        let oldest = self.ages.oldest().unwrap_or_default();
        let is_recovered = self.recovery.blocks > 0 && oldest >= self.ages.now() && !self.directory.is_empty();
        let forgets = self.settings.planted.has(Bug::NoteForgetsTheRecovered);
        if is_recovered && !forgets || may_have_dropped_a_write(self) {
            return None;
        }
        // Both times are cut to whole seconds.
        now_seconds.checked_sub(oldest.as_secs() + 1)
    }

    fn finish_note(&mut self, lacks: Lacks, outcome: Result<(), CacheError>) -> Result<(), CacheError> {
        self.disk_use.set_round(false);
        match &outcome {
            Ok(()) => self.noting.blocks = Some(lacks.blocks),
            Err(error) => self.note_disk_error(error),
        }
        outcome
    }

    /// An error that no request is told. With a flush of the disk that failed, what others had written before may be lost.
    pub(crate) fn note_disk_error(&mut self, error: &CacheError) {
        self.health.note(error);
        let of_record = matches!(error, CacheError::Io { device: Device::Disk, action: WRITING_RECORD, .. });
        let of_flush = matches!(error, CacheError::Io { device: Device::Disk, action: "flushing", .. });
        if of_flush || of_record && !self.settings.planted.has(Bug::FailedNoteDoubtsNothing) {
            self.direct.doubt();
        }
    }
}
