//! `halo check`.

use crate::arguments::Check;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::Pair;
use halo_cache::format::ItemState;
use halo_core::address::BLOCK_BYTES;
use halo_media::Medium;
use serde_json::json;

pub(crate) fn run(options: &Check) -> Outcome {
    let pair = Pair::look(&options.devices)?;
    let (mut items, mut damaged_items, mut damaged_blocks) = (0_u64, 0_u64, Vec::new());
    let mut data = vec![0; BLOCK_BYTES];
    pair.for_each_item(|slot, state| {
        let ItemState::Valid(item) = state else {
            damaged_items += 1;
            return Ok(());
        };
        items += 1;
        pair.medium.read_at(pair.layout.data_offset_bytes(slot), &mut data)?;
        if !item.fits(&data) {
            damaged_blocks.push(item.lbn.0);
        }
        Ok(())
    })?;
    if options.json {
        let report = json!({ "items": items, "damaged_items": damaged_items, "damaged_blocks": damaged_blocks });
        print(&format!("{report}\n"))?;
    } else {
        print(&format!("checked     {items} items and their blocks\n"))?;
    }
    if damaged_items == 0 && damaged_blocks.is_empty() {
        return Ok(());
    }
    let first = damaged_blocks.first().map_or(String::new(), |block| format!(", the first of them number {block}"));
    let count = damaged_blocks.len();
    Err(Failure::state(format!("{damaged_items} items and the data of {count} blocks are damaged{first}")))
}
