use super::*;

/// As a program before this version left it.
pub(super) fn of_first_version(fixture: &Fixture) -> Vec<u8> {
    let disk = fixture.open();
    let form = disk.form(FIRST_VERSION);
    let mut bytes = disk.read_raw(form).unwrap();
    change_all(form, &mut bytes);
    for (place, bytes) in form.places.iter().zip(&bytes) {
        fixture.ram.write_at(place.start, bytes).unwrap();
    }
    let stage = Stage::Masked { checksums: Vec::new(), written_to: BTreeSet::new() };
    disk.note(&mut disk.state(), FIRST_VERSION, &stage).unwrap();
    let raw = fixture.ram.snapshot();
    fixture.ram.load(&raw);
    raw
}

#[test]
fn a_disk_that_was_masked_before_is_read_and_written_and_its_mask_changed_at_no_moment_to_none() {
    let (fixture, mut plain) = Fixture::new();
    of_first_version(&fixture);
    let disk = fixture.settled();
    assert!(disk.is_masked() && content(&disk) == plain[..BYTES - 4096]);
    disk.write_at(8192, &[5; 4096]).unwrap();
    plain[8192..12_288].fill(5);
    assert!(content(&fixture.settled()) == plain[..BYTES - 4096]);
    for masks in [true, false] {
        for event in 0.. {
            let mut over = true;
            for seed in 0..6 {
                let (fixture, plain) = Fixture::new();
                of_first_version(&fixture);
                let disk = fixture.settled();
                fixture.power.fail_at(fixture.power.events() + event);
                over &= if masks { disk.mask() } else { disk.unmask() }.is_ok();
                fixture.power.restore();
                fixture.ram.lose_power(Survival::Seeded(seed));
                let disk = fixture.open();
                fixture.power.fail_at(fixture.power.events() + seed);
                let _ = disk.settle();
                fixture.power.restore();
                fixture.ram.lose_power(Survival::Seeded(seed + 100));
                let shows_itself = fixture.ram.snapshot()[..16 * 4096] == plain[..16 * 4096];
                assert!(!(masks && shows_itself), "event {event}, seed {seed}: plain");
                let disk = fixture.settled();
                assert!(content(&disk) == plain[..BYTES - 4096], "event {event}, seed {seed}");
                disk.unmask().unwrap();
                let is_plain = fixture.ram.snapshot()[..BYTES - 4096] == plain[..BYTES - 4096];
                assert!(is_plain, "event {event}, seed {seed}: not as it was");
            }
            if over {
                break;
            }
        }
    }
}

#[test]
fn what_has_no_name_is_kept_by_giving_up_and_the_rest_is_made_plain() {
    let (fixture, mut plain) = Fixture::new();
    fixture.open().mask().unwrap();
    fixture.ram.write_at(70 * 4096, &[0x77; 4096]).unwrap();
    let shown = fixture.open().give_up().unwrap().unwrap();
    assert_eq!(shown, "data in 1 blocks, the first at byte 286720");
    plain[70 * 4096..71 * 4096].fill(0x77);
    assert!(fixture.ram.snapshot() == plain);
    // Damage that is accepted is the cache's own.
    let (fixture, mut plain) = Fixture::new();
    fixture.open().mask().unwrap();
    let mut byte = [0; 1];
    fixture.ram.read_at(500, &mut byte).unwrap();
    fixture.ram.write_at(500, &[byte[0] ^ 4]).unwrap();
    assert!(fixture.open().settle().is_err());
    fixture.open().accept().unwrap();
    fixture.settled().unmask().unwrap();
    plain[500] ^= 4;
    assert!(fixture.ram.snapshot() == plain);
}

#[test]
fn signatures_name_what_was_written() {
    let named = |at: usize, magic: &[u8]| {
        let mut bytes = vec![0; 512 << 10];
        bytes[at..at + magic.len()].copy_from_slice(magic);
        signature(&bytes)
    };
    assert_eq!(named(0, &[]), None);
    assert_eq!(named(510, &[0x55, 0xaa]), Some("a partition table"));
    assert_eq!(named(446, &[[0x80; 16], [0x55; 16]].concat()), None);
    assert_eq!(named((128 << 10) + 3072, &0x00ba_b10c_u64.to_be_bytes()), Some("ZFS"));
    assert_eq!(named(32_769, b"CD001"), Some("ISO 9660"));
}
