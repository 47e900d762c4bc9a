//! How long blocks may stay, by a clock that the tests set.

use super::machine::{BLOCKS, Machine, Model, TestCache, Verdict, with};
use crate::promise;
use halo_cache::{Mode, Planted, Settings};
use halo_core::Lbn;
use halo_core::destage::Trigger;
use std::time::Duration;

/// Every step of ages is half a second.
const MOST_AGE: Duration = Duration::from_secs(64);
const IDLE_AFTER: Duration = Duration::from_secs(5);
const NOBODY_READS: f64 = 0.0;

struct Aging {
    machine: Machine,
    cache: TestCache,
    model: Model,
}

fn aging(planted: Planted, mode: Mode, idle_after: Option<Duration>) -> Result<Aging, String> {
    let settings = Settings { max_dirty_age: Some(MOST_AGE), idle_after, ..Settings::new(mode) };
    let machine = Machine::new(12, 512, with(planted, settings));
    let (cache, _) = machine.open().map_err(|error| error.to_string())?;
    Ok(Aging { machine, cache, model: Model::default() })
}

impl Aging {
    fn write(&mut self, seconds: u64, block: u64) -> Verdict {
        self.cache.note_time(Duration::from_secs(seconds));
        let bytes = self.model.write(block * 8, 8);
        self.cache.write_durably(block * 4096, &bytes).map_err(|error| error.to_string())?;
        self.model.flushed();
        Ok(())
    }

    fn rot(&mut self, block: u64) -> Verdict {
        let slot = self.cache.slot_of(Lbn(block)).ok_or("a block is not cached")?;
        let mut bytes = self.machine.medium.snapshot();
        bytes[self.cache.layout().data_offset_bytes(slot) as usize] ^= 1;
        self.machine.medium.load(&bytes);
        Ok(())
    }

    /// One batch; `during` comes between the disk and the cache.
    fn destage(&mut self, trigger: Trigger, during: impl FnOnce(&mut Self) -> Verdict) -> Verdict {
        self.destage_at_most(usize::MAX, trigger, during)
    }

    fn destage_at_most(
        &mut self,
        most_blocks: usize,
        trigger: Trigger,
        during: impl FnOnce(&mut Self) -> Verdict,
    ) -> Verdict {
        self.cache.commit().and_then(|()| self.cache.commit()).map_err(|error| error.to_string())?;
        let batch = self.cache.begin_destage_for(trigger, most_blocks).ok_or("nothing is destaged")?;
        let outcome = batch.transfer(&self.machine.medium, &self.machine.disk);
        during(self)?;
        self.cache.finish_destage(batch, outcome).map_err(|error| error.to_string())?;
        self.cache.commit().and_then(|()| self.cache.commit()).map_err(|error| error.to_string())
    }
}

/// Written every second, a block goes all the same; and what was written while the disk took it is young.
pub(crate) fn a_block_is_as_old_as_what_the_disk_lacks_of_it(planted: Planted) -> Verdict {
    let mut aging = aging(planted, Mode::Flush, None)?;
    for second in 0..56 {
        aging.write(second, BLOCKS[0])?;
        if second == 50 {
            aging.write(second, BLOCKS[6])?;
        }
        let (trigger, oldest) = (aging.cache.destage_trigger(1.0), aging.cache.oldest_dirty());
        promise!(trigger.is_none(), "after {second} s destaging is due: {trigger:?}");
        promise!(oldest == Some(Duration::from_secs(second)), "after {second} s the oldest block is {oldest:?} old");
    }
    aging.cache.note_time(Duration::from_secs(56));
    let trigger = aging.cache.destage_trigger(1.0);
    promise!(trigger == Some(Trigger::Age), "destaging is not due by age: {trigger:?}");
    aging.destage(Trigger::Age, |aging| aging.write(58, BLOCKS[0]))?;
    let (trigger, oldest) = (aging.cache.destage_trigger(1.0), aging.cache.oldest_dirty());
    promise!(trigger.is_none(), "destaging is due once more: {trigger:?}");
    promise!(oldest == Some(Duration::from_secs(8)), "the oldest block is {oldest:?} old, not that of another bucket");
    let dirty = aging.cache.dirty_blocks();
    promise!(dirty == 2, "{dirty} blocks are dirty, not the one that is young and the one written again");
    aging.model.check_running(&mut aging.cache)?;
    aging.cache.drain().map_err(|error| error.to_string())?;
    promise!(aging.cache.oldest_dirty().is_none(), "an empty cache has an oldest block");
    aging.model.check_disk(&aging.machine.disk)
}

