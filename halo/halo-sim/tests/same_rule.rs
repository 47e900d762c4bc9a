//! One trace through the device and through the simulator: what goes to the disk, and when, is decided by the same rule.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_device::SharedCache;
use halo_disk::Profile;
use halo_media::{FileMedium, Medium, Piece, ReadPiece};
use halo_sim::{Destaging, Kind, Policy, Request, Schemes, Setup};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

const SECOND_NANOS: u64 = 1_000_000_000;
const SLOTS: u32 = 2048;
const DISK_BLOCKS: u64 = 2000 * BUCKET_BLOCKS;
const BUCKET_BLOCKS: u64 = 256;
const BLOCK_BYTES: u64 = 4096;

/// The seconds in which each block went to the disk.
type Destaged = BTreeMap<u64, Vec<u64>>;

/// A disk that notes when it is written. It is never busy.
struct Noting {
    file: FileMedium,
    now_nanos: Arc<AtomicU64>,
    written: Mutex<Destaged>,
}

impl Medium for Noting {
    fn len_bytes(&self) -> u64 {
        self.file.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_at(offset_bytes, buffer)
    }

    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        self.file.read_pieces(pieces)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        let second = self.now_nanos.load(SeqCst) / SECOND_NANOS;
        let blocks = offset_bytes / BLOCK_BYTES..(offset_bytes + bytes.len() as u64).div_ceil(BLOCK_BYTES);
        for block in blocks.filter(|&block| block < DISK_BLOCKS - 1) {
            self.written.lock().unwrap().entry(block).or_default().push(second);
        }
        self.file.write_at(offset_bytes, bytes)
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        pieces.iter().try_for_each(|piece| self.write_at(piece.offset_bytes, piece.bytes))
    }

    fn barrier(&self) -> io::Result<()> {
        self.file.barrier()
    }
}

fn write(second: f64, block: u64) -> Request {
    Request {
        at_nanos: (second * SECOND_NANOS as f64) as u64,
        device: 0,
        kind: Kind::Write,
        offset_bytes: block * BLOCK_BYTES,
        bytes: BLOCK_BYTES as u32,
    }
}

/// Three times of a day: a minute of writes and a pause; a trickle for longer than blocks may stay, some of it rewritten; and more than the
/// low watermark, region by region.
fn trace() -> Vec<Request> {
    let minute = (0..60_u32).map(|number| write(f64::from(number), u64::from(number) * 7 * BUCKET_BLOCKS));
    let trickle = (0..350_u32).map(|number| {
        let region = if number % 10 == 9 { 500 } else { u64::from(number) };
        write(100.0 + 2.0 * f64::from(number), (600 + region) * BUCKET_BLOCKS + 3)
    });
    let much = (0..1728_u32).map(|number| {
        let (region, place) = (u64::from(number / 64), u64::from(number % 64));
        write(1000.0 + 0.1 * f64::from(number), (1300 + region) * BUCKET_BLOCKS + place)
    });
    let end = Request { kind: Kind::Read, ..write(1300.0, 10) };
    minute.chain(trickle).chain(much).chain([end]).collect()
}

fn in_the_device(trace: &[Request]) -> Destaged {
    /// As often as a server looks.
    const LOOK_NANOS: u64 = 20_000_000;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(bytes).unwrap();
        FileMedium::open(Path::new(&path)).unwrap()
    };
    let now_nanos = Arc::new(AtomicU64::new(0));
    let medium = Arc::new(file("cache", u64::from(SLOTS) * (BLOCK_BYTES + 32) + 12_288));
    let disk = file("disk", DISK_BLOCKS * BLOCK_BYTES);
    let disk = Arc::new(Noting { file: disk, now_nanos: Arc::clone(&now_nanos), written: Mutex::default() });
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    // A region at a time, as the simulator takes them.
    let settings = Settings { batch_buckets: 1, ..Settings::new(Mode::Flush) };
    let (cache, _) = SharedCache::open(medium, Arc::clone(&disk), settings).unwrap();
    assert_eq!(cache.status().slots, u64::from(SLOTS));
    let cache = cache.with_clock(Arc::clone(&now_nanos));
    for request in trace {
        while now_nanos.load(SeqCst) + LOOK_NANOS <= request.at_nanos {
            now_nanos.fetch_add(LOOK_NANOS, SeqCst);
            while cache.destage_if_due(0.0).unwrap() {}
        }
        let mut bytes = vec![7; request.bytes as usize];
        match request.kind {
            Kind::Write => cache.write(request.offset_bytes, &bytes).unwrap(),
            Kind::Read => cache.read(request.offset_bytes, &mut bytes).unwrap(),
        }
    }
    disk.written.lock().unwrap().clone()
}

fn in_the_simulator(trace: &[Request]) -> Destaged {
    let setup = Setup {
        policy: Policy::Halo,
        cache_blocks: SLOTS,
        disk_blocks: DISK_BLOCKS,
        requests: trace,
        wear: Schemes::None,
        destaging: Destaging::default(),
        watch: &|_| {},
    };
    let mut destaged = Destaged::new();
    setup.replay_open_telling(Profile::ENTERPRISE, &mut |at_nanos, request| {
        for block in request.first.0..request.end() {
            if request.kind == Kind::Write {
                destaged.entry(block).or_default().push(at_nanos / SECOND_NANOS);
            }
        }
    });
    destaged
}

#[test]
fn device_and_simulator_destage_the_same_blocks_at_the_same_time() {
    let trace = trace();
    let (device, simulated) = (in_the_device(&trace), in_the_simulator(&trace));
    // Own: the simulated disk takes time for each block, 5 s for a sweep of 350; the noting one takes none.
    let is_near = |one: &u64, other: &u64| one.abs_diff(*other) <= 5;
    for block in device.keys().chain(simulated.keys()) {
        let of = |destaged: &Destaged| destaged.get(block).cloned().unwrap_or_default();
        let (one, other) = (of(&device), of(&simulated));
        let same = one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| is_near(one, other));
        assert!(same, "block {block} of region {}: {one:?} s, simulated {other:?} s", block / BUCKET_BLOCKS);
    }
    // Each part of the rule was at work: 5 s after the last write, from 525 s of age on, above the low watermark, and after the last pause.
    let first = |region: u64| device.range(region * BUCKET_BLOCKS..).next().unwrap().1[0];
    assert_eq!(first(0), 64);
    assert!((600..650).contains(&first(600)), "{}", first(600));
    let seconds: Vec<u64> = device.range(1300 * BUCKET_BLOCKS..).map(|(_, seconds)| seconds[0]).collect();
    assert!(seconds.iter().any(|second| (1160..1173).contains(second)), "nothing at the low watermark");
    assert!(seconds.iter().any(|second| (1177..1182).contains(second)), "nothing in the pause");
}
