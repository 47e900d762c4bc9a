//! Devices that fail while the power stays on, and a cache that is full.

use super::lying::Lying;
use super::machine::{BLOCKS, Machine, Model, Ram, Verdict, with};
use super::operations::destage_without_clearing;
use crate::promise;
use halo_cache::{Cache, CacheError, Device, Mode, Planted, Settings};
use halo_media::{Faulty, Medium, Piece, Survival};
use std::io;
use std::sync::Arc;

type Layer = Arc<Lying<Faulty<Ram>>>;
type FaultyCache = Cache<Layer, Layer>;

struct Faults {
    machine: Machine,
    medium: Layer,
    disk: Layer,
    cache: FaultyCache,
    model: Model,
}

fn open(slots: usize, planted: Planted) -> Result<Faults, String> {
    let machine = Machine::new(slots, 512, with(planted, Settings::new(Mode::Flush)));
    let medium = Arc::new(Lying::new(Faulty::new(machine.medium.clone()), Device::Cache, planted));
    let disk = Arc::new(Lying::new(Faulty::new(machine.disk.clone()), Device::Disk, planted));
    let opened = Cache::open(medium.clone(), disk.clone(), machine.settings);
    let (cache, _) = opened.map_err(|error| error.to_string())?;
    Ok(Faults { machine, medium, disk, cache, model: Model::default() })
}

impl Faults {
    fn write(&mut self, block: u64) -> Result<(), CacheError> {
        let bytes = self.model.write(block * 8, 8);
        let outcome = self.cache.write(block * 4096, &bytes);
        if outcome.is_err() {
            self.model.refused(block * 8, 8);
        }
        outcome
    }

    fn flush(&mut self) -> Verdict {
        self.cache.flush().map_err(|error| format!("flush: {error}"))?;
        self.model.flushed();
        Ok(())
    }

    /// Power goes, nothing that was not flushed is kept, and everything that was acknowledged is there again.
    fn lose_power_and_check(mut self) -> Verdict {
        self.machine.lose_power(Survival::Nothing, Survival::Nothing);
        let (mut cache, _) = self.machine.open().map_err(|error| format!("recovery: {error}"))?;
        self.model.check_restarted(&mut cache)?;
        cache.drain().map_err(|error| format!("draining: {error}"))?;
        self.model.check_disk(&self.machine.disk)
    }
}

/// Write errors of the disk: blocks stay, are readable, and go once the disk is well again.
pub(crate) fn blocks_that_the_disk_refuses_stay_dirty_and_readable(planted: Planted) -> Verdict {
    let mut faults = open(12, planted)?;
    for block in BLOCKS {
        faults.write(block).map_err(|error| error.to_string())?;
    }
    faults.flush()?;
    faults.disk.fail_writes(4096..8192);
    let refused = faults.cache.drain();
    promise!(refused.is_err(), "draining into a broken disk succeeded");
    promise!(faults.cache.dirty_blocks() > 0, "blocks were dropped");
    check(&mut faults)?;
    promise!(faults.cache.statistics().failed_destages > 0, "the failure was not counted");
    faults.disk.fail_writes(0..0);
    faults.cache.drain().map_err(|error| format!("draining into a healed disk: {error}"))?;
    faults.model.check_disk(&faults.machine.disk)?;
    faults.lose_power_and_check()
}

/// Flush errors of the disk: what it took without a flush is not taken for safe.
pub(crate) fn a_failed_flush_of_the_disk_keeps_the_blocks(planted: Planted) -> Verdict {
    let mut faults = open(12, planted)?;
    for block in BLOCKS {
        faults.write(block).map_err(|error| error.to_string())?;
    }
    faults.flush()?;
    faults.disk.fail_barriers(true);
    promise!(faults.cache.drain().is_err(), "draining without a flush of the disk succeeded");
    check(&mut faults)?;
    faults.lose_power_and_check()
}

