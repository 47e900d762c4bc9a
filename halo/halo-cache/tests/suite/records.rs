//! Superblock and label: their copies, versions, and disks whose cache is lost.

use super::machine::{DISK_BYTES, Machine, Model, Ram, TestCache, Verdict, ram, with};
use crate::promise;
use halo_cache::format::{Id, LABEL_BYTES, Layout, Place, RECORD_BYTES};
use halo_cache::{Cache, CacheError, CopyState, Device, Mode, Planted, Refusal, Settings};
use halo_media::Survival;

fn settings(planted: Planted) -> Settings {
    let settings = Settings { place: Place::named("/ssd/cache"), now_seconds: 1_000, ..Settings::new(Mode::Strict) };
    with(planted, settings)
}

#[allow(clippy::needless_pass_by_value, reason = "what map_err hands over")]
fn text(error: CacheError) -> String {
    error.to_string()
}

/// A pair with blocks that the disk lacks, closed.
fn dirty(planted: Planted) -> Result<(Machine, Model, Layout), String> {
    let machine = Machine::new(9, 512, settings(planted));
    let mut model = Model::default();
    let (mut cache, _) = machine.open().map_err(text)?;
    for sector in [0, 8, 2050] {
        let bytes = model.write(sector, 5);
        cache.write(sector * 512, &bytes).map_err(text)?;
    }
    model.flushed();
    let layout = *cache.layout();
    Ok((machine, model, layout))
}

fn places(machine: &Machine, layout: &Layout) -> Vec<(Ram, usize)> {
    let of = |medium: &Ram, device| {
        layout.record_offsets_bytes(device).map(|offset_bytes| (medium.clone(), offset_bytes as usize))
    };
    [of(&machine.medium, Device::Cache), of(&machine.disk, Device::Disk)].concat()
}

/// One of the four copies is damaged: the check names it, the repair makes all as it was, also when power fails in between.
pub(crate) fn a_damaged_copy_is_reported_and_restored(planted: Planted) -> Verdict {
    let (machine, mut model, layout) = dirty(planted)?;
    let whole = (machine.medium.snapshot(), machine.disk.snapshot());
    for (copy, (medium, at)) in places(&machine, &layout).into_iter().enumerate() {
        let mut bytes = medium.snapshot();
        bytes[at + 30] ^= 1;
        medium.load(&bytes);
        let report = TestCache::check(&machine.medium, &machine.disk, true, |_| ()).map_err(text)?;
        let mut states = [CopyState::Whole; 4];
        states[copy] = CopyState::Damaged;
        let found = [report.copies.superblock, report.copies.label].concat();
        promise!(found == states && !report.is_clean(), "copy {copy}: {found:?}");
        for event in 0..3 {
            machine.fail_in(event);
            let _ = TestCache::repair(&machine.medium, &machine.disk, false, planted);
            machine.lose_power(Survival::Seeded(event), Survival::Seeded(event + 7));
        }
        TestCache::repair(&machine.medium, &machine.disk, false, planted).map_err(text)?;
        machine.lose_power(Survival::Nothing, Survival::Nothing);
        promise!(whole == (machine.medium.snapshot(), machine.disk.snapshot()), "copy {copy} is not as it was");
    }
    let (mut cache, _) = machine.open().map_err(text)?;
    model.check_restarted(&mut cache)
}

/// A copy from before an interruption is none of damage, and is written anew all the same.
pub(crate) fn an_older_copy_is_told_apart_and_written_anew(planted: Planted) -> Verdict {
    let (machine, mut model, layout) = dirty(planted)?;
    let record = |medium: &Ram, at: usize| medium.snapshot()[at..at + RECORD_BYTES].to_vec();
    let older: Vec<_> = places(&machine, &layout).iter().map(|(medium, at)| record(medium, *at)).collect();
    // Another session: its records count.
    drop(machine.open().map_err(text)?);
    let whole = (machine.medium.snapshot(), machine.disk.snapshot());
    for (copy, (medium, at)) in places(&machine, &layout).into_iter().enumerate() {
        let mut bytes = medium.snapshot();
        bytes[at..at + RECORD_BYTES].copy_from_slice(&older[copy]);
        medium.load(&bytes);
        let found = TestCache::repair(&machine.medium, &machine.disk, false, planted).map_err(text)?;
        let mut states = [CopyState::Whole; 4];
        states[copy] = CopyState::Older;
        promise!([found.superblock, found.label].concat() == states, "copy {copy}: {found:?}");
        promise!(whole == (machine.medium.snapshot(), machine.disk.snapshot()), "copy {copy} is not as it was");
    }
    let (mut cache, _) = machine.open().map_err(text)?;
    model.check_restarted(&mut cache)
}

