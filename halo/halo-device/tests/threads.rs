//! Many threads, one cache: what each of them was promised holds, also when the power fails under all of them.
// With made-up schedules, only tests/schedules.rs can run.
#![cfg(not(feature = "shuttle"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use halo_cache::format::Id;
use halo_cache::{Cache, CacheError, Device, Mode, Settings, Zeroing};
use halo_core::SplitMix64;
use halo_device::SharedCache;
use halo_media::{Faulty, Medium, Power, PowerLossRam, Survival};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

const THREADS: u64 = 4;
const BLOCKS: u64 = 300;
const WRITES: u64 = 600;
/// Set for a longer run, which has all moments and rounds.
const LONG: &str = "HALO_LONG";

type Ram = Arc<PowerLossRam>;
type Shared = SharedCache<Yielding, Yielding>;

/// Lets other threads go first before and after each access, as a real device would.
#[derive(Clone)]
struct Yielding(Ram);

/// A short sleep and no yield, which on a busy machine lets all other processes go first.
fn pause() {
    thread::sleep(Duration::from_micros(1));
}

impl Medium for Yielding {
    fn len_bytes(&self) -> u64 {
        self.0.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        pause();
        let outcome = self.0.read_at(offset_bytes, buffer);
        pause();
        outcome
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        pause();
        self.0.zero_cheaply(offset_bytes, count_bytes)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        pause();
        let outcome = self.0.write_at(offset_bytes, bytes);
        pause();
        outcome
    }

    fn barrier(&self) -> io::Result<()> {
        pause();
        let outcome = self.0.barrier();
        pause();
        outcome
    }
}

struct Machine {
    power: Power,
    medium: Ram,
    disk: Ram,
    settings: Settings,
}

/// Versions of each block: acknowledged as written, and as durable.
struct Known {
    written: Vec<AtomicU64>,
    durable: Vec<AtomicU64>,
}

impl Machine {
    fn new(slots: usize, settings: Settings) -> Self {
        let power = Power::new();
        let medium = Arc::new(PowerLossRam::new((3 + slots) * 4096, 512, &power));
        let disk = Arc::new(PowerLossRam::new((BLOCKS as usize + 1) * 4096, 512, &power));
        for block in 0..BLOCKS {
            disk.write_at(block * 4096, &content(block, 0)).unwrap();
        }
        disk.barrier().unwrap();
        Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
        Self { power, medium, disk, settings: Settings { batch_buckets: 1, commit_blocks: 7, ..settings } }
    }

    fn open(&self) -> Shared {
        let (medium, disk) = (Yielding(self.medium.clone()), Yielding(self.disk.clone()));
        let cache = Cache::open(medium, disk, self.settings).unwrap().0;
        // Far above what memory takes: turns and short batches, but hardly a pause.
        SharedCache::new(cache).with_p99_target(Duration::from_millis(1))
    }
}

fn clean_too(mode: Mode) -> Settings {
    Settings { clean_blocks: true, ..Settings::new(mode) }
}

fn content(block: u64, version: u64) -> Vec<u8> {
    (block << 32 | version).to_le_bytes().repeat(4096 / 8)
}

/// The lowest version in any sector; each sector must be whole and of this block.
fn oldest_version(block: u64, bytes: &[u8]) -> u64 {
    let versions = bytes.chunks_exact(512).map(|sector| {
        let word = u64::from_le_bytes(sector[..8].try_into().unwrap());
        assert!(
            sector == word.to_le_bytes().repeat(64) && word >> 32 == block,
            "block {block}: a torn or foreign sector"
        );
        word & 0xffff_ffff
    });
    versions.min().unwrap()
}

