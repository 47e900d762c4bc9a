//! A cache medium with sectors that cannot be read, and one that is dead while the power stays on.

use super::machine::{BLOCKS, Machine, Model, Ram, Verdict, with};
use crate::promise;
use halo_cache::format::Id;
use halo_cache::{Cache, CacheError, Mode, Planted, Settings};
use halo_core::{Lbn, Slot};
use halo_media::{Faulty, Medium, Survival};
use std::ops::Range;
use std::sync::Arc;

const NOTHING: Range<u64> = 0..0;
const EVERYTHING: Range<u64> = 0..u64::MAX;
const BLOCK_BYTES: u64 = 4096;

type Layer = Arc<Faulty<Ram>>;
type LayerCache = Cache<Layer, Ram>;

struct Bad {
    machine: Machine,
    medium: Layer,
    model: Model,
}

impl Bad {
    fn new(mode: Mode, planted: Planted) -> Self {
        let machine = Machine::new(400, 512, with(planted, Settings::new(mode)));
        let medium = Arc::new(Faulty::new(machine.medium.clone()));
        Self { machine, medium, model: Model::default() }
    }

    fn open(&self, settings: Settings) -> Result<LayerCache, String> {
        let opened = Cache::open(self.medium.clone(), self.machine.disk.clone(), settings);
        opened.map(|(cache, _)| cache).map_err(|error| error.to_string())
    }

    fn write(&mut self, cache: &mut LayerCache, block: u64) -> Verdict {
        let bytes = self.model.write(block * 8, 8);
        cache.write_durably(block * BLOCK_BYTES, &bytes).map_err(|error| error.to_string())?;
        self.model.flushed();
        Ok(())
    }

    /// A cache with all blocks, each of a flush of its own.
    fn written(&mut self) -> Result<LayerCache, String> {
        let mut cache = self.open(self.machine.settings)?;
        BLOCKS.into_iter().try_for_each(|block| self.write(&mut cache, block))?;
        Ok(cache)
    }

    fn says_in_order(&self) -> Result<bool, String> {
        Cache::<Ram, Ram>::bound(&self.machine.disk).map(|bound| bound.ordered).map_err(|error| error.to_string())
    }

    /// The same by each copy of the label, when nothing is left of the other.
    fn either_copy_says_in_order(&self) -> Result<bool, String> {
        let whole = self.machine.disk.snapshot();
        let mut says_so = false;
        for lost in [4096, 2048] {
            let mut bytes = whole.clone();
            let at = bytes.len() - lost;
            bytes[at..at + 512].fill(0);
            self.machine.disk.load(&bytes);
            says_so |= self.says_in_order()?;
        }
        self.machine.disk.load(&whole);
        Ok(says_so)
    }

    /// With the power gone and the medium well again, nothing is missing.
    fn recover(&self) -> Verdict {
        self.medium.fail_reads(NOTHING);
        self.machine.lose_power(Survival::Nothing, Survival::Nothing);
        let mut cache = self.open(self.machine.settings)?;
        cache.drain().map_err(|error| format!("draining with a well medium: {error}"))?;
        self.model.check_disk(&self.machine.disk)
    }
}

fn data_of(cache: &LayerCache, block: u64) -> Result<Range<u64>, String> {
    let slot = cache.slot_of(Lbn(block)).ok_or_else(|| format!("block {block} is not cached"))?;
    let at = cache.layout().data_offset_bytes(slot);
    Ok(at..at + 1)
}

/// One bad sector: its block stays and is named, all others reach the disk.
pub(crate) fn a_block_that_cannot_be_read_does_not_stop_the_others(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        let mut bad = Bad::new(mode, planted);
        let mut cache = bad.written()?;
        bad.medium.fail_reads(data_of(&cache, 0)?);
        let drained = cache.drain();
        promise!(matches!(drained, Err(CacheError::Damaged(Lbn(0)))), "{mode:?}: draining: {drained:?}");
        promise!(cache.dirty_blocks() == 1, "{mode:?}: {} blocks are left", cache.dirty_blocks());
        promise!(cache.status().damaged_slots == 1, "{mode:?}: {} damaged slots", cache.status().damaged_slots);
        promise!(cache.read(0, &mut [0; 512]).is_err(), "{mode:?}: what cannot be read was returned");
        drop(cache);
        bad.recover()?;
    }
    Ok(())
}

/// A write of a part of a block that cannot be read fails, as often as it is tried, and takes no room for good.
pub(crate) fn a_write_that_cannot_keep_the_rest_of_its_block_keeps_no_slot(planted: Planted) -> Verdict {
    let mut bad = Bad::new(Mode::Flush, planted);
    let mut cache = bad.written()?;
    bad.medium.fail_reads(data_of(&cache, 0)?);
    let free_slots = cache.room().free_slots;
    for _ in 0..3 {
        promise!(cache.write(512, &[1; 512]).is_err(), "a block was written of which a part is not known");
    }
    promise!(cache.room().free_slots == free_slots, "{} of {free_slots} slots are free", cache.room().free_slots);
    drop(cache);
    bad.recover()
}

