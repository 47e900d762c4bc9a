//! `halo repair`.

use crate::arguments::Repair;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::Pair;
use halo_cache::{Cache, CacheError, CopyState, Device, Planted, RecordCopies, Refusal};
use halo_server::DirectIo;

pub(crate) fn run(options: &Repair) -> Outcome {
    let pair = Pair::lock(&options.devices, DirectIo::Off)?;
    if options.dry_run {
        let copies = pair.check(false)?.copies;
        return match &damaged_copies(copies)[..] {
            "" => print("whole       both copies of superblock and label\n"),
            damaged => print(&format!("would restore {damaged}\n")),
        };
    }
    let before = Cache::repair(&pair.medium, &pair.disk, options.label_lost, Planted::NONE).map_err(advise)?;
    if before.label == [CopyState::Damaged; 2] {
        // The record of the mask is lost with the label.
        pair.mask.note_after_loss(pair.check(false)?.valid_items > 0)?;
    }
    match &damaged_copies(before)[..] {
        "" => print("whole       both copies of superblock and label\n"),
        restored => print(&format!("restored    {restored}\n")),
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
