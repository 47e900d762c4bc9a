//! Requests that overlap in time and place, under schedules that a random scheduler makes up; and known mistakes of threads, each of
//! which such a schedule must show.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod made_up;

use halo_cache::format::Id;
use halo_cache::{Cache, CacheError, Mode, Planted, Settings, Zeroing};
use halo_device::SharedCache;
use halo_media::{Medium, Power, PowerLossRam, Survival};
use shuttle::rand::Rng;
use shuttle::thread;
use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::slice::from_ref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const SECTOR: usize = 512;
const BLOCK: usize = 4096;

/// Own: one read in so many takes long, so that others do much in the meantime (a sweep, and writes into the slots that it set free).
/// Without it four schedules in a thousand show a slot that is reused while it is read; with it, every second one.
const SLOW_READ_IN: u32 = 4;
const SLOW_READ_SWITCHES: usize = 128;

/// Lets the scheduler change threads before each access and after it.
#[derive(Clone)]
struct Switching {
    ram: Arc<PowerLossRam>,
    /// A write goes on in pieces of this size.
    piece_bytes: usize,
}

fn switching<T>(access: impl FnOnce() -> T) -> T {
    thread::yield_now();
    let outcome = access();
    thread::yield_now();
    outcome
}

impl Medium for Switching {
    fn len_bytes(&self) -> u64 {
        self.ram.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        if shuttle::rand::thread_rng().gen_ratio(1, SLOW_READ_IN) {
            (0..SLOW_READ_SWITCHES).for_each(|_| thread::yield_now());
        }
        switching(|| self.ram.read_at(offset_bytes, buffer))
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        let mut offsets = (offset_bytes..).step_by(self.piece_bytes);
        bytes.chunks(self.piece_bytes).try_for_each(|piece| {
            let offset_bytes = offsets.next().unwrap();
            switching(|| self.ram.write_at(offset_bytes, piece))
        })
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        switching(|| self.ram.zero_cheaply(offset_bytes, count_bytes))
    }

    fn barrier(&self) -> io::Result<()> {
        switching(|| self.ram.barrier())
    }
}

struct Machine {
    power: Power,
    medium: Arc<PowerLossRam>,
    disk: Arc<PowerLossRam>,
    settings: Settings,
}

type Shared = Arc<SharedCache<Switching, Switching>>;

impl Machine {
    fn new(slots: usize, settings: Settings) -> Self {
        let power = Power::new();
        let medium = Arc::new(PowerLossRam::new((3 + slots) * BLOCK, SECTOR, &power));
        let disk = Arc::new(PowerLossRam::new(16 * BLOCK, SECTOR, &power));
        Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
        Self { power, medium, disk, settings }
    }

    fn open(&self) -> Shared {
        // Half a block, in the model whose writes go to the disk beside each other.
        let disk_piece_bytes = if self.settings.bypass_sequential.is_some() { BLOCK / 2 } else { usize::MAX };
        let medium = Switching { ram: self.medium.clone(), piece_bytes: usize::MAX };
        let disk = Switching { ram: self.disk.clone(), piece_bytes: disk_piece_bytes };
        Arc::new(SharedCache::new(Cache::open(medium, disk, self.settings).unwrap().0))
    }

    fn open_after_power_loss(&self) -> Shared {
        self.medium.lose_power(Survival::Nothing);
        self.disk.lose_power(Survival::Nothing);
        self.power.restore();
        self.open()
    }
}

/// Sectors that each say who wrote them, and which of his writes it was.
fn sectors(count: usize, writer: u8, version: u8) -> Vec<u8> {
    [writer, version].repeat(count * SECTOR / 2)
}

/// Writer and version of each sector, which is whole.
fn read(shared: &Shared, first: usize, count: usize) -> Vec<(u8, u8)> {
    let mut bytes = vec![0; count * SECTOR];
    shared.read((first * SECTOR) as u64, &mut bytes).unwrap();
    let stamps = bytes.chunks_exact(SECTOR).map(|sector| {
        assert!(sector == [sector[0], sector[1]].repeat(SECTOR / 2), "a torn sector");
        (sector[0], sector[1])
    });
    stamps.collect()
}

/// A reader of one block, whose slot is superseded, destaged and wanted by others while it is being read.
fn read_beside_reuse(settings: Settings) {
    let machine = Machine::new(8, settings);
    let shared = machine.open();
    shared.write(0, &sectors(8, 1, 1)).unwrap();
    shared.flush().unwrap();
    let writer = {
        let shared = shared.clone();
        thread::spawn(move || {
            for version in 2..=3 {
                shared.write(0, &sectors(8, 1, version)).unwrap();
                shared.write(BLOCK as u64, &sectors(8, 2, version)).unwrap();
                shared.write(0, &sectors(8, 1, version + 10)).unwrap();
                shared.write(BLOCK as u64, &sectors(8, 2, version + 10)).unwrap();
                shared.flush().unwrap();
                shared.destage().unwrap();
                // The slots go round.
                for block in 1..8 {
                    shared.write((block * BLOCK) as u64, &sectors(8, 2, version)).unwrap();
                }
            }
        })
    };
    let read_again_and_again = |shared: &Shared| {
        for _ in 0..4 {
            let found = read(shared, 0, 8);
            assert!(found.iter().all(|&(writer, _)| writer == 1), "block 0 reads as another: {found:?}");
            assert!(found.iter().all(|stamp| *stamp == found[0]), "block 0 is of two versions: {found:?}");
        }
    };
    // Two that read the same slot end one after the other.
    let reader = {
        let shared = shared.clone();
        thread::spawn(move || read_again_and_again(&shared))
    };
    read_again_and_again(&shared);
    reader.join().unwrap();
    writer.join().unwrap();
    let status = shared.status();
    assert!(status.last_error.is_none(), "{:?}", status.last_error);
}