/// A dead medium is one error: the cache gives no block up, and names no single one.
pub(crate) fn a_medium_that_reads_nothing_gives_no_block_up(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Ordered] {
        let mut bad = Bad::new(mode, planted);
        let mut cache = bad.written()?;
        bad.medium.fail_reads(EVERYTHING);
        let drained = cache.drain();
        promise!(matches!(drained, Err(CacheError::Io { .. })), "{mode:?}: draining a dead medium: {drained:?}");
        promise!(cache.status().damaged_slots == 0, "{mode:?}: single blocks of a dead medium count as damaged");
        promise!(cache.dirty_blocks() == 7, "{mode:?}: {} of 7 blocks", cache.dirty_blocks());
        bad.medium.fail_reads(NOTHING);
        cache.drain().map_err(|error| format!("{mode:?}: draining a medium that came back: {error}"))?;
        bad.model.check_disk(&bad.machine.disk)?;
    }
    Ok(())
}

/// The offline check names blocks and items in bad sectors; who accepts the loss gets everything else.
pub(crate) fn the_offline_check_names_what_cannot_be_read(planted: Planted) -> Verdict {
    let mut bad = Bad::new(Mode::Flush, planted);
    let cache = bad.written()?;
    let layout = *cache.layout();
    let data = data_of(&cache, 257)?;
    // A sector has 16 items.
    let (items, sixteen) = (layout.item_offset_bytes(Slot(0)), 0..16);
    let lost = BLOCKS.into_iter().filter(|&block| cache.slot_of(Lbn(block)).is_some_and(|slot| slot.0 < 16)).count();
    drop(cache);
    let check = |reads: Range<u64>| {
        bad.medium.fail_reads(reads);
        LayerCache::check(&bad.medium, &bad.machine.disk, true, |_| ()).map_err(|error| error.to_string())
    };
    let report = check(data)?;
    promise!(report.damaged_data == [Lbn(257)] && report.damaged_item_count == 0, "a bad sector of data: {report:?}");
    let report = check(items..items + 512)?;
    promise!(report.damaged_items == sixteen.collect::<Vec<u32>>(), "a bad sector of items: {report:?}");
    promise!(bad.open(bad.machine.settings).is_err(), "a cache was opened without sixteen of its items");
    let accepted = Settings { accept_damaged_items: true, ..bad.machine.settings };
    let cache = bad.open(accepted)?;
    promise!(lost > 0 && cache.dirty_blocks() == (7 - lost) as u64, "{} blocks, {lost} lost", cache.dirty_blocks());
    bad.medium.fail_reads(items..layout.data_offset_bytes(Slot(0)));
    promise!(bad.open(accepted).is_err(), "a cache was opened without any of its items");
    Ok(())
}

/// Once a copy was passed over, the disk does not say that it alone is in order, until it has everything.
pub(crate) fn after_a_gap_the_disk_is_not_said_to_be_in_order(planted: Planted) -> Verdict {
    let mut bad = Bad::new(Mode::Ordered, planted);
    let mut cache = bad.written()?;
    promise!(bad.says_in_order()?, "a disk that is in order does not say so");
    bad.medium.fail_reads(data_of(&cache, 2)?);
    let events = bad.machine.power.events();
    let batch = cache.begin_destage(usize::MAX).ok_or("nothing to destage")?;
    // The power goes before the first round behind the gap, or later: never is one there that the label knows nothing of.
    let outcome = batch.transfer(&bad.medium, &bad.machine.disk);
    cache.finish_destage(batch, outcome).map_err(|error| error.to_string())?;
    promise!(!bad.says_in_order()?, "blocks behind a gap are on a disk that says it is in order");
    promise!(!bad.either_copy_says_in_order()?, "one copy of the label knows nothing of the gap");
    promise!(bad.machine.power.events() > events, "nothing was written");
    let drained = cache.drain();
    promise!(matches!(drained, Err(CacheError::Damaged(Lbn(2)))), "draining: {drained:?}");
    // Opening does not close the gap.
    drop(cache);
    let mut cache = bad.open(bad.machine.settings)?;
    promise!(!bad.says_in_order()?, "an opening closed the gap");
    promise!(cache.drain().is_err() && !bad.says_in_order()?, "a drain without one block closed the gap");
    bad.write(&mut cache, 2)?;
    cache.drain().map_err(|error| format!("draining a healed cache: {error}"))?;
    promise!(bad.says_in_order()?, "a disk that has everything does not say that it is in order");
    bad.model.check_disk(&bad.machine.disk)?;
    bad.recover()
}

