//! How superblock and label are restored, and with a label that is lost the record of the mask behind it. A power loss may come between any
//! two steps, and then the same is asked for again.

use crate::mask::MaskedDisk;
use crate::media::AnyMedium;
use halo_cache::format::{
    Layout, RECORD_BYTES, Record, RecordState, SMALL_MASK_VERSION, WITHOUT_MASK_VERSION, version_of,
};
use halo_cache::{Cache, CacheError, Device, Planted, RecordCopies};
use halo_media::Medium;
use std::io;
use std::sync::Arc;

/// The part that was not repaired.
#[derive(Debug)]
pub enum Unrepaired {
    /// Superblock or label.
    Records(CacheError),
    /// The mask.
    Mask(io::Error),
}

impl From<CacheError> for Unrepaired {
    fn from(error: CacheError) -> Self {
        Self::Records(error)
    }
}

/// As [`Cache::repair`], for a disk that may be masked. `accepts`: takes the disk as it is, whatever its mask says.
///
/// # Errors
/// As for [`Cache::repair`] and [`MaskedDisk::note_after_loss`].
pub fn repair(
    medium: &AnyMedium,
    mask: &Arc<MaskedDisk>,
    label_lost: bool,
    accepts: bool,
) -> Result<RecordCopies, Unrepaired> {
    let disk = Arc::clone(mask) as AnyMedium;
    if label_lost && let Some(left) = Cache::without_label(medium, &disk)? {
        // First: once there is a label, nobody knows that a record was lost with the one before.
        let version = version_of_superblock(medium, &disk)?;
        let dirty = left.blocks > 0 || left.damaged_items > 0;
        if version != Some(WITHOUT_MASK_VERSION) {
            mask.note_after_loss(dirty, version == Some(SMALL_MASK_VERSION), accepts).map_err(Unrepaired::Mask)?;
        }
    }
    let before = Cache::repair(medium, &disk, label_lost, Planted::NONE)?;
    if accepts {
        mask.accept().map_err(Unrepaired::Mask)?;
    }
    Ok(before)
}