/// A full cache in front of a broken disk says so; with the disk well again it goes on.
pub(crate) fn a_full_cache_refuses_writes_only_while_the_disk_does(planted: Planted) -> Verdict {
    let mut faults = open(8, planted)?;
    faults.disk.fail_writes(0..u64::MAX);
    let mut refused = None;
    for round in 0..4 {
        for block in BLOCKS.into_iter().chain([258]) {
            if let Err(error) = faults.write(block) {
                refused = Some((round, error.to_string()));
            }
        }
    }
    // Eight slots hold seven blocks, but not a second copy of each.
    promise!(refused.is_some(), "eight slots took four copies of eight blocks without the disk");
    check(&mut faults)?;
    faults.disk.fail_writes(0..0);
    for _ in 0..20 {
        for block in BLOCKS.into_iter().chain([258]) {
            faults.write(block).map_err(|error| format!("with a healed disk: {error}"))?;
        }
        faults.flush()?;
    }
    check(&mut faults)?;
    faults.lose_power_and_check()
}

/// A failed write or barrier of the cache medium poisons it: no later success may cover up what was lost.
pub(crate) fn after_a_failed_commit_nothing_is_acknowledged_until_reopened(planted: Planted) -> Verdict {
    let mut faults = open(12, planted)?;
    faults.write(0).map_err(|error| error.to_string())?;
    faults.flush()?;
    faults.write(1).map_err(|error| error.to_string())?;
    faults.medium.fail_barriers(true);
    promise!(faults.cache.flush().is_err(), "a flush without a barrier succeeded");
    faults.medium.fail_barriers(false);
    let again = faults.cache.flush();
    promise!(matches!(again, Err(CacheError::Poisoned)), "after a failed commit: {again:?}");
    let write = faults.cache.write(8192, &[0; 512]);
    promise!(matches!(write, Err(CacheError::Poisoned)), "after a failed commit: {write:?}");
    check(&mut faults)?;
    faults.lose_power_and_check()
}

/// A full region reaches the disk as one write of 1 MiB, and not as 256.
pub(crate) fn neighbouring_blocks_reach_the_disk_in_one_piece(planted: Planted) -> Verdict {
    let machine = Machine::new(300, 512, with(planted, Settings::new(Mode::Flush)));
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    for block in (0..256).rev() {
        cache.write(block * 4096, &[7; 4096]).map_err(|error| error.to_string())?;
    }
    cache.commit().map_err(|error| error.to_string())?;
    let before = machine.power.events();
    destage_without_clearing(&mut cache).map_err(|error| error.to_string())?;
    let events = machine.power.events() - before;
    promise!(cache.dirty_blocks() == 0, "{} of 256 blocks are still dirty", cache.dirty_blocks());
    promise!(events == 2, "{events} events instead of a write and a flush");
    Ok(())
}

/// A disk that is given only the pieces before `end_bytes`, and perhaps some behind it.
struct EndsEarly<'a> {
    disk: &'a Ram,
    end_bytes: u64,
}

impl Medium for EndsEarly<'_> {
    fn len_bytes(&self) -> u64 {
        self.disk.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.disk.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.write_at(offset_bytes, bytes)
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let (last, others) = pieces.split_last().ok_or(io::ErrorKind::InvalidInput)?;
        let given = others.iter().filter(|piece| piece.offset_bytes < self.end_bytes).chain([last]);
        given.into_iter().try_for_each(|piece| self.write_at(piece.offset_bytes, piece.bytes))
    }

    fn barrier(&self) -> io::Result<()> {
        self.disk.barrier()
    }
}