/// Both copies of the label share the disk's last block, and may go with it.
pub(crate) fn a_label_of_which_nothing_is_left_is_made_anew_when_asked(planted: Planted) -> Verdict {
    let (machine, mut model, _) = dirty(planted)?;
    let whole = machine.disk.snapshot();
    let mut bytes = whole.clone();
    bytes[DISK_BYTES - LABEL_BYTES as usize..].fill(0x77);
    machine.disk.load(&bytes);
    let refused = TestCache::repair(&machine.medium, &machine.disk, false, planted);
    promise!(matches!(refused, Err(CacheError::Refused(Refusal::NotHalo(Device::Disk)))), "unasked: {refused:?}");
    promise!(bytes == machine.disk.snapshot(), "a disk that was refused was changed");
    TestCache::repair(&machine.medium, &machine.disk, true, planted).map_err(text)?;
    let data = DISK_BYTES - LABEL_BYTES as usize;
    promise!(whole[..data] == machine.disk.snapshot()[..data], "data of the disk was changed");
    let (mut cache, _) = machine.open().map_err(text)?;
    model.check_restarted(&mut cache)?;
    drop(cache);
    // A disk of another size is another disk, with or without a label.
    let (machine, ..) = dirty(planted)?;
    for bytes in [DISK_BYTES - 4096, DISK_BYTES + 4096] {
        let other = ram(bytes, &machine.power, Device::Disk, planted);
        let refused = TestCache::repair(&machine.medium, &other, true, planted);
        promise!(
            matches!(refused, Err(CacheError::Refused(Refusal::SizeChanged { .. }))),
            "{bytes} bytes: {refused:?}"
        );
        promise!(other.snapshot().iter().all(|&byte| byte == 0), "a disk of {bytes} bytes was written to");
    }
    // Of another disk the label is there, whatever was asked.
    let other = Machine::blank(9, 512, settings(planted));
    Cache::create(&other.medium, &other.disk, Id([3; 16]), Id([4; 16]), false).map_err(text)?;
    let refused = TestCache::repair(&machine.medium, &other.disk, true, planted);
    promise!(matches!(refused, Err(CacheError::Refused(Refusal::WrongDisk { .. }))), "another disk: {refused:?}");
    Ok(())
}

/// Makes the records of a device those of version 1, with the superblock's second copy where it was then.
fn outdate(medium: &Ram, offsets_bytes: [u64; 2], now_bytes: [u64; 2]) {
    let mut bytes = medium.snapshot();
    let mut record = bytes[offsets_bytes[0] as usize..][..512].to_vec();
    record[8] = 1;
    record[97..508].fill(0);
    let checksum = crc32c::crc32c(&record[..508]);
    record[508..].copy_from_slice(&checksum.to_le_bytes());
    bytes[offsets_bytes[1] as usize..][..512].fill(0);
    for at in now_bytes {
        bytes[at as usize..][..512].copy_from_slice(&record);
    }
    medium.load(&bytes);
}

