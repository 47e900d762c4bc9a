//! `halo check`.

use crate::arguments::Check;
use crate::outcome::{Failure, Outcome, note, print};
use crate::pair::{Pair, shows, stage_name};
use crate::repair::{copy_name, damaged_copies};
use halo_cache::CheckReport;
use serde_json::json;

pub(crate) fn run(options: &Check) -> Outcome {
    let pair = Pair::lock(&options.devices, options.direct_io)?;
    let report = pair.check(true)?;
    let outside = pair.written_outside()?;
    if options.json {
        let damaged_blocks: Vec<_> = report.damaged_data.iter().map(|lbn| lbn.0).collect();
        let object = json!({
            "stage": stage_name(report.stage), "items": report.valid_items, "blocks": report.blocks,
            "torn_items": report.torn_items, "damaged_items": report.damaged_item_count, "damaged_slots": report.damaged_items,
            "damaged_data": report.damaged_data_count, "damaged_blocks": damaged_blocks,
            "superblock_copies": report.copies.superblock.map(copy_name), "label_copies": report.copies.label.map(copy_name),
            "written_outside": outside,
        });
        print(&format!("{object}\n"))?;
    } else {
        let (items, blocks) = (report.valid_items, report.blocks);
        print(&format!(
            "checked     {items} items with their data, of {blocks} blocks; {} slots empty\n",
            report.empty_items
        ))?;
    }
    match (outside, damage(&report)) {
        (None, None) => Ok(()),
        (None, Some(damage)) => Err(Failure::state(damage)),
        (Some(what), damage) => {
            if let Some(damage) = damage {
                note(&damage);
            }
            Err(shows(&what))
        }
    }
}

/// All that is damaged, and what to do.
fn damage(report: &CheckReport) -> Option<String> {
    if report.is_clean() {
        return None;
    }
    let copies = damaged_copies(report.copies);
    if report.damaged_item_count == 0 && report.damaged_data_count == 0 {
        return Some(format!("damaged: {copies}: halo repair restores it"));
    }
    let slot = report.damaged_items.first().map_or(String::new(), |slot| format!(", the first in slot {slot}"));
    let block = report.damaged_data.first().map_or(String::new(), |lbn| format!(", the first of block {}", lbn.0));
    let copies = if copies.is_empty() { copies } else { format!("; {copies}") };
    Some(format!(
        "damaged: {} items{slot}; data of {} blocks{block}{copies}: restore the cache, write such blocks anew, or give them up with halo drain --accept-damaged",
        report.damaged_item_count, report.damaged_data_count
    ))
}
