//! Creation, detaching, and pairs that do not belong together.

use super::machine::{DISK_BYTES, Machine, Model, Ram, TestCache, Verdict, ram, with};
use crate::promise;
use halo_cache::format::{Id, LABEL_BYTES};
use halo_cache::{Cache, CacheError, Device, Mode, Planted, Refusal, Settings};
use halo_media::{Medium, Power, Survival};

fn settings(planted: Planted) -> Settings {
    with(planted, Settings::new(Mode::Strict))
}

fn open(medium: &Ram, disk: &Ram, planted: Planted) -> Result<TestCache, CacheError> {
    Cache::open(medium.clone(), disk.clone(), settings(planted)).map(|(cache, _)| cache)
}

fn refusal(outcome: Result<TestCache, CacheError>) -> Option<Refusal> {
    match outcome {
        Err(CacheError::Refused(refusal)) => Some(refusal),
        _ => None,
    }
}

/// A second pair with other ids.
fn other_pair(planted: Planted) -> Result<Machine, String> {
    let machine = Machine::blank(9, 512, settings(planted));
    Cache::create(&machine.medium, &machine.disk, Id([3; 16]), Id([4; 16]), false)
        .map_err(|error| error.to_string())?;
    Ok(machine)
}

/// Swapped partners, blank and foreign devices: each is refused, and nothing is written to it.
pub(crate) fn a_cache_works_only_with_its_own_disk(planted: Planted) -> Verdict {
    let (ours, theirs) = (Machine::new(9, 512, settings(planted)), other_pair(planted)?);
    let disk = |bytes| ram(bytes, &Power::new(), Device::Disk, planted);
    let (blank, foreign) = (disk(DISK_BYTES), disk(DISK_BYTES));
    foreign.load(&vec![0x55; DISK_BYTES]);
    let smaller = disk(DISK_BYTES - 4096);
    for (name, medium, disk) in [
        ("the disk of another cache", &ours.medium, &theirs.disk),
        ("the cache of another disk", &theirs.medium, &ours.disk),
        ("a blank disk", &ours.medium, &blank),
        ("a foreign disk", &ours.medium, &foreign),
        ("a smaller disk", &ours.medium, &smaller),
        ("a blank cache", &blank, &ours.disk),
        ("a foreign cache", &foreign, &ours.disk),
    ] {
        let before = (medium.snapshot(), disk.snapshot());
        promise!(refusal(open(medium, disk, planted)).is_some(), "{name} was taken");
        promise!(before == (medium.snapshot(), disk.snapshot()), "{name} was written to");
    }
    open(&ours.medium, &ours.disk, planted).map(|_| ()).map_err(|error| error.to_string())
}

/// A copy of cache or disk from an earlier session would bring old data back.
pub(crate) fn an_older_copy_is_refused(planted: Planted) -> Verdict {
    for sessions in 1..4 {
        let machine = Machine::new(9, 512, settings(planted));
        let opened = || open(&machine.medium, &machine.disk, planted);
        opened().map_err(|error| error.to_string())?;
        let (old_cache, old_disk) = (machine.medium.snapshot(), machine.disk.snapshot());
        for _ in 0..sessions {
            opened().map_err(|error| error.to_string())?;
        }
        let new_cache = machine.medium.snapshot();
        machine.medium.load(&old_cache);
        let found = refusal(opened());
        let told = |found: &Option<Refusal>| matches!(found, Some(Refusal::OldCopy { .. }));
        promise!(told(&found), "a copy of the cache from {sessions} sessions ago: {found:?}");
        machine.medium.load(&new_cache);
        machine.disk.load(&old_disk);
        let found = refusal(opened());
        promise!(told(&found), "a copy of the disk from {sessions} sessions ago: {found:?}");
    }
    Ok(())
}

/// Creation overwrites neither a cache nor somebody's data, and does not take a disk away.
pub(crate) fn creation_takes_only_what_is_free(planted: Planted) -> Verdict {
    let ours = Machine::new(9, 512, settings(planted));
    let fresh = Machine::blank(9, 512, settings(planted));
    let create = |medium: &Ram, disk: &Ram, force| Cache::create(medium, disk, Id([5; 16]), Id([6; 16]), force);
    let bound = |outcome| matches!(outcome, Err(CacheError::Refused(Refusal::Bound { .. })));
    for force in [false, true] {
        promise!(bound(create(&ours.medium, &fresh.disk, force)), "a cache was overwritten (force: {force})");
        promise!(bound(create(&fresh.medium, &ours.disk, force)), "a bound disk was taken (force: {force})");
    }
    let foreign = Machine::blank(9, 512, settings(planted));
    foreign.disk.load(&vec![0x55; DISK_BYTES]);
    let outcome = create(&foreign.medium, &foreign.disk, false);
    promise!(matches!(outcome, Err(CacheError::Refused(Refusal::InUse(_)))), "the end of a disk in use: {outcome:?}");
    // The last sector of a disk with partitions (GPT), between the places of the label's two copies and the end.
    let mut partitioned = vec![0; DISK_BYTES];
    partitioned[DISK_BYTES - 512..][..8].copy_from_slice(b"EFI PART");
    foreign.disk.load(&partitioned);
    let outcome = create(&foreign.medium, &foreign.disk, false);
    promise!(matches!(outcome, Err(CacheError::Refused(Refusal::InUse(_)))), "a partition table: {outcome:?}");
    create(&foreign.medium, &foreign.disk, true).map_err(|error| format!("forced: {error}"))?;
    open(&foreign.medium, &foreign.disk, planted).map(|_| ()).map_err(|error| error.to_string())?;
    creation_overwrites_nothing_of_a_cache_medium(planted)
}

