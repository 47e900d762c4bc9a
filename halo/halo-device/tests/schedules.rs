//! The same promises under schedules that a random scheduler makes up: threads change places wherever they touch the lock.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod made_up;

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings, Zeroing};
use halo_device::SharedCache;
use halo_media::{Medium, Power, PowerLossRam, Survival};
use shuttle::thread;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const BLOCKS: u64 = 4;
const DISK_BYTES: usize = 64 * 4096;

type Ram = Arc<PowerLossRam>;

/// Lets the scheduler change threads before each access.
#[derive(Clone)]
struct Switching(Ram);

impl Medium for Switching {
    fn len_bytes(&self) -> u64 {
        self.0.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        thread::yield_now();
        self.0.read_at(offset_bytes, buffer)
    }

    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        thread::yield_now();
        self.0.zero_cheaply(offset_bytes, count_bytes)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        thread::yield_now();
        self.0.write_at(offset_bytes, bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        thread::yield_now();
        self.0.barrier()
    }
}

fn content(version: u64) -> Vec<u8> {
    version.to_le_bytes().repeat(512)
}

fn version(bytes: &[u8]) -> u64 {
    let version = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    assert_eq!(
        bytes,
        content(version),
        "a block of two versions: all writes cover whole blocks and no read overlaps one"
    );
    version
}

