//! Clean copies: what the disk has, kept for reads, is never returned after it has changed.

use super::histories::survive_every_event;
use super::machine::{Machine, Model, TestCache, Verdict, with};
use super::operations::{Op, run_all};
use crate::promise;
use halo_cache::{Cache, CacheError, Change, Mode, Planted, ReadEnd, Settings, Zeroing};
use halo_core::Lbn;
use halo_media::{Faulty, Medium, Survival};
use std::sync::Arc;

/// Two of them are meant for clean copies.
const SLOTS: usize = 128;
const MODES: [Mode; 3] = [Mode::Flush, Mode::Strict, Mode::Ordered];

fn settings(planted: Planted, mode: Mode) -> Settings {
    Settings { clean_blocks: true, ..with(planted, Settings::new(mode)) }
}

fn open(planted: Planted, mode: Mode) -> Result<(Machine, TestCache), String> {
    let machine = Machine::new(SLOTS, 512, settings(planted, mode));
    let (cache, _) = machine.open().map_err(text)?;
    Ok((machine, cache))
}

#[allow(clippy::needless_pass_by_value, reason = "it stands where a function of an error is wanted")]
fn text(error: CacheError) -> String {
    error.to_string()
}

/// Reads a block twice, so that it is kept.
fn keep<M: Medium, D: Medium>(cache: &mut Cache<M, D>, block: u64) -> Verdict {
    for _ in 0..2 {
        cache.read(block * 4096, &mut [0; 4096]).map_err(text)?;
    }
    promise!(cache.clean_slot_of(Lbn(block)).is_some(), "block {block} was read twice and not kept");
    Ok(())
}

/// A block that was kept is written, in whole or in part, and reads as written for as long as it is dirty and after that.
pub(crate) fn a_clean_copy_is_gone_once_its_block_is_written(planted: Planted) -> Verdict {
    for mode in MODES {
        for (sector, count) in [(0, 8), (3, 2)] {
            let (_machine, mut cache) = open(planted, mode)?;
            let mut model = Model::default();
            keep(&mut cache, 0)?;
            let ops = [
                Op::Write(sector, count),
                Op::Read(0, 8),
                Op::Flush,
                Op::Read(0, 8),
                Op::Drain,
                Op::Read(0, 8),
                Op::Read(0, 8),
            ];
            run_all(&ops, &mut cache, &mut model, mode)?;
        }
    }
    Ok(())
}

/// The same for blocks that are zeroed or trimmed, on the disk itself or in the cache.
pub(crate) fn a_clean_copy_is_gone_once_its_block_is_zeroed(planted: Planted) -> Verdict {
    for mode in MODES {
        for zeroing in [Op::Trim(0, 8), Op::Zero(0, 2048), Op::Zero(0, 8), Op::Zero(2, 3)] {
            let (_machine, mut cache) = open(planted, mode)?;
            let mut model = Model::default();
            keep(&mut cache, 0)?;
            keep(&mut cache, 1)?;
            let ops = [zeroing, Op::Read(0, 16), Op::Flush, Op::Drain, Op::Read(0, 16), Op::Read(0, 16)];
            run_all(&ops, &mut cache, &mut model, mode)?;
        }
    }
    Ok(())
}

/// The disk's bytes are old once the block was written, zeroed or trimmed, even if the disk has the new content by then.
pub(crate) fn what_changed_during_a_read_is_not_kept(planted: Planted) -> Verdict {
    for mode in MODES {
        for change in [Op::Write(0, 8), Op::Write(5, 1), Op::Zero(0, 8), Op::Trim(0, 8)] {
            let (_machine, mut cache) = open(planted, mode)?;
            let mut model = Model::default();
            let during = vec![change, Op::Flush, Op::Drain];
            let ops = [Op::Read(0, 8), Op::ReadDuring { read: (0, 8), during }, Op::Read(0, 8), Op::Read(0, 8)];
            run_all(&ops, &mut cache, &mut model, mode)?;
        }
        let (_machine, mut cache) = open(planted, mode)?;
        let mut model = Model::default();
        let zeroed = Op::ZeroAround { zeroed: (0, 8), read: (0, 8) };
        run_all(&[Op::Read(0, 8), zeroed, Op::Read(0, 8)], &mut cache, &mut model, mode)?;
    }
    Ok(())
}

/// The same when it was written only while its copy was.
pub(crate) fn what_changed_while_a_copy_was_written_is_not_kept(planted: Planted) -> Verdict {
    for mode in MODES {
        let (_machine, mut cache) = open(planted, mode)?;
        let mut bytes = [0; 4096];
        cache.read(0, &mut bytes).map_err(text)?;
        let plan = cache.plan_read(0, 4096).map_err(text)?;
        let outcome = plan.read_disk(cache.disk(), &mut bytes);
        let ReadEnd::Done(keeping) = cache.finish_read(plan, outcome).map_err(text)? else {
            return Err("a read of the disk is planned anew".into());
        };
        promise!(!keeping.is_empty(), "{mode:?}: a block that is read again is not kept");
        let kept = keeping.write(cache.medium(), &bytes);
        cache.write(0, &[7; 4096]).map_err(text)?;
        cache.drain().map_err(text)?;
        cache.finish_keeping(keeping, kept);
        cache.read(0, &mut bytes).map_err(text)?;
        promise!(bytes == [7; 4096], "{mode:?}: a block that was written reads as before");
    }
    Ok(())
}

