//! The superblock of a cache and the label of a disk: one record format, two copies of each.

use super::Note;
use crate::error::{Device, Refusal};
use std::fmt;

/// Size of a record: one sector, so that it is written as a whole.
pub const RECORD_BYTES: usize = 512;

/// The version that is written. Records of version 1 are understood, but the pair they belong to is not opened. Those of versions 2 and 3 are
/// the same but for this number, which keeps programs that know no mask, or a smaller one, away from a disk that they cannot read.
pub const VERSION: u32 = 4;
/// The last version whose disks had the smaller mask.
pub const SMALL_MASK_VERSION: u32 = 3;
/// The last version whose disks had none.
pub const WITHOUT_MASK_VERSION: u32 = 2;
const FIRST_VERSION: u32 = 1;
const LABEL_WRITTEN_AT: usize = 98;
const CHECKSUM_AT: usize = RECORD_BYTES - 4;

/// The identity of a cache or disk: 128 random bits; all zero means "none".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Id(pub [u8; 16]);

impl Id {
    /// No identity.
    pub const NONE: Self = Self([0; 16]);

    /// Four bytes that stand in every item of a cache.
    pub(crate) fn tag(self) -> u32 {
        u32::from_le_bytes([self.0[0], self.0[1], self.0[2], self.0[3]])
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How far a cache is in its life. A label is [`Stage::Active`] or [`Stage::Released`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The devices are being prepared.
    Creating = 1,
    /// In use.
    Active = 2,
    /// Everything is on the disk; its label is about to be changed.
    Detaching = 3,
    /// No longer bound to a disk.
    Detached = 4,
    /// One of the devices became larger, and is being prepared for it.
    Growing = 5,
    /// In a label only: the disk was taken from a cache that is lost.
    Released = 6,
}

/// The identity and size of a device and of its partner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The higher of two copies counts.
    pub generation: u64,
    /// The cache.
    pub cache: Id,
    /// The disk.
    pub disk: Id,
    /// The stage.
    pub stage: Stage,
    /// Counts the times that the pair was opened.
    pub session: u64,
    /// Size of the cache medium.
    pub medium_bytes: u64,
    /// Size of the disk.
    pub disk_bytes: u64,
    /// At stage growing, the sizes to come; else 0.
    pub next_medium_bytes: u64,
    /// As above.
    pub next_disk_bytes: u64,
    /// All items are in the order of their commits: the cache is in mode ordered since it was last empty. In a label: the disk
    /// alone is in that order.
    pub ordered: bool,
    /// In a superblock: the label of this session is written, so that a label of the session before is of an older copy of the disk.
    pub label_written: bool,
    /// In a label, what is worth knowing when the cache is lost.
    pub note: Note,
}

/// A record as its 512 bytes were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordState {
    /// All zero.
    Blank,
    /// A record.
    Valid(Record),
    /// A record of version 1.
    Outdated(Record),
    /// Our magic, but the checksum or a field is wrong.
    Damaged,
    /// Our magic, and a version that is not known.
    Version(u32),
    /// Something else's data.
    Foreign,
}

const fn magic(device: Device) -> &'static [u8; 8] {
    match device {
        Device::Cache => b"HALOCACH",
        Device::Disk => b"HALODISK",
    }
}

