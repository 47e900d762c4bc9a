use super::*;

/// Of both places.
const BLOCK: usize = 150;

/// What a disk holds whose masking, or unmasking, was cut short at an event, and to which somebody then wrote; true when it was not cut.
fn cut_and_written(masking: bool, event: u64) -> (Fixture, Vec<u8>, bool) {
    let (fixture, mut plain) = Fixture::new();
    if !masking {
        fixture.open().mask().unwrap();
    }
    let disk = fixture.open();
    fixture.power.fail_at(fixture.power.events() + event);
    let is_over = if masking { disk.mask() } else { disk.unmask() }.is_ok();
    fixture.power.restore();
    fixture.ram.lose_power(Survival::Seeded(event));
    fixture.ram.write_at(BLOCK as u64 * 4096, &[0x77; 4096]).unwrap();
    plain[BLOCK * 4096..][..4096].fill(0x77);
    (fixture, plain, is_over)
}

#[test]
fn what_is_put_on_a_disk_whose_mask_was_changing_is_noticed_accepted_and_kept_by_giving_up() {
    for masking in [true, false] {
        let mut changing = 0;
        for event in 0.. {
            let context = format!("masking {masking}, event {event}");
            let (fixture, plain, is_over) = cut_and_written(masking, event);
            let newest = fixture.open().state().newest.clone();
            let Some(record) = newest else {
                assert!(fixture.open().written_outside().unwrap().is_none(), "{context}");
                if is_over {
                    break;
                }
                continue;
            };
            let told = fixture.open().written_outside().unwrap();
            assert_eq!(told.as_deref(), Some("data in 1 blocks, the first at byte 614400"), "{context}");
            assert!(fixture.open().settle().is_err(), "{context}");
            assert_eq!(fixture.open().give_up().unwrap(), told, "{context}");
            assert!(fixture.ram.snapshot() == plain, "{context}: a release");
            let (fixture, mut plain, _) = cut_and_written(masking, event);
            fixture.open().accept().unwrap();
            if let Stage::Masked { .. } = record.stage {
                // There the block is taken for a masked one.
                change(BLOCK as u64 * 4096, &mut plain[BLOCK * 4096..][..4096]);
            } else {
                changing += 1;
            }
            assert!(content(&fixture.settled()) == plain[..BYTES - 4096], "{context}: accepted");
            if is_over {
                break;
            }
        }
        assert!(changing > 3, "masking {masking}: {changing} events");
    }
}

#[test]
fn a_block_that_cannot_be_read_is_named_with_the_way_out() {
    let (fixture, _) = Fixture::new();
    let faulty = Arc::new(Faulty::new(Arc::clone(&fixture.ram)));
    fixture.open().mask().unwrap();
    let disk = MaskedDisk::new(Arc::clone(&faulty) as AnyMedium).unwrap();
    faulty.fail_reads(400_000..400_001);
    let told = disk.settle().unwrap_err().to_string();
    assert!(told.contains("byte 397312") && told.contains("injected read error"), "{told}");
    assert!(told.contains("ddrescue") && told.contains("--accept-outside-writes"), "{told}");
}

/// Label and record of most disks are in one physical block.
#[test]
fn an_end_that_cannot_be_read_is_named_with_the_way_out() {
    let (fixture, _) = Fixture::new();
    fixture.open().mask().unwrap();
    let faulty = Arc::new(Faulty::new(Arc::clone(&fixture.ram)));
    faulty.fail_reads(BYTES as u64 - 4096..BYTES as u64);
    let told = MaskedDisk::new(Arc::clone(&faulty) as AnyMedium).err().unwrap().to_string();
    assert!(told.contains("last 4 KiB") && told.contains("injected read error"), "{told}");
    assert!(told.contains("ddrescue") && told.contains("--label-lost"), "{told}");
    // One of two copies is enough.
    faulty.fail_reads(BYTES as u64 - 4096..BYTES as u64 - 2048);
    assert!(MaskedDisk::new(Arc::clone(&faulty) as AnyMedium).unwrap().is_masked());
    faulty.fail_reads(BYTES as u64 - 2048..BYTES as u64);
    assert!(MaskedDisk::new(faulty as AnyMedium).unwrap().is_masked());
}

/// What has a name would be destroyed by the cache's blocks, whatever is accepted.
#[test]
fn a_file_system_is_not_accepted() {
    let (fixture, _) = Fixture::new();
    fixture.open().mask().unwrap();
    fixture.ram.write_at(0, b"XFSB").unwrap();
    let told = fixture.open().accept().unwrap_err().to_string();
    assert!(told.contains("shows XFS") && told.contains("halo release"), "{told}");
}
