//! Histories of requests, cut off by a power failure or a kill at every possible moment.

use super::machine::{BLOCKS, Machine, Model, TestCache, Verdict, with};
use crate::promise;
use halo_cache::{CacheError, Mode, Planted, Settings, Zeroing};
use halo_core::SplitMix64;
use halo_media::Survival;
use std::fmt::Write;

#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// (first sector, sectors)
    Write(u64, u64),
    /// With FUA.
    WriteDurably(u64, u64),
    Flush,
    Destage,
    Drain,
    /// As a write, of zeros.
    Zero(u64, u64),
    Trim(u64, u64),
    /// A destage during which these are written and flushed, before or after the disk is written.
    DestageDuring {
        writes: Vec<(u64, u64)>,
        before_transfer: bool,
    },
    /// A commit during which these are staged; a second one makes them durable.
    CommitDuring(Vec<(u64, u64)>),
}

/// Runs one operation and keeps the model up to date. An error leaves the model as it must be if the power failed.
pub(crate) fn run(op: &Op, cache: &mut TestCache, model: &mut Model, mode: Mode) -> Result<(), CacheError> {
    let write = |cache: &mut TestCache, model: &mut Model, sector: u64, count: u64, durably: bool| {
        let bytes = model.write(sector, count);
        if durably {
            cache.write_durably(sector * 512, &bytes)?;
        } else {
            cache.write(sector * 512, &bytes)?;
        }
        if durably || mode == Mode::Strict {
            model.flushed();
        }
        Ok(())
    };
    match op {
        Op::Write(sector, count) => write(cache, model, *sector, *count, false),
        Op::WriteDurably(sector, count) => write(cache, model, *sector, *count, true),
        Op::Flush => {
            cache.flush()?;
            model.flushed();
            Ok(())
        }
        Op::Destage => cache.destage().map(|_| ()),
        Op::Drain => cache.drain(),
        Op::Zero(sector, count) => {
            model.zero(*sector, *count);
            cache.zero(sector * 512, (count * 512) as usize, Zeroing::Write)?;
            if mode == Mode::Strict {
                model.flushed();
            }
            Ok(())
        }
        Op::Trim(sector, count) => trim(cache, model, *sector, *count, mode),
        Op::CommitDuring(writes) => commit_during(cache, model, writes),
        Op::DestageDuring { writes, before_transfer } => {
            cache.commit()?;
            while mode == Mode::Ordered && cache.status().clearable_slots > 0 {
                cache.commit()?;
            }
            let Some(batch) = cache.begin_destage(usize::MAX) else { return Ok(()) };
            let mut run_writes = |cache: &mut TestCache| {
                for &(sector, count) in writes {
                    match write(cache, model, sector, count, true) {
                        // Room comes only with the end of the destage.
                        Err(CacheError::Full) => model.refused(sector, count),
                        outcome => outcome?,
                    }
                }
                Ok::<_, CacheError>(())
            };
            let medium = cache_devices(cache);
            if *before_transfer {
                run_writes(cache)?;
                let outcome = batch.transfer(&medium.0, &medium.1);
                cache.finish_destage(batch, outcome)?;
            } else {
                let outcome = batch.transfer(&medium.0, &medium.1);
                run_writes(cache)?;
                cache.finish_destage(batch, outcome)?;
            }
            Ok(())
        }
    }
}

/// Only whole blocks are trimmed; in order, only cached ones.
fn trim(cache: &mut TestCache, model: &mut Model, sector: u64, count: u64, mode: Mode) -> Result<(), CacheError> {
    let (first, end) = (sector.div_ceil(8), (sector + count) / 8);
    if first < end {
        model.zero(first * 8, (end - first) * 8);
    }
    cache.zero(sector * 512, (count * 512) as usize, Zeroing::Trim)?;
    for block in BLOCKS.into_iter().filter(|block| mode == Mode::Ordered && (first..end).contains(block)) {
        let mut bytes = [1; 4096];
        cache.read(block * 4096, &mut bytes)?;
        if bytes != [0; 4096] {
            model.refused(block * 8, 8);
        }
    }
    if mode == Mode::Strict {
        model.flushed();
    }
    Ok(())
}

