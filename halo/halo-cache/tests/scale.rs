//! Costs that do not grow with the number of dirty blocks.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings, Zeroing};
use halo_media::Medium;
use std::io;
use std::sync::Mutex;

const BLOCKS: u64 = 60_000;

/// Memory of which only what was written takes room; beyond its end, nothing is kept up to `len_bytes` but the last 4 KiB.
struct Ram {
    len_bytes: u64,
    bytes: Mutex<Vec<u8>>,
}

impl Ram {
    fn new(len_bytes: u64, kept_bytes: u64) -> Self {
        Self { len_bytes, bytes: Mutex::new(vec![0; kept_bytes as usize]) }
    }

    /// Offsets from the end, so that a disk keeps its label.
    fn place(&self, offset_bytes: u64, kept: usize) -> Option<usize> {
        let from_end = (self.len_bytes - offset_bytes) as usize;
        (from_end <= kept).then(|| kept - from_end)
    }
}

impl Medium for Ram {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = self.bytes.lock().unwrap();
        match self.place(offset_bytes, bytes.len()) {
            Some(at) => buffer.copy_from_slice(&bytes[at..at + buffer.len()]),
            None => buffer.fill(0),
        }
        Ok(())
    }

    fn write_at(&self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        let mut bytes = self.bytes.lock().unwrap();
        if let Some(at) = self.place(offset_bytes, bytes.len()) {
            bytes[at..at + data.len()].copy_from_slice(data);
        }
        Ok(())
    }

    fn barrier(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Processor time of this thread: what others do on the machine hardly counts.
fn processor_nanos() -> u64 {
    // The kernel counts a thread's time up to when it was last set aside.
    std::thread::sleep(std::time::Duration::from_micros(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn open(mode: Mode, blocks: u64) -> Cache<Ram, Ram> {
    let medium_bytes = 8192 + (blocks + 16) * 4128 + 4096;
    let disk = Ram::new(blocks * 4096 * 4, 4096);
    let medium = Ram::new(medium_bytes, medium_bytes);
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    // Nothing is to be destaged before all are dirty.
    let settings = Settings::new(mode);
    let destage = halo_core::destage::DestageSettings {
        on_demand_utilisation: 1.0,
        ..halo_core::destage::DestageSettings::for_slots(blocks as u32)
    };
    Cache::open(medium, disk, Settings { destage: Some(destage), ..settings }).unwrap().0
}

fn drain_nanos(mode: Mode, flush_every: u64) -> u64 {
    let mut cache = open(mode, BLOCKS);
    for number in 0..BLOCKS {
        // Every third block, so that none are neighbours; zeros need no data.
        cache.zero(number * 3 * 4096, 4096, Zeroing::Write).unwrap();
        if number % flush_every == 0 {
            cache.flush().unwrap();
        }
    }
    cache.flush().unwrap();
    assert_eq!(cache.dirty_blocks(), BLOCKS);
    let start = processor_nanos();
    cache.drain().unwrap();
    assert_eq!(cache.dirty_blocks(), 0);
    processor_nanos() - start
}

/// Mode flush is the measure, in the same run. Were every copy looked at for every block, the order would cost hundreds of times as much.
#[test]
fn a_drain_in_order_looks_at_each_copy_once() {
    for flush_every in [1000, u64::MAX] {
        let [flush, ordered] = [Mode::Flush, Mode::Ordered].map(|mode| drain_nanos(mode, flush_every));
        assert!(ordered < 10 * flush, "flushed every {flush_every}: {ordered} ns, mode flush {flush} ns");
    }
}

/// What a flush takes under the lock before its first commit is on its way, with `blocks` staged at random places.
fn first_commit_nanos(mode: Mode, blocks: u64) -> u64 {
    let mut cache = open(mode, blocks);
    for number in 0..blocks {
        // A step that has no divisor in common with the number of places comes to each once.
        cache.zero(number * 6_700_417 % (blocks * 3) * 4096, 4096, Zeroing::Write).unwrap();
    }
    let start = processor_nanos();
    let commit = cache.begin_commit().unwrap();
    let nanos = processor_nanos() - start;
    let outcome = commit.make_durable(cache.medium());
    cache.finish_commit(commit, outcome).unwrap();
    nanos
}

/// All clients wait meanwhile.
#[test]
fn a_flush_of_much_holds_the_lock_no_longer_than_one_of_little() {
    for mode in [Mode::Flush, Mode::Ordered] {
        // The best of three, since the processor's own memory is shared with all that runs beside.
        let [little, much] =
            [20_000, 1_000_000].map(|blocks| (0..3).map(|_| first_commit_nanos(mode, blocks)).min().unwrap());
        // Where a flush looked at all that is staged, it was some forty times.
        assert!(much < 10 * little, "{mode:?}: {much} ns of a million blocks, {little} ns of 20,000");
    }
}
