//! The record of the mask as it is on the disk.

use super::contents::Contents;
use super::places::Form;
use super::record::{RECORD_BYTES, Record};
use crate::media::AnyMedium;
use halo_media::Medium;
use std::io;

/// The advice about a disk that has bad blocks where label and record lie.
const UNREADABLE_END: &str = "copy the disk to a whole one (ddrescue), which takes its place, and then halo repair CACHE COPY --label-lost, or, if the cache is lost, too, \
     halo release COPY --cache-lost --label-lost";

/// Both copies, and what is known beside them.
pub(super) struct State {
    pub(super) newest: Option<Record>,
    /// Both copies as they are on the disk.
    pub(super) copies: [[u8; RECORD_BYTES]; 2],
    /// The copy that may be overwritten: what the other says is right, and durable.
    pub(super) spare: usize,
    /// Of a masked disk that was settled. Nothing in version 1.
    pub(super) contents: Option<Contents>,
    /// A thread writes the spare copy, for all that write masked blocks meanwhile.
    pub(super) is_written: bool,
}

impl State {
    pub(super) fn without_record() -> Self {
        Self { newest: None, copies: [[0; RECORD_BYTES]; 2], spare: 0, contents: None, is_written: false }
    }

    /// The spare copy was written, and may not be durable.
    pub(super) fn take(&mut self, record: Record) {
        self.copies[self.spare] = record.encode();
        self.newest = Some(record);
    }

    /// The spare copy was written and flushed: the other one may be overwritten now.
    pub(super) fn take_durable(&mut self, record: Record) {
        if let Some(contents) = &mut self.contents {
            contents.note(&record.stage);
        }
        self.take(record);
        self.spare = 1 - self.spare;
    }

    pub(super) fn read(
        disk: &AnyMedium,
        disk_bytes: u64,
        copies_bytes: Option<[u64; 2]>,
        forms: &[Form; 2],
    ) -> io::Result<Self> {
        let mut state = Self::without_record();
        let mut unread = Vec::new();
        let mut counting = Vec::new();
        for (number, offset_bytes) in copies_bytes.into_iter().flatten().enumerate() {
            if let Err(error) = disk.read_at(offset_bytes, &mut state.copies[number]) {
                unread.push(error);
                continue;
            }
            let Some(found) = Record::decode(&state.copies[number], disk_bytes, forms) else { continue };
            counting.push(number);
            if state.newest.as_ref().is_none_or(|newest| newest.generation < found.generation) {
                state.spare = 1 - number;
                state.newest = Some(found);
            }
        }
        if let (None, 2, Some(error)) = (&state.newest, unread.len(), unread.pop()) {
            return Err(io::Error::new(
                error.kind(),
                format!("its last 4 KiB cannot be read ({error}): {UNREADABLE_END}"),
            ));
        }
        // Whoever writes the end of the disk as a whole makes both copies whole.
        let restored = state.newest.as_ref().map_or([0; RECORD_BYTES], Record::encode);
        for number in (0..2).filter(|number| !counting.contains(number)) {
            state.copies[number] = restored;
        }
        Ok(state)
    }
}
