//! The steps of histories: requests, and the work that a host with threads does at the same time.

use super::machine::{BLOCKS, Model, TestCache, Verdict};
use halo_cache::{CacheError, Mode, ReadEnd, Zeroing};
use halo_core::SplitMix64;

#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// (first sector, sectors)
    Write(u64, u64),
    /// With FUA.
    WriteDurably(u64, u64),
    Flush,
    Destage,
    /// The same up to the end of the batch.
    DestageWithoutClearing,
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
    Read(u64, u64),
    /// A read that ends after all this, which happens when the disk has been read for it.
    ReadDuring {
        read: (u64, u64),
        during: Vec<Op>,
    },
    /// Zeros or, unless in order, a trim of whole blocks, around a read.
    ZeroAround {
        zeroed: (u64, u64),
        read: (u64, u64),
    },
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
        Op::Read(sector, count) => read_around(cache, model, (*sector, *count), |_, _| Ok(())),
        Op::ReadDuring { read, during } => read_around(cache, model, *read, |cache, model| {
            during.iter().try_for_each(|op| run(op, cache, model, mode))
        }),
        Op::ZeroAround { zeroed, read } => zero_around(cache, model, *zeroed, *read, mode),
        Op::DestageWithoutClearing => destage_without_clearing(cache),
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

/// A destage of which the medium does not know yet: its slots are not cleared, nor are those of older copies, as if another thread had
/// flushed just before.
pub(crate) fn destage_without_clearing(cache: &mut TestCache) -> Result<(), CacheError> {
    if cache.status().staged_slots > 0 {
        cache.commit()?;
    }
    let Some(batch) = cache.begin_destage(usize::MAX) else { return Ok(()) };
    let medium = cache_devices(cache);
    let outcome = batch.transfer(&medium.0, &medium.1);
    cache.finish_destage(batch, outcome).map(drop)
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

/// Reads sectors; `during` happens when the disk has been read.
fn read_around(
    cache: &mut TestCache,
    model: &mut Model,
    (sector, count): (u64, u64),
    during: impl FnOnce(&mut TestCache, &mut Model) -> Result<(), CacheError>,
) -> Result<(), CacheError> {
    let before = model.newest();
    let mut bytes = vec![0; (count * 512) as usize];
    let plan = cache.plan_read(sector * 512, bytes.len())?;
    let outcome = plan.read_disk(cache.disk(), &mut bytes);
    during(cache, model)?;
    let outcome = outcome.and_then(|()| plan.read_cached(cache.medium(), &mut bytes));
    match cache.finish_read(plan, outcome)? {
        ReadEnd::Done(keeping) => {
            let kept = keeping.write(cache.medium(), &bytes);
            cache.finish_keeping(keeping, kept);
        }
        ReadEnd::Again => cache.read(sector * 512, &mut bytes)?,
    }
    model.note_overlapped(&before, sector, &bytes);
    Ok(())
}

/// Zeroes blocks; a read comes when the disk is about to be zeroed.
fn zero_around(
    cache: &mut TestCache,
    model: &mut Model,
    (sector, count): (u64, u64),
    read: (u64, u64),
    mode: Mode,
) -> Result<(), CacheError> {
    let zeroing = if mode == Mode::Ordered { Zeroing::Write } else { Zeroing::Trim };
    let (offset_bytes, count_bytes) = (sector * 512, (count * 512) as usize);
    let before = model.newest();
    model.zero(sector, count);
    let step = cache.begin_zeroing(offset_bytes, count_bytes, zeroing)?;
    let mut bytes = vec![0; (read.1 * 512) as usize];
    cache.read(read.0 * 512, &mut bytes)?;
    model.note_overlapped(&before, read.0, &bytes);
    let outcome = step.zero_disk(cache.disk());
    cache.finish_zeroing(&step, outcome)?;
    if step.handled_bytes() < count_bytes {
        // There was no room for the rest.
        cache.zero(offset_bytes, count_bytes, zeroing)?;
    }
    if mode == Mode::Strict {
        cache.flush()?;
        model.flushed();
    }
    Ok(())
}

/// Runs operations one after the other, without a power failure.
pub(crate) fn run_all(ops: &[Op], cache: &mut TestCache, model: &mut Model, mode: Mode) -> Verdict {
    ops.iter().try_for_each(|op| run(op, cache, model, mode).map_err(|error| format!("{op:?}: {error}")))?;
    model.check_running(cache)
}

fn cache_devices(cache: &TestCache) -> (super::machine::Ram, super::machine::Ram) {
    (cache.medium().clone(), cache.disk().clone())
}

pub(crate) fn random_op(random: &mut SplitMix64) -> Op {
    let range = |random: &mut SplitMix64| {
        let block = BLOCKS[random.below(BLOCKS.len() as u64) as usize];
        let first = random.below(8);
        // Two of three writes cover the whole block.
        if random.below(3) > 0 { (block * 8, 8) } else { (block * 8 + first, 1 + random.below(8 - first)) }
    };
    let (sector, count) = range(random);
    match random.below(18) {
        0..=4 => Op::Write(sector, count),
        5 => Op::WriteDurably(sector, count),
        6 | 7 => Op::Flush,
        8 => Op::Destage,
        9 => Op::DestageWithoutClearing,
        12 => Op::Zero(sector, count),
        15 => Op::Read(sector, count),
        16 => Op::ReadDuring { read: range(random), during: vec![Op::Write(sector, count), Op::Flush, Op::Destage] },
        17 => Op::ZeroAround { zeroed: (sector / 8 * 8, 8), read: range(random) },
        13 => Op::Trim(sector, count),
        10 => Op::CommitDuring((0..=random.below(3)).map(|_| range(random)).collect()),
        11 => Op::DestageDuring {
            writes: (0..=random.below(3)).map(|_| range(random)).collect(),
            before_transfer: random.below(2) == 0,
        },
        _ => Op::Drain,
    }
}
