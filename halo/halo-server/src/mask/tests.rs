use super::*;
use halo_media::{Power, PowerLossRam, Survival};
use std::sync::Arc;

const BYTES: usize = 1 << 20;

struct Fixture {
    power: Power,
    ram: Arc<PowerLossRam>,
}

impl Fixture {
    fn new() -> (Self, Vec<u8>) {
        let power = Power::new();
        let ram = Arc::new(PowerLossRam::new(BYTES, SECTOR_BYTES, &power));
        let mut plain: Vec<u8> = (0..BYTES).map(|at| (at / 512 * 7 + at) as u8).collect();
        plain[BYTES - 4096..].fill(0);
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
    let mut bytes = vec![0; BYTES - 4096];
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

#[test]
fn a_masked_disk_reads_as_it_was_written_and_every_masked_byte_differs_from_it() {
    let (fixture, mut plain) = Fixture::new();
    let disk = fixture.open();
    disk.mask().unwrap();
    let at = 16 * 4096 - 512;
    let written = vec![9; 8 * 4096];
    disk.write_pieces(&[Piece { offset_bytes: at as u64, bytes: &written }]).unwrap();
    plain[at..at + written.len()].copy_from_slice(&written);
    let zeroed = BYTES - 4096 - 18 * 4096..BYTES - 4096 - 4096;
    assert!(!disk.zero_cheaply(zeroed.start as u64, zeroed.len() as u64).unwrap());
    disk.write_zeros(zeroed.start as u64, zeroed.len() as u64).unwrap();
    plain[zeroed].fill(0);
    disk.discard(0, BYTES as u64 - 4096).unwrap();
    assert!(content(&disk) == plain[..BYTES - 4096]);
    disk.barrier().unwrap();
    assert!(content(&fixture.settled()) == plain[..BYTES - 4096], "after opening it again");
    let raw = fixture.ram.snapshot();
    let sectors = |at: usize, count: usize| (at..at + count * 4096).step_by(512).collect::<Vec<_>>();
    for at in [sectors(0, 17), sectors(BYTES - 4096 - 16 * 4096, 16)].concat() {
        assert!(raw[at..at + 512] != plain[at..at + 512], "the sector at {at} is not masked");
    }
    assert!(raw[17 * 4096..BYTES - 17 * 4096] == plain[17 * 4096..BYTES - 17 * 4096]);
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
    lost.note_after_loss(true).unwrap();
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
    assert_eq!(fixture.open().give_up().unwrap(), Some("XFS"));
    assert!(fixture.ram.snapshot()[..BYTES - 4096] == before[..BYTES - 4096]);
    assert!(!fixture.open().is_masked());
}
