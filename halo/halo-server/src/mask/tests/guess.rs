use super::earlier::of_first_version;
use super::*;

/// A disk with a file system's beginning and much that is even, as most have.
fn fixture(has_name: bool) -> (Fixture, Vec<u8>) {
    let (fixture, _) = Fixture::of(LARGE_BYTES);
    let mut plain: Vec<u8> =
        (0..LARGE_BYTES).map(|at| if at % 8192 < 4096 { 0 } else { (at / 512 * 7 + at) as u8 }).collect();
    if has_name {
        plain[..4].copy_from_slice(b"XFSB");
    }
    plain[LARGE_BYTES - 4096..].fill(0);
    fixture.ram.load(&plain);
    (fixture, plain)
}

/// Nothing is left of label and record.
fn lose_the_end(fixture: &Fixture) {
    let mut raw = fixture.ram.snapshot();
    raw[LARGE_BYTES - 4096..].fill(0x77);
    fixture.ram.load(&raw);
}

fn is_plain(fixture: &Fixture, plain: &[u8]) -> bool {
    fixture.ram.snapshot()[..LARGE_BYTES - 4096] == plain[..LARGE_BYTES - 4096]
}

#[test]
fn a_masked_disk_without_label_and_cache_is_known_by_its_content_and_made_plain_over_a_power_loss_at_every_event() {
    for (has_name, is_first) in [(true, false), (false, false), (true, true), (false, true)] {
        let shown = has_name.then_some("XFS");
        for event in 0.. {
            let (fixture, plain) = fixture(has_name);
            if is_first {
                of_first_version(&fixture);
            } else {
                fixture.open().mask().unwrap();
            }
            lose_the_end(&fixture);
            let masked = fixture.ram.snapshot();
            assert_eq!(fixture.open().guess().unwrap(), Guess::Masked(shown));
            assert!(fixture.ram.snapshot() == masked, "a look changed something");
            let disk = fixture.open();
            fixture.power.fail_at(fixture.power.events() + event);
            let is_over = disk.unmask_by_guess().is_ok();
            fixture.power.restore();
            fixture.ram.lose_power(Survival::Seeded(event));
            // Over, or begun and ended by the next, or not begun.
            let guess = fixture.open().unmask_by_guess().unwrap();
            assert!(matches!(guess, Guess::Masked(_) | Guess::Plain(_)), "event {event}: {guess:?}");
            assert!(is_plain(&fixture, &plain), "event {event}, first version: {is_first}");
            assert_eq!(fixture.open().unmask_by_guess().unwrap(), Guess::Plain(shown));
            assert!(is_plain(&fixture, &plain), "plain already");
            if is_over {
                assert!(event > 5, "{event} events");
                break;
            }
        }
    }
}

/// Of a disk without a name and without an even sector nothing is known, and what is on top of a mask is not what is below it.
#[test]
fn a_disk_that_tells_nothing_and_one_that_shows_what_covers_a_mask_stay_as_they_are() {
    let (fixture, _) = Fixture::of(LARGE_BYTES);
    for masks in [false, true] {
        if masks {
            fixture.open().mask().unwrap();
        }
        lose_the_end(&fixture);
        let before = fixture.ram.snapshot();
        assert_eq!(fixture.open().unmask_by_guess().unwrap(), Guess::Unknown, "masked: {masks}");
        assert!(fixture.ram.snapshot() == before);
    }
    let (fixture, plain) = self::fixture(true);
    fixture.open().mask().unwrap();
    lose_the_end(&fixture);
    fixture.ram.write_at(512, b"EFI PART").unwrap();
    let before = fixture.ram.snapshot();
    assert_eq!(fixture.open().unmask_by_guess().unwrap(), Guess::Covered("a partition table"));
    assert!(fixture.ram.snapshot() == before);
    // The way out that is told.
    fixture.ram.write_at(512, &[0; 8]).unwrap();
    assert_eq!(fixture.open().unmask_by_guess().unwrap(), Guess::Masked(Some("XFS")));
    assert!(fixture.ram.snapshot()[1024..LARGE_BYTES - 4096] == plain[1024..LARGE_BYTES - 4096]);
}

/// The record may be whole where the label is not.
#[test]
fn a_record_that_is_left_tells_more_than_the_content() {
    let (fixture, plain) = Fixture::of(LARGE_BYTES);
    fixture.open().mask().unwrap();
    assert_eq!(fixture.open().unmask_by_guess().unwrap(), Guess::Masked(None));
    assert!(is_plain(&fixture, &plain));
}
