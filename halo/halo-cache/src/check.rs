//! Looks at every item and all data of a cache that nobody uses. Writes nothing.

use crate::cache::Cache;
use crate::error::{CacheError, Device};
use crate::format::{ITEM_BYTES, Item, ItemState, Layout, RecordState, Stage};
use crate::identity::{Pair, copies, verify};
use crate::planted::Planted;
use crate::recovery::can_be_torn;
use crate::repair::RecordCopies;
use crate::roles::explain;
use crate::settings::Mode;
use halo_core::address::BLOCK_BYTES;
use halo_core::{Lbn, Slot};
use halo_media::Medium;
use std::collections::HashSet;

/// The result of a check. Of superblock and label one copy each is right, or there would be an error instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckReport {
    /// The stage in the superblock.
    pub stage: Stage,
    /// Counts the times that the pair was opened.
    pub session: u64,
    /// Copies of superblock and label.
    pub copies: RecordCopies,
    /// Slots.
    pub slots: u64,
    /// Slots whose item is empty.
    pub empty_items: u64,
    /// Items that are right in every field.
    pub valid_items: u64,
    /// Of those, blocks of zeros.
    pub zero_items: u64,
    /// Different blocks among them; other items are older copies.
    pub blocks: u64,
    /// Slots whose item a power loss tore, where it can: no damage, as none was of an acknowledged write.
    pub torn_items: u64,
    /// Slots whose item is neither empty nor right, on a medium that writes items as a whole; the first hundred.
    pub damaged_items: Vec<u32>,
    /// All of those.
    pub damaged_item_count: u64,
    /// Blocks, of any version, whose data cannot be read, or does not match its checksum; the first hundred.
    pub damaged_data: Vec<Lbn>,
    /// All of those.
    pub damaged_data_count: u64,
}

impl CheckReport {
    /// True when nothing is damaged.
    pub fn is_clean(&self) -> bool {
        self.damaged_item_count == 0 && self.damaged_data_count == 0 && self.copies.damaged() == 0
    }
}

/// How far a check got, for showing its progress.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// Slots looked at.
    pub slots: u64,
    /// Of so many.
    pub of_slots: u64,
}

const NAMED: usize = 100;
const CHUNK_ITEMS: u32 = 4096;

/// An item of these bytes is neither empty nor right.
const DAMAGED: u8 = 0xff;

impl<M: Medium, D: Medium> Cache<M, D> {
    /// The mode in which a cache that is not open keeps what it promised when it was used last: [`Mode::Ordered`] if its items
    /// are in order, else [`Mode::Flush`].
    ///
    /// # Errors
    /// The medium has no superblock, or failed.
    pub fn mode_on(medium: &M, disk: &D) -> Result<Mode, CacheError> {
        let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
        let superblock = RecordState::newest(copies(medium, Device::Cache, &layout)?, Device::Cache)
            .map_err(|refusal| explain(refusal, medium))?;
        Ok(if superblock.ordered { Mode::Ordered } else { Mode::Flush })
    }

    /// Checks a pair that is not open: superblock, label, all items, and, with `data`, the data of every valid item.
    ///
    /// # Errors
    /// [`CacheError::Refused`] when the two do not belong together; a device failed. Damage is no error but in the report.
    pub fn check(
        medium: &M,
        disk: &D,
        data: bool,
        mut progress: impl FnMut(Checked),
    ) -> Result<CheckReport, CacheError> {
        let pair = verify(medium, disk, Planted::NONE)?;
        let Pair { layout, superblock, .. } = pair;
        let mut report = CheckReport {
            stage: superblock.stage,
            session: superblock.session,
            copies: RecordCopies::of(&pair),
            slots: u64::from(layout.slots()),
            empty_items: 0,
            valid_items: 0,
            zero_items: 0,
            blocks: 0,
            torn_items: 0,
            damaged_items: Vec::new(),
            damaged_item_count: 0,
            damaged_data: Vec::new(),
            damaged_data_count: 0,
        };
        let mut blocks = HashSet::new();
        let mut content = vec![0; BLOCK_BYTES];
        each_item(medium, &layout, superblock.cache.tag(), |slot, item| {
            match item {
                ItemState::Empty => report.empty_items += 1,
                ItemState::Damaged if can_be_torn(medium) => report.torn_items += 1,
                ItemState::Damaged => report.note_damaged_item(slot),
                ItemState::Valid(item) => {
                    report.valid_items += 1;
                    report.zero_items += u64::from(item.zeros);
                    blocks.insert(item.lbn);
                    if data && !item.zeros {
                        // A block that cannot be read counts as damaged, as long as others can be read.
                        let read = medium.read_at(layout.data_offset_bytes(slot), &mut content);
                        if read.is_err() || crc32c::crc32c(&content) != item.data_checksum {
                            report.note_damaged_data(item.lbn);
                        }
                    }
                }
            }
            if (slot.0 + 1).is_multiple_of(CHUNK_ITEMS) || slot.0 + 1 == layout.slots() {
                progress(Checked { slots: u64::from(slot.0 + 1), of_slots: u64::from(layout.slots()) });
            }
            Ok(())
        })?;
        report.blocks = blocks.len() as u64;
        Ok(report)
    }
}

/// Looks at the items of all slots, one after the other, of a cache that nobody uses.
pub(crate) fn each_item(
    medium: &impl Medium,
    layout: &Layout,
    tag: u32,
    mut look: impl FnMut(Slot, ItemState) -> Result<(), CacheError>,
) -> Result<(), CacheError> {
    let mut chunk = vec![0; CHUNK_ITEMS as usize * ITEM_BYTES];
    for from in (0..layout.slots()).step_by(CHUNK_ITEMS as usize) {
        let count = CHUNK_ITEMS.min(layout.slots() - from);
        let bytes = &mut chunk[..count as usize * ITEM_BYTES];
        read_items(medium, layout, Slot(from), bytes)?;
        for (slot, item) in (from..).map(Slot).zip(bytes.as_chunks().0) {
            look(slot, Item::decode(item, slot, tag, layout.blocks()))?;
        }
    }
    Ok(())
}

/// Reads the items of slots that follow each other. An item that cannot be read counts as damaged, as long as others can be read.
pub(crate) fn read_items(
    medium: &impl Medium,
    layout: &Layout,
    first: Slot,
    bytes: &mut [u8],
) -> Result<(), CacheError> {
    let Err(error) = medium.read_at(layout.item_offset_bytes(first), bytes) else { return Ok(()) };
    let mut any_read = false;
    for (slot, item) in (first.0..).map(Slot).zip(bytes.chunks_exact_mut(ITEM_BYTES)) {
        if medium.read_at(layout.item_offset_bytes(slot), item).is_ok() {
            any_read = true;
        } else {
            item.fill(DAMAGED);
        }
    }
    if any_read { Ok(()) } else { Err(CacheError::io(Device::Cache, "reading items")(error)) }
}

impl CheckReport {
    fn note_damaged_item(&mut self, slot: Slot) {
        self.damaged_item_count += 1;
        if self.damaged_items.len() < NAMED {
            self.damaged_items.push(slot.0);
        }
    }

    fn note_damaged_data(&mut self, lbn: Lbn) {
        self.damaged_data_count += 1;
        if self.damaged_data.len() < NAMED {
            self.damaged_data.push(lbn);
        }
    }
}