/// A read that is planned while its block goes to the disk past the cache, and gets there before it.
pub(crate) fn what_is_read_during_a_write_past_the_cache_is_not_kept(planted: Planted) -> Verdict {
    let stream = vec![7; 1 << 16];
    for mode in [Mode::Flush, Mode::Strict] {
        let settings = Settings { bypass_sequential: Some(4096), ..settings(planted, mode) };
        let (mut cache, _) = Machine::new(SLOTS, 512, settings).open().map_err(text)?;
        let mut bytes = [0; 4096];
        cache.read(0, &mut bytes).map_err(text)?;
        let change = cache.begin_change(0, stream.len(), true).map_err(text)?;
        let Change::Direct(bypass) = change else { return Err(format!("{mode:?}: nothing passes the cache")) };
        let plan = cache.plan_read(0, 4096).map_err(text)?;
        let outcome = plan.read_disk(cache.disk(), &mut bytes);
        let written = bypass.perform(cache.disk(), &stream);
        promise!(cache.finish_bypass(&bypass, written) == stream.len(), "{mode:?}: the disk took a part only");
        if let ReadEnd::Done(keeping) = cache.finish_read(plan, outcome).map_err(text)? {
            let kept = keeping.write(cache.medium(), &bytes);
            cache.finish_keeping(keeping, kept);
        }
        cache.read(0, &mut bytes).map_err(text)?;
        promise!(bytes == stream[..4096], "{mode:?}: a block reads as before it was written past the cache");
    }
    Ok(())
}

/// The disk is being zeroed while another zeroing, of a block that is cached, begins before that and ends meanwhile: what the disk gives
/// in between is as old as before, and not kept.
pub(crate) fn a_zeroing_in_the_cache_leaves_one_of_the_disk_alone(planted: Planted) -> Verdict {
    const ZEROED_BYTES: usize = 1 << 20;
    for mode in [Mode::Flush, Mode::Strict] {
        let (_machine, mut cache) = open(planted, mode)?;
        cache.write(ZEROED_BYTES as u64, &[7; 4096]).map_err(text)?;
        cache.read(0, &mut [0; 4096]).map_err(text)?;
        let cached = cache.begin_zeroing(ZEROED_BYTES as u64, 4096, Zeroing::Write).map_err(text)?;
        let on_disk = cache.begin_zeroing(0, ZEROED_BYTES, Zeroing::Write).map_err(text)?;
        promise!(on_disk.handled_bytes() == ZEROED_BYTES, "{} bytes in a step", on_disk.handled_bytes());
        cache.finish_zeroing(&cached, Ok(())).map_err(text)?;
        let (plan, mut bytes) = (cache.plan_read(0, 4096).map_err(text)?, [0; 4096]);
        let outcome = plan.read_disk(cache.disk(), &mut bytes);
        let zeroed = on_disk.zero_disk(cache.disk());
        cache.finish_zeroing(&on_disk, zeroed).map_err(text)?;
        if let ReadEnd::Done(keeping) = cache.finish_read(plan, outcome).map_err(text)? {
            let kept = keeping.write(cache.medium(), &bytes);
            cache.finish_keeping(keeping, kept);
        }
        cache.read(0, &mut bytes).map_err(text)?;
        promise!(bytes == [0; 4096], "a zeroed block reads as before");
    }
    Ok(())
}

/// A cache full of dirty blocks, of which the disk takes none: writes have taken the slots of all clean copies but of the one that a
/// read under way saw, which has its slot to the read's end.
pub(crate) fn writes_take_the_slots_of_clean_copies(planted: Planted) -> Verdict {
    let machine = Machine::new(SLOTS, 512, settings(planted, Mode::Flush));
    let disk = Arc::new(Faulty::new(machine.disk.clone()));
    let (mut cache, _) = Cache::open(machine.medium.clone(), disk.clone(), machine.settings).map_err(text)?;
    let model = Model::default();
    keep(&mut cache, 0)?;
    keep(&mut cache, 1)?;
    let plan = cache.plan_read(0, 4096).map_err(text)?;
    promise!(!plan.needs_disk(), "block 0 is kept, and yet the disk is to be read");
    disk.fail_writes(0..u64::MAX);
    let last = 1 + SLOTS as u64;
    for block in 2..last {
        cache
            .write(block * 4096, &[7; 4096])
            .map_err(|error| format!("a clean copy has the slot of {block}: {error}"))?;
    }
    let refused = cache.write(last * 4096, &[7; 4096]);
    let mut bytes = [0; 4096];
    let outcome = plan.read_cached(cache.medium(), &mut bytes);
    let end = cache.finish_read(plan, outcome).map_err(text)?;
    promise!(matches!(end, ReadEnd::Done(_)), "the copy that was being read is gone");
    model.check_block(0, &bytes)?;
    promise!(refused.is_err(), "a write got the slot that was being read");
    cache.write(last * 4096, &[7; 4096]).map_err(|error| format!("the slot that was read is not free: {error}"))?;
    let status = cache.status();
    promise!((status.clean_slots, status.free_slots) == (0, 0), "{status:?}");
    Ok(())
}

