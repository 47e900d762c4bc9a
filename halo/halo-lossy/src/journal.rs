//! Writes and syncs, in the order in which they happened.
//!
//! Records: a byte for the kind, an offset and a count of eight bytes each, and behind a write the bytes that it overwrote. A record stands
//! before its write is carried out, so that a kill between the two does no harm.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const HEADER_BYTES: usize = 17;

/// One thing that happened.
#[derive(Debug, PartialEq, Eq)]
pub enum Record {
    /// A range is about to be changed; what it held.
    Change {
        /// Where.
        offset_bytes: u64,
        /// The bytes before the write.
        before: Vec<u8>,
    },
    /// A sync began.
    SyncBegan,
    /// A sync ended that covers the first so many bytes of the journal.
    SyncEnded {
        /// How long the journal was when it began.
        covers_bytes: u64,
    },
    /// A sync failed that should have covered the first so many bytes. Those of them that no earlier one covers are lost for good: as with
    /// Linux, no later one writes them again.
    SyncFailed {
        /// How long the journal was when it began.
        covers_bytes: u64,
    },
}

impl Record {
    /// As it stands in the journal.
    pub fn encode(&self) -> Vec<u8> {
        let (kind, number, bytes) = match self {
            Self::Change { offset_bytes, before } => (1, *offset_bytes, &before[..]),
            Self::SyncBegan => (2, 0, &[][..]),
            Self::SyncEnded { covers_bytes } => (3, *covers_bytes, &[][..]),
            Self::SyncFailed { covers_bytes } => (4, *covers_bytes, &[][..]),
        };
        let mut record = vec![kind];
        record.extend_from_slice(&number.to_le_bytes());
        record.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        record.extend_from_slice(bytes);
        record
    }
}

/// The records of a journal with their places; a last one that a kill cut short is left out, for its write was not carried out.
///
/// # Errors
/// It cannot be read, or is none. One that is missing is empty: nothing was written.
pub fn read(path: &Path) -> io::Result<Vec<(u64, Record)>> {
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(mut file) => drop(file.read_to_end(&mut bytes)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut records = Vec::new();
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + HEADER_BYTES) {
        let word = |from: usize| (0..8).rev().fold(0, |word, byte| word << 8 | u64::from(header[from + byte]));
        let (number, count) = (word(1), word(9) as usize);
        let body = at + HEADER_BYTES;
        let Some(before) = bytes.get(body..body + count) else { break };
        let record = match header[0] {
            1 => Record::Change { offset_bytes: number, before: before.to_vec() },
            2 => Record::SyncBegan,
            3 => Record::SyncEnded { covers_bytes: number },
            4 => Record::SyncFailed { covers_bytes: number },
            kind => return Err(io::Error::other(format!("{}: a record of kind {kind} at {at}", path.display()))),
        };
        records.push((at as u64, record));
        at = body + count;
    }
    Ok(records)
}

/// Syncs that have begun.
///
/// # Errors
/// As for [`read`].
pub fn syncs_begun(path: &Path) -> io::Result<usize> {
    Ok(read(path)?.iter().filter(|(_, record)| *record == Record::SyncBegan).count())
}