/// Each copy has an age of its own, and the first of them is the oldest.
pub(crate) fn in_order_the_oldest_copy_counts(planted: Planted) -> Verdict {
    let mut aging = aging(planted, Mode::Ordered, None)?;
    for (second, block) in [(0, BLOCKS[0]), (20, BLOCKS[0]), (40, BLOCKS[1])] {
        aging.write(second, block)?;
    }
    aging.cache.note_time(Duration::from_secs(56));
    let trigger = aging.cache.destage_trigger(1.0);
    promise!(trigger == Some(Trigger::Age), "destaging is not due by age: {trigger:?}");
    aging.destage(Trigger::Age, |_| Ok(()))?;
    let oldest = aging.cache.oldest_dirty();
    promise!(oldest == Some(Duration::from_secs(36)), "the second version is {oldest:?} old");
    aging.destage(Trigger::Age, |_| Ok(()))?;
    promise!(aging.cache.oldest_dirty().is_none(), "copies are left");
    aging.model.check_disk(&aging.machine.disk)
}

/// All dirty blocks leave the cache when nobody writes and the disk has nothing else to do, and not before.
pub(crate) fn an_idle_disk_takes_everything(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        let mut aging = aging(planted, mode, Some(IDLE_AFTER))?;
        for block in [0, 1, 3, 6] {
            aging.write(10, BLOCKS[block])?;
        }
        aging.cache.note_time(Duration::from_secs(14));
        let trigger = aging.cache.destage_trigger(NOBODY_READS);
        promise!(trigger.is_none(), "4 s after a write destaging is due: {trigger:?}");
        aging.cache.note_time(Duration::from_secs(15));
        promise!(aging.cache.destage_trigger(0.5).is_none(), "the disk is busy, and destaging is due");
        let mut rounds = 0;
        while let Some(trigger) = aging.cache.destage_trigger(NOBODY_READS) {
            promise!(trigger == Trigger::Idle && rounds < 4, "{rounds} rounds, and then {trigger:?}");
            aging.destage(trigger, |_| Ok(()))?;
            rounds += 1;
        }
        promise!(aging.cache.dirty_blocks() == 0, "{} blocks are left", aging.cache.dirty_blocks());
        aging.model.check_disk(&aging.machine.disk)?;
    }
    Ok(())
}

/// The disk takes what can go while a block that rotted stays: also what is written after that was all that was left.
pub(crate) fn beside_a_block_that_rotted_an_idle_disk_takes_the_others(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Ordered] {
        let mut aging = aging(planted, mode, Some(IDLE_AFTER))?;
        aging.write(0, BLOCKS[0])?;
        aging.rot(BLOCKS[0])?;
        aging.cache.note_time(Duration::from_secs(10));
        for round in 0..3 {
            let trigger = aging.cache.destage_trigger(NOBODY_READS);
            promise!(round < 2 || trigger.is_none(), "{mode:?}: the disk is asked for a damaged block again and again");
            aging.cache.destage().map_err(|error| error.to_string())?;
        }
        aging.write(20, BLOCKS[6])?;
        aging.cache.note_time(Duration::from_secs(25));
        let trigger = aging.cache.destage_trigger(NOBODY_READS);
        promise!(trigger == Some(Trigger::Idle), "{mode:?}: a block stays on an idle disk: {trigger:?}");
        aging.destage(Trigger::Idle, |_| Ok(()))?;
        promise!(aging.cache.dirty_blocks() == 1, "{mode:?}: {} blocks are left", aging.cache.dirty_blocks());
    }
    Ok(())
}

/// A sweep that has begun goes on in further batches to all that is older than half, and ends there.
pub(crate) fn a_sweep_takes_all_that_is_older_than_half(planted: Planted) -> Verdict {
    let mut aging = aging(planted, Mode::Flush, None)?;
    aging.write(0, BLOCKS[0])?;
    aging.write(20, BLOCKS[6])?;
    aging.cache.note_time(Duration::from_secs(56));
    for left in [1, 0] {
        let trigger = aging.cache.destage_trigger(1.0);
        promise!(trigger == Some(Trigger::Age), "the sweep ends with {} old blocks left: {trigger:?}", left + 1);
        aging.destage_at_most(1, Trigger::Age, |_| Ok(()))?;
        let dirty = aging.cache.dirty_blocks();
        promise!(dirty == left, "{dirty} blocks are dirty, not {left}");
    }
    aging.model.check_disk(&aging.machine.disk)
}

