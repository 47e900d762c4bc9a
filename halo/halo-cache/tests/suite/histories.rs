//! Histories of requests, cut off by a power failure or a kill at every possible moment.

use super::bypass::bypassing;
use super::machine::{BLOCKS, Machine, Model, Verdict, with};
use super::operations::{Op, destage_without_clearing, random_op, run};
use crate::promise;
use halo_cache::{Mode, Planted, Settings};
use halo_core::SplitMix64;
use halo_media::Survival;
use std::fmt::Write;

/// Histories short enough to be cut off everywhere. Each has a reason.
fn short_histories() -> Vec<Vec<Op>> {
    use Op::{
        CommitDuring, Destage, DestageDuring, DestageWithoutClearing, Drain, Flush, Trim, Write, WriteDurably, Zero,
    };
    vec![
        // A new block, and its overwrite.
        vec![Write(0, 8), Flush, Write(0, 8), Flush],
        // Parts of a block, then of a block that is on the disk only.
        vec![Write(2, 2), Flush, Write(3, 3), Flush, Write(0, 1), Drain, Write(5, 1), Flush],
        // Across blocks and buckets.
        vec![Write(2044, 10), Flush, Write(2040, 16), Flush],
        // Overwritten and destaged: the old copy must never come back.
        vec![Write(0, 8), Flush, Write(0, 8), Flush, Destage, Write(8, 8), Flush, Write(16, 8), Flush],
        // Destaged, written again, destaged again.
        vec![Write(0, 8), Flush, Destage, Write(0, 8), Flush, Destage, Write(8, 8), Flush, Drain],
        // Several versions between two flushes.
        vec![Write(0, 8), Write(0, 8), Write(4, 8), WriteDurably(8, 4), Write(0, 2), Flush],
        // Written again while it goes to the disk.
        vec![
            Write(0, 8),
            Write(2048, 3),
            Flush,
            DestageDuring { writes: vec![(0, 4), (2056, 8)], before_transfer: true },
            Flush,
            Drain,
        ],
        vec![
            Write(0, 8),
            Write(8, 8),
            Flush,
            DestageDuring { writes: vec![(0, 8), (0, 8), (16, 8)], before_transfer: false },
            Drain,
        ],
        // An old and a new copy, both no longer needed, whose items are torn apart.
        vec![Write(0, 24), Flush, Write(0, 8), Flush, DestageWithoutClearing, Write(2048, 8), Flush],
        // Zeros over cached and uncached blocks, parts of zeros, and zeros on their way to the disk.
        vec![Write(0, 16), Flush, Zero(4, 8), Flush, Zero(0, 24), Write(2, 3), Flush, Drain, Zero(8, 8), Flush],
        // A block that is on the disk and whose item waits to be cleared is zeroed there.
        vec![Write(0, 8), Write(2048, 8), Flush, DestageWithoutClearing, Trim(0, 16), Flush, Write(16, 8), Flush],
        // A block that is zeroed on the disk is written and destaged again.
        vec![Write(0, 8), Flush, Drain, Zero(0, 2048), Write(3, 2), Flush, Drain, Trim(2, 20), Flush],
        // Slots that become free only with the commit that is under way.
        vec![
            Write(0, 24),
            Write(2040, 24),
            Write(2072, 8),
            Flush,
            DestageWithoutClearing,
            CommitDuring(vec![(2040, 8), (0, 8), (8, 8)]),
        ],
    ]
}

pub(crate) fn survivals(undecided: usize, seed: u64) -> Vec<Survival> {
    let mut all = vec![Survival::Nothing, Survival::Everything];
    for index in 0..undecided.min(16) {
        all.push(Survival::Only(index));
        all.push(Survival::AllBut(index));
    }
    all.extend((0..8).map(|at| Survival::Seeded(seed * 8 + at)));
    all
}

/// The disk may keep other writes than the cache keeps.
fn on_disk(survival: Survival, seed: u64) -> Survival {
    match survival {
        Survival::Nothing => Survival::Everything,
        Survival::Everything => Survival::Nothing,
        _ => Survival::Seeded(seed),
    }
}

/// Runs `history` on a new machine until the power fails at `event`; true when it did.
pub(crate) fn run_until(machine: &Machine, model: &mut Model, history: &[Op], event: u64) -> Result<bool, String> {
    let (mut cache, _) = machine.open().map_err(|error| format!("opening: {error}"))?;
    machine.fail_in(event);
    for op in history {
        let outcome = run(op, &mut cache, model, machine.settings.mode).map_err(|error| format!("{op:?}: {error}"));
        // Reads may write clean copies, so that the power may fail here, too.
        let outcome =
            outcome.and_then(|()| model.check_running(&mut cache).map_err(|text| format!("after {op:?}: {text}")));
        if machine.power.is_off() {
            return Ok(true);
        }
        outcome?;
    }
    machine.power.restore();
    Ok(false)
}

/// Opens, checks, drains, loses what is not durable, and checks again: a stale copy would come back here.
fn recover_and_check(machine: &Machine, model: &mut Model) -> Verdict {
    let (mut cache, _) = machine.open().map_err(|error| format!("recovery: {error}"))?;
    model.check_restarted(&mut cache)?;
    let bytes = model.write(BLOCKS[1] * 8, 3);
    let written = cache.write_durably(BLOCKS[1] * 4096, &bytes);
    written.map_err(|error| format!("writing after recovery: {error}"))?;
    model.flushed();
    while cache.dirty_blocks() > 0 {
        destage_without_clearing(&mut cache).map_err(|error| format!("destaging after recovery: {error}"))?;
        machine.lose_power(Survival::Seeded(machine.power.events()), Survival::Nothing);
        (cache, _) = machine.open().map_err(|error| format!("second recovery: {error}"))?;
        model.check_restarted(&mut cache).map_err(|text| format!("after a destage: {text}"))?;
        cache.drain().map_err(|error| format!("draining: {error}"))?;
    }
    model.check_disk(&machine.disk)
}