/// Writes its own blocks, flushes now and then, and reads everybody's.
fn work(shared: &Shared, known: &Known, thread: u64, mode: Mode) -> Result<(), CacheError> {
    let mut random = SplitMix64::new(thread);
    let mut unflushed = Vec::new();
    let mut bytes = vec![0; 4096];
    for version in 1..=WRITES {
        let block = random.below(BLOCKS / THREADS) * THREADS + thread;
        shared.write(block * 4096, &content(block, version))?;
        known.written[block as usize].store(version, SeqCst);
        unflushed.push((block, version));
        if mode == Mode::Strict || random.below(10) == 0 {
            if mode != Mode::Strict {
                shared.flush()?;
            }
            for (block, version) in unflushed.drain(..) {
                known.durable[block as usize].store(version, SeqCst);
            }
        }
        let other = random.below(BLOCKS);
        let least = known.written[other as usize].load(SeqCst);
        shared.read(other * 4096, &mut bytes)?;
        let found = oldest_version(other, &bytes);
        assert!(found >= least, "block {other}: version {found} was read after {least} had been written");
    }
    Ok(())
}

/// Runs all threads and a destager until they end or the power fails; then nothing that was not durable is left.
fn run(settings: Settings, slots: usize, fails_in: Option<u64>) {
    let mode = settings.mode;
    let machine = Machine::new(slots, settings);
    let shared = machine.open();
    let counters = || (0..BLOCKS).map(|_| AtomicU64::new(0)).collect();
    let known = Known { written: counters(), durable: counters() };
    if let Some(events) = fails_in {
        machine.power.fail_at(machine.power.events() + events);
    }
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (shared, known) = (&shared, &known);
                scope.spawn(move || work(shared, known, thread, mode))
            })
            .collect();
        let destager = scope.spawn(|| {
            while !ended.load(SeqCst) && shared.destage().is_ok() {
                thread::yield_now();
            }
        });
        for worker in workers {
            let outcome = worker.join();
            // The destager must not go on when a worker fails: the scope waits for it before anybody hears of the failure.
            let as_planned = matches!(&outcome, Ok(result) if result.is_ok() || machine.power.is_off());
            ended.fetch_or(!as_planned, SeqCst);
            assert!(as_planned, "{outcome:?}");
        }
        ended.store(true, SeqCst);
        destager.join().unwrap();
    });
    assert_eq!(machine.power.is_off(), fails_in.is_some(), "the failure was planned too late");
    drop(shared);

    machine.medium.lose_power(Survival::Nothing);
    machine.disk.lose_power(Survival::Nothing);
    machine.power.restore();
    let shared = machine.open();
    let check = |shared: &Shared| {
        let mut bytes = vec![0; 4096];
        for block in 0..BLOCKS {
            shared.read(block * 4096, &mut bytes).unwrap();
            let (found, durable) = (oldest_version(block, &bytes), known.durable[block as usize].load(SeqCst));
            assert!(found >= durable, "block {block}: version {found} is left, {durable} was durable");
        }
    };
    check(&shared);
    shared.drain().unwrap();
    assert_eq!(shared.dirty_blocks(), 0);
    check(&shared);
}

fn is_long() -> bool {
    std::env::var_os(LONG).is_some()
}

fn rounds() -> u32 {
    if is_long() { 5 } else { 2 }
}

#[test]
fn threads_see_and_keep_what_they_wrote_while_the_cache_is_destaged() {
    for _ in 0..rounds() {
        run(Settings::new(Mode::Flush), 400, None);
        run(Settings::new(Mode::Strict), 400, None);
        run(clean_too(Mode::Flush), 400, None);
        run(clean_too(Mode::Ordered), 200, None);
    }
}

#[test]
fn threads_go_on_when_the_cache_is_full_again_and_again() {
    for _ in 0..rounds() {
        run(Settings::new(Mode::Flush), 12, None);
        run(Settings::new(Mode::Strict), 12, None);
        run(Settings::new(Mode::Ordered), 12, None);
        run(clean_too(Mode::Flush), 12, None);
    }
}

