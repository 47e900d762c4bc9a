//! How cache and disk are opened together. A power loss may come between any two steps, and then also a program that knows no mask.

use crate::mask::MaskedDisk;
use crate::media::AnyMedium;
use halo_cache::format::{LABEL_BYTES, RECORD_BYTES, Record, RecordState};
use halo_cache::{Cache, Device, Recovery, Settings};
use halo_media::Medium;
use std::io;

pub(crate) fn disk_failed(error: &io::Error) -> String {
    format!("disk file: {error}")
}

/// Opens a cache with a disk that lies above `mask`, and masks what is below. Gives one line when that fails.
///
/// The mask comes last: by then superblock and label have the version that keeps programs away that know no mask. It comes before the
/// first write that the disk lacks.
pub(crate) fn open<D: Medium>(
    medium: AnyMedium,
    disk: D,
    mask: &MaskedDisk,
    settings: Settings,
) -> Result<(Cache<AnyMedium, D>, Recovery), String> {
    mask.settle().map_err(|error| disk_failed(&error))?;
    let opened = Cache::open(medium, disk, settings).map_err(|error| error.to_string())?;
    mask.mask().map_err(|error| disk_failed(&error))?;
    Ok(opened)
}

/// True when two labels, each a disk's last 4 KiB, are of one disk in one session. Everything else in them may change while the disk is in
/// use: whether the disk alone is in order.
pub(crate) fn is_same_disk(remembered: &[u8], found: &[u8]) -> bool {
    let names = |label: Record| (label.disk, label.cache, label.session);
    label_in(remembered).zip(label_in(found)).is_some_and(|(one, other)| names(one) == names(other))
}

fn label_in(end: &[u8]) -> Option<Record> {
    let (first, second) = end.split_at_checked(LABEL_BYTES as usize / 2)?;
    let copies = [first, second].map(|copy| copy.first_chunk::<RECORD_BYTES>());
    let [Some(first), Some(second)] = copies else { return None };
    RecordState::newest([first, second].map(|copy| Record::decode(copy, Device::Disk)), Device::Disk).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use halo_cache::Mode;
    use halo_cache::format::{Id, Layout};
    use halo_media::{Power, PowerLossRam, Survival};
    use std::sync::Arc;

    const CACHE_BYTES: usize = 64 << 10;
    const DISK_BYTES: usize = 512 << 10;
    const DEVICES: [Device; 2] = [Device::Cache, Device::Disk];

    pub(crate) struct Pair {
        pub(crate) power: Power,
        pub(crate) devices: [Arc<PowerLossRam>; 2],
        offsets_bytes: [[u64; 2]; 2],
    }

    impl Pair {
        /// A pair with three blocks, and a plain disk.
        pub(crate) fn with_blocks() -> Self {
            let power = Power::new();
            let devices = [CACHE_BYTES, DISK_BYTES].map(|bytes| Arc::new(PowerLossRam::new(bytes, 512, &power)));
            let layout = Layout::new(CACHE_BYTES as u64, DISK_BYTES as u64).unwrap();
            let pair =
                Self { power, devices, offsets_bytes: DEVICES.map(|device| layout.record_offsets_bytes(device)) };
            let [cache, disk] = &pair.devices;
            Cache::create(cache, disk, Id([1; 16]), Id([2; 16]), false).unwrap();
            let (mut used, _) = Cache::open(Arc::clone(cache), Arc::clone(disk), Settings::new(Mode::Flush)).unwrap();
            (0..3).for_each(|block| used.write(block * 4096, &[block as u8 + 1; 4096]).unwrap());
            used.flush().unwrap();
            drop(used);
            pair
        }

        fn of_version_2() -> Self {
            let pair = Self::with_blocks();
            pair.each_record(|bytes| {
                bytes[8] = 2;
                let checksum = crc32c::crc32c(&bytes[..RECORD_BYTES - 4]);
                bytes[RECORD_BYTES - 4..].copy_from_slice(&checksum.to_le_bytes());
            });
            pair
        }

        fn each_record(&self, mut act: impl FnMut(&mut [u8])) {
            for (device, offsets_bytes) in self.devices.iter().zip(self.offsets_bytes) {
                let mut bytes = device.snapshot();
                for at in offsets_bytes {
                    act(&mut bytes[at as usize..at as usize + RECORD_BYTES]);
                }
                device.load(&bytes);
            }
        }

        pub(crate) fn mask(&self) -> Arc<MaskedDisk> {
            Arc::new(MaskedDisk::new(Arc::clone(&self.devices[1]) as AnyMedium).unwrap())
        }

        pub(crate) fn open(&self) -> Result<Cache<AnyMedium, AnyMedium>, String> {
            let mask = self.mask();
            let settings = Settings::new(Mode::Flush);
            open(Arc::clone(&self.devices[0]) as AnyMedium, Arc::clone(&mask) as AnyMedium, &mask, settings)
                .map(|(cache, _)| cache)
        }

        /// True when a program of version 2 would work with the cache, and so with the disk as it is.
        fn opens_with_version_2(&self) -> bool {
            let mut counts = false;
            self.each_record(|bytes| {
                let whole = crc32c::crc32c(&bytes[..RECORD_BYTES - 4]).to_le_bytes() == bytes[RECORD_BYTES - 4..];
                counts |= &bytes[..8] == b"HALOCACH" && bytes[8] == 2 && whole;
            });
            counts
        }
    }

    #[test]
    fn a_power_loss_at_any_event_of_opening_leaves_no_masked_disk_to_a_program_that_knows_no_mask() {
        let (mut with_version_2, mut masked) = (0, 0);
        for event in 0.. {
            let mut over = true;
            for seed in 0..8 {
                let pair = Pair::of_version_2();
                let plain = pair.devices[1].snapshot();
                pair.power.fail_at(pair.power.events() + event);
                over &= pair.open().is_ok();
                pair.power.restore();
                let survival = if seed == 0 { Survival::Nothing } else { Survival::Seeded(seed) };
                pair.devices.iter().for_each(|device| device.lose_power(survival));
                let changed = pair.devices[1].snapshot()[..DISK_BYTES - 4096] != plain[..DISK_BYTES - 4096];
                assert!(!(changed && pair.opens_with_version_2()), "event {event}, seed {seed}");
                with_version_2 += u32::from(pair.opens_with_version_2());
                masked += u32::from(changed);
                let mut cache = pair.open().unwrap();
                let mut bytes = vec![0; 3 * 4096];
                cache.read(0, &mut bytes).unwrap();
                assert!((0..3).all(|block| bytes[block * 4096..][..4096] == [block as u8 + 1; 4096]));
            }
            if over {
                break;
            }
        }
        assert!(with_version_2 > 8 && masked > 8, "{with_version_2} and {masked} of the losses");
    }
}