/// A label that is made anew may take the place of one that told of a gap.
pub(crate) fn after_a_gap_a_label_that_is_made_anew_does_not_say_that_the_disk_is_in_order(
    planted: Planted,
) -> Verdict {
    let mut bad = Bad::new(Mode::Ordered, planted);
    let mut cache = bad.written()?;
    bad.medium.fail_reads(data_of(&cache, 2)?);
    promise!(cache.drain().is_err() && !bad.says_in_order()?, "no gap was noted");
    drop(cache);
    let mut bytes = bad.machine.disk.snapshot();
    let end = bytes.len() - 4096;
    bytes[end..].fill(0x77);
    bad.machine.disk.load(&bytes);
    Cache::repair(&bad.medium, &bad.machine.disk, true, planted).map_err(|error| error.to_string())?;
    promise!(!bad.either_copy_says_in_order()?, "the label made anew knows nothing of the gap");
    let mut cache = bad.open(bad.machine.settings)?;
    promise!(!bad.says_in_order()?, "an opening closed the gap");
    bad.write(&mut cache, 2)?;
    cache.drain().map_err(|error| format!("draining a healed cache: {error}"))?;
    promise!(bad.says_in_order()?, "a disk that has everything does not say that it is in order");
    bad.model.check_disk(&bad.machine.disk)
}

/// A damaged item may have been of an acknowledged write: once it was dropped, the disk does not say that it alone is in order before it has
/// everything else.
pub(crate) fn after_an_item_was_dropped_the_disk_is_not_said_to_be_in_order(planted: Planted) -> Verdict {
    let mut bad = Bad::new(Mode::Ordered, planted);
    let cache = bad.written()?;
    let slot = cache.slot_of(Lbn(2)).ok_or("block 2 is not cached")?;
    let at = cache.layout().item_offset_bytes(slot) as usize;
    drop(cache);
    let mut bytes = bad.machine.medium.snapshot();
    bytes[at + 9] ^= 1;
    bad.machine.medium.load(&bytes);
    promise!(bad.open(bad.machine.settings).is_err(), "a damaged item was dropped unasked");
    let accepted = Settings { accept_damaged_items: true, ..bad.machine.settings };
    let mut cache = bad.open(accepted)?;
    promise!(!bad.either_copy_says_in_order()?, "later blocks may follow on a disk that says it is in order");
    // The item is cleared before anything goes to the disk.
    cache.commit().map_err(|error| error.to_string())?;
    let batch = cache.begin_destage(2).ok_or("nothing to destage")?;
    let outcome = batch.transfer(&bad.medium, &bad.machine.disk);
    cache.finish_destage(batch, outcome).map_err(|error| error.to_string())?;
    drop(cache);
    let mut cache = bad.open(accepted)?;
    promise!(!bad.says_in_order()?, "an opening closed the gap");
    cache.drain().map_err(|error| format!("draining what is left: {error}"))?;
    promise!(bad.says_in_order()?, "a disk that has everything does not say that it is in order");
    Ok(())
}

/// Of all moments at which the cache medium can be lost around a gap: a disk with a round behind it says so.
pub(crate) fn the_label_is_durable_before_what_lies_behind_a_gap(planted: Planted) -> Verdict {
    for event in 0.. {
        let mut bad = Bad::new(Mode::Ordered, planted);
        let mut cache = bad.written()?;
        bad.medium.fail_reads(data_of(&cache, 1)?);
        bad.machine.fail_in(event);
        let drained = cache.drain();
        drop(cache);
        bad.machine.lose_power(Survival::Nothing, Survival::Nothing);
        let mut behind = [0; 512];
        bad.machine.disk.read_at(2 * BLOCK_BYTES, &mut behind).map_err(|error| error.to_string())?;
        let is_behind = behind != super::machine::stamp(16, 0);
        promise!(!is_behind || !bad.says_in_order()?, "event {event}: a block behind the gap, and no word of it");
        if matches!(drained, Err(CacheError::Damaged(_))) {
            promise!(is_behind, "the drain ended without the blocks behind the gap");
            return Ok(());
        }
    }
    Ok(())
}

/// A cache without superblocks whose items cannot be read may hold blocks: nobody is told that it holds none.
pub(crate) fn items_that_cannot_be_read_are_not_taken_for_none(planted: Planted) -> Verdict {
    let mut bad = Bad::new(Mode::Flush, planted);
    let cache = bad.written()?;
    let layout = *cache.layout();
    drop(cache);
    let left = |bytes: u64| LayerCache::blocks_left(&bad.medium, bytes, &bad.machine.disk, Id([1; 16]), planted);
    let bytes = bad.medium.len_bytes();
    let found = left(bytes);
    promise!(matches!(found, Ok(7)), "seven blocks: {found:?}");
    bad.medium.fail_reads(layout.item_offset_bytes(Slot(0))..layout.item_offset_bytes(Slot(layout.slots())));
    let found = left(bytes);
    promise!(found.is_err(), "none of the items can be read: {found:?}");
    Ok(())
}