/// Many times the cache, in one request: written, read, zeroed, and nobody else destages.
#[test]
fn a_request_larger_than_the_cache_goes_through() {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        let machine = Machine::new(10, clean_too(mode));
        let shared = machine.open();
        let bytes: Vec<_> = (0..BLOCKS).flat_map(|block| content(block, 7)).collect();
        shared.write(0, &bytes).unwrap();
        let mut found = vec![0; bytes.len()];
        shared.read(0, &mut found).unwrap();
        assert!(found == bytes, "{mode:?}: not what was written");
        for (zeroing, from, count) in [(Zeroing::Write, 512, 200 * 4096), (Zeroing::Trim, 210 * 4096, 80 * 4096)] {
            shared.zero(from, count, zeroing).unwrap();
            shared.read(0, &mut found).unwrap();
            let zeros = found[from as usize..from as usize + count].iter().all(|&byte| byte == 0);
            // In order, what is not cached is not trimmed.
            assert!(zeros || (mode == Mode::Ordered && zeroing == Zeroing::Trim), "{mode:?}, {zeroing:?}");
            assert!(found[..512] == bytes[..512] && found[295 * 4096..] == bytes[295 * 4096..], "{mode:?}");
        }
        shared.flush().unwrap();
        drop(shared);
        machine.medium.lose_power(Survival::Nothing);
        machine.disk.lose_power(Survival::Nothing);
        let mut again = vec![0; bytes.len()];
        machine.open().read(0, &mut again).unwrap();
        assert!(again == found, "{mode:?}: the flush was lost");
    }
}

/// A disk that fails for a while: writes that need room are refused, and go on once the disk is well again.
#[test]
fn a_full_cache_refuses_writes_only_while_the_disk_fails() {
    let machine = Machine::new(10, Settings::new(Mode::Flush));
    let disk = Arc::new(Faulty::new(machine.disk.clone()));
    let (shared, _) = SharedCache::open(machine.medium.clone(), disk.clone(), machine.settings).unwrap();
    disk.fail_writes(0..u64::MAX);
    let refused = (0..20).find_map(|block| shared.write(block * 4096, &content(block, 1)).err());
    assert!(matches!(refused, Some(CacheError::Io { device: Device::Disk, .. })), "{refused:?}");
    let status = shared.status();
    assert!(status.statistics.failed_destages > 0 && status.last_error.unwrap().contains("injected write error"));
    assert_eq!(status.slots, status.free_slots + status.staged_slots + status.live_slots + status.clearable_slots);
    disk.fail_writes(0..0);
    for block in 0..20 {
        shared.write(block * 4096, &content(block, 2)).unwrap();
    }
    shared.drain().unwrap();
    assert_eq!(shared.status().free_slots, 10);
}

#[test]
fn power_loss_under_all_threads_takes_nothing_that_was_acknowledged() {
    for fails_in in (50..1500).step_by(if is_long() { 37 } else { 4 * 37 }) {
        run(clean_too(Mode::Flush), 20 + fails_in as usize % 50, Some(fails_in));
        run(Settings::new(Mode::Strict), 20 + fails_in as usize % 50, Some(fails_in));
        run(Settings::new(Mode::Ordered), 20 + fails_in as usize % 50, Some(fails_in));
    }
}

/// The time is told with each write, not only by the thread that destages, which may be at one round for long.
#[test]
fn a_block_is_no_older_than_its_write() {
    let shared = Machine::new(10, Settings::new(Mode::Flush)).open();
    // By the clock of the cache, which goes on every few milliseconds, or later on a machine that stood still.
    let now = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
        Duration::new(now.tv_sec.cast_unsigned(), now.tv_nsec as u32)
    };
    let opened = now();
    while now().saturating_sub(opened) < Duration::from_millis(50) {
        thread::yield_now();
    }
    let before = now();
    shared.write(0, &content(0, 1)).unwrap();
    shared.destage_if_due(1.0).unwrap();
    let age = shared.status().oldest_dirty.unwrap();
    let ago = now().saturating_sub(before);
    assert!(age <= ago, "{age:?} old, written {ago:?} ago");
}