/// Two writers whose ranges overlap across a border of blocks, and somebody who flushes.
fn overlapping_writes(settings: Settings) {
    // In each of two blocks: three sectors of the first alone, two of both, three of the second alone.
    overlapping([&[0..5, 8..13], &[3..8, 11..16]], settings);
}

/// One of them writes to both blocks at once, the other to the second.
fn overlapping_writes_of_two_blocks(settings: Settings) {
    overlapping([from_ref(&(0..13)), from_ref(&(11..16))], settings);
}

/// Two threads write their ranges of sectors in two blocks, twice each.
fn overlapping(ranges: [&'static [Range<usize>]; 2], settings: Settings) {
    let machine = Machine::new(12, settings);
    let shared = machine.open();
    let flushed: Arc<Vec<_>> = Arc::new((0..2).map(|_| AtomicU64::new(0)).collect());
    let writers: Vec<_> = (0..2_u8)
        .map(|writer| {
            let (shared, flushed) = (shared.clone(), flushed.clone());
            thread::spawn(move || {
                for version in 1..=2 {
                    for range in ranges[writer as usize] {
                        let bytes = sectors(range.len(), writer + 1, version);
                        shared.write((range.start * SECTOR) as u64, &bytes).unwrap();
                    }
                    if version == 1 {
                        shared.flush().unwrap();
                        flushed[writer as usize].store(1, SeqCst);
                    }
                }
            })
        })
        .collect();
    shared.flush().unwrap();
    shared.destage().unwrap();
    for writer in writers {
        writer.join().unwrap();
    }
    let check = |shared: &Shared, least: u8| {
        for (number, block) in read(shared, 0, 16).chunks(8).enumerate() {
            let of_both: HashSet<_> = (0..8)
                .filter(|at| {
                    let covers = |writer: usize| ranges[writer].iter().any(|range| range.contains(&(number * 8 + at)));
                    let (writer, version) = block[*at];
                    assert!(version >= least && covers(writer as usize - 1), "sector {at}: {block:?}");
                    covers(0) && covers(1)
                })
                .map(|at| block[at])
                .collect();
            assert!(of_both.len() <= 1, "a mixture of two writes: {block:?}");
        }
    };
    check(&shared, 2);
    assert!(flushed.iter().all(|version| version.load(SeqCst) == 1));
    drop(shared);
    check(&machine.open_after_power_loss(), 1);
}

/// Writes that are acknowledged as durable while everything is being destaged; the power fails at some moment.
fn durable_writes_during_a_drain(settings: Settings) {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let (machine, bypasses) = (Machine::new(8, settings), settings.bypass_sequential.is_some());
    let shared = machine.open();
    let durable: Arc<Vec<_>> = Arc::new((0..2).map(|_| AtomicU64::new(0)).collect());
    machine.power.fail_at(machine.power.events() + RUNS.fetch_add(1, SeqCst) % 60);
    let writers: Vec<_> = (0..2_u64)
        .map(|writer| {
            let (shared, durable) = (shared.clone(), durable.clone());
            thread::spawn(move || {
                for version in 1..=4 {
                    // A whole block is for the disk itself where that is allowed.
                    let (first, count) = if version % 2 == 0 && bypasses { (0, 8) } else { (2, 5) };
                    let bytes = sectors(count, writer as u8 + 1, version);
                    shared.write_durably(writer * BLOCK as u64 + first * SECTOR as u64, &bytes)?;
                    durable[writer as usize].store(u64::from(version), SeqCst);
                }
                Ok::<_, CacheError>(())
            })
        })
        .collect();
    let outcome = (0..3).try_for_each(|_| shared.destage().map(drop));
    let mut outcomes: Vec<_> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
    outcomes.push(outcome);
    assert!(machine.power.is_off() || outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    drop(shared);
    let shared = machine.open_after_power_loss();
    for (writer, durable) in durable.iter().enumerate() {
        for (found, version) in read(&shared, writer * 8 + 2, 5) {
            let durable = durable.load(SeqCst) as u8;
            assert!(version >= durable, "writer {found}: version {version} is left, {durable} was durable");
        }
    }
}

/// A part of a block is written while all of it is zeroed: the other part is zeros once that has returned.
fn write_beside_zeroing(settings: Settings) {
    let machine = Machine::new(8, settings);
    let shared = machine.open();
    shared.write(0, &sectors(8, 1, 1)).unwrap();
    shared.flush().unwrap();
    let writer = {
        let shared = shared.clone();
        thread::spawn(move || shared.write(0, &sectors(3, 2, 2)).unwrap())
    };
    let destager = {
        let shared = shared.clone();
        thread::spawn(move || shared.destage().map(drop).unwrap())
    };
    shared.zero(0, BLOCK, Zeroing::Trim).unwrap();
    let after = read(&shared, 3, 5);
    assert!(after.iter().all(|stamp| *stamp == (0, 0)), "zeroed sectors read as {after:?}");
    writer.join().unwrap();
    destager.join().unwrap();
    let found = read(&shared, 0, 8);
    assert!(found[3..].iter().all(|stamp| *stamp == (0, 0)), "zeroed sectors came back: {found:?}");
    assert!(found[..3].iter().all(|stamp| *stamp == found[0] && [(0, 0), (2, 2)].contains(stamp)), "{found:?}");
}

/// Two writers whose blocks go to the disk itself or, in part, to the cache, beside destages.
fn overlapping_bypasses(settings: Settings) {
    let machine = Machine::new(8, bypassing(settings));
    let shared = machine.open();
    let first = {
        let shared = shared.clone();
        thread::spawn(move || {
            shared.write(0, &sectors(16, 1, 1)).unwrap();
            shared.flush().unwrap();
        })
    };
    let second = {
        let shared = shared.clone();
        thread::spawn(move || {
            shared.write(BLOCK as u64, &sectors(8, 2, 1)).unwrap();
            shared.write(BLOCK as u64, &sectors(3, 2, 2)).unwrap();
            shared.flush().unwrap();
        })
    };
    shared.destage().unwrap();
    first.join().unwrap();
    second.join().unwrap();
    let check = |shared: &Shared| {
        let found = read(shared, 0, 16);
        let (part, rest) = (found[8], found[15]);
        assert!(found[..8].iter().all(|stamp| *stamp == (1, 1)), "{found:?}");
        assert!(found[8..11].iter().all(|stamp| *stamp == part), "a mixture of two writes: {found:?}");
        assert!(found[11..].iter().all(|stamp| *stamp == rest), "a mixture of two writes: {found:?}");
        assert!([((1, 1), (1, 1)), ((2, 2), (1, 1)), ((2, 2), (2, 1))].contains(&(part, rest)), "{found:?}");
    };
    check(&shared);
    shared.destage().unwrap();
    check(&shared);
    drop(shared);
    check(&machine.open_after_power_loss());
}

fn bypassing(settings: Settings) -> Settings {
    Settings { bypass_sequential: Some(1), bypass_run_bytes: BLOCK, ..settings }
}

fn settings(mode: Mode, planted: Planted) -> Settings {
    Settings { planted, ..Settings::new(mode) }
}

fn check(model: fn(Settings), mode: Mode, planted: Planted) {
    made_up::check_random(move || model(settings(mode, planted)), 600);
    made_up::check_pct(move || model(settings(mode, planted)), 400, 4);
}

#[test]
fn no_schedule_reuses_a_slot_that_is_being_read() {
    check(read_beside_reuse, Mode::Flush, Planted::NONE);
    let clean_too = || Settings { clean_blocks: true, ..settings(Mode::Flush, Planted::NONE) };
    made_up::check_random(move || read_beside_reuse(clean_too()), 600);
}

#[test]
fn no_schedule_mixes_two_writes_of_a_block_or_loses_one() {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        check(overlapping_writes, mode, Planted::NONE);
        check(overlapping_writes_of_two_blocks, mode, Planted::NONE);
    }
}

#[test]
fn no_schedule_loses_a_durable_write_that_came_during_a_drain() {
    for mode in [Mode::Flush, Mode::Ordered] {
        check(durable_writes_during_a_drain, mode, Planted::NONE);
        check(|settings| durable_writes_during_a_drain(bypassing(settings)), mode, Planted::NONE);
    }
}

#[test]
fn no_schedule_mixes_two_writes_past_the_cache_or_loses_one() {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        check(overlapping_bypasses, mode, Planted::NONE);
    }
}

#[test]
fn no_schedule_brings_zeroed_sectors_back_by_a_write_under_way() {
    for mode in [Mode::Flush, Mode::Strict] {
        check(write_beside_zeroing, mode, Planted::NONE);
    }
}

/// Models that never fail prove nothing: a schedule must show each known mistake.
#[cfg(feature = "planted-bugs")]
#[test]
fn a_schedule_shows_every_planted_bug_of_threads() {
    use halo_cache::Bug;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let models: [fn(Settings); 6] = [
        read_beside_reuse,
        overlapping_writes,
        overlapping_writes_of_two_blocks,
        durable_writes_during_a_drain,
        write_beside_zeroing,
        overlapping_bypasses,
    ];
    let survivors: Vec<_> = Bug::OF_THREADS
        .into_iter()
        .filter(|&bug| {
            let passes =
                |model| catch_unwind(AssertUnwindSafe(|| check(model, Mode::Flush, Planted::only(bug)))).is_ok();
            models.into_iter().all(passes)
        })
        .collect();
    assert!(survivors.is_empty(), "not noticed: {survivors:?}");
}