/// Before it is written anew; nothing when no copy is left.
fn version_of_superblock(medium: &AnyMedium, disk: &AnyMedium) -> Result<Option<u32>, CacheError> {
    let layout = Layout::new(medium.len_bytes(), disk.len_bytes())?;
    Ok(layout.record_offsets_bytes(Device::Cache).into_iter().find_map(|offset_bytes| {
        let mut bytes = [0; RECORD_BYTES];
        medium.read_at(offset_bytes, &mut bytes).ok()?;
        matches!(Record::decode(&bytes, Device::Cache), RecordState::Valid(_)).then(|| version_of(&bytes))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::tests::Pair;
    use halo_core::SplitMix64;
    use halo_media::Survival;

    /// A pair whose disk is masked and has no label any more, and what it holds when it is not masked.
    fn without_label() -> (Pair, Vec<u8>) {
        without_label_after(|_| ())
    }

    fn without_label_after(work: impl FnOnce(&mut Cache<AnyMedium, AnyMedium>)) -> (Pair, Vec<u8>) {
        without_label_of(|at| (at / 4096 * 3) as u8, work)
    }

    fn without_label_of(
        content: impl FnMut(u64) -> u8,
        work: impl FnOnce(&mut Cache<AnyMedium, AnyMedium>),
    ) -> (Pair, Vec<u8>) {
        let pair = Pair::with_blocks();
        let content: Vec<u8> = (0..pair.devices[1].len_bytes()).map(content).collect();
        let end = content.len() - 4096;
        pair.devices[1].write_at(0, &content[..end]).unwrap();
        work(&mut pair.open().unwrap());
        pair.devices[1].write_at(end as u64, &[0x77; 4096]).unwrap();
        let now = pair.devices[1].snapshot();
        assert!(now[..4096] != content[..4096], "the disk is not masked");
        pair.devices[1].load(&now);
        (pair, content)
    }

    fn repaired(pair: &Pair, accepts: bool) -> Result<(), Unrepaired> {
        let medium = Arc::clone(&pair.devices[0]) as AnyMedium;
        repair(&medium, &pair.mask(), true, accepts).map(drop)
    }

    #[test]
    fn a_power_loss_at_any_event_of_repairing_a_lost_label_takes_no_mask_with_it() {
        for event in 0.. {
            let (pair, content) = without_label();
            pair.power.fail_at(pair.power.events() + event);
            let is_over = repaired(&pair, false).is_ok();
            pair.power.restore();
            pair.devices.iter().for_each(|device| device.lose_power(Survival::Seeded(event)));
            repaired(&pair, false).unwrap();
            let mut cache = pair.open().unwrap();
            let mut bytes = vec![0; content.len() - 4096];
            cache.read(0, &mut bytes).unwrap();
            // The cache has three blocks of its own.
            assert!(bytes[3 * 4096..] == content[3 * 4096..content.len() - 4096], "event {event}");
            if is_over {
                assert!(event > 3, "{event} events");
                break;
            }
        }
    }

    /// Of content that tells nothing: what a damaged item was of, the disk may lack.
    #[test]
    fn a_disk_without_label_is_taken_for_masked_if_its_cache_has_damaged_items_alone() {
        let mut random = SplitMix64::new(3);
        let (pair, _) = without_label_of(|_| random.below(256) as u8, |_| ());
        let mut cache = pair.devices[0].snapshot();
        let mut damaged = 0;
        for item in cache[4096..8192].chunks_mut(32).filter(|item| item.iter().any(|&byte| byte != 0)) {
            item[9] ^= 1;
            damaged += 1;
        }
        assert_eq!(damaged, 3);
        pair.devices[0].load(&cache);
        repaired(&pair, false).unwrap();
        assert!(pair.mask().is_masked());
    }

    /// As whoever writes a partition table with its copy at the end.
    #[test]
    fn what_was_put_on_a_masked_disk_together_with_the_loss_of_its_label_is_not_taken_for_a_plain_disk() {
        let (pair, content) = without_label();
        pair.devices[1].write_at(512, b"EFI PART").unwrap();
        let before = pair.devices[1].snapshot();
        let Err(Unrepaired::Mask(told)) = repaired(&pair, false) else { panic!("it was repaired") };
        let told = told.to_string();
        assert!(told.contains("shows a partition table") && told.contains("wipefs"), "{told}");
        assert!(pair.devices[1].snapshot() == before, "something was changed");
        // The way out that is told: without it the rest is what the cache left.
        pair.devices[1].write_at(512, &[0; 512]).unwrap();
        repaired(&pair, false).unwrap();
        let mut bytes = vec![0; content.len() - 4096];
        pair.open().unwrap().read(0, &mut bytes).unwrap();
        assert!(bytes[3 * 4096..] == content[3 * 4096..content.len() - 4096]);
    }

    /// A disk that was made plain for growing shows what it is, though its cache has blocks.
    #[test]
    fn a_plain_disk_without_label_is_taken_as_it_is_where_that_is_accepted() {
        let pair = Pair::with_blocks();
        pair.devices[1].write_at(5 * 4096, &[5; 4096]).unwrap();
        pair.devices[1].write_at(512, b"EFI PART").unwrap();
        let end = pair.devices[1].len_bytes() - 4096;
        pair.devices[1].write_at(end, &[0x77; 4096]).unwrap();
        assert!(repaired(&pair, false).is_err());
        repaired(&pair, true).unwrap();
        let mut bytes = [0; 4096];
        pair.open().unwrap().read(5 * 4096, &mut bytes).unwrap();
        assert!(bytes == [5; 4096]);
    }

    /// As after a kill of a server that had just drained its cache, in front of a database without a file system.
    #[test]
    fn a_disk_without_label_and_blocks_is_taken_for_masked_if_only_so_it_has_even_sectors() {
        let (pair, content) = without_label_after(|cache| cache.drain().unwrap());
        repaired(&pair, false).unwrap();
        let mut bytes = vec![0; content.len() - 4096];
        pair.open().unwrap().read(0, &mut bytes).unwrap();
        assert!(bytes[3 * 4096..] == content[3 * 4096..content.len() - 4096], "it was masked");
        pair.mask().unmask().unwrap();
        let plain = pair.devices[1].snapshot();
        pair.devices[1].write_at(content.len() as u64 - 4096, &[0x77; 4096]).unwrap();
        repaired(&pair, false).unwrap();
        assert!(pair.devices[1].snapshot()[..content.len() - 4096] == plain[..content.len() - 4096], "it was plain");
    }
}
