//! Zeros and trims beside destaging: which of them wait for the disk, and for how long.
// The disk is held by the machine's own threads: nothing here for made-up schedules.
#![cfg(not(feature = "shuttle"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings, Zeroing};
use halo_device::SharedCache;
use halo_media::{Medium, Power, PowerLossRam};
use std::io;
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const BLOCK: u64 = 4096;
const SLOTS: usize = 10_000;
/// Each in a region of its own.
const DIRTY_BLOCKS: u64 = 1000;
const STRIDE: u64 = 256 * BLOCK;
/// Behind them: not cached.
const UNCACHED: u64 = DIRTY_BLOCKS * STRIDE;
/// A test that waits for what never happens fails after this.
const NEVER: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Write,
    Flush,
    Zero,
}

#[derive(Default)]
struct Hand {
    holds: bool,
    writers: usize,
    events: Vec<Event>,
}

/// A disk of zeros whose writes wait while it is held; it keeps nothing but its label.
#[derive(Clone, Default)]
struct Held(Arc<(Mutex<Hand>, Condvar)>, Arc<Mutex<Vec<u8>>>);

impl Held {
    fn new() -> Self {
        Self(Arc::default(), Arc::new(Mutex::new(vec![0; 4096])))
    }

    fn set(&self, holds: bool) {
        self.0.0.lock().unwrap().holds = holds;
        self.0.1.notify_all();
    }

    fn wait_for_a_writer(&self) {
        let hand = self.0.0.lock().unwrap();
        let (hand, _) = self.0.1.wait_timeout_while(hand, NEVER, |hand| hand.writers == 0).unwrap();
        assert!(hand.writers > 0, "no round has begun");
    }

    fn note(&self, event: Event) {
        self.0.0.lock().unwrap().events.push(event);
    }

    fn label_at(&self, offset_bytes: u64) -> Option<usize> {
        offset_bytes.checked_sub(self.len_bytes() - BLOCK).map(|at| at as usize)
    }
}

impl Medium for Held {
    fn len_bytes(&self) -> u64 {
        UNCACHED + 8 * STRIDE
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self.label_at(offset_bytes) {
            Some(at) => buffer.copy_from_slice(&self.1.lock().unwrap()[at..at + buffer.len()]),
            None => buffer.fill(0),
        }
        Ok(())
    }

    fn zero_cheaply(&self, _: u64, _: u64) -> io::Result<bool> {
        self.note(Event::Zero);
        Ok(true)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(at) = self.label_at(offset_bytes) {
            self.1.lock().unwrap()[at..at + bytes.len()].copy_from_slice(bytes);
            return Ok(());
        }
        let (hand, changed) = &*self.0;
        let mut hand = hand.lock().unwrap();
        hand.writers += 1;
        changed.notify_all();
        hand = changed.wait_while(hand, |hand| hand.holds).unwrap();
        hand.writers -= 1;
        hand.events.push(Event::Write);
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        self.note(Event::Flush);
        Ok(())
    }
}

/// A cache with dirty blocks, whose disk is held.
fn dirty(mode: Mode) -> (SharedCache<Arc<PowerLossRam>, Held>, Held) {
    let medium = Arc::new(PowerLossRam::new((3 + SLOTS + SLOTS / 100) * 4096, 512, &Power::new()));
    let disk = Held::new();
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let settings = Settings { batch_buckets: 1, ..Settings::new(mode) };
    let (shared, _) = SharedCache::open(medium, disk.clone(), settings).unwrap();
    let shared = shared.with_p99_target(Duration::from_millis(40));
    for block in 0..DIRTY_BLOCKS {
        shared.write(block * STRIDE, &[7; BLOCK as usize]).unwrap();
    }
    shared.flush().unwrap();
    disk.0.0.lock().unwrap().events.clear();
    disk.set(true);
    (shared, disk)
}

#[test]
fn zeroing_that_needs_nothing_of_the_disk_does_not_wait_for_a_round() {
    const MIB: usize = 1 << 20;
    for (mode, at, bytes, zeroing) in [
        (Mode::Flush, 0, 4096, Zeroing::Write),
        (Mode::Flush, 0, 4096, Zeroing::Trim),
        (Mode::Flush, 512, 512, Zeroing::Write),
        (Mode::Flush, UNCACHED, MIB / 2, Zeroing::Write),
        (Mode::Strict, STRIDE, 4096, Zeroing::Trim),
        (Mode::Ordered, UNCACHED, 4 * MIB, Zeroing::Write),
        (Mode::Ordered, UNCACHED, 4 * MIB, Zeroing::Trim),
    ] {
        let (shared, disk) = dirty(mode);
        let (tell, told) = channel();
        let outcome = thread::scope(|scope| {
            let drain = scope.spawn(|| shared.drain());
            disk.wait_for_a_writer();
            let shared = &shared;
            scope.spawn(move || tell.send(shared.zero(at, bytes, zeroing)));
            let outcome = told.recv_timeout(NEVER);
            disk.set(false);
            drain.join().unwrap().unwrap();
            outcome
        });
        assert!(matches!(outcome, Ok(Ok(()))), "{mode:?}, {zeroing:?} of {bytes} bytes at {at}: {outcome:?}");
        let mut found = vec![1; bytes];
        shared.read(at, &mut found).unwrap();
        assert!(found.iter().all(|&byte| byte == 0), "{mode:?}, {zeroing:?} of {bytes} bytes at {at}");
    }
}

/// A drain has one round after the other; a trim that comes during the first goes before the second, and cuts the first short.
#[test]
fn a_trim_waits_for_one_short_round_of_a_drain() {
    let (shared, disk) = dirty(Mode::Flush);
    thread::scope(|scope| {
        let drain = scope.spawn(|| shared.drain());
        disk.wait_for_a_writer();
        let trim = scope.spawn(|| shared.zero(UNCACHED, 1 << 20, Zeroing::Trim));
        let since = Instant::now();
        while shared.throttle_status().waiting_requests == 0 {
            assert!(since.elapsed() < NEVER, "the trim does not wait");
            thread::yield_now();
        }
        disk.set(false);
        trim.join().unwrap().unwrap();
        drain.join().unwrap().unwrap();
    });
    let events = disk.0.0.lock().unwrap().events.clone();
    let before = &events[..events.iter().position(|event| *event == Event::Zero).unwrap()];
    let flushes = before.iter().filter(|event| **event == Event::Flush).count();
    assert_eq!(flushes, 1, "rounds before the trim");
    // As many as were in flight when it came, of at least 250 in the batch.
    assert!(before.len() <= 1 + 32, "{} writes before the trim", before.len() - 1);
    assert_eq!(events.iter().filter(|event| **event == Event::Write).count() as u64, DIRTY_BLOCKS);
}
