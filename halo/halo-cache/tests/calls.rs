//! How many calls of a device a request or a batch takes.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_media::{Medium, Piece, Power, PowerLossRam, ReadPiece};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

const BLOCKS: u64 = 64;

/// Counts calls; several pieces in one call are one.
#[derive(Clone)]
struct Counting {
    ram: Arc<PowerLossRam>,
    calls: Arc<[AtomicUsize; 2]>,
}

impl Counting {
    fn new(blocks: usize) -> Self {
        Self { ram: Arc::new(PowerLossRam::new(blocks * 4096, 512, &Power::new())), calls: Arc::default() }
    }

    /// Reads and writes since this was asked last.
    fn reads_and_writes(&self) -> (usize, usize) {
        (self.calls[0].swap(0, SeqCst), self.calls[1].swap(0, SeqCst))
    }
}

impl Medium for Counting {
    fn len_bytes(&self) -> u64 {
        self.ram.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.calls[0].fetch_add(1, SeqCst);
        self.ram.read_at(offset_bytes, buffer)
    }

    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        self.calls[0].fetch_add(1, SeqCst);
        self.ram.read_pieces(pieces)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.calls[1].fetch_add(1, SeqCst);
        self.ram.write_at(offset_bytes, bytes)
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        self.calls[1].fetch_add(1, SeqCst);
        self.ram.write_pieces(pieces)
    }

    fn barrier(&self) -> io::Result<()> {
        self.ram.barrier()
    }
}

fn content(block: u64) -> [u8; 4096] {
    [block as u8 + 1; 4096]
}

/// Blocks in slots that are in another order than on the disk, each with a hole behind it, and one of zeros and one of a part among them.
fn scattered(clean_blocks: bool) -> (Cache<Counting, Counting>, Counting, Counting) {
    let (medium, disk) = (Counting::new(3 + 256), Counting::new(1024));
    let settings = Settings { clean_blocks, ..Settings::new(Mode::Flush) };
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (mut cache, _) = Cache::open(medium.clone(), disk.clone(), settings).unwrap();
    for number in 0..BLOCKS {
        let block = number * 37 % BLOCKS;
        cache.write(block * 8192, &content(block)).unwrap();
    }
    cache.zero(8192, 4096, halo_cache::Zeroing::Write).unwrap();
    cache.write(3 * 8192 + 4096, &[9; 512]).unwrap();
    cache.flush().unwrap();
    (cache, medium, disk)
}

fn forget(devices: [&Counting; 2]) {
    for device in devices {
        device.reads_and_writes();
    }
}

fn expected() -> Vec<u8> {
    let mut expected: Vec<u8> = (0..BLOCKS).flat_map(|block| [content(block), [0; 4096]].concat()).collect();
    expected[8192..8192 + 4096].fill(0);
    expected[3 * 8192 + 4096..][..512].fill(9);
    expected
}

#[test]
fn a_read_takes_one_call_of_each_device_however_its_blocks_lie() {
    let (mut cache, medium, disk) = scattered(false);
    forget([&medium, &disk]);
    let mut read = vec![1; BLOCKS as usize * 8192];
    cache.read(0, &mut read).unwrap();
    assert_eq!((medium.reads_and_writes(), disk.reads_and_writes()), ((1, 0), (1, 0)));
    assert!(read == expected());
    // Its ends in the middle of blocks.
    let mut read = vec![1; BLOCKS as usize * 8192 - 2048];
    cache.read(1024, &mut read).unwrap();
    assert_eq!((medium.reads_and_writes(), disk.reads_and_writes()), ((1, 0), (1, 0)));
    assert!(read == expected()[1024..][..read.len()]);
}

#[test]
fn a_batch_takes_one_call_to_be_read_and_one_to_be_written() {
    let (mut cache, medium, disk) = scattered(false);
    let batch = cache.begin_destage(usize::MAX).unwrap();
    forget([&medium, &disk]);
    let outcome = batch.transfer(&medium, &disk);
    assert_eq!((medium.reads_and_writes(), disk.reads_and_writes()), ((1, 0), (0, 1)));
    cache.finish_destage(batch, outcome).unwrap();
    let mut found = vec![1; BLOCKS as usize * 8192];
    disk.read_at(0, &mut found).unwrap();
    assert!(found == expected());
}

#[test]
fn what_a_read_keeps_is_written_by_one_call() {
    let (mut cache, medium, disk) = scattered(true);
    let place = 600 * 4096;
    let expected: Vec<u8> = (0..64).flat_map(content).collect();
    disk.write_at(place, &expected).unwrap();
    let mut read = vec![0; expected.len()];
    // Blocks are kept that are read twice.
    cache.read(place, &mut read).unwrap();
    medium.reads_and_writes();
    cache.read(place, &mut read).unwrap();
    assert_eq!(medium.reads_and_writes(), (0, 1));
    let clean_blocks = cache.status().clean_slots;
    assert!(clean_blocks > 1 && read == expected, "{clean_blocks} blocks were kept");
    read.fill(0);
    cache.read(place, &mut read).unwrap();
    assert!(medium.reads_and_writes().0 == 1 && read == expected);
}