/// Writes that are staged while a commit is under way belong to the next one.
fn commit_during(cache: &mut TestCache, model: &mut Model, writes: &[(u64, u64)]) -> Result<(), CacheError> {
    let commit = cache.begin_commit()?;
    for &(sector, count) in writes {
        let bytes = model.write(sector, count);
        match cache.stage(sector * 512, &bytes) {
            Err(CacheError::Full) => model.refused(sector, count),
            outcome => outcome?,
        }
    }
    let outcome = commit.make_durable(cache.medium());
    cache.finish_commit(commit, outcome)?;
    cache.flush()?;
    model.flushed();
    Ok(())
}

fn cache_devices(cache: &TestCache) -> (super::machine::Ram, super::machine::Ram) {
    (cache.medium().clone(), cache.disk().clone())
}

/// Histories short enough to be cut off everywhere. Each has a reason.
fn short_histories() -> Vec<Vec<Op>> {
    use Op::{CommitDuring, Destage, DestageDuring, Drain, Flush, Trim, Write, WriteDurably, Zero};
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
        vec![Write(0, 24), Flush, Write(0, 8), Flush, Destage, Write(2048, 8), Flush],
        // Zeros over cached and uncached blocks, parts of zeros, and zeros on their way to the disk.
        vec![Write(0, 16), Flush, Zero(4, 8), Flush, Zero(0, 24), Write(2, 3), Flush, Drain, Zero(8, 8), Flush],
        // A block that is on the disk and whose item waits to be cleared is zeroed there.
        vec![Write(0, 8), Write(2048, 8), Flush, Destage, Trim(0, 16), Flush, Write(16, 8), Flush],
        // A block that is zeroed on the disk is written and destaged again.
        vec![Write(0, 8), Flush, Drain, Zero(0, 2048), Write(3, 2), Flush, Drain, Trim(2, 20), Flush],
        // Slots that become free only with the commit that is under way.
        vec![
            Write(0, 24),
            Write(2040, 24),
            Write(2072, 8),
            Flush,
            Destage,
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

/// What the disk keeps need not be what the cache keeps.
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
        let outcome = run(op, &mut cache, model, machine.settings.mode);
        if machine.power.is_off() {
            return Ok(true);
        }
        outcome.map_err(|error| format!("{op:?}: {error}"))?;
        model.check_running(&mut cache).map_err(|text| format!("after {op:?}: {text}"))?;
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
        cache.destage().map_err(|error| format!("destaging after recovery: {error}"))?;
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
                every_event(&history, unit_bytes, settings)
                    .map_err(|text| format!("history {number}, {mode:?}, units of {unit_bytes}: {text}"))?;
            }
        }
    }
    Ok(())
}

fn every_event(history: &[Op], unit_bytes: usize, settings: Settings) -> Verdict {
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

pub(crate) fn random_op(random: &mut SplitMix64) -> Op {
    let range = |random: &mut SplitMix64| {
        let block = BLOCKS[random.below(BLOCKS.len() as u64) as usize];
        let first = random.below(8);
        // Two of three writes cover the whole block.
        if random.below(3) > 0 { (block * 8, 8) } else { (block * 8 + first, 1 + random.below(8 - first)) }
    };
    let (sector, count) = range(random);
    match random.below(15) {
        0..=4 => Op::Write(sector, count),
        5 => Op::WriteDurably(sector, count),
        6 | 7 => Op::Flush,
        8 | 9 => Op::Destage,
        12 => Op::Zero(sector, count),
        13 => Op::Trim(sector, count),
        10 => Op::CommitDuring((0..=random.below(3)).map(|_| range(random)).collect()),
        11 => Op::DestageDuring {
            writes: (0..=random.below(3)).map(|_| range(random)).collect(),
            before_transfer: random.below(2) == 0,
        },
        _ => Op::Drain,
    }
}

/// Long random histories: power failures, kills (the machine goes on, so nothing that was written is lost), clean
/// restarts, in any order on the same devices.
pub(crate) fn long_histories_survive_kills_and_power_losses(planted: Planted) -> Verdict {
    for seed in 0..400 {
        let mode = [Mode::Flush, Mode::Strict, Mode::Ordered][seed as usize % 3];
        let mut settings = with(planted, Settings::new(mode));
        settings.batch_buckets = 1 + seed as usize % 2;
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
            model.check_running(&mut cache).map_err(|broken| format!("{text}{broken}"))?;
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
