//! Mode ordered: the cache medium is lost, at any moment, and the disk alone is as a plain disk could be.

use super::bypass::bypassing;
use super::histories::{run_until, survivals};
use super::machine::{BLOCKS, Machine, Model, Ram, Verdict, with};
use super::operations::{Op, destage_without_clearing, random_op, run};
use crate::promise;
use halo_cache::{Cache, CacheError, Mode, Planted, Settings};
use halo_core::{Lbn, SplitMix64};
use halo_media::{Medium, Survival};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

fn settings(planted: Planted) -> Settings {
    with(planted, Settings::new(Mode::Ordered))
}

/// Most flushes need several commits.
fn in_small_commits(planted: Planted) -> Settings {
    Settings { commit_blocks: 2, ..settings(planted) }
}

fn histories() -> Vec<Vec<Op>> {
    use Op::{
        CommitDuring, Destage, DestageDuring, DestageWithoutClearing, Drain, Flush, Trim, Write, WriteDurably, Zero,
    };
    vec![
        // Overwritten by later epochs, in the other order.
        vec![Write(0, 8), Write(8, 8), Flush, Write(8, 8), Flush, Write(0, 8), Flush, Destage, Destage, Destage],
        // Parts of blocks, each of another epoch.
        vec![Write(0, 4), Write(2048, 8), Flush, Write(2, 4), Flush, Write(2050, 2), Write(6, 2), Flush, Drain],
        // A destage during which later epochs come.
        vec![
            Write(0, 16),
            Flush,
            Write(8, 16),
            Flush,
            DestageDuring { writes: vec![(0, 8), (2048, 4)], before_transfer: true },
            DestageDuring { writes: vec![(8, 3), (16, 8)], before_transfer: false },
            Drain,
        ],
        // More epochs than the cache has slots.
        (0..14).map(|at| WriteDurably(BLOCKS[at % 3] * 8, 8)).chain([Drain]).collect(),
        // Epochs that go in one batch, and one that has a block of an earlier one.
        vec![Write(0, 8), Write(2048, 8), Flush, Write(8, 8), Flush, Write(16, 8), Flush, Write(0, 8), Flush, Drain],
        // Streams past an empty cache, and through one that is not.
        vec![
            Write(8, 16),
            Flush,
            Write(3, 2),
            Flush,
            Write(8, 8),
            Write(2048, 8),
            Flush,
            Destage,
            Drain,
            Write(0, 16),
            Write(5, 1),
            Flush,
            Write(0, 8),
        ],
        // Past items that wait to be cleared: of one copy of a block, and of an old and a new one.
        vec![
            Write(8, 3),
            Write(2050, 2),
            Flush,
            DestageWithoutClearing,
            Write(0, 16),
            Flush,
            Write(8, 8),
            Write(2048, 8),
        ],
        vec![
            Write(8, 3),
            Flush,
            Write(10, 3),
            Flush,
            DestageWithoutClearing,
            Write(8, 8),
            DestageWithoutClearing,
            Write(0, 16),
            Write(8, 8),
            Flush,
            Write(3, 1),
            Flush,
        ],
        // Zeros, and a commit during which more is staged.
        vec![Write(0, 24), Flush, Zero(8, 8), CommitDuring(vec![(8, 8), (0, 3)]), Trim(0, 24), Flush, Drain],
    ]
}

/// Every event of every history, whatever the disk kept; and again with the cache lost during a recovery that goes on.
pub(crate) fn the_disk_alone_is_in_order_at_every_event(planted: Planted) -> Verdict {
    in_order_at_every_event(settings(planted))?;
    in_order_at_every_event(in_small_commits(planted))?;
    in_order_at_every_event(bypassing(settings(planted)))
}

fn in_order_at_every_event(settings: Settings) -> Verdict {
    for (number, history) in histories().into_iter().enumerate() {
        for event in 0.. {
            let machine = Machine::new(9, 512, settings);
            let failed = run_until(&machine, &mut Model::default(), &history, event)?;
            for survival in survivals(machine.disk.undecided_units(), event) {
                let text = format!("history {number}, event {event}, {survival:?}");
                let machine = Machine::new(9, 512, settings);
                let mut model = Model::default();
                run_until(&machine, &mut model, &history, event).map_err(|broken| format!("{text}: {broken}"))?;
                machine.lose_power(Survival::Nothing, survival);
                model.check_prefix(&machine.disk).map_err(|broken| format!("{text}: {broken}"))?;
            }
            lost_during_recovery(&history, event, settings)
                .map_err(|broken| format!("history {number}, event {event}: {broken}"))?;
            if !failed {
                break;
            }
        }
    }
    Ok(())
}

