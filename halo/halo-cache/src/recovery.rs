//! Rebuilding what was in memory from the items on the medium.
//!
//! Nothing but DRAM changes here, so that an interruption needs no care: superseded copies that are found are cleared by
//! the first commit like any others. Of several copies of a block the one with the highest sequence number counts; that
//! it is on the medium at all shows that its data was durable before it.

use crate::cache::Cache;
use crate::check::read_items;
use crate::error::{CacheError, Device, Refusal};
use crate::format::{ITEM_BYTES, Item, ItemState};
use crate::planted::Bug;
use halo_core::{CachedBlock, Lbn, SectorMask, Slot};
use halo_media::Medium;

/// The result of recovery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recovery {
    /// Blocks that the cache holds.
    pub blocks: u64,
    /// Older copies of those.
    pub superseded: u64,
    /// Items that were neither empty nor whole, and were dropped.
    pub damaged_items: u64,
}

/// Items that are read, and looked up, at a time. Own: their places in the tables are brought into the processor's caches
/// first, so that the cache misses of a group overlap instead of adding up.
const GROUP_ITEMS: usize = 32;
const CHUNK_ITEMS: usize = 1 << 15;

pub(crate) fn rebuild<M: Medium, D: Medium>(cache: &mut Cache<M, D>) -> Result<Recovery, CacheError> {
    let mut recovery = Recovery::default();
    let mut first_damaged = None;
    let mut chunk = vec![0; CHUNK_ITEMS * ITEM_BYTES];
    let mut group = Vec::with_capacity(GROUP_ITEMS);
    let slots = cache.layout.slots();
    let mut from = 0;
    while from < slots {
        let count = (slots - from).min(CHUNK_ITEMS as u32);
        let bytes = &mut chunk[..count as usize * ITEM_BYTES];
        read_items(&cache.medium, &cache.layout, Slot(from), bytes)?;
        for (slot, item) in (from..).map(Slot).zip(bytes.chunks_exact(ITEM_BYTES)) {
            match decode(cache, slot, item) {
                ItemState::Empty => {}
                ItemState::Valid(item) => group.push((slot, item)),
                ItemState::Damaged => {
                    first_damaged = first_damaged.or(Some(slot));
                    recovery.damaged_items += 1;
                    cache.slots.take_to_be_cleared(slot);
                }
            }
            if group.len() == GROUP_ITEMS {
                adopt_group(cache, &mut group, &mut recovery)?;
            }
        }
        adopt_group(cache, &mut group, &mut recovery)?;
        from += if cache.settings.planted.has(Bug::RecoveryStopsEarly) { slots } else { count };
    }
    cache.epochs.put_in_order();
    recovery.blocks = cache.directory.len();
    refuse_damage(cache, first_damaged, &recovery)?;
    Ok(recovery)
}

/// A damaged item may have been that of an acknowledged write, whose loss must not go unnoticed. Only where items can be
/// torn (units smaller than an item) does a damaged one mean nothing: it was never acknowledged.
fn refuse_damage<M: Medium, D: Medium>(
    cache: &Cache<M, D>,
    first_damaged: Option<Slot>,
    recovery: &Recovery,
) -> Result<(), CacheError> {
    let accepted = cache.settings.accept_damaged_items || cache.settings.planted.has(Bug::DropDamagedItems);
    match first_damaged {
        Some(slot) if !can_be_torn(&cache.medium) && !accepted => {
            Err(Refusal::ItemsDamaged { count: recovery.damaged_items, first_slot: slot.0 }.into())
        }
        _ => Ok(()),
    }
}

/// True where a power loss may leave a part of an item; the commit that it was of never ended.
pub(crate) fn can_be_torn(medium: &impl Medium) -> bool {
    medium.atomic_write_bytes() < ITEM_BYTES
}

