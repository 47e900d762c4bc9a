//! Writes past the cache: the disk has them in place of what the cache had, before and after a power loss.

use super::histories::survive_every_event;
use super::machine::{BLOCKS, Machine, Model, Verdict, with};
use super::operations::{Op, run_all};
use crate::promise;
use halo_cache::{Cache, CacheError, Mode, Planted, Settings, Zeroing};
use halo_core::Lbn;
use halo_media::{Faulty, Survival};
use std::sync::Arc;

const MODES: [Mode; 3] = [Mode::Flush, Mode::Strict, Mode::Ordered];

/// Every write of a whole block is a long stream.
pub(crate) fn bypassing(settings: Settings) -> Settings {
    Settings { bypass_sequential: Some(1), bypass_run_bytes: 4096, ..settings }
}

fn settings(planted: Planted, mode: Mode) -> Settings {
    bypassing(with(planted, Settings::new(mode)))
}

#[allow(clippy::needless_pass_by_value, reason = "it stands where a function of an error is wanted")]
fn text(error: CacheError) -> String {
    error.to_string()
}

/// Parts of blocks go through the cache, and make their blocks dirty.
fn histories() -> Vec<Vec<Op>> {
    use Op::{
        CommitDuring, Destage, DestageDuring, DestageWithoutClearing, Drain, Flush, Read, ReadDuring, Trim, Write,
        WriteDurably, Zero,
    };
    vec![
        // Nothing is cached, and written twice.
        vec![Write(0, 16), Flush, Write(0, 16), Write(8, 8), Flush],
        // Around dirty blocks, and over them.
        vec![Write(10, 3), Flush, Write(0, 24), Flush, Write(2040, 24), WriteDurably(8, 8), Drain],
        // A block that is on the disk, and whose item waits to be cleared, is written there.
        vec![Write(2, 3), Write(2050, 2), Flush, DestageWithoutClearing, Write(0, 16), Flush, Write(9, 1), Flush],
        // An old and a new copy of it wait.
        vec![Write(2, 3), Flush, Write(0, 8), Flush, DestageWithoutClearing, Write(0, 8), Flush, Write(2048, 8), Flush],
        // A part of a block over what is not durable yet.
        vec![Write(0, 8), Write(3, 2), Destage, Write(0, 8), Flush, Drain, Write(0, 8), Write(0, 1), Flush],
        // Zeros, trims and streams over each other.
        vec![
            Write(0, 8),
            Trim(0, 8),
            Write(0, 8),
            Flush,
            Zero(0, 2048),
            Write(8, 8),
            Flush,
            Zero(4, 8),
            Write(0, 16),
            Flush,
        ],
        // Beside destages and commits.
        vec![
            Write(1, 2),
            Write(2049, 3),
            Flush,
            DestageDuring { writes: vec![(8, 8), (0, 8), (16, 8)], before_transfer: true },
            Write(4, 2),
            Flush,
            DestageDuring { writes: vec![(2056, 8), (0, 8)], before_transfer: false },
            CommitDuring(vec![(8, 8), (3, 2), (0, 8)]),
        ],
        // Beside reads.
        vec![
            Read(0, 16),
            ReadDuring { read: (0, 16), during: vec![Write(0, 8), Flush, Write(8, 8)] },
            Read(0, 16),
            Flush,
        ],
    ]
}

/// Every event of every history.
pub(crate) fn histories_past_the_cache_survive_power_loss_at_every_event(planted: Planted) -> Verdict {
    for mode in MODES {
        for (number, history) in histories().into_iter().enumerate() {
            survive_every_event(&history, 512, settings(planted, mode))
                .map_err(|broken| format!("history {number}, {mode:?}: {broken}"))?;
        }
    }
    Ok(())
}

/// A clean copy, kept for reads, is gone.
pub(crate) fn a_clean_copy_is_gone_once_the_disk_was_written(planted: Planted) -> Verdict {
    for mode in MODES {
        let settings = Settings { clean_blocks: true, ..settings(planted, mode) };
        let machine = Machine::new(128, 512, settings);
        let (mut cache, _) = machine.open().map_err(text)?;
        let mut model = Model::default();
        let during = vec![Op::Write(8, 8), Op::Flush];
        let ops = [
            Op::Read(0, 8),
            Op::Read(0, 8),
            Op::Write(0, 8),
            Op::Read(0, 8),
            Op::Read(8, 8),
            Op::ReadDuring { read: (8, 8), during },
            Op::Read(8, 8),
        ];
        run_all(&ops, &mut cache, &mut model, mode)?;
        let bypassed_bytes = cache.statistics().bypassed_bytes;
        promise!(bypassed_bytes == 2 * 4096, "{mode:?}: {bypassed_bytes} bytes went past the cache");
    }
    Ok(())
}

