use super::*;
use halo_media::{Faulty, Piece, Power, PowerLossRam, Survival};
use std::sync::Arc;

/// Disks that an earlier version masked, and what a repair makes of them.
mod earlier;
/// What somebody else wrote, or what cannot be read.
mod foreign;
/// Disks whose label is lost with the record.
mod guess;
/// Writes that meet a record which is being written.
mod together;

const BYTES: usize = 1 << 20;
/// With something between its ends.
const LARGE_BYTES: usize = 4 << 20;

struct Fixture {
    power: Power,
    ram: Arc<PowerLossRam>,
}

impl Fixture {
    fn new() -> (Self, Vec<u8>) {
        Self::of(BYTES)
    }

    fn of(disk_bytes: usize) -> (Self, Vec<u8>) {
        let power = Power::new();
        let ram = Arc::new(PowerLossRam::new(disk_bytes, SECTOR_BYTES, &power));
        let mut plain: Vec<u8> = (0..disk_bytes).map(|at| (at / 512 * 7 + at) as u8).collect();
        plain[disk_bytes - 4096..].fill(0);
        ram.load(&plain);
        (Self { power, ram }, plain)
    }

    fn open(&self) -> MaskedDisk {
        MaskedDisk::new(Arc::clone(&self.ram) as AnyMedium).unwrap()
    }

    fn settled(&self) -> MaskedDisk {
        let disk = self.open();
        disk.settle().unwrap();
        disk
    }
}

fn content(disk: &MaskedDisk) -> Vec<u8> {
    let mut bytes = vec![0; disk.len_bytes() as usize - 4096];
    disk.read_at(0, &mut bytes).unwrap();
    bytes
}

#[test]
fn masking_and_unmasking_survive_a_power_loss_at_every_event() {
    for (masking, survivals) in [(true, 12), (false, 12)] {
        let mut event = 0;
        loop {
            let mut over = true;
            for seed in 0..survivals {
                let (fixture, plain) = Fixture::new();
                if !masking {
                    fixture.open().mask().unwrap();
                }
                let disk = fixture.open();
                fixture.power.fail_at(fixture.power.events() + event);
                let outcome = if masking { disk.mask() } else { disk.unmask() };
                over &= outcome.is_ok();
                fixture.power.restore();
                let survival = if seed == 0 { Survival::Nothing } else { Survival::Seeded(seed) };
                fixture.ram.lose_power(survival);
                // Also when the power fails again while that is mended.
                let again = fixture.open();
                fixture.power.fail_at(fixture.power.events() + seed);
                let _ = again.settle();
                fixture.power.restore();
                fixture.ram.lose_power(Survival::Seeded(seed + 100));
                let disk = fixture.settled();
                assert!(content(&disk) == plain[..BYTES - 4096], "event {event}, seed {seed}");
                disk.mask().unwrap();
                disk.unmask().unwrap();
                assert!(fixture.ram.snapshot() == plain, "event {event}, seed {seed}: not as it was");
            }
            if over {
                break;
            }
            event += 1;
        }
        assert!(event > 5, "{event} events");
    }
}

/// Two copies of the record say how to read the disk, as either may rot, for as long as there is anything to say: where one is erased, the disk
/// is plain, whatever becomes of the other.
#[test]
fn a_copy_is_erased_only_when_the_disk_is_plain() {
    let mut erased = 0;
    for event in 0.. {
        let mut over = false;
        for seed in 0..24 {
            let (fixture, plain) = Fixture::new();
            fixture.open().mask().unwrap();
            let disk = fixture.open();
            let copies_bytes = disk.copies_bytes.unwrap();
            fixture.power.fail_at(fixture.power.events() + event);
            over = disk.unmask().is_ok();
            fixture.power.restore();
            fixture.ram.lose_power(Survival::Seeded(seed));
            let raw = fixture.ram.snapshot();
            let is_erased = |at: u64| raw[at as usize..][..RECORD_BYTES].iter().all(|&byte| byte == 0);
            if copies_bytes.into_iter().any(is_erased) {
                erased += 1;
                for at in copies_bytes {
                    fixture.ram.write_at(at, &[0; RECORD_BYTES]).unwrap();
                }
                assert!(content(&fixture.settled()) == plain[..BYTES - 4096], "event {event}, seed {seed}");
            }
        }
        if over {
            break;
        }
    }
    assert!(erased > 24, "{erased} losses found a copy erased");
}