/// Wherever a batch ends, even in the middle of a block: what the disk was not given stays in the cache, in every mode.
pub(crate) fn a_batch_that_ended_early_keeps_the_rest(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        for end_sector in [1, 8, 9, 16, 17, 24, 2040, 2047, 2056, 2057] {
            let machine = Machine::new(12, 512, with(planted, Settings::new(mode)));
            let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
            let mut model = Model::default();
            // In another order than that of the disk.
            for block in BLOCKS.into_iter().rev() {
                let bytes = model.write(block * 8, 8);
                cache.write(block * 4096, &bytes).map_err(|error| error.to_string())?;
            }
            cache.flush().map_err(|error| error.to_string())?;
            model.flushed();
            let batch = cache.begin_destage(usize::MAX).ok_or("nothing to destage")?;
            let end_bytes = end_sector * 512;
            let disk = EndsEarly { disk: &machine.disk, end_bytes };
            let outcome = batch.transfer_until(&machine.medium, &disk, || end_bytes);
            cache.finish_destage(batch, outcome).map_err(|error| error.to_string())?;
            cache.commit().and_then(|()| cache.commit()).map_err(|error| error.to_string())?;
            model.check_running(&mut cache)?;
            machine.lose_power(Survival::Nothing, Survival::Nothing);
            let (mut cache, _) = machine.open().map_err(|error| format!("recovery: {error}"))?;
            model.check_restarted(&mut cache)?;
            cache.drain().map_err(|error| error.to_string())?;
            model.check_disk(&machine.disk)?;
        }
    }
    Ok(())
}

/// A cache that holds nothing is detached without looking at its slots: two records of two copies on the cache, one on the
/// disk, a write and a barrier each, and the barrier of an empty commit.
pub(crate) fn a_clean_cache_detaches_at_once(planted: Planted) -> Verdict {
    let machine = Machine::new(300, 512, with(planted, Settings::new(Mode::Flush)));
    let (cache, _) = machine.open().map_err(|error| error.to_string())?;
    let before = machine.power.events();
    cache.detach().map_err(|error| error.to_string())?;
    let events = machine.power.events() - before;
    promise!(events <= 13, "{events} events to detach a clean cache");
    Ok(())
}

/// Requests that are not in whole sectors, or leave the device, change nothing.
pub(crate) fn misaligned_requests_are_refused(planted: Planted) -> Verdict {
    let mut faults = open(12, planted)?;
    let capacity = faults.cache.capacity_bytes();
    for (offset, count) in [(1, 512), (0, 511), (capacity - 512, 1024), (capacity, 512), (u64::MAX - 511, 512)] {
        let write = faults.cache.write(offset, &vec![0; count]);
        promise!(matches!(write, Err(CacheError::BadRange { .. })), "{count} bytes at {offset}: {write:?}");
        let read = faults.cache.read(offset, &mut vec![0; count]);
        promise!(matches!(read, Err(CacheError::BadRange { .. })), "{count} bytes at {offset}: {read:?}");
    }
    promise!(faults.cache.dirty_blocks() == 0, "a refused write left something behind");
    promise!(faults.cache.write(0, &[]).is_ok(), "an empty write");
    check(&mut faults)
}

fn check(faults: &mut Faults) -> Verdict {
    for block in BLOCKS {
        let mut bytes = [0; 4096];
        faults.cache.read(block * 4096, &mut bytes).map_err(|error| format!("reading block {block}: {error}"))?;
        faults.model.check_block(block, &bytes)?;
    }
    Ok(())
}

/// Overwritten before a commit, in between, or after it: a block has a slot, and another one for what is to be cleared.
pub(crate) fn a_block_that_is_written_again_takes_no_more_slots(planted: Planted) -> Verdict {
    let mut faults = open(12, planted)?;
    let free = |faults: &Faults| faults.cache.status().free_slots;
    let all = free(&faults);
    for _ in 0..40 {
        faults.write(0).map_err(|error| error.to_string())?;
        promise!(
            free(&faults) == all - 1,
            "{} of {all} slots are free besides a block that no commit has seen",
            free(&faults)
        );
    }
    for _ in 0..4 {
        faults.flush()?;
        faults.write(0).map_err(|error| error.to_string())?;
        promise!(free(&faults) + 3 >= all, "{} of {all} slots are free besides two copies of a block", free(&faults));
    }
    faults.cache.drain().map_err(|error| error.to_string())?;
    promise!(free(&faults) == all, "{} of {all} slots are free after a drain", free(&faults));
    faults.lose_power_and_check()
}
