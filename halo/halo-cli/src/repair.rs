//! `halo repair`.

use crate::arguments::Repair;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::{Pair, unopened};
use halo_cache::{CacheError, CopyState, Device, RecordCopies};
use halo_server::{DirectIo, Unrepaired, repair};
use serde_json::json;

pub(crate) fn run(options: &Repair) -> Outcome {
    let pair = Pair::lock(&options.devices, DirectIo::Off)?;
    if options.dry_run {
        return tell(options, pair.check(false)?.copies, None);
    }
    let outside = if options.accept_outside_writes { pair.written_outside()? } else { None };
    let before = repair(&pair.medium, &pair.mask, options.label_lost, options.accept_outside_writes);
    let before = before.map_err(|error| match error {
        Unrepaired::Records(error) => advise(error),
        Unrepaired::Mask(error) => unopened(error, Device::Disk),
    })?;
    tell(options, before, outside.as_deref())
}

/// `accepted`: what the disk showed before, and is taken for its own from now on.
fn tell(options: &Repair, before: RecordCopies, accepted: Option<&str>) -> Outcome {
    let damaged = damaged_copies(before);
    if options.json {
        let report = json!({
            "restored": !options.dry_run && before.damaged() > 0, "superblock_copies": before.superblock.map(copy_name),
            "label_copies": before.label.map(copy_name), "accepted": accepted,
        });
        return print(&format!("{report}\n"));
    }
    if let Some(shown) = accepted {
        print(&format!("accepted    {shown}: the disk is taken as it is\n"))?;
    }
    match (&damaged[..], options.dry_run) {
        ("", _) => print("whole       both copies of superblock and label\n"),
        (damaged, true) => print(&format!("would restore {damaged}\n")),
        (restored, false) => print(&format!("restored    {restored}\n")),
    }
}

/// Adds advice for a label that cannot be read.
fn advise(error: CacheError) -> Failure {
    let hint = match &error {
        CacheError::Io { device: Device::Disk, .. } => {
            "; if this is its disk all the same, --label-lost makes the label anew"
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