/// Two writers on blocks of their own, who read back what they wrote, somebody who reads all, and a destager; then the power fails.
fn scenario(settings: &Settings) {
    let mode = settings.mode;
    let power = Power::new();
    let medium = Arc::new(PowerLossRam::new((3 + 8) * 4096, 512, &power));
    let disk = Arc::new(PowerLossRam::new(DISK_BYTES, 512, &power));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let open = || {
        let (medium, disk) = (Switching(medium.clone()), Switching(disk.clone()));
        SharedCache::new(Cache::open(medium, disk, *settings).unwrap().0)
    };
    let shared = Arc::new(open());
    let counters = || Arc::new((0..BLOCKS).map(|_| AtomicU64::new(0)).collect::<Vec<_>>());
    let (written, durable) = (counters(), counters());
    let writers = (0..2).map(|writer| {
        let (shared, written, durable) = (shared.clone(), written.clone(), durable.clone());
        thread::spawn(move || {
            let mut bytes = vec![0; 4096];
            for number in 1..=5 {
                let block = writer * 2 + number % 2;
                shared.write(block * 4096, &content(number)).unwrap();
                written[block as usize].store(number, SeqCst);
                shared.read(block * 4096, &mut bytes).unwrap();
                assert_eq!(version(&bytes), number, "block {block} does not read as written");
                if number % 2 == 0 {
                    shared.flush().unwrap();
                }
                if number % 2 == 0 || mode == Mode::Strict {
                    durable[block as usize].store(number, SeqCst);
                }
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let reader = {
        let (shared, written) = (shared.clone(), written.clone());
        thread::spawn(move || {
            let mut bytes = vec![0; 4096];
            for block in [0, 0, 2, 2, 1, 0, 2, 3] {
                let least = written[block as usize].load(SeqCst);
                shared.read(block * 4096, &mut bytes).unwrap();
                assert!(version(&bytes) >= least, "block {block} was read older than version {least}");
            }
        })
    };
    let destager = {
        let shared = shared.clone();
        thread::spawn(move || {
            for _ in 0..3 {
                shared.destage().unwrap();
            }
        })
    };
    for thread in writers.into_iter().chain([reader, destager]) {
        thread.join().unwrap();
    }
    drop(shared);
    medium.lose_power(Survival::Nothing);
    disk.lose_power(Survival::Nothing);
    let shared = open();
    let mut bytes = vec![0; 4096];
    for block in 0..BLOCKS {
        shared.read(block * 4096, &mut bytes).unwrap();
        let (found, durable) = (version(&bytes), durable[block as usize].load(SeqCst));
        assert!(found >= durable, "block {block}: version {found} is left, {durable} was durable");
    }
}

#[test]
fn no_schedule_breaks_a_promise_in_mode_flush() {
    made_up::check_random(|| scenario(&Settings::new(Mode::Flush)), 1_000);
}

#[test]
fn no_schedule_breaks_a_promise_in_mode_strict() {
    made_up::check_random(|| scenario(&Settings::new(Mode::Strict)), 1_000);
}

/// Few changes of threads at the worst places: finds what needs one long pause.
#[test]
fn no_schedule_with_few_changes_breaks_a_promise() {
    made_up::check_pct(|| scenario(&Settings::new(Mode::Flush)), 1_000, 4);
}

fn clean_too() -> Settings {
    Settings { clean_blocks: true, ..Settings::new(Mode::Flush) }
}

#[test]
fn no_schedule_returns_a_clean_copy_that_is_outdated() {
    made_up::check_random(|| scenario(&clean_too()), 1_000);
    made_up::check_pct(|| scenario(&clean_too()), 1_000, 4);
    made_up::check_random(|| zeroing(&clean_too(), Zeroing::Trim), 3_000);
    made_up::check_pct(|| zeroing(&clean_too(), Zeroing::Trim), 2_000, 4);
}

/// The content of a block after a step of a writer of zeros: every third step zeroes it.
fn step_content(step: u64) -> Vec<u8> {
    if step.is_multiple_of(3) { vec![0; 4096] } else { content(step) }
}

/// Writers that also zero, each its own block, somebody who reads them, and a destager; then the power fails.
fn zeroing(settings: &Settings, kind: Zeroing) {
    let power = Power::new();
    let medium = Arc::new(PowerLossRam::new((3 + 8) * 4096, 512, &power));
    let disk = Arc::new(PowerLossRam::new(DISK_BYTES, 512, &power));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let open = || {
        let (medium, disk) = (Switching(medium.clone()), Switching(disk.clone()));
        SharedCache::new(Cache::open(medium, disk, *settings).unwrap().0)
    };
    let shared = Arc::new(open());
    let durable: Arc<Vec<_>> = Arc::new((0..2).map(|_| AtomicU64::new(0)).collect());
    let steps = 7;
    let writers = (0..2_u64).map(|block| {
        let (shared, durable) = (shared.clone(), durable.clone());
        thread::spawn(move || {
            let mut bytes = vec![0; 4096];
            for step in 1..=steps {
                if step % 3 == 0 {
                    shared.zero(block * 4096, 4096, kind).unwrap();
                } else {
                    shared.write(block * 4096, &step_content(step)).unwrap();
                }
                shared.read(block * 4096, &mut bytes).unwrap();
                assert!(bytes == step_content(step), "block {block} does not read as step {step} left it");
                if step % 2 == 1 {
                    shared.flush().unwrap();
                    durable[block as usize].store(step, SeqCst);
                }
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let reader = {
        let shared = shared.clone();
        thread::spawn(move || {
            let mut bytes = vec![0; 4096];
            for block in [0, 0, 1, 1, 0, 1] {
                shared.read(block * 4096, &mut bytes).unwrap();
                assert!((0..=steps).any(|step| bytes == step_content(step)), "block {block} is of no step");
            }
        })
    };
    let destager = {
        let shared = shared.clone();
        thread::spawn(move || {
            for _ in 0..4 {
                shared.destage().unwrap();
            }
        })
    };
    for thread in writers.into_iter().chain([reader, destager]) {
        thread.join().unwrap();
    }
    drop(shared);
    medium.lose_power(Survival::Nothing);
    disk.lose_power(Survival::Nothing);
    let shared = open();
    let mut bytes = vec![0; 4096];
    for block in 0..2 {
        shared.read(block * 4096, &mut bytes).unwrap();
        let durable = durable[block as usize].load(SeqCst);
        let allowed = (durable..=steps).any(|step| bytes == step_content(step));
        assert!(allowed, "block {block}: starts with {}, step {durable} was durable", bytes[0]);
    }
}

#[test]
fn no_schedule_brings_back_what_was_zeroed() {
    let scenario = || zeroing(&Settings::new(Mode::Flush), Zeroing::Write);
    made_up::check_random(scenario, 1_000);
    made_up::check_pct(scenario, 500, 4);
}

/// Two writers who flush between a write to their first and one to their second block; then the cache is lost.
fn order() {
    let power = Power::new();
    let medium = Arc::new(PowerLossRam::new((3 + 8) * 4096, 512, &power));
    let disk = Arc::new(PowerLossRam::new(DISK_BYTES, 512, &power));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (cache, _) = Cache::open(Switching(medium), Switching(disk.clone()), Settings::new(Mode::Ordered)).unwrap();
    let shared = Arc::new(SharedCache::new(cache));
    let writers = (0..2).map(|writer| {
        let shared = shared.clone();
        thread::spawn(move || {
            for number in 1..=3 {
                for block in [writer * 2, writer * 2 + 1] {
                    shared.write(block * 4096, &content(number)).unwrap();
                    shared.flush().unwrap();
                }
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    // The disk may lose its power at any moment, so it is looked at while everybody is at work.
    let destager = {
        let (shared, disk) = (shared.clone(), disk.clone());
        thread::spawn(move || {
            for _ in 0..4 {
                shared.destage().unwrap();
                assert_order(&disk);
            }
        })
    };
    for writer in writers {
        writer.join().unwrap();
    }
    destager.join().unwrap();
    drop(shared);
    disk.lose_power(Survival::Nothing);
    assert_order(&disk);
}

/// The second block of a writer never is newer than the first, and at most one behind.
fn assert_order(disk: &Ram) {
    let bytes = disk.snapshot();
    for writer in 0..2 {
        let [first, second] = [writer * 2, writer * 2 + 1].map(|block| version(&bytes[block * 4096..][..4096]));
        assert!(second <= first && first <= second + 1, "the disk holds {first} and {second} of writer {writer}");
    }
}

#[test]
fn no_schedule_leaves_the_disk_out_of_order_in_mode_ordered() {
    made_up::check_random(order, 1_000);
    made_up::check_pct(order, 500, 4);
}
