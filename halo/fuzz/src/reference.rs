//! A second reading of `FORMAT.md`, field by field, to compare the cache's own with.

/// An item that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ItemFields {
    pub(crate) block: u64,
    pub(crate) commit: u64,
    pub(crate) sectors: u8,
    pub(crate) zeros: bool,
    pub(crate) data_checksum: u32,
}

/// The kind of an item's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Empty,
    Whole(ItemFields),
    Damaged,
}

/// The fields of a superblock or label that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordFields {
    pub(crate) stage: u32,
    pub(crate) generation: u64,
    pub(crate) cache: [u8; 16],
    pub(crate) disk: [u8; 16],
    pub(crate) session: u64,
    /// Cache medium, disk, and both to come.
    pub(crate) sizes_bytes: [u64; 4],
    pub(crate) ordered: bool,
    pub(crate) label_written: bool,
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a range of this length")
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

/// CRC-32C of an item: its first 28 bytes, then the number of its slot.
pub(crate) fn item_checksum(bytes: &[u8; 32], slot: u32) -> u32 {
    let mut covered = bytes[..28].to_vec();
    covered.extend(slot.to_le_bytes());
    crc32c::crc32c(&covered)
}

/// Section "Items".
pub(crate) fn item(bytes: &[u8; 32], slot: u32, tag: u32, blocks: u64) -> Item {
    if *bytes == [0; 32] {
        return Item::Empty;
    }
    let fields = ItemFields {
        block: u64_at(bytes, 0),
        commit: u64_at(bytes, 8),
        sectors: bytes[16],
        zeros: bytes[17] == 1,
        data_checksum: u32_at(bytes, 24),
    };
    let of_zeros = fields.sectors == 0xff && fields.data_checksum == crc32c::crc32c(&[0; 4096]);
    let right = fields.block < blocks
        && fields.commit >= 1
        && fields.commit < 1 << 63
        && fields.sectors != 0
        && (bytes[17] == 0 || bytes[17] == 1 && of_zeros)
        && bytes[18..20] == [0, 0]
        && u32_at(bytes, 20) == tag
        && u32_at(bytes, 28) == item_checksum(bytes, slot);
    if right { Item::Whole(fields) } else { Item::Damaged }
}

/// Section "Superblock and label"; nothing for bytes that do not count.
pub(crate) fn record(bytes: &[u8; 512], magic: [u8; 8]) -> Option<RecordFields> {
    let stage = u32_at(bytes, 12);
    let (generation, session) = (u64_at(bytes, 16), u64_at(bytes, 56));
    let counts = bytes[..8] == magic
        && u32_at(bytes, 508) == crc32c::crc32c(&bytes[..508])
        && matches!(u32_at(bytes, 8), 2..=4)
        && (1..=if magic == *b"HALODISK" { 6 } else { 5 }).contains(&stage)
        && generation < 1 << 63
        && session < 1 << 63;
    counts.then(|| RecordFields {
        stage,
        generation,
        cache: array(bytes, 24),
        disk: array(bytes, 40),
        session,
        sizes_bytes: [64, 72, 80, 88].map(|at| u64_at(bytes, at)),
        ordered: bytes[96] != 0,
        label_written: bytes[98] != 0 && magic == *b"HALOCACH",
    })
}
