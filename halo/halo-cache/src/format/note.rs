//! The note in a label, beside the identities: facts for an operator whose cache is lost.

use super::Id;
use crate::settings::Mode;
use std::fmt;

/// The longest name of a cache that a label keeps.
pub const PLACE_BYTES: usize = 160;

/// The name under which a cache was opened last; empty when it is not known, or longer than [`PLACE_BYTES`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Place([u8; PLACE_BYTES]);

impl Place {
    /// Not known.
    pub const UNKNOWN: Self = Self([0; PLACE_BYTES]);

    /// The name, if there is room for it: half a name would be another one.
    pub fn named(name: &str) -> Self {
        let mut bytes = [0; PLACE_BYTES];
        if name.len() <= PLACE_BYTES && !name.contains('\0') {
            bytes[..name.len()].copy_from_slice(name.as_bytes());
        }
        Self(bytes)
    }

    /// The name; nothing when it is not known.
    pub fn name(&self) -> Option<&str> {
        let end = self.0.iter().position(|&byte| byte == 0).unwrap_or(PLACE_BYTES);
        std::str::from_utf8(&self.0[..end]).ok().filter(|name| !name.is_empty())
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.name(), f)
    }
}

/// In a label, who used the disk last, or gave it up. In a superblock all of it is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// The mode of the last session.
    pub mode: Option<Mode>,
    /// When that session began, or when the disk was released: seconds since 1970, UTC; 0 when it is not known.
    pub at_seconds: u64,
    /// The cache that the disk was released from.
    pub lost: Id,
    /// Where the cache was.
    pub place: Place,
    /// The blocks that the disk lacked at the last note.
    pub lacks: Lacks,
}

/// The blocks of its cache that a disk lacked when the server noted it last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lacks {
    /// When that was: seconds since 1970, UTC; 0 when nobody did.
    pub at_seconds: u64,
    /// Blocks.
    pub blocks: u64,
    /// The disk has everything that was flushed before: seconds since 1970, UTC; 0 when not known.
    pub since_seconds: u64,
}

const MODE_AT: usize = 97;
const SECONDS_AT: usize = 104;
const LOST_AT: usize = 112;
const PLACE_AT: usize = 128;
const LACKS_AT: usize = PLACE_AT + PLACE_BYTES;

impl Note {
    pub(super) fn encode(&self, record: &mut [u8]) {
        record[MODE_AT] = match self.mode {
            None => 0,
            Some(Mode::Flush) => 1,
            Some(Mode::Strict) => 2,
            Some(Mode::Ordered) => 3,
        };
        record[SECONDS_AT..LOST_AT].copy_from_slice(&self.at_seconds.to_le_bytes());
        record[LOST_AT..PLACE_AT].copy_from_slice(&self.lost.0);
        record[PLACE_AT..LACKS_AT].copy_from_slice(&self.place.0);
        let Lacks { at_seconds, blocks, since_seconds } = self.lacks;
        for (place, field) in record[LACKS_AT..].chunks_exact_mut(8).zip([at_seconds, blocks, since_seconds]) {
            place.copy_from_slice(&field.to_le_bytes());
        }
    }

    /// Unknown fields are empty: a note is for people, and no reason to refuse a disk.
    pub(super) fn decode(record: &[u8]) -> Self {
        let mut note = Self {
            mode: match record[MODE_AT] {
                1 => Some(Mode::Flush),
                2 => Some(Mode::Strict),
                3 => Some(Mode::Ordered),
                _ => None,
            },
            ..Self::default()
        };
        let u64_at = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&record[at..at + 8]);
            u64::from_le_bytes(word)
        };
        note.at_seconds = u64_at(SECONDS_AT);
        let [at_seconds, blocks, since_seconds] = [0, 8, 16].map(|at| u64_at(LACKS_AT + at));
        note.lacks = Lacks { at_seconds, blocks, since_seconds };
        note.lost.0.copy_from_slice(&record[LOST_AT..PLACE_AT]);
        note.place.0.copy_from_slice(&record[PLACE_AT..LACKS_AT]);
        note
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_whole_or_not_at_all() {
        let longest = "x".repeat(PLACE_BYTES);
        assert_eq!(Place::named(&longest).name(), Some(&longest[..]));
        for unkept in ["", "a\0b", &"x".repeat(PLACE_BYTES + 1)] {
            assert_eq!(Place::named(unkept).name(), None);
        }
    }
}