impl Record {
    /// The bytes of a superblock or label.
    pub fn encode(&self, device: Device) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[0..8].copy_from_slice(magic(device));
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(self.stage as u32).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.generation.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.cache.0);
        bytes[40..56].copy_from_slice(&self.disk.0);
        bytes[56..64].copy_from_slice(&self.session.to_le_bytes());
        bytes[64..72].copy_from_slice(&self.medium_bytes.to_le_bytes());
        bytes[72..80].copy_from_slice(&self.disk_bytes.to_le_bytes());
        bytes[80..88].copy_from_slice(&self.next_medium_bytes.to_le_bytes());
        bytes[88..96].copy_from_slice(&self.next_disk_bytes.to_le_bytes());
        bytes[96] = u8::from(self.ordered);
        bytes[LABEL_WRITTEN_AT] = u8::from(self.label_written && device == Device::Cache);
        self.note.encode(&mut bytes);
        let checksum = crc32c::crc32c(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a superblock or label.
    pub fn decode(bytes: &[u8; RECORD_BYTES], device: Device) -> RecordState {
        if bytes.iter().all(|&byte| byte == 0) {
            return RecordState::Blank;
        }
        let checksum_fits = crc32c::crc32c(&bytes[..CHECKSUM_AT]).to_le_bytes() == bytes[CHECKSUM_AT..];
        if &bytes[0..8] != magic(device) {
            return RecordState::Foreign;
        }
        if !checksum_fits {
            return RecordState::Damaged;
        }
        let u64_at = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let id_at = |at: usize| {
            let mut id = [0; 16];
            id.copy_from_slice(&bytes[at..at + 16]);
            Id(id)
        };
        let version = u64_at(8) as u32;
        if !(FIRST_VERSION..=VERSION).contains(&version) {
            return RecordState::Version(version);
        }
        let counts = version >= WITHOUT_MASK_VERSION;
        let stage = match (u64_at(8) >> 32) as u32 {
            1 => Stage::Creating,
            2 => Stage::Active,
            3 => Stage::Detaching,
            4 => Stage::Detached,
            5 => Stage::Growing,
            6 if device == Device::Disk && counts => Stage::Released,
            _ => return RecordState::Damaged,
        };
        let (generation, session) = (u64_at(16), u64_at(56));
        // There is always a higher one.
        if generation >= 1 << 63 || session >= 1 << 63 {
            return RecordState::Damaged;
        }
        let record = Self {
            generation,
            cache: id_at(24),
            disk: id_at(40),
            stage,
            session,
            medium_bytes: u64_at(64),
            disk_bytes: u64_at(72),
            next_medium_bytes: u64_at(80),
            next_disk_bytes: u64_at(88),
            ordered: bytes[96] != 0,
            label_written: bytes[LABEL_WRITTEN_AT] != 0 && device == Device::Cache,
            note: if counts { Note::decode(bytes) } else { Note::default() },
        };
        if counts { RecordState::Valid(record) } else { RecordState::Outdated(record) }
    }
}

/// The version that a record says it has, whatever else is wrong with it.
pub fn version_of(bytes: &[u8; RECORD_BYTES]) -> u32 {
    u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]])
}

impl RecordState {
    /// Chooses between two copies: the one that counts, or the reason why there is none.
    ///
    /// Of two whole copies the one of the higher generation counts. Of superblocks with different ids it is the first: the second one
    /// lies at the end of the device, where an earlier cache of another size may have left its own.
    pub fn newest(copies: [Self; 2], device: Device) -> Result<Record, Refusal> {
        match copies {
            [Self::Valid(first), Self::Valid(second)] if second.supersedes(&first, device) => Ok(second),
            [Self::Valid(record), _] | [_, Self::Valid(record)] => Ok(record),
            [Self::Outdated(_), _] | [_, Self::Outdated(_)] => Err(Refusal::Version { device, version: FIRST_VERSION }),
            [Self::Version(version), _] | [_, Self::Version(version)] => Err(Refusal::Version { device, version }),
            [Self::Damaged, _] | [_, Self::Damaged] => Err(Refusal::RecordDamaged(device)),
            [Self::Blank | Self::Foreign, Self::Blank | Self::Foreign] => Err(Refusal::NotHalo(device)),
        }
    }

    /// As [`RecordState::newest`], for what must be known of a pair that is not opened: a record of version 1 counts, too.
    pub fn newest_of_any_version(copies: [Self; 2], device: Device) -> Result<Record, Refusal> {
        Self::newest(copies, device).or_else(|refusal| match copies {
            [Self::Outdated(first), Self::Outdated(second)] if second.supersedes(&first, device) => Ok(second),
            [Self::Outdated(record), _] | [_, Self::Outdated(record)] => Ok(record),
            _ => Err(refusal),
        })
    }
}

impl Record {
    fn supersedes(&self, first: &Self, device: Device) -> bool {
        self.generation > first.generation && (device == Device::Disk || self.cache == first.cache)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Lacks, Place};
    use crate::settings::Mode;