/// A file system or a volume begins behind the first sector of its device, and may have a copy at the end.
fn creation_overwrites_nothing_of_a_cache_medium(planted: Planted) -> Verdict {
    let length = Machine::blank(9, 512, settings(planted)).medium.snapshot().len();
    for at in [512, 1024 + 56, 4086, 4096, 8191, length - 4096, length - 512] {
        let (mut content, machine) = (vec![0; length], Machine::blank(9, 512, settings(planted)));
        content[at] = 0x53;
        machine.medium.load(&content);
        let outcomes = [
            machine.create(),
            Cache::may_create(Some(&machine.medium), length as u64, &machine.disk, false).map(|_| ()),
        ];
        let in_use = |outcome: &_| matches!(outcome, Err(CacheError::Refused(Refusal::InUse(Device::Cache))));
        promise!(outcomes.iter().all(in_use), "data at byte {at} of the cache medium: {outcomes:?}");
        promise!(machine.medium.snapshot() == content, "data at byte {at} of the cache medium was overwritten");
        machine.create_with_force().map_err(|error| format!("forced over byte {at}: {error}"))?;
    }
    // What lies in the place of data is not told from what a cache left there.
    let (mut content, machine) = (vec![0; length], Machine::blank(9, 512, settings(planted)));
    content[8192] = 1;
    machine.medium.load(&content);
    machine.create().map_err(|error| format!("data in the place of data: {error}"))
}

/// Each of both in the other's place, or in another pair's: never overwritten, and said to be what it is.
pub(crate) fn a_device_in_the_other_role_is_not_taken(planted: Planted) -> Verdict {
    let machine = Machine::new(9, 512, settings(planted));
    let (cache, disk) = (machine.medium.clone(), machine.disk.clone());
    let blank = |bytes| ram(bytes, &Power::new(), Device::Cache, planted);
    let (new_cache, new_disk) = (blank(64 << 10), blank(DISK_BYTES));
    let before = (cache.snapshot(), disk.snapshot());
    for (name, as_cache, as_disk, wrong) in [
        ("both swapped", &disk, &cache, Device::Cache),
        ("the disk as cache", &disk, &new_disk, Device::Cache),
        ("the cache as disk", &new_cache, &cache, Device::Disk),
    ] {
        for force in [false, true] {
            let is_told = |outcome: Result<(), CacheError>| {
                let found =
                    matches!(&outcome, Err(CacheError::Refused(Refusal::OtherRole { device, .. })) if *device == wrong);
                // Without force, that something lies there is enough.
                found || (!force && matches!(outcome, Err(CacheError::Refused(Refusal::InUse(_)))))
            };
            let created = Cache::create(as_cache, as_disk, Id([3; 16]), Id([4; 16]), force);
            promise!(is_told(created), "{name}, force: {force}: created");
            let may = Cache::may_create(Some(as_cache), as_cache.len_bytes(), as_disk, force);
            promise!(is_told(may.map(|_| ())), "{name}, force: {force}: may be created");
        }
        promise!(before == (cache.snapshot(), disk.snapshot()), "{name}: written to");
    }
    let found = refusal(open(&disk, &cache, planted));
    promise!(matches!(found, Some(Refusal::OtherRole { device: Device::Cache, .. })), "swapped: {found:?}");
    let found = TestCache::bound(&cache).map(|_| ());
    promise!(matches!(found, Err(CacheError::Refused(Refusal::OtherRole { .. }))), "a cache as disk: {found:?}");
    let found = TestCache::orphan(&disk).map(|_| ());
    promise!(matches!(found, Err(CacheError::Refused(Refusal::OtherRole { .. }))), "a disk as cache: {found:?}");
    // Once it is free, it may become what it was not.
    let cache_of_old = open(&machine.medium, &machine.disk, planted).map_err(|error| error.to_string())?;
    cache_of_old.detach().map_err(|error| error.to_string())?;
    Cache::create(&disk, &cache, Id([3; 16]), Id([4; 16]), true).map_err(|error| format!("of a free pair: {error}"))
}