#[test]
fn a_masked_disk_reads_as_it_was_written_and_every_masked_byte_differs_from_it() {
    let (fixture, mut plain) = Fixture::of(LARGE_BYTES);
    let disk = fixture.open();
    disk.mask().unwrap();
    let at = 127 * 4096 - 512;
    let written = vec![9; 8 * 4096];
    disk.write_pieces(&[Piece { offset_bytes: at as u64, bytes: &written }]).unwrap();
    plain[at..at + written.len()].copy_from_slice(&written);
    let zeroed = LARGE_BYTES - 4096 - 194 * 4096..LARGE_BYTES - 4096 - 4096;
    assert!(!disk.zero_cheaply(zeroed.start as u64, zeroed.len() as u64).unwrap());
    disk.write_zeros(zeroed.start as u64, zeroed.len() as u64).unwrap();
    plain[zeroed].fill(0);
    disk.discard(0, LARGE_BYTES as u64 - 4096).unwrap();
    assert!(content(&disk) == plain[..LARGE_BYTES - 4096]);
    disk.barrier().unwrap();
    assert!(content(&fixture.settled()) == plain[..LARGE_BYTES - 4096], "after opening it again");
    let raw = fixture.ram.snapshot();
    let sectors = |at: usize, count: usize| (at..at + count * 4096).step_by(512).collect::<Vec<_>>();
    for at in [sectors(0, 128), sectors(LARGE_BYTES - 4096 - 192 * 4096, 192)].concat() {
        assert!(raw[at..at + 512] != plain[at..at + 512], "the sector at {at} is not masked");
    }
    assert!(raw[128 * 4096..LARGE_BYTES - 193 * 4096] == plain[128 * 4096..LARGE_BYTES - 193 * 4096]);
}

#[test]
fn a_record_survives_whoever_writes_the_end_as_a_whole_and_its_loss_is_mended() {
    let (fixture, plain) = Fixture::new();
    let disk = fixture.open();
    disk.mask().unwrap();
    disk.write_at(BYTES as u64 - 4096, &[0; 4096]).unwrap();
    let again = fixture.open();
    assert!(again.is_masked() && content(&again) == plain[..BYTES - 4096]);
    fixture.ram.write_at(BYTES as u64 - 4096, &[0; 4096]).unwrap();
    let lost = fixture.open();
    assert!(!lost.is_masked());
    lost.note_after_loss(true, false, false).unwrap();
    assert!(content(&fixture.settled()) == plain[..BYTES - 4096]);
}

#[test]
fn what_was_written_without_the_cache_is_noticed_and_kept_by_giving_up() {
    let (fixture, _) = Fixture::new();
    fixture.open().mask().unwrap();
    fixture.ram.write_at(0, b"XFSB").unwrap();
    let refused = fixture.open().settle().unwrap_err().to_string();
    assert!(refused.starts_with("shows XFS, ") && refused.contains("halo release"), "{refused}");
    let before = fixture.ram.snapshot();
    assert_eq!(fixture.open().give_up().unwrap(), Some("XFS".into()));
    assert!(fixture.ram.snapshot()[..BYTES - 4096] == before[..BYTES - 4096]);
    assert!(!fixture.open().is_masked());
}

/// What every sector may hold: what it held at the last flush, or what was written since.
struct Allowed(Vec<Vec<u8>>);

