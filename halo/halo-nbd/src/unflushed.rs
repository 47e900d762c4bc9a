//! Writes that were not flushed yet, to be sent again when the server that took them is gone.

use crate::connection::{Command, Connection};
use crate::handshake::Export;
use crate::{MOST_BYTES, run, split};
use halo_planted::Mistake;
use std::io;
use std::sync::Arc;

/// Own: eight times what a destage writes between two flushes.
const MOST_KEPT_BYTES: usize = 64 << 20;

/// A change of the disk that has returned.
pub(crate) enum Change {
    Write {
        offset_bytes: u64,
        bytes: Vec<u8>,
    },
    Zero {
        offset_bytes: u64,
        count_bytes: u64,
    },
    /// Without it, an older write that is sent again would bring back what was trimmed.
    Trim {
        offset_bytes: u64,
        count_bytes: u64,
    },
}

impl Change {
    fn kept_bytes(&self) -> usize {
        match self {
            Self::Write { bytes, .. } => bytes.len(),
            Self::Zero { .. } | Self::Trim { .. } => 0,
        }
    }

    /// Does it again.
    pub(crate) fn send(&self, connection: &Connection, export: &Export) -> io::Result<()> {
        match self {
            Self::Write { offset_bytes, bytes } => run(connection, writes(*offset_bytes, bytes)),
            Self::Zero { .. } if Mistake::ZeroesNotSentAgain.is_made() => Ok(()),
            Self::Zero { offset_bytes, count_bytes } if export.can_write_zeroes() => {
                run(connection, zeroes(*offset_bytes, *count_bytes))
            }
            // It was zeroed by a server that could; this one is another.
            Self::Zero { .. } => Err(io::Error::new(io::ErrorKind::InvalidData, "the server no longer writes zeros")),
            Self::Trim { .. } if Mistake::TrimsNotSentAgain.is_made() => Ok(()),
            Self::Trim { offset_bytes, count_bytes } if export.can_trim() => {
                run(connection, trims(*offset_bytes, *count_bytes))
            }
            Self::Trim { .. } => Err(io::Error::new(io::ErrorKind::InvalidData, "the server no longer trims")),
        }
    }
}

/// The commands that write a piece.
pub(crate) fn writes(offset_bytes: u64, bytes: &[u8]) -> impl Iterator<Item = Command<'_>> {
    bytes.chunks(MOST_BYTES).enumerate().map(move |(number, bytes)| {
        let offset_bytes = offset_bytes + (number * MOST_BYTES) as u64;
        Command::Write { offset_bytes, bytes }
    })
}

/// The commands that zero a range.
pub(crate) fn zeroes<'a>(offset_bytes: u64, count_bytes: u64) -> impl Iterator<Item = Command<'a>> {
    split(offset_bytes, count_bytes).map(|(offset_bytes, count)| Command::WriteZeroes {
        offset_bytes,
        count,
        only_if_fast: false,
    })
}

/// The commands that trim a range.
pub(crate) fn trims<'a>(offset_bytes: u64, count_bytes: u64) -> impl Iterator<Item = Command<'a>> {
    split(offset_bytes, count_bytes).map(|(offset_bytes, count)| Command::Trim { offset_bytes, count })
}

/// Changes in the order in which they returned.
#[derive(Default)]
pub(crate) struct Unflushed {
    /// With their numbers, which ascend.
    changes: Vec<(u64, Arc<Vec<Change>>)>,
    next: u64,
    kept_bytes: usize,
}

impl Unflushed {
    /// False when a flush should come first, so that not too much is kept.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        self.kept_bytes + bytes <= MOST_KEPT_BYTES
    }

    pub(crate) fn keep(&mut self, changes: Vec<Change>) {
        self.kept_bytes += changes.iter().map(Change::kept_bytes).sum::<usize>();
        self.changes.push((self.next, Arc::new(changes)));
        self.next += 1;
    }

    /// All changes so far are below.
    pub(crate) fn mark(&self) -> u64 {
        self.next
    }

    /// Everything below `mark` is durable.
    pub(crate) fn forget(&mut self, mark: u64) {
        self.changes.retain(|(number, _)| *number >= mark);
        let kept = self.changes.iter().flat_map(|(_, changes)| changes.iter());
        self.kept_bytes = kept.map(Change::kept_bytes).sum();
    }

    pub(crate) fn all(&self) -> Vec<Arc<Vec<Change>>> {
        let mut all: Vec<_> = self.changes.iter().map(|(_, changes)| Arc::clone(changes)).collect();
        if Mistake::SentAgainBackwards.is_made() {
            all.reverse();
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flush_covers_what_returned_before_it_began_and_nothing_else() {
        let write = |byte| vec![Change::Write { offset_bytes: 0, bytes: vec![byte; 512] }];
        let mut unflushed = Unflushed::default();
        unflushed.keep(write(1));
        let mark = unflushed.mark();
        unflushed.keep(write(2));
        unflushed.forget(mark);
        let left = unflushed.all();
        assert!(matches!(&left[..], [only] if matches!(&only[..], [Change::Write { bytes, .. }] if bytes[0] == 2)));
        assert!(unflushed.has_room_for(MOST_KEPT_BYTES - 512) && !unflushed.has_room_for(MOST_KEPT_BYTES - 511));
    }
}