/// Power fails at every event of a creation: afterwards the pair works, or can be created again. (With force, when the
/// very first record was torn within a sector: it cannot be told from somebody's data.)
pub(crate) fn creation_survives_a_crash_at_every_event(planted: Planted) -> Verdict {
    for event in 0.. {
        let mut finished = false;
        for seed in 0..12 {
            let machine = Machine::blank(9, if seed % 2 == 0 { 512 } else { 64 }, settings(planted));
            machine.fail_in(event);
            finished = machine.create().is_ok();
            machine.lose_power(Survival::Seeded(seed), Survival::Seeded(seed + 100));
            let opened = open(&machine.medium, &machine.disk, planted);
            promise!(!finished || opened.is_ok(), "a finished creation was lost: {:?}", opened.err());
            let mut cache = match opened {
                Ok(cache) => cache,
                Err(_) => machine
                    .create()
                    .or_else(|error| if seed % 2 == 0 { Err(error) } else { machine.create_with_force() })
                    .and_then(|()| open(&machine.medium, &machine.disk, planted))
                    .map_err(|error| format!("event {event}, seed {seed}: creating again: {error}"))?,
            };
            Model::default().check_running(&mut cache)?;
        }
        if finished {
            return Ok(());
        }
    }
    Ok(())
}

/// A detached disk is complete on its own, free for another cache, and no longer known to the old one.
pub(crate) fn a_detached_disk_has_everything_and_is_free(planted: Planted) -> Verdict {
    let machine = Machine::new(9, 512, settings(planted));
    let mut model = Model::default();
    let mut cache = open(&machine.medium, &machine.disk, planted).map_err(|error| error.to_string())?;
    for sector in [0, 8, 2050] {
        let bytes = model.write(sector, 5);
        cache.write(sector * 512, &bytes).map_err(|error| error.to_string())?;
    }
    model.flushed();
    cache.detach().map_err(|error| format!("detaching: {error}"))?;
    model.check_disk(&machine.disk)?;
    let found = refusal(open(&machine.medium, &machine.disk, planted));
    promise!(found == Some(Refusal::Detached), "opening a detached cache: {found:?}");
    let whole = machine.disk.snapshot();
    for copy in [0, LABEL_BYTES as usize / 2] {
        let mut bytes = whole.clone();
        bytes[DISK_BYTES - LABEL_BYTES as usize + copy + 30] ^= 1;
        machine.disk.load(&bytes);
        let found = TestCache::bound(&machine.disk);
        let is_free = matches!(found, Err(CacheError::Refused(Refusal::NotBound)));
        promise!(is_free, "the disk is bound again when one copy of its label is damaged: {found:?}");
    }
    machine.disk.load(&whole);
    Cache::create(&machine.medium, &machine.disk, Id([7; 16]), Id([8; 16]), false)
        .map_err(|error| format!("creating anew: {error}"))?;
    let mut cache = open(&machine.medium, &machine.disk, planted).map_err(|error| error.to_string())?;
    model.check_running(&mut cache)
}

/// Power fails at every event of a detach: nothing is lost, and it can be finished.
pub(crate) fn detaching_survives_a_crash_at_every_event(planted: Planted) -> Verdict {
    for event in 0.. {
        let mut finished = false;
        for seed in 0..8 {
            let machine = Machine::new(9, 512, settings(planted));
            let mut model = Model::default();
            let mut cache = open(&machine.medium, &machine.disk, planted).map_err(|error| error.to_string())?;
            for sector in [0, 8, 2050] {
                let bytes = model.write(sector, 5);
                cache.write(sector * 512, &bytes).map_err(|error| error.to_string())?;
            }
            model.flushed();
            machine.fail_in(event);
            finished = cache.detach().is_ok();
            machine.lose_power(Survival::Seeded(seed), Survival::Seeded(seed + 100));
            let context = |error: CacheError| format!("event {event}, seed {seed}: {error}");
            match open(&machine.medium, &machine.disk, planted) {
                Ok(mut cache) => {
                    model.check_restarted(&mut cache)?;
                    // Still bound: nobody else may take the disk.
                    let outcome = Cache::create(&other_pair(planted)?.medium, &machine.disk, Id::NONE, Id::NONE, true);
                    promise!(outcome.is_err(), "event {event}: a disk in use was taken");
                    cache.detach().map_err(context)?;
                }
                Err(CacheError::Refused(Refusal::Detached)) => {}
                Err(error) => return Err(context(error)),
            }
            model.check_disk(&machine.disk)?;
        }
        if finished {
            return Ok(());
        }
    }
    Ok(())
}