    const LACKS: Lacks = Lacks { at_seconds: 10, blocks: 11, since_seconds: 12 };
    const RECORD: Record = Record {
        generation: 3,
        cache: Id([1; 16]),
        disk: Id([2; 16]),
        stage: Stage::Active,
        session: 4,
        medium_bytes: 5,
        disk_bytes: 6,
        next_medium_bytes: 7,
        next_disk_bytes: 8,
        ordered: true,
        label_written: false,
        note: Note { mode: Some(Mode::Ordered), at_seconds: 9, lost: Id([3; 16]), place: Place::UNKNOWN, lacks: LACKS },
    };

    #[test]
    fn a_record_is_read_as_it_was_written_and_only_in_its_role() {
        for device in [Device::Cache, Device::Disk] {
            assert_eq!(Record::decode(&RECORD.encode(device), device), RecordState::Valid(RECORD));
        }
        let written = Record { label_written: true, ..RECORD };
        let read = |device| Record::decode(&written.encode(device), device);
        assert_eq!([read(Device::Cache), read(Device::Disk)], [written, RECORD].map(RecordState::Valid));
        assert_eq!(Record::decode(&RECORD.encode(Device::Disk), Device::Cache), RecordState::Foreign);
        assert_eq!(Record::decode(&[0; 512], Device::Cache), RecordState::Blank);
    }

    #[test]
    fn no_changed_byte_leaves_a_valid_record() {
        let bytes = RECORD.encode(Device::Cache);
        for at in 0..RECORD_BYTES {
            let mut changed = bytes;
            changed[at] ^= 0x40;
            assert!(!matches!(Record::decode(&changed, Device::Cache), RecordState::Valid(_)), "byte {at}");
        }
    }

    fn of_version(version: u8, device: Device) -> [u8; RECORD_BYTES] {
        let mut bytes = RECORD.encode(device);
        bytes[8] = version;
        let checksum = crc32c::crc32c(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn a_later_version_is_named() {
        let state = Record::decode(&of_version(5, Device::Cache), Device::Cache);
        assert_eq!(state, RecordState::Version(5));
        let refusal = RecordState::newest([state, RecordState::Blank], Device::Cache).unwrap_err();
        assert!(refusal.to_string().contains("version 5"), "{refusal}");
    }

    #[test]
    fn a_record_of_version_2_or_3_counts_and_is_written_with_version_4() {
        for device in [Device::Cache, Device::Disk] {
            for version in [2, 3] {
                assert_eq!(Record::decode(&of_version(version, device), device), RecordState::Valid(RECORD));
                assert_eq!(version_of(&of_version(version, device)), u32::from(version));
            }
            assert_eq!(RECORD.encode(device)[8..12], [4, 0, 0, 0]);
        }
    }

    #[test]
    fn a_record_of_version_1_is_understood_and_says_what_to_do() {
        let copies = [Record::decode(&of_version(1, Device::Disk), Device::Disk), RecordState::Blank];
        let found = RecordState::newest_of_any_version(copies, Device::Disk).unwrap();
        assert_eq!(found, Record { note: Note::default(), ..RECORD });
        let refusal = RecordState::newest(copies, Device::Disk).unwrap_err();
        assert!(refusal.to_string().contains("detach it with the program that made it"), "{refusal}");
    }

    #[test]
    fn a_superblock_that_an_earlier_cache_left_at_the_end_does_not_count() {
        let left = RecordState::Valid(Record { generation: 900, cache: Id([7; 16]), ..RECORD });
        let ours = RecordState::Valid(RECORD);
        assert_eq!(RecordState::newest([ours, left], Device::Cache), Ok(RECORD));
    }

    #[test]
    fn only_a_label_says_that_the_disk_was_released() {
        let released = Record { stage: Stage::Released, ..RECORD };
        assert_eq!(Record::decode(&released.encode(Device::Disk), Device::Disk), RecordState::Valid(released));
        assert_eq!(Record::decode(&released.encode(Device::Cache), Device::Cache), RecordState::Damaged);
    }

    #[test]
    fn the_newer_valid_copy_counts() {
        let newer = RecordState::Valid(Record { generation: 4, ..RECORD });
        let older = RecordState::Valid(RECORD);
        for copies in [[newer, older], [older, newer], [newer, RecordState::Damaged], [RecordState::Damaged, newer]] {
            assert_eq!(RecordState::newest(copies, Device::Disk).map(|record| record.generation), Ok(4));
        }
    }
}