/// A clean copy that rotted costs a read of the disk, and nothing else.
pub(crate) fn a_damaged_clean_copy_is_read_from_the_disk(planted: Planted) -> Verdict {
    let (machine, mut cache) = open(planted, Mode::Flush)?;
    let model = Model::default();
    keep(&mut cache, 0)?;
    let slot = cache.clean_slot_of(Lbn(0)).ok_or("block 0 is not kept")?;
    let mut on_cache = machine.medium.snapshot();
    on_cache[cache.layout().data_offset_bytes(slot) as usize + 77] ^= 4;
    machine.medium.load(&on_cache);
    let mut bytes = [0; 4096];
    cache.read(0, &mut bytes).map_err(text)?;
    model.check_block(0, &bytes)?;
    let status = cache.status();
    promise!(status.statistics.clean_lost_blocks == 1 && status.damaged_slots == 0, "{status:?}");
    Ok(())
}

/// A part of a block is no copy of it, and a long read is cheap for the disk.
pub(crate) fn parts_of_blocks_and_long_reads_are_not_kept(planted: Planted) -> Verdict {
    let (_machine, mut cache) = open(planted, Mode::Flush)?;
    let mut model = Model::default();
    let part = Op::Read(2, 3);
    run_all(&[part.clone(), part.clone(), part], &mut cache, &mut model, Mode::Flush)?;
    let mut bytes = vec![0; 1 << 20];
    for _ in 0..3 {
        cache.read(4096, &mut bytes).map_err(text)?;
    }
    promise!(cache.status().clean_slots == 0, "{} blocks were kept", cache.status().clean_slots);
    Ok(())
}

/// Nothing on the medium says that a clean copy was there, so an opened cache is empty, can grow, and reads what
/// is on the disk.
pub(crate) fn recovery_finds_no_clean_copies(planted: Planted) -> Verdict {
    let (machine, mut cache) = open(planted, Mode::Flush)?;
    keep(&mut cache, 0)?;
    keep(&mut cache, 1)?;
    cache.flush().map_err(text)?;
    drop(cache);
    machine.lose_power(Survival::Everything, Survival::Everything);
    // As a host that served the disk alone for a while.
    machine.disk.write_at(0, &[9; 4096]).map_err(|error| error.to_string())?;
    let (mut cache, recovery) = machine.open().map_err(text)?;
    promise!(recovery.blocks == 0 && cache.status().clean_slots == 0, "{recovery:?}");
    let mut bytes = [0; 4096];
    cache.read(0, &mut bytes).map_err(text)?;
    promise!(bytes == [9; 4096], "a clean copy came back");
    drop(cache);
    let layout = Cache::grow(&machine.medium, &machine.disk, machine.settings).map_err(text)?;
    promise!(layout.slots() as usize == SLOTS, "{} slots", layout.slots());
    Ok(())
}

/// Histories with reads in all of their places, cut off by a power failure at every event.
pub(crate) fn histories_with_clean_copies_survive_power_loss_at_every_event(planted: Planted) -> Verdict {
    use Op::{Destage, Drain, Flush, Read, ReadDuring, Trim, Write, Zero, ZeroAround};
    let histories = [
        vec![Read(0, 16), Read(0, 16), Write(0, 8), Flush, Destage, Read(0, 16), Write(8, 8), Flush, Drain],
        vec![Read(0, 8), Read(0, 8), Trim(0, 16), Read(0, 8), Write(2048, 8), Flush, Zero(2048, 8), Drain],
        vec![ReadDuring { read: (0, 8), during: vec![Write(0, 8), Flush, Destage] }, Read(0, 8), Write(3, 3), Drain],
        vec![ZeroAround { zeroed: (0, 16), read: (0, 8) }, Read(0, 8), Write(0, 24), Flush, Destage, Read(0, 24)],
    ];
    for mode in MODES {
        for (number, history) in histories.iter().enumerate() {
            survive_every_event(history, 512, settings(planted, mode))
                .map_err(|broken| format!("history {number}, {mode:?}: {broken}"))?;
        }
    }
    Ok(())
}