/// True when a damaged item was dropped, as the operator accepted, that may have been of an acknowledged write.
pub(crate) fn may_have_dropped_a_write<M: Medium, D: Medium>(cache: &Cache<M, D>) -> bool {
    cache.recovery.damaged_items > 0 && !can_be_torn(&cache.medium)
}

fn adopt_group<M: Medium, D: Medium>(
    cache: &mut Cache<M, D>,
    group: &mut Vec<(Slot, Item)>,
    recovery: &mut Recovery,
) -> Result<(), CacheError> {
    let warmed = group.iter().fold(0, |sum, (_, item)| sum ^ cache.directory.warm(item.lbn));
    std::hint::black_box(warmed);
    for (slot, item) in group.drain(..) {
        if adopt(cache, slot, item)? {
            recovery.superseded += 1;
        }
    }
    Ok(())
}

/// Takes one valid item over; true when it, or the copy it supersedes, is an older one.
fn adopt<M: Medium, D: Medium>(cache: &mut Cache<M, D>, slot: Slot, item: Item) -> Result<bool, CacheError> {
    let planted = cache.settings.planted;
    let zeros = item.zeros && !planted.has(Bug::RecoveryIgnoresZeros);
    cache.slots.take_with_item(slot, item.data_checksum, zeros);
    let mask = if planted.has(Bug::RecoveryIgnoresMask) { SectorMask::FULL } else { item.mask };
    let block = CachedBlock { lbn: item.lbn, slot, mask };
    let in_order = cache.record.ordered;
    if in_order {
        cache.epochs.find(item.sequence, &block);
    }
    if !planted.has(Bug::SequenceStartsAnew) {
        cache.commits.note_sequence(item.sequence);
    }
    // When it was written is not known: ages begin with the opening.
    let Some(other) = cache.directory.put_unless_found(block.lbn, block.slot, block.mask) else {
        cache.note_age(block, None);
        cache.slots.go_live(slot);
        return Ok(false);
    };
    // Two copies are rare, so the other's sequence is read again instead of being kept for all.
    let other_is_newer = sequence_of(cache, other.slot, item.lbn)? > item.sequence;
    let other_wins = other_is_newer != planted.has(Bug::OldestCopyWins);
    let loser = if other_wins { slot } else { other.slot };
    // In order, the disk is to take the older copy first.
    if !in_order && !planted.has(Bug::RecoveryKeepsSuperseded) {
        cache.slots.supersede(loser);
    }
    if !other_wins {
        cache.note_age(block, Some(other));
        cache.directory.put(block.lbn, block.slot, block.mask);
        cache.slots.go_live(slot);
    } else if in_order {
        cache.ages.begin(slot);
    }
    Ok(true)
}

fn sequence_of<M: Medium, D: Medium>(cache: &Cache<M, D>, slot: Slot, lbn: Lbn) -> Result<u64, CacheError> {
    let mut bytes = [0; ITEM_BYTES];
    cache
        .medium
        .read_at(cache.layout.item_offset_bytes(slot), &mut bytes)
        .map_err(CacheError::io(Device::Cache, "reading items"))?;
    match decode(cache, slot, &bytes) {
        ItemState::Valid(item) if item.lbn == lbn => Ok(item.sequence),
        // It was valid a moment ago: the medium does not return what it holds.
        _ => Err(Refusal::ItemsDamaged { count: 1, first_slot: slot.0 }.into()),
    }
}

fn decode<M: Medium, D: Medium>(cache: &Cache<M, D>, slot: Slot, bytes: &[u8]) -> ItemState {
    let Ok(bytes) = <&[u8; ITEM_BYTES]>::try_from(bytes) else { return ItemState::Damaged };
    let (tag, blocks) = (cache.record.cache.tag(), cache.layout.blocks());
    if cache.settings.planted.has(Bug::NoItemChecksum) && bytes.iter().any(|&byte| byte != 0) {
        return Item::decode_unchecked(bytes, tag, blocks);
    }
    Item::decode(bytes, slot, tag, blocks)
}
