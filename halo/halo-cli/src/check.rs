//! `halo check`.

use crate::arguments::Check;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::{Pair, stage_name};
use crate::repair::{copy_name, damaged_copies};
use halo_server::WRITTEN_OUTSIDE;
use serde_json::json;

pub(crate) fn run(options: &Check) -> Outcome {
    let pair = Pair::lock(&options.devices, options.direct_io)?;
    let report = pair.check(true)?;
    if let Some(shown) = pair.mask.written_outside()? {
        return Err(Failure::state(format!("disk file: shows {shown}, {WRITTEN_OUTSIDE}")));
    }
    let damaged_blocks: Vec<_> = report.damaged_data.iter().map(|lbn| lbn.0).collect();
    if options.json {
        let object = json!({
            "stage": stage_name(report.stage), "items": report.valid_items, "blocks": report.blocks,
            "torn_items": report.torn_items, "damaged_items": report.damaged_item_count, "damaged_slots": report.damaged_items,
            "damaged_data": report.damaged_data_count, "damaged_blocks": damaged_blocks,
            "superblock_copies": report.copies.superblock.map(copy_name), "label_copies": report.copies.label.map(copy_name),
        });
        print(&format!("{object}\n"))?;
    } else {
        let (items, blocks) = (report.valid_items, report.blocks);
        print(&format!(
            "checked     {items} items with their data, of {blocks} blocks; {} slots empty\n",
            report.empty_items
        ))?;
    }
    if report.is_clean() {
        return Ok(());
    }
    let damaged_copies = damaged_copies(report.copies);
    if report.damaged_item_count == 0 && report.damaged_data_count == 0 {
        return Err(Failure::state(format!("damaged: {damaged_copies}: halo repair restores it")));
    }
    let slot = report.damaged_items.first().map_or(String::new(), |slot| format!(", the first in slot {slot}"));
    let block = damaged_blocks.first().map_or(String::new(), |block| format!(", the first of block {block}"));
    let copies = if damaged_copies.is_empty() { String::new() } else { format!("; {damaged_copies}") };
    Err(Failure::state(format!(
        "damaged: {} items{slot}; data of {} blocks{block}{copies}",
        report.damaged_item_count, report.damaged_data_count
    )))
}