/// Every event of every short history, with every kind of survival.
pub(crate) fn short_histories_survive_power_loss_at_every_event(planted: Planted) -> Verdict {
    for mode in [Mode::Strict, Mode::Flush, Mode::Ordered] {
        for (number, history) in short_histories().into_iter().enumerate() {
            for unit_bytes in [512, 64] {
                let settings = with(planted, Settings::new(mode));
                survive_every_event(&history, unit_bytes, settings)
                    .map_err(|text| format!("history {number}, {mode:?}, units of {unit_bytes}: {text}"))?;
            }
        }
    }
    Ok(())
}

/// Runs a history again and again, with the power failing at each of its events, and with every kind of survival.
pub(crate) fn survive_every_event(history: &[Op], unit_bytes: usize, settings: Settings) -> Verdict {
    for event in 0.. {
        let mut undecided = None;
        let mut at = 0;
        loop {
            let machine = Machine::new(9, unit_bytes, settings);
            let mut model = Model::default();
            let failed = run_until(&machine, &mut model, history, event)?;
            let choices = survivals(*undecided.get_or_insert(machine.medium.undecided_units()), event);
            let survival = choices[at];
            machine.lose_power(survival, on_disk(survival, event));
            recover_and_check(&machine, &mut model).map_err(|text| format!("event {event}, {survival:?}: {text}"))?;
            at += 1;
            if at == choices.len() {
                if !failed {
                    return Ok(());
                }
                break;
            }
        }
    }
    Ok(())
}

/// The same, with the power failing again at every event of the recovery.
pub(crate) fn recovery_survives_its_own_crash(planted: Planted) -> Verdict {
    let settings = with(planted, Settings::new(Mode::Flush));
    for history in short_histories().into_iter().take(5) {
        for event in (0..).step_by(3) {
            let mut failed = false;
            for event_in_recovery in 0..12 {
                let machine = Machine::new(9, 512, settings);
                let mut model = Model::default();
                failed = run_until(&machine, &mut model, &history, event)?;
                machine.lose_power(Survival::Seeded(event), Survival::Seeded(event + 1));
                machine.fail_in(event_in_recovery);
                let second = machine.open().and_then(|(mut cache, _)| cache.drain());
                promise!(second.is_ok() || machine.power.is_off(), "recovery failed without a cause: {second:?}");
                machine.lose_power(Survival::Seeded(event_in_recovery), Survival::Nothing);
                recover_and_check(&machine, &mut model)
                    .map_err(|text| format!("event {event}, {event_in_recovery} in recovery: {text}"))?;
            }
            if !failed {
                break;
            }
        }
    }
    Ok(())
}

/// Long random histories: power failures, kills (the machine goes on, so nothing that was written is lost), clean
/// restarts, in any order on the same devices.
pub(crate) fn long_histories_survive_kills_and_power_losses(planted: Planted) -> Verdict {
    for seed in 0..400 {
        let mode = [Mode::Flush, Mode::Strict, Mode::Ordered][seed as usize % 3];
        let mut settings = with(planted, Settings::new(mode));
        settings.batch_buckets = 1 + seed as usize % 2;
        settings.clean_blocks = seed / 12 % 2 == 0;
        let settings = if seed / 24 % 2 == 0 { settings } else { bypassing(settings) };
        // Few slots: the cache is full again and again.
        // Cache lines; words of persistent memory, which tear items; sectors.
        let unit_bytes = [64, 8, 512, 512][seed as usize % 4];
        let machine = Machine::new(8 + seed as usize % 4, unit_bytes, settings);
        let mut random = SplitMix64::new(seed);
        long_history(&machine, &mut random).map_err(|text| format!("seed {seed}: {text}"))?;
    }
    Ok(())
}

fn long_history(machine: &Machine, random: &mut SplitMix64) -> Verdict {
    let mut model = Model::default();
    for session in 0..12 {
        let history: Vec<_> = (0..random.below(25)).map(|_| random_op(random)).collect();
        let mut text = format!("session {session}, ");
        let (mut cache, _) = machine.open().map_err(|error| format!("{text}recovery: {error}"))?;
        model.check_restarted(&mut cache).map_err(|broken| format!("{text}{broken}"))?;
        machine.fail_in(random.below(120));
        for op in &history {
            let outcome = run(op, &mut cache, &mut model, machine.settings.mode);
            if machine.power.is_off() {
                break;
            }
            write!(text, "{op:?}, ").map_err(|error| error.to_string())?;
            outcome.map_err(|error| format!("{text}{error}"))?;
            let running = model.check_running(&mut cache);
            if machine.power.is_off() {
                break;
            }
            running.map_err(|broken| format!("{text}{broken}"))?;
        }
        match random.below(3) {
            // A kill, perhaps in the middle of an operation: the machine itself goes on.
            0 => machine.power.restore(),
            1 => machine.lose_power(Survival::Nothing, Survival::Seeded(random.next_u64())),
            _ => machine.lose_power(Survival::Seeded(random.next_u64()), Survival::Seeded(random.next_u64())),
        }
    }
    let (mut cache, _) = machine.open().map_err(|error| format!("recovery: {error}"))?;
    model.check_restarted(&mut cache)?;
    cache.drain().map_err(|error| format!("draining: {error}"))?;
    model.check_disk(&machine.disk)
}
