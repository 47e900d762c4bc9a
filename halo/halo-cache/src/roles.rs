//! Devices that already have the other role: a disk that was named as cache, or a cache as disk. Their bytes look like somebody else's data
//! in the places of the new role, but are the pair's own.

use crate::error::{CacheError, Device, Refusal};
use crate::format::{Id, Layout, Record, RecordState, Stage};
use crate::identity::copies;
use halo_media::Medium;

/// The size of the partner does not matter to where a device's own records lie.
const ANY_BYTES: u64 = 1 << 20;

/// Refuses a device that is wanted as `device` and belongs to a pair in the other role.
///
/// # Errors
/// [`Refusal::OtherRole`]; or it cannot be read.
pub(crate) fn refuse_other_role(medium: &impl Medium, device: Device) -> Result<(), CacheError> {
    let len_bytes = medium.len_bytes();
    let (other, layout) = match device {
        Device::Cache => (Device::Disk, Layout::new(ANY_BYTES, len_bytes)),
        Device::Disk => (Device::Cache, Layout::new(len_bytes, ANY_BYTES)),
    };
    // Of a size that the other role cannot have.
    let Ok(layout) = layout else { return Ok(()) };
    match RecordState::newest_of_any_version(copies(medium, other, &layout)?, other) {
        Ok(record) if is_bound(&record, other) => {
            Err(Refusal::OtherRole { device, id: record.cache.to_string() }.into())
        }
        _ => Ok(()),
    }
}

fn is_bound(record: &Record, role: Device) -> bool {
    match role {
        Device::Cache => !matches!(record.stage, Stage::Creating | Stage::Detached),
        Device::Disk => record.cache != Id::NONE,
    }
}

/// Makes "not part of a cache" more exact, if it is.
pub(crate) fn explain(refusal: Refusal, medium: &impl Medium) -> CacheError {
    let Refusal::NotHalo(device) = refusal else { return refusal.into() };
    refuse_other_role(medium, device).err().unwrap_or_else(|| refusal.into())
}