/// Long runs of whole blocks that are not cached go to the disk, from the length on from which a stream is long; all others do not.
pub(crate) fn only_long_runs_of_long_streams_pass(planted: Planted) -> Verdict {
    let settings = Settings {
        bypass_sequential: Some(64 << 10),
        bypass_run_bytes: 16 << 10,
        ..with(planted, Settings::new(Mode::Flush))
    };
    let machine = Machine::new(300, 512, settings);
    let (mut cache, _) = machine.open().map_err(text)?;
    let passed = |cache: &mut Cache<_, _>, offset_bytes: u64, count: usize| {
        let before = cache.statistics().bypassed_bytes;
        cache.write(offset_bytes, &vec![offset_bytes as u8 ^ 5; count]).map_err(text)?;
        Ok::<_, String>(cache.statistics().bypassed_bytes - before)
    };
    let steps = [
        // The stream is long with the fourth of these.
        (0, 16 << 10, 0),
        (16 << 10, 16 << 10, 0),
        (32 << 10, 16 << 10, 0),
        (48 << 10, 16 << 10, 16 << 10),
        // Too short for the disk, then parts of blocks at both ends.
        (64 << 10, 12 << 10, 0),
        (76 << 10, (20 << 10) - 512, 16 << 10),
        ((96 << 10) - 512, (20 << 10) + 1024, 20 << 10),
        // Once more the bytes that the disk has already, and in one write as long as a stream.
        (48 << 10, 16 << 10, 0),
        (600 << 10, 64 << 10, 64 << 10),
        // Over what is cached, and the rest of the request.
        (0, 96 << 10, 16 << 10),
    ];
    for (offset_bytes, count, expected) in steps {
        let bytes = passed(&mut cache, offset_bytes, count)?;
        promise!(bytes == expected, "{count} bytes at {offset_bytes}: {bytes} went past the cache, not {expected}");
    }
    Ok(())
}

/// Without a flush, because the mode promises it.
pub(crate) fn in_strict_what_the_disk_took_is_durable(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, settings(planted, Mode::Strict));
    let (mut cache, _) = machine.open().map_err(text)?;
    let mut model = Model::default();
    run_all(&[Op::Write(0, 16)], &mut cache, &mut model, Mode::Strict)?;
    drop(cache);
    machine.lose_power(Survival::Nothing, Survival::Nothing);
    let (mut cache, _) = machine.open().map_err(text)?;
    model.check_restarted(&mut cache)
}

/// In order, a stream goes to the disk while the cache has nothing that must be there first.
pub(crate) fn in_order_only_an_empty_cache_is_passed(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, settings(planted, Mode::Ordered));
    let (mut cache, _) = machine.open().map_err(text)?;
    let mut model = Model::default();
    run_all(&[Op::Write(0, 8), Op::Flush, Op::Write(2048, 2), Op::Flush], &mut cache, &mut model, Mode::Ordered)?;
    promise!(cache.statistics().bypassed_bytes == 4096, "{:?}", cache.statistics());
    run_all(&[Op::Write(8, 8), Op::Flush], &mut cache, &mut model, Mode::Ordered)?;
    promise!(cache.statistics().bypassed_bytes == 4096, "a stream overtook what the cache has");
    run_all(&[Op::Drain, Op::Write(16, 8), Op::Flush], &mut cache, &mut model, Mode::Ordered)?;
    promise!(cache.statistics().bypassed_bytes == 2 * 4096, "{:?}", cache.statistics());
    machine.lose_power(Survival::Nothing, Survival::Nothing);
    model.check_prefix(&machine.disk)
}

/// The zeros may reach the disk later, and would destroy what passed. In order, no range is zeroed on the disk itself.
pub(crate) fn nothing_passes_while_the_disk_is_zeroed(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Strict] {
        let machine = Machine::new(12, 512, settings(planted, mode));
        let (mut cache, _) = machine.open().map_err(text)?;
        let step = cache.begin_zeroing(0, 1 << 20, Zeroing::Write).map_err(text)?;
        cache.write(0, &[7; 4096]).map_err(text)?;
        let outcome = step.zero_disk(&machine.disk);
        cache.finish_zeroing(&step, outcome).map_err(text)?;
        let mut bytes = [1; 8192];
        cache.read(0, &mut bytes).map_err(text)?;
        promise!(bytes[..4096] == [7; 4096], "{mode:?}: zeros are over what was written after them");
        promise!(bytes[4096..] == [0; 4096], "{mode:?}: the disk was not zeroed");
    }
    Ok(())
}