/// After a power loss the cache is opened, and drained until the power fails once more: only then it is lost.
fn lost_during_recovery(history: &[Op], event: u64, settings: Settings) -> Verdict {
    for event_in_recovery in 6.. {
        let machine = Machine::new(9, 512, settings);
        let mut model = Model::default();
        run_until(&machine, &mut model, history, event)?;
        machine.lose_power(Survival::Seeded(event), Survival::Seeded(event ^ event_in_recovery));
        let (mut cache, _) = machine.open().map_err(|error| format!("recovery: {error}"))?;
        model.check_restarted(&mut cache)?;
        machine.fail_in(event_in_recovery - 6);
        let drained = cache.drain();
        promise!(drained.is_ok() || machine.power.is_off(), "draining after recovery: {drained:?}");
        machine.lose_power(Survival::Nothing, Survival::Seeded(event_in_recovery));
        model
            .check_prefix(&machine.disk)
            .map_err(|text| format!("{} after recovery: {text}", event_in_recovery - 6))?;
        if drained.is_ok() {
            return Ok(());
        }
    }
    Ok(())
}

/// Long random histories with kills and power losses; at the end of each session the disk alone is in order.
pub(crate) fn long_histories_leave_the_disk_in_order(planted: Planted) -> Verdict {
    for seed in 0..150 {
        let commits = if seed % 3 == 0 { in_small_commits(planted) } else { settings(planted) };
        let settings = Settings { clean_blocks: seed % 2 == 0, ..commits };
        let settings = if seed % 5 < 3 { settings } else { bypassing(settings) };
        let machine = Machine::new(8 + seed as usize % 6, 512, settings);
        let mut random = SplitMix64::new(seed);
        let mut model = Model::default();
        for session in 0..8 {
            let context = |text: String| format!("seed {seed}, session {session}: {text}");
            let (mut cache, _) = machine.open().map_err(|error| context(error.to_string()))?;
            model.check_restarted(&mut cache).map_err(context)?;
            machine.fail_in(random.below(90));
            for _ in 0..random.below(30) {
                let op = random_op(&mut random);
                let outcome = run(&op, &mut cache, &mut model, Mode::Ordered);
                if machine.power.is_off() {
                    break;
                }
                outcome.map_err(|error| context(format!("{op:?}: {error}")))?;
            }
            machine.lose_power(Survival::Seeded(random.next_u64()), Survival::Seeded(random.next_u64()));
            model.check_prefix(&machine.disk).map_err(context)?;
        }
    }
    Ok(())
}

/// Blocks that were cached without an order go to the disk before the mode begins.
pub(crate) fn a_cache_without_order_is_emptied_first(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, settings(planted));
    let mut model = Model::default();
    let unordered = Settings { mode: Mode::Flush, ..machine.settings };
    let open = |settings| {
        halo_cache::Cache::open(machine.medium.clone(), machine.disk.clone(), settings)
            .map_err(|error: CacheError| error.to_string())
    };
    let write = |cache: &mut super::machine::TestCache, model: &mut Model, block: u64| {
        let bytes = model.write(block * 8, 8);
        cache.write_durably(block * 4096, &bytes).map_err(|error| error.to_string())?;
        model.flushed();
        Ok::<_, String>(())
    };
    // The older version of block 0 is cleared before the disk has it: no order could be kept.
    let (mut cache, _) = open(unordered)?;
    for block in [0, 1, 0, 2] {
        write(&mut cache, &mut model, block)?;
    }
    drop(cache);
    let (mut cache, _) = open(machine.settings)?;
    promise!(cache.dirty_blocks() == 0, "{} blocks without an order are left", cache.dirty_blocks());
    for block in [1, 0] {
        write(&mut cache, &mut model, block)?;
    }
    drop(cache);
    // Back in order after a restart, and out of order after one in another mode.
    let (mut cache, _) = open(machine.settings)?;
    promise!(cache.dirty_blocks() == 2, "a restart in order emptied the cache");
    destage_without_clearing(&mut cache).map_err(|error| error.to_string())?;
    machine.lose_power(Survival::Everything, Survival::Nothing);
    model.check_prefix(&machine.disk)?;
    let (cache, _) = open(unordered)?;
    promise!(cache.dirty_blocks() > 0, "a restart without order emptied the cache");
    drop(cache);
    let (cache, _) = open(machine.settings)?;
    promise!(cache.dirty_blocks() == 0, "blocks that were used without an order were taken over");
    Ok(())
}