/// Pairs of version 1 are not opened, and the line says what to do; a disk that was detached from it, or released, is taken.
pub(crate) fn pairs_of_version_1_are_refused_and_their_free_disks_taken(planted: Planted) -> Verdict {
    let (machine, _, layout) = dirty(planted)?;
    let cache_places = layout.record_offsets_bytes(Device::Cache);
    let disk_places = layout.record_offsets_bytes(Device::Disk);
    outdate(&machine.medium, cache_places, [0, 4096]);
    outdate(&machine.disk, disk_places, disk_places);
    let refused = machine.open().err().map(text).unwrap_or_default();
    promise!(refused.contains("format version 1") && refused.contains("detach it with"), "opened: {refused}");
    let fresh = Machine::blank(9, 512, settings(planted));
    let create = |medium: &Ram, disk: &Ram, force| Cache::create(medium, disk, Id([5; 16]), Id([6; 16]), force);
    for force in [false, true] {
        promise!(create(&machine.medium, &fresh.disk, force).is_err(), "a bound cache of version 1 was overwritten");
        promise!(create(&fresh.medium, &machine.disk, force).is_err(), "a bound disk of version 1 was taken");
    }
    // Its second superblock alone says that it is bound, too.
    let mut bytes = machine.medium.snapshot();
    bytes[..512].fill(0);
    machine.medium.load(&bytes);
    promise!(create(&machine.medium, &fresh.disk, true).is_err(), "a cache of version 1 with one copy was overwritten");
    TestCache::release(&machine.disk, 2_000, planted).map_err(text)?;
    create(&fresh.medium, &machine.disk, false).map_err(text)?;

    let (machine, _, layout) = dirty(planted)?;
    machine.open().and_then(|(cache, _)| cache.detach()).map_err(text)?;
    outdate(&machine.medium, layout.record_offsets_bytes(Device::Cache), [0, 4096]);
    outdate(&machine.disk, disk_places, disk_places);
    create(&machine.medium, &machine.disk, false).map_err(|error| format!("detached by version 1: {error}"))?;
    machine.open().map(|_| ()).map_err(text)
}

/// The label says the mode, the time and the place of the last session, and whether the disk alone is in order.
pub(crate) fn a_disk_says_who_used_it(planted: Planted) -> Verdict {
    let (mut machine, _, _) = dirty(planted)?;
    for (mode, ordered) in [(Mode::Flush, false), (Mode::Ordered, true), (Mode::Ordered, true), (Mode::Strict, false)] {
        machine.settings.mode = mode;
        machine.settings.now_seconds += 1;
        drop(machine.open().map_err(text)?);
        let bound = TestCache::bound(&machine.disk).map_err(text)?;
        promise!(bound.cache == Id([1; 16]) && !bound.released, "{bound:?}");
        let said = (bound.note.mode, bound.note.at_seconds, bound.note.place.name(), bound.ordered);
        let expected = (Some(mode), machine.settings.now_seconds, Some("/ssd/cache"), ordered);
        promise!(said == expected, "{said:?} instead of {expected:?}");
    }
    // An opener that does not say where it is leaves the place that was known.
    machine.settings.place = Place::UNKNOWN;
    machine.open().and_then(|(cache, _)| cache.detach()).map_err(text)?;
    let found = TestCache::bound(&machine.disk);
    promise!(matches!(found, Err(CacheError::Refused(Refusal::NotBound))), "a detached disk: {found:?}");
    Ok(())
}