/// In mode ordered the queue says what is old: a copy that rotted, and was set aside, is no reason to write young ones to a busy disk.
pub(crate) fn in_order_a_copy_that_rotted_is_no_reason_to_write_young_ones(planted: Planted) -> Verdict {
    let mut aging = aging(planted, Mode::Ordered, None)?;
    aging.write(0, BLOCKS[0])?;
    aging.rot(BLOCKS[0])?;
    aging.cache.note_time(Duration::from_secs(56));
    aging.destage(Trigger::Age, |_| Ok(()))?;
    let mut asked = 0;
    for second in 57..88 {
        // Each version takes a slot.
        if second % 8 == 1 {
            aging.write(second, BLOCKS[6])?;
        }
        aging.cache.note_time(Duration::from_secs(second));
        let Some(trigger) = aging.cache.destage_trigger(1.0) else { continue };
        asked += 1;
        promise!(trigger == Trigger::Age && asked <= 4, "after {second} s, for the {asked}th time: {trigger:?}");
        let batch = aging.cache.begin_destage_for(trigger, usize::MAX);
        promise!(batch.is_none(), "after {second} s a block that is young goes to a busy disk");
    }
    aging.cache.note_time(Duration::from_secs(113));
    let trigger = aging.cache.destage_trigger(1.0);
    promise!(trigger == Some(Trigger::Age), "blocks that became old meanwhile stay: {trigger:?}");
    aging.destage(Trigger::Age, |_| Ok(()))
}

/// Where a block that rotted is all that is old, the search for old blocks rests for an eighth of the greatest age, so that it does not keep
/// a processor busy; then it finds what became old meanwhile.
pub(crate) fn a_search_for_old_blocks_rests_when_it_finds_none(planted: Planted) -> Verdict {
    let mut aging = aging(planted, Mode::Flush, None)?;
    aging.write(0, BLOCKS[0])?;
    aging.rot(BLOCKS[0])?;
    aging.write(30, BLOCKS[6])?;
    aging.cache.note_time(Duration::from_secs(56));
    aging.destage(Trigger::Age, |_| Ok(()))?;
    promise!(
        aging.cache.begin_destage_for(Trigger::Age, usize::MAX).is_none(),
        "a block that rotted, or one that is young, is to go"
    );
    for second in [56, 63] {
        aging.cache.note_time(Duration::from_secs(second));
        let trigger = aging.cache.destage_trigger(1.0);
        promise!(trigger.is_none(), "after {second} s a block that rotted is searched for again: {trigger:?}");
    }
    aging.cache.note_time(Duration::from_secs(64));
    let trigger = aging.cache.destage_trigger(1.0);
    promise!(trigger == Some(Trigger::Age), "the search rests for ever: {trigger:?}");
    aging.destage(Trigger::Age, |_| Ok(()))?;
    promise!(aging.cache.dirty_blocks() == 1, "{} blocks are left", aging.cache.dirty_blocks());
    Ok(())
}

/// A block that rotted is old until it is given up, and nothing is due then.
pub(crate) fn what_was_given_up_has_no_age(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Ordered] {
        let mut aging = aging(planted, mode, None)?;
        aging.write(0, BLOCKS[0])?;
        aging.write(1, BLOCKS[1])?;
        aging.rot(BLOCKS[0])?;
        let given_up = aging.cache.drain_giving_up_damaged().map_err(|error| error.to_string())?;
        promise!(given_up == [Lbn(BLOCKS[0])], "{mode:?}: {given_up:?} were given up");
        aging.cache.note_time(Duration::from_secs(100));
        let (trigger, oldest) = (aging.cache.destage_trigger(1.0), aging.cache.oldest_dirty());
        promise!(
            trigger.is_none() && oldest.is_none(),
            "{mode:?}: the oldest block of none is {oldest:?} old, {trigger:?}"
        );
    }
    Ok(())
}