/// The cache takes bytes that the disk refuses; bytes that neither takes are an error.
pub(crate) fn what_the_disk_refuses_is_in_the_cache(planted: Planted) -> Verdict {
    for mode in MODES {
        let machine = Machine::new(12, 512, settings(planted, mode));
        let disk = Arc::new(Faulty::new(machine.disk.clone()));
        let (mut cache, _) = Cache::open(machine.medium.clone(), disk.clone(), machine.settings).map_err(text)?;
        let mut model = Model::default();
        disk.fail_writes(4096..8192);
        let bytes = model.write(0, 24);
        cache.write_durably(0, &bytes).map_err(text)?;
        model.flushed();
        promise!(cache.status().last_error.is_some(), "that the disk failed is not told");
        let mut found = [0; 3 * 4096];
        cache.read(0, &mut found).map_err(text)?;
        promise!(found[..] == bytes[..], "{mode:?}: something else is read");
        disk.fail_writes(0..u64::MAX);
        let outcomes: Vec<_> = (0..16).map(|block| cache.write((block + 3) * 4096, &[7; 4096])).collect();
        promise!(outcomes.iter().any(Result::is_err), "{mode:?}: twelve slots hold nineteen blocks");
        disk.fail_writes(0..0);
        drop(cache);
        machine.lose_power(Survival::Nothing, Survival::Nothing);
        let (mut cache, _) = machine.open().map_err(text)?;
        cache.read(0, &mut found).map_err(text)?;
        promise!(found[..] == bytes[..], "{mode:?}: after a power loss, something else is read");
        cache.drain().map_err(text)?;
        cache.read(0, &mut found).map_err(text)?;
        promise!(found[..] == bytes[..], "{mode:?}: after a drain, something else is read");
    }
    Ok(())
}

/// A flush that failed, whoever asked for it, may have taken with it what was written past the cache: the next flush of a client says so.
pub(crate) fn a_flush_that_failed_for_a_destage_fails_for_the_client_too(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, settings(planted, Mode::Flush));
    let disk = Arc::new(Faulty::new(machine.disk.clone()));
    let (mut cache, _) = Cache::open(machine.medium.clone(), disk.clone(), machine.settings).map_err(text)?;
    cache.write(BLOCKS[3] * 4096 + 512, &[1; 512]).map_err(text)?;
    cache.flush().map_err(text)?;
    cache.write(0, &[2; 4096]).map_err(text)?;
    promise!(cache.slot_of(Lbn(0)).is_none(), "block 0 is cached");
    disk.fail_barriers(true);
    promise!(cache.flush().is_err(), "a flush without a flush of the disk succeeded");
    promise!(cache.destage().is_err(), "a destage without a flush of the disk succeeded");
    disk.fail_barriers(false);
    promise!(cache.flush().is_err(), "the client does not learn that its write may be lost");
    cache.flush().map_err(|error| format!("told twice: {error}"))
}

/// A trim that the disk refused in the middle has zeroed a part of it: what was read as zeros, and flushed, stays zeros.
pub(crate) fn what_a_zeroing_that_failed_has_zeroed_stays_zeros_after_a_flush(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, with(planted, Settings::new(Mode::Flush)));
    let disk = Arc::new(Faulty::new(machine.disk.clone()));
    let (mut cache, _) = Cache::open(machine.medium.clone(), disk.clone(), machine.settings).map_err(text)?;
    // Between two ranges that the disk is to zero.
    cache.write_durably(2 * 4096, &[7; 4096]).map_err(text)?;
    disk.fail_writes(255 * 4096..256 * 4096);
    promise!(cache.zero(0, 257 * 4096, Zeroing::Trim).is_err(), "a trim that the disk refused succeeded");
    let mut bytes = [1; 4096];
    cache.read(0, &mut bytes).map_err(text)?;
    promise!(bytes == [0; 4096], "the first range was not zeroed");
    cache.flush().map_err(text)?;
    drop(cache);
    machine.lose_power(Survival::Nothing, Survival::Nothing);
    let (mut cache, _) = machine.open().map_err(text)?;
    cache.read(0, &mut bytes).map_err(text)?;
    promise!(bytes == [0; 4096], "what read as zeros and was flushed reads as before");
    Ok(())
}
