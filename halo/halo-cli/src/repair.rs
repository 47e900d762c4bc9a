//! `halo repair`.

use crate::arguments::Repair;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::{Pair, unopened};
use halo_cache::format::{
    Layout, RECORD_BYTES, Record, RecordState, SMALL_MASK_VERSION, WITHOUT_MASK_VERSION, version_of,
};
use halo_cache::{Cache, CacheError, CopyState, Device, Planted, RecordCopies, Refusal};
use halo_media::Medium;
use halo_server::DirectIo;
use serde_json::json;

pub(crate) fn run(options: &Repair) -> Outcome {
    let pair = Pair::lock(&options.devices, DirectIo::Off)?;
    if options.dry_run {
        return tell(options, pair.check(false)?.copies);
    }
    let version = version_of_superblock(&pair)?;
    let before = Cache::repair(&pair.medium, &pair.disk, options.label_lost, Planted::NONE).map_err(advise)?;
    if before.label == [CopyState::Damaged; 2] && version != Some(WITHOUT_MASK_VERSION) {
        // The record of the mask is lost with the label.
        pair.mask.note_after_loss(pair.check(false)?.valid_items > 0, version == Some(SMALL_MASK_VERSION))?;
    }
    if options.accept_outside_writes {
        pair.mask.accept().map_err(|error| unopened(error, Device::Disk))?;
    }
    tell(options, before)
}

/// Before it is written anew; nothing when no copy is left.
fn version_of_superblock(pair: &Pair) -> Result<Option<u32>, Failure> {
    let layout = Layout::new(pair.medium.len_bytes(), pair.disk.len_bytes()).map_err(CacheError::from)?;
    for offset_bytes in layout.record_offsets_bytes(Device::Cache) {
        let mut bytes = [0; RECORD_BYTES];
        let read = pair.medium.read_at(offset_bytes, &mut bytes);
        if read.is_ok() && matches!(Record::decode(&bytes, Device::Cache), RecordState::Valid(_)) {
            return Ok(Some(version_of(&bytes)));
        }
    }
    Ok(None)
}

fn tell(options: &Repair, before: RecordCopies) -> Outcome {
    let damaged = damaged_copies(before);
    if options.json {
        let report = json!({
            "restored": !options.dry_run && before.damaged() > 0, "superblock_copies": before.superblock.map(copy_name),
            "label_copies": before.label.map(copy_name),
        });
        return print(&format!("{report}\n"));
    }
    match (&damaged[..], options.dry_run) {
        ("", _) => print("whole       both copies of superblock and label\n"),
        (damaged, true) => print(&format!("would restore {damaged}\n")),
        (restored, false) => print(&format!("restored    {restored}\n")),
    }
}

/// Adds advice for the case that no copy is left.
fn advise(error: CacheError) -> Failure {
    let hint = match &error {
        CacheError::Refused(Refusal::RecordDamaged(Device::Disk) | Refusal::NotHalo(Device::Disk))
        | CacheError::Io { device: Device::Disk, .. } => {
            "; if this is its disk all the same, --label-lost makes the label anew"
        }
        CacheError::Refused(Refusal::RecordDamaged(Device::Cache) | Refusal::NotHalo(Device::Cache)) => {
            "; halo/rescue reads the blocks of a cache without its superblock"
        }
        _ => "",
    };
    Failure::from(error).with(|text| format!("{text}{hint}"))
}

/// One copy, for programs.
pub(crate) fn copy_name(copy: CopyState) -> &'static str {
    match copy {
        CopyState::Whole => "whole",
        CopyState::Older => "older",
        CopyState::Damaged => "damaged",
    }
}

/// The damaged copies of superblock and label; empty when none is.
pub(crate) fn damaged_copies(copies: RecordCopies) -> String {
    let named = [("superblock", copies.superblock), ("label", copies.label)].map(|(name, states)| {
        match states.map(|state| state == CopyState::Damaged) {
            [true, true] => Some(format!("both copies of the {name}")),
            [true, false] => Some(format!("the first copy of the {name}")),
            [false, true] => Some(format!("the second copy of the {name}")),
            [false, false] => None,
        }
    });
    named.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
