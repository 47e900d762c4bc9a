//! A cache that also keeps clean blocks: where its border goes, and that writes keep what is theirs.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_core::destage::DestageSettings;
use halo_core::index::{Bucketised, Growing};
use halo_core::replacement::{Halo, Replacement};
use halo_core::{Lbn, Slot, Split, SplitMix64};
use std::collections::HashSet;

const SLOTS: u32 = 4096;
const BLOCKS: u64 = 1 << 20;

fn cache() -> Halo<Growing<Bucketised>> {
    Halo::new(BLOCKS, SLOTS, DestageSettings::for_slots(SLOTS), 1).with_split()
}

/// Reads and writes any blocks of two working sets; gives the share of reads that hit.
fn run(cache: &mut impl Replacement, reads: (u64, u64), writes: (u64, u64), count: u64, seed: u64) -> f64 {
    let mut random = SplitMix64::new(seed);
    let (mut destaged, mut hits, mut all) = (Vec::new(), 0_u32, 0_u32);
    for _ in 0..count {
        cache.begin_request();
        if random.below(2) == 0 {
            all += 1;
            hits += u32::from(cache.read(Lbn(reads.0 + random.below(reads.1))));
        } else {
            cache.write(Lbn(writes.0 + random.below(writes.1)), &mut destaged);
        }
    }
    f64::from(hits) / f64::from(all.max(1))
}

#[test]
fn slots_go_to_reads_that_come_again_and_back_when_they_stop() {
    let mut cache = cache();
    // 3,000 blocks are read again and again; what is written never comes again.
    run(&mut cache, (0, 3_000), (100_000, 900_000), 400_000, 1);
    let hits = run(&mut cache, (0, 3_000), (100_000, 900_000), 20_000, 2);
    assert!(hits > 0.9, "{hits} of the reads hit");
    // Now reads never come again, and 4,000 blocks are written again and again.
    run(&mut cache, (100_000, 900_000), (0, 4_000), 400_000, 3);
    let before = cache.len();
    assert!(before > 3_500, "only {before} of the slots hold dirty blocks");
}

#[test]
fn blocks_that_are_read_once_take_no_slots_of_writes() {
    let mut with = cache();
    run(&mut with, (100_000, 900_000), (0, 3_000), 200_000, 4);
    assert!(with.len() >= 2_999, "{} of 3,000 blocks are still dirty", with.len());
}

#[test]
fn only_a_destage_takes_a_dirty_block_out() {
    let (mut cache, mut random) = (cache(), SplitMix64::new(5));
    let (mut dirty, mut destaged) = (HashSet::new(), Vec::new());
    for _ in 0..200_000 {
        cache.begin_request();
        let span = 1 + random.below(20_000);
        let lbn = Lbn(random.below(span));
        if random.below(3) > 0 {
            cache.read(lbn);
        } else {
            cache.write(lbn, &mut destaged);
            destaged.drain(..).for_each(|gone| assert!(dirty.remove(&gone), "{gone:?} was not dirty"));
            dirty.insert(lbn);
        }
        assert_eq!(cache.len(), dirty.len() as u64);
    }
    assert!(dirty.iter().all(|&lbn| cache.contains(lbn)));
}

#[test]
fn a_clean_copy_is_gone_once_the_block_is_written() {
    let mut split = Split::new(SLOTS);
    split.keep(Lbn(7), Slot(3));
    assert_eq!(split.read(Lbn(7)), Some(Slot(3)));
    assert_eq!(split.written(Lbn(7)), Some(Slot(3)));
    assert_eq!((split.read(Lbn(7)), split.clean_blocks()), (None, 0));
}

#[test]
fn the_border_stays_within_its_bounds() {
    let mut split = Split::new(SLOTS);
    for lbn in 0..1_000_000 {
        let lbn = Lbn(lbn % 600 * 2);
        if split.read(lbn).is_none() && split.missed(lbn) {
            if split.clean_blocks() >= 300 {
                split.evict();
            }
            split.keep(lbn, Slot(0));
        }
    }
    assert_eq!(split.target_blocks(), u64::from(SLOTS) * 7 / 8);
    for lbn in 0..1_000_000 {
        split.left(Lbn(lbn % 400));
        split.written(Lbn(lbn % 400));
    }
    assert_eq!(split.target_blocks(), u64::from(SLOTS) / 64);
}