/// Power fails at every event of a release: it is done, or is done again, and a new cache takes the disk. Its data stays.
pub(crate) fn a_release_is_whole_or_repeated_and_touches_no_data(planted: Planted) -> Verdict {
    for event in 0.. {
        let mut finished = false;
        for seed in 0..6 {
            let (machine, _, _) = dirty(planted)?;
            let before = machine.disk.snapshot();
            machine.fail_in(event);
            finished = TestCache::release(&machine.disk, 2_000, planted).is_ok();
            machine.lose_power(Survival::Seeded(seed), Survival::Seeded(seed + 100));
            let context = |error: CacheError| format!("event {event}, seed {seed}: {error}");
            let found = TestCache::bound(&machine.disk).map_err(context)?;
            promise!(found.released || !finished, "event {event}: a release was lost");
            if !found.released {
                // Nothing has happened yet: the cache may still be used.
                machine.open().map_err(context)?;
            }
            TestCache::release(&machine.disk, 2_000, planted).map_err(context)?;
            let again = TestCache::release(&machine.disk, 3_000, planted).map_err(context)?;
            let said = (again.released, again.cache, again.note.at_seconds);
            promise!(said == (true, Id([1; 16]), 2_000), "event {event}: {again:?}");
            let data = DISK_BYTES - LABEL_BYTES as usize;
            promise!(before[..data] == machine.disk.snapshot()[..data], "event {event}: data of the disk was changed");
            let whole = machine.disk.snapshot();
            for copy in [0, LABEL_BYTES as usize / 2] {
                let mut bytes = whole.clone();
                bytes[data + copy + 30] ^= 1;
                machine.disk.load(&bytes);
                let found = TestCache::bound(&machine.disk).map_err(context)?;
                promise!(
                    found.released,
                    "event {event}: the disk is bound again when one copy of its label is damaged"
                );
            }
            machine.disk.load(&whole);
            let fresh = Machine::blank(9, 512, settings(planted));
            Cache::create(&fresh.medium, &machine.disk, Id([5; 16]), Id([6; 16]), false).map_err(context)?;
            Cache::open(fresh.medium.clone(), machine.disk.clone(), settings(planted)).map_err(context)?;
        }
        if finished {
            return Ok(());
        }
    }
    Ok(())
}

/// A cache that was given up is not used with its disk again, and only with force is it overwritten.
pub(crate) fn a_lost_cache_that_comes_back_harms_nothing(planted: Planted) -> Verdict {
    let (machine, _, _) = dirty(planted)?;
    TestCache::release(&machine.disk, 2_000, planted).map_err(text)?;
    let released = (machine.medium.snapshot(), machine.disk.snapshot());
    let opened = machine.open().err();
    promise!(matches!(opened, Some(CacheError::Refused(Refusal::Released { .. }))), "opened: {opened:?}");
    let create = |force| Cache::create(&machine.medium, &machine.disk, Id([5; 16]), Id([6; 16]), force);
    let refused = create(false);
    promise!(matches!(refused, Err(CacheError::Refused(Refusal::HoldsLostBlocks))), "created: {refused:?}");
    promise!(released == (machine.medium.snapshot(), machine.disk.snapshot()), "something was changed");
    create(true).map_err(text)?;
    machine.open().map(|_| ()).map_err(text)
}

/// A cache whose disk is lost says what it holds, and is given free on purpose, also when power fails meanwhile.
pub(crate) fn a_cache_whose_disk_is_lost_is_released_and_takes_another(planted: Planted) -> Verdict {
    for event in 0.. {
        let (machine, ..) = dirty(planted)?;
        let context = |error: CacheError| format!("event {event}: {error}");
        let orphan = TestCache::orphan(&machine.medium).map_err(context)?;
        let said = (orphan.disk, orphan.session, orphan.blocks, orphan.damaged_items);
        promise!(said == (Id([2; 16]), 1, 3, 0), "{orphan:?}");
        let other = Machine::blank(9, 512, settings(planted));
        let create = || Cache::create(&machine.medium, &other.disk, Id([5; 16]), Id([6; 16]), true);
        promise!(create().is_err(), "a cache in use was taken");
        machine.fail_in(event);
        let finished = TestCache::release_cache(&machine.medium).is_ok();
        machine.lose_power(Survival::Seeded(event), Survival::Seeded(event));
        if !finished && TestCache::orphan(&machine.medium).is_ok() {
            // Nothing has happened yet.
            machine.open().map_err(context)?;
            TestCache::release_cache(&machine.medium).map_err(context)?;
        }
        let again = TestCache::release_cache(&machine.medium);
        promise!(
            matches!(again, Err(CacheError::Refused(Refusal::Detached))),
            "event {event}: released twice: {again:?}"
        );
        promise!(machine.open().is_err(), "event {event}: a disk that came back was used");
        create().map_err(context)?;
        Cache::open(machine.medium.clone(), other.disk.clone(), settings(planted)).map_err(context)?;
        if finished {
            return Ok(());
        }
    }
    Ok(())
}