impl Allowed {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        for (number, content) in bytes.chunks(512).enumerate() {
            self.0[at / 512 + number].push(content[0]);
        }
    }

    fn flushed(&mut self) {
        self.0.iter_mut().for_each(|sector| drop(sector.drain(..sector.len() - 1)));
    }

    fn is_pending(&self, block: usize) -> bool {
        self.0[block * 8..][..8].iter().any(|sector| sector.len() > 1)
    }

    fn check(&self, bytes: &[u8], context: &str) {
        for (number, (sector, allowed)) in bytes.chunks(512).zip(&self.0).enumerate() {
            let is_whole = sector.iter().all(|byte| *byte == sector[0]);
            assert!(is_whole && allowed.contains(&sector[0]), "{context}: sector {number} is {}", sector[0]);
        }
    }
}

/// Whole blocks and parts of some, at both ends and beside them, with flushes between some of them.
type Step = (&'static [(usize, usize)], bool);
const STEPS: [Step; 7] = [
    (&[(0, 8), (9, 3)], true),
    (&[(3, 2), (8 * 100, 16), (8 * 200, 8)], false),
    (&[(0, 8)], true),
    (&[(8 * 60, 24)], false),
    (&[(8 * 60, 8), (8 * 254, 8)], true),
    (&[(0, 1)], true),
    (&[(8 * 100, 8)], false),
];

/// Steps until one fails.
fn run(disk: &MaskedDisk, steps: &[Step], allowed: &mut Allowed) -> bool {
    for (number, (runs, flushes)) in steps.iter().enumerate() {
        let content = vec![number as u8 + 1; 32 * 512];
        let pieces = runs
            .iter()
            .map(|&(first, count)| Piece { offset_bytes: first as u64 * 512, bytes: &content[..count * 512] });
        let pieces: Vec<_> = pieces.collect();
        for piece in &pieces {
            allowed.write(piece.offset_bytes as usize, piece.bytes);
        }
        if disk.write_pieces(&pieces).is_err() {
            return false;
        }
        if *flushes {
            if disk.barrier().is_err() {
                return false;
            }
            allowed.flushed();
        }
    }
    true
}

/// No power loss makes a disk look as if somebody had written to it, or hides that somebody did.
#[test]
fn writes_to_masked_blocks_survive_a_power_loss_at_every_event() {
    let mut event = 0;
    loop {
        let mut over = true;
        for (seed, survival) in
            [Survival::Nothing, Survival::Everything].into_iter().chain((2..7).map(Survival::Seeded)).enumerate()
        {
            let context = format!("event {event}, seed {seed}");
            let (fixture, _) = Fixture::of(BYTES);
            fixture.ram.load(&vec![0; BYTES]);
            let disk = fixture.open();
            disk.mask().unwrap();
            let mut allowed = Allowed(vec![vec![0]; BYTES / 512]);
            fixture.power.fail_at(fixture.power.events() + event);
            over &= run(&disk, &STEPS, &mut allowed);
            fixture.power.restore();
            fixture.ram.lose_power(survival);
            let disk = fixture.settled();
            allowed.check(&content(&disk), &context);
            // A block that nobody wrote.
            assert_noticed(&fixture, 150, &context);
            // What the next server writes is noted as if nothing had happened.
            let disk = fixture.settled();
            disk.mask().unwrap();
            assert!(fixture.open().written_outside().unwrap().is_none());
            run(&disk, &STEPS, &mut Allowed(vec![vec![0]; BYTES / 512]));
            fixture.settled();
        }
        if over {
            break;
        }
        event += 1;
    }
    assert!(event > 15, "{event} events");
}

/// A byte that somebody else changes in a block, and then back.
fn assert_noticed(fixture: &Fixture, block: usize, context: &str) {
    let at = block as u64 * 4096 + 1024;
    let mut before = [0; 1];
    fixture.ram.read_at(at, &mut before).unwrap();
    fixture.ram.write_at(at, &[before[0] ^ 1]).unwrap();
    let told = fixture.open().settle().unwrap_err().to_string();
    assert!(told.contains(&format!("the first at byte {}", block * 4096)), "{context}: {told}");
    fixture.ram.write_at(at, &before).unwrap();
}

/// Of a server that was killed the system has everything: only what was not flushed since it was written is unknown.
#[test]
fn what_is_put_on_the_disk_of_a_killed_server_is_noticed() {
    for steps in 0..=STEPS.len() {
        let (fixture, _) = Fixture::of(BYTES);
        fixture.ram.load(&vec![0; BYTES]);
        let disk = fixture.open();
        disk.mask().unwrap();
        let mut allowed = Allowed(vec![vec![0]; BYTES / 512]);
        assert!(run(&disk, &STEPS[..steps], &mut allowed));
        let blocks = [0, 1, 60, 61, 100, 101, 150, 200, 254].into_iter();
        let known: Vec<usize> = blocks.filter(|&block| !allowed.is_pending(block)).collect();
        assert!(known.len() > 3, "{known:?}");
        for block in known {
            assert_noticed(&fixture, block, &format!("{steps} steps"));
        }
    }
}

/// A block whose write failed may have been written, at any time until the disk is opened anew.
#[test]
fn after_a_write_or_a_flush_that_failed_either_content_is_taken() {
    for (flush, kept) in [(true, false), (true, true), (false, false), (false, true)] {
        let (fixture, _) = Fixture::of(BYTES);
        let faulty = Arc::new(Faulty::new(Arc::clone(&fixture.ram)));
        let disk = MaskedDisk::new(Arc::clone(&faulty) as AnyMedium).unwrap();
        disk.mask().unwrap();
        if flush {
            disk.write_at(4096, &[1; 4096]).unwrap();
            faulty.fail_barriers(true);
            disk.barrier().unwrap_err();
            faulty.fail_barriers(false);
        } else {
            faulty.fail_writes(4096..8192);
            disk.write_at(0, &[1; 3 * 4096]).unwrap_err();
            faulty.fail_writes(0..0);
        }
        disk.write_at(40 * 4096, &[2; 4096]).unwrap();
        disk.barrier().unwrap();
        let mut bytes = vec![if kept { 1 } else { 9 }; 4096];
        change(4096, &mut bytes);
        fixture.ram.write_at(4096, &bytes).unwrap();
        fixture.settled();
        fixture.ram.write_at(40 * 4096, &[0; 512]).unwrap();
        assert!(fixture.open().settle().is_err());
    }
}

/// The same when it was the flush of a record that failed, for another block.
#[test]
fn after_a_record_that_could_not_be_flushed_either_content_is_taken() {
    let (fixture, _) = Fixture::of(BYTES);
    let faulty = Arc::new(Faulty::new(Arc::clone(&fixture.ram)));
    let disk = MaskedDisk::new(Arc::clone(&faulty) as AnyMedium).unwrap();
    disk.mask().unwrap();
    disk.write_at(4096, &[1; 4096]).unwrap();
    faulty.fail_barriers(true);
    disk.write_at(40 * 4096, &[2; 4096]).unwrap_err();
    faulty.fail_barriers(false);
    disk.barrier().unwrap();
    // The first write was dropped with that flush.
    let mut bytes = vec![9; 4096];
    change(4096, &mut bytes);
    fixture.ram.write_at(4096, &bytes).unwrap();
    fixture.settled();
}

/// Many threads, each of which waits for the record at most.
#[test]
fn writes_of_many_threads_are_noted_together() {
    let (fixture, _) = Fixture::of(BYTES);
    let disk = fixture.open();
    disk.mask().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let disk = &disk;
            scope.spawn(move || {
                for round in 0..50_u64 {
                    let block = (round * 8 + thread) * 7 % 248 / 8 * 8 + thread;
                    disk.write_at(block * 4096, &[round as u8; 4096]).unwrap();
                    if round % 5 == thread % 5 {
                        disk.barrier().unwrap();
                    }
                }
            });
        }
    });
    fixture.settled();
    disk.barrier().unwrap();
    assert!(disk.state().contents.as_ref().is_some_and(|contents| !contents.is_known_better()));
    let Some(Record { stage: Stage::Masked { written_to, .. }, .. }) = fixture.open().state().newest.clone() else {
        panic!("the disk is not masked");
    };
    assert!(written_to.is_empty(), "{written_to:?}");
}
