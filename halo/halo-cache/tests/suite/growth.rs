//! Devices that became larger.

use super::machine::{DISK_BYTES, Machine, Model, Ram, TestCache, Verdict, ram, with};
use crate::promise;
use halo_cache::{Cache, CacheError, Device, Mode, Planted, Refusal, Settings};
use halo_media::Survival;

fn settings(planted: Planted) -> Settings {
    with(planted, Settings::new(Mode::Flush))
}

/// A cache with dirty blocks: whole, partial, and in an older version.
fn dirty(planted: Planted) -> Result<(Machine, Model), String> {
    let machine = Machine::new(12, 512, settings(planted));
    let mut model = Model::default();
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    for (sector, count) in [(0, 8), (10, 3), (2048, 8), (0, 8)] {
        let bytes = model.write(sector, count);
        cache.write_durably(sector * 512, &bytes).map_err(|error| error.to_string())?;
        model.flushed();
    }
    Ok((machine, model))
}

/// The same devices, `by` bytes larger; what is new on the medium looks like items would.
fn enlarged(machine: &Machine, medium_by: usize, disk_by: usize) -> Machine {
    let larger = |device: &Ram, by: usize, role| {
        let mut bytes = device.snapshot();
        bytes.extend(std::iter::repeat_n(0xa5, by));
        let larger = ram(bytes.len(), &machine.power, role, machine.settings.planted);
        larger.load(&bytes);
        larger
    };
    Machine {
        power: machine.power.clone(),
        medium: larger(&machine.medium, medium_by, Device::Cache),
        disk: larger(&machine.disk, disk_by, Device::Disk),
        settings: machine.settings,
    }
}

fn grow(machine: &Machine) -> Result<(), CacheError> {
    TestCache::grow(&machine.medium, &machine.disk, machine.settings).map(|_| ())
}

const GROWTHS: [(usize, usize); 5] = [(600 * 4128, 0), (0, 1 << 20), (4096, 4096), (300 * 4096, 1536), (0, 2048)];

/// Either device may grow, with blocks in the cache; the new room is used, and the old label is gone.
pub(crate) fn larger_devices_are_used_and_smaller_ones_refused(planted: Planted) -> Verdict {
    for (medium_by, disk_by) in GROWTHS {
        let (before, model) = dirty(planted)?;
        let machine = enlarged(&before, medium_by.next_multiple_of(512), disk_by);
        let unopened = machine.open().err().map(|error| error.to_string()).unwrap_or_default();
        promise!(unopened.contains("grow the cache"), "a larger device: {unopened:?}");
        grow(&machine).map_err(|error| format!("growing by {medium_by} and {disk_by}: {error}"))?;
        let (mut cache, _) = machine.open().map_err(|error| format!("opening what has grown: {error}"))?;
        model.check_running(&mut cache)?;
        let capacity = (DISK_BYTES + disk_by - 4096) / 4096 * 4096;
        promise!(cache.capacity_bytes() == capacity as u64, "{} bytes offered", cache.capacity_bytes());
        if disk_by > 4096 {
            // Where the old label was: nothing of it may be seen.
            let mut bytes = [1; 4096];
            cache.read(DISK_BYTES as u64 - 4096, &mut bytes).map_err(|error| error.to_string())?;
            promise!(bytes == [0; 4096], "the old label is offered as data");
            cache.write_durably(capacity as u64 - 4096, &[9; 4096]).map_err(|error| error.to_string())?;
        }
        cache.drain().map_err(|error| format!("draining what has grown: {error}"))?;
        model.check_disk(&machine.disk)?;
        drop(cache);
        let half = machine.medium.snapshot()[..8 * 4096].to_vec();
        let smaller = ram(half.len(), &machine.power, Device::Cache, planted);
        smaller.load(&half);
        let refused = TestCache::grow(&smaller, &machine.disk, machine.settings).err();
        let named = matches!(refused, Some(CacheError::Refused(Refusal::SizeChanged { .. } | Refusal::BadSize { .. })));
        promise!(named, "a smaller medium: {refused:?}");
    }
    Ok(())
}

/// Power fails at every event of a growth: nothing is lost, and opening or growing again goes on.
pub(crate) fn growth_survives_a_crash_at_every_event(planted: Planted) -> Verdict {
    for growth in GROWTHS {
        for event in 0.. {
            let mut finished = false;
            for seed in 0..6 {
                let (before, mut model) = dirty(planted)?;
                let machine = enlarged(&before, growth.0.next_multiple_of(512), growth.1);
                machine.fail_in(event);
                finished = grow(&machine).is_ok();
                machine.lose_power(Survival::Seeded(seed), Survival::Seeded(seed + 100));
                let again = |error: CacheError| format!("by {growth:?}, event {event}, seed {seed}: {error}");
                // Opening goes on with what was begun; before that, growing begins anew.
                let opened = if seed % 2 == 0 { machine.open() } else { grow(&machine).and_then(|()| machine.open()) };
                let (mut cache, _) = match opened {
                    Err(CacheError::Refused(Refusal::SizeChanged { .. })) if !finished => {
                        grow(&machine).and_then(|()| machine.open()).map_err(again)?
                    }
                    outcome => outcome.map_err(again)?,
                };
                model.check_restarted(&mut cache)?;
                cache.write_durably(0, &model.write(0, 8)).map_err(again)?;
                model.flushed();
                drop(cache);
                machine.lose_power(Survival::Nothing, Survival::Nothing);
                let (mut cache, _) = machine.open().map_err(again)?;
                model.check_restarted(&mut cache)?;
                let slots = Cache::<Ram, Ram>::check(&machine.medium, &machine.disk, true, |_| ()).map_err(again)?;
                promise!(slots.is_clean(), "by {growth:?}, event {event}: {slots:?}");
                cache.drain().map_err(again)?;
                model.check_disk(&machine.disk)?;
            }
            if finished {
                break;
            }
        }
    }
    Ok(())
}

/// Both devices were restored as they were before a growth, used, and grow again: where the label goes, there is one already.
pub(crate) fn a_label_of_an_earlier_growth_is_not_taken_for_the_present_one(planted: Planted) -> Verdict {
    let text = |error: CacheError| error.to_string();
    let (before, model) = dirty(planted)?;
    let earlier = enlarged(&before, 0, 1 << 20);
    grow(&earlier).map_err(text)?;
    for _ in 0..2 {
        drop(before.open().map_err(text)?);
    }
    let machine = enlarged(&before, 0, 1 << 20);
    let (mut bytes, label) = (machine.disk.snapshot(), earlier.disk.snapshot());
    let end = bytes.len() - 4096;
    bytes[end..].copy_from_slice(&label[end..]);
    machine.disk.load(&bytes);
    grow(&machine).map_err(text)?;
    let (mut cache, _) = machine.open().map_err(text)?;
    model.check_running(&mut cache)
}