/// A copy whose data has rotted stays behind, is named, and is let go once the block was written anew.
pub(crate) fn damaged_copies_do_not_stop_the_others(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, settings(planted));
    let mut model = Model::default();
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    for block in [0, 1, 2] {
        let bytes = model.write(block * 8, 8);
        cache.write_durably(block * 4096, &bytes).map_err(|error| error.to_string())?;
        model.flushed();
    }
    let slot = cache.slot_of(Lbn(0)).ok_or("block 0 is not cached")?;
    let mut bytes = machine.medium.snapshot();
    bytes[cache.layout().data_offset_bytes(slot) as usize] ^= 1;
    machine.medium.load(&bytes);
    let drained = cache.drain();
    promise!(matches!(drained, Err(CacheError::Damaged(Lbn(0)))), "draining damaged data: {drained:?}");
    promise!(cache.dirty_blocks() == 1, "{} blocks are left", cache.dirty_blocks());
    let bytes = model.write(0, 8);
    cache.write_durably(0, &bytes).map_err(|error| error.to_string())?;
    model.flushed();
    cache.drain().map_err(|error| format!("draining a healed cache: {error}"))?;
    model.check_disk(&machine.disk)?;
    let free = cache.status().free_slots;
    promise!(free == cache.status().slots, "{free} slots are free after a drain");
    Ok(())
}

/// A disk that refuses some of its flushes, by number; what they were for is durable with the next that succeeds.
struct Refusing {
    disk: Ram,
    flushes: AtomicU64,
    refused: Range<u64>,
}

impl Medium for Refusing {
    fn len_bytes(&self) -> u64 {
        self.disk.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.disk.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.write_at(offset_bytes, bytes)
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        self.disk.zero_cheaply(offset_bytes, count_bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        if self.refused.contains(&self.flushes.fetch_add(1, SeqCst)) {
            return Err(io::Error::other("refused"));
        }
        self.disk.barrier()
    }
}

/// Between two epochs, in the middle of a batch or at its end, once or twice: no block of a later epoch is on the disk before all of the
/// earlier ones are.
pub(crate) fn a_flush_that_the_disk_refuses_leaves_it_in_order(planted: Planted) -> Verdict {
    let text = |error: CacheError| error.to_string();
    for first in 0..10 {
        for (times, attempts) in [(1, 1), (1, 2), (1, 9), (2, 3), (2, 9)] {
            let machine = Machine::new(16, 512, settings(planted));
            let refused = first..first + times;
            // Those of the opening do not count.
            let flushes = AtomicU64::new(1 << 32);
            let disk = Arc::new(Refusing { disk: machine.disk.clone(), flushes, refused });
            let (mut cache, _) = Cache::open(machine.medium.clone(), disk.clone(), machine.settings).map_err(text)?;
            disk.flushes.store(0, SeqCst);
            let mut model = Model::default();
            // Epochs of a block each, but for the last two, that have blocks of earlier ones.
            for blocks in [&[6][..], &[3], &[0], &[5], &[0, 3], &[6, 1]] {
                for &block in blocks {
                    let bytes = model.write(BLOCKS[block] * 8, 8);
                    cache.write(BLOCKS[block] * 4096, &bytes).map_err(text)?;
                }
                cache.flush().map_err(text)?;
                model.flushed();
            }
            let failed = (0..attempts).filter(|_| cache.destage().is_err()).count();
            let drained = cache.dirty_blocks() == 0;
            machine.lose_power(Survival::Nothing, Survival::Seeded(first * 10 + attempts));
            let context = format!("flushes from {first}, {times} refused, {failed} of {attempts} destages failed");
            model.check_prefix(&machine.disk).map_err(|text| format!("{context}: {text}"))?;
            promise!(attempts < 9 || drained, "{context}: blocks are left");
            if drained {
                model.check_disk(&machine.disk).map_err(|text| format!("{context}: {text}"))?;
            }
        }
    }
    Ok(())
}
