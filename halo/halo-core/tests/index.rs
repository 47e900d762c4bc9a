//! Promises of every cuckoo table, and of growth.

use halo_core::index::{
    BlockIndex, Bucketised, CuckooTable, Entry, Growing, Handle, MAX_DISPLACEMENTS, SingleSlot, TableFull,
};
use halo_core::{Lbn, SplitMix64};
use std::collections::HashMap;

fn random_blocks(seed: u64) -> impl Iterator<Item = Lbn> {
    let mut random = SplitMix64::new(seed);
    std::iter::repeat_with(move || Lbn(random.below((1 << 36) - 1)))
}

/// Inserts until the table refuses; gives the entries it took.
fn fill<T: CuckooTable>(table: &mut T, seed: u64) -> Vec<(Lbn, Handle)> {
    let mut taken = Vec::new();
    for (lbn, number) in random_blocks(seed).zip(0..) {
        if table.get(lbn).is_some() {
            continue;
        }
        match table.try_insert(Entry::new(lbn, Handle(number))) {
            Ok(displacements) => assert!(displacements <= MAX_DISPLACEMENTS),
            Err(TableFull) => return taken,
        }
        taken.push((lbn, Handle(number)));
    }
    unreachable!("a table of fixed size takes any number of entries")
}

fn a_full_table_has_lost_nothing<T: CuckooTable>() {
    for seed in 0..20 {
        let mut table = T::with_places(4096, seed);
        let taken = fill(&mut table, seed + 100);
        for &(lbn, handle) in &taken {
            assert_eq!(table.get(lbn), Some(handle), "seed {seed}");
        }
        for &(lbn, handle) in taken.iter().rev() {
            assert_eq!(table.remove(lbn), Some(handle));
            assert_eq!(table.get(lbn), None);
        }
    }
}

#[test]
fn a_full_bucketised_table_has_lost_nothing() {
    a_full_table_has_lost_nothing::<Bucketised>();
}

#[test]
fn a_full_table_of_the_paper_has_lost_nothing() {
    a_full_table_has_lost_nothing::<SingleSlot<2>>();
    a_full_table_has_lost_nothing::<SingleSlot<4>>();
    a_full_table_has_lost_nothing::<SingleSlot<8>>();
}

fn mean_load<T: CuckooTable>() -> f64 {
    let runs: u32 = 10;
    let sum: f64 = (0..runs)
        .map(|seed| {
            let mut table = T::with_places(4_000, u64::from(seed));
            fill(&mut table, u64::from(seed) + 7).len() as f64 / table.places() as f64
        })
        .sum();
    sum / f64::from(runs)
}

/// Printed: Auburn, Table 3.3. The paper filled its tables with the block numbers of seven traces, ours are random, and
/// the load at the first refusal falls with the size of the table (three functions: 0.873 at 1,000 places, 0.862 at
/// 20,000), which the paper does not give. Hence the tolerance; the largest difference, 0.02, is at three functions.
#[test]
fn load_factors_of_the_papers_table_reproduce() {
    let ours = [
        mean_load::<SingleSlot<2>>(),
        mean_load::<SingleSlot<3>>(),
        mean_load::<SingleSlot<4>>(),
        mean_load::<SingleSlot<5>>(),
        mean_load::<SingleSlot<6>>(),
        mean_load::<SingleSlot<7>>(),
        mean_load::<SingleSlot<8>>(),
    ];
    let printed = [0.506_082, 0.887_596, 0.956_696, 0.968_351, 0.985_249, 0.988_124, 0.991_324];
    for (ours, printed) in ours.into_iter().zip(printed) {
        assert!(f64::abs(ours - printed) < 0.03, "ours {ours:.3}, printed {printed:.3}");
    }
}

/// Why the load is kept at 0.8: "average displacements per insert below 2". Source: Auburn §3.1.1.
#[test]
fn at_a_load_of_four_fifths_insertions_move_less_than_two_entries_on_average() {
    fn displacements_per_insert<T: CuckooTable>() -> f64 {
        let count: u32 = 80_000;
        let mut index = Growing::<T>::with_capacity(count as usize, 3);
        for (lbn, number) in random_blocks(5).zip(0..count) {
            index.insert(lbn, Handle(number));
        }
        assert_eq!((index.is_growing(), index.waiting()), (false, 0));
        index.displacements() as f64 / f64::from(count)
    }
    let bucketised = displacements_per_insert::<Bucketised>();
    let paper = displacements_per_insert::<SingleSlot<4>>();
    assert!(bucketised < 2.0 && paper < 2.0, "bucketised {bucketised:.3}, paper's {paper:.3}");
}

fn grows_without_losing_an_entry<T: CuckooTable>() {
    let mut index = Growing::<T>::with_capacity(16, 11);
    let mut expected = HashMap::new();
    let mut random = SplitMix64::new(17);
    let mut grew_while_used = false;
    for number in 0..20_000_u32 {
        let lbn = Lbn(random.below(40_000));
        if let Some(handle) = expected.remove(&lbn) {
            assert_eq!(index.remove(lbn), Some(handle));
        } else {
            index.insert(lbn, Handle(number));
            expected.insert(lbn, Handle(number));
        }
        grew_while_used |= index.is_growing();
        let probe = Lbn(random.below(40_000));
        assert_eq!(index.get(probe), expected.get(&probe).copied(), "step {number}");
        assert_eq!(index.len(), expected.len());
    }
    assert!(grew_while_used);
    for (&lbn, &handle) in &expected {
        assert_eq!(index.get(lbn), Some(handle));
    }
}

#[test]
fn an_index_grows_while_it_is_used_and_loses_nothing() {
    grows_without_losing_an_entry::<Bucketised>();
    grows_without_losing_an_entry::<SingleSlot<4>>();
}

/// Blocks come again and again, also while the index grows, where it is at its limit, and where entries wait.
fn finds_or_inserts_once<T: CuckooTable>() {
    let mut index = Growing::<T>::with_capacity(16, 11);
    let mut expected = HashMap::new();
    let mut random = SplitMix64::new(23);
    let mut found_while_growing = 0;
    for number in 0..20_000_u32 {
        let lbn = Lbn(random.below(5_000));
        let known = expected.get(&lbn).copied();
        found_while_growing += u32::from(index.is_growing() && known.is_some());
        assert_eq!(index.find_or_insert(lbn, Handle(number)), known, "step {number}");
        expected.entry(lbn).or_insert(Handle(number));
        assert_eq!((index.get(lbn), index.len()), (expected.get(&lbn).copied(), expected.len()), "step {number}");
        if number % 7 == 0 {
            let gone = Lbn(random.below(5_000));
            assert_eq!(index.remove(gone), expected.remove(&gone));
        }
    }
    assert!(found_while_growing > 0);
    for (&lbn, &handle) in &expected {
        assert_eq!(index.get(lbn), Some(handle));
    }
}

#[test]
fn a_block_has_one_entry_however_often_it_is_found_or_inserted() {
    finds_or_inserts_once::<Bucketised>();
    finds_or_inserts_once::<SingleSlot<4>>();
    finds_or_inserts_once::<SingleSlot<2>>();
}

/// As many as fit without growing, and then one of them again: no occasion for a larger table.
#[test]
fn a_block_that_is_found_does_not_make_a_full_index_grow() {
    let mut index = Growing::<Bucketised>::with_capacity(800, 3);
    let blocks: Vec<_> = random_blocks(5).take(800).collect();
    for (&lbn, number) in blocks.iter().zip(0..) {
        assert_eq!(index.find_or_insert(lbn, Handle(number)), None);
    }
    let bytes = index.memory_bytes();
    assert_eq!(index.find_or_insert(blocks[7], Handle(900)), Some(Handle(7)));
    assert_eq!((index.is_growing(), index.memory_bytes()), (false, bytes));
    index.find_or_insert(Lbn(1), Handle(900));
    assert!(index.is_growing(), "the test does not reach the limit");
}

/// Two functions with one entry each fail at half load: growth must start although the load is below its limit.
#[test]
fn unlucky_hash_functions_lead_to_growth_and_not_to_loss() {
    grows_without_losing_an_entry::<SingleSlot<2>>();
}

#[test]
fn the_highest_block_and_handle_are_entries_like_any_other() {
    let (lbn, handle) = (Lbn((1 << 36) - 2), Handle((1 << 28) - 2));
    let mut index = Growing::<Bucketised>::with_capacity(4, 0);
    assert_eq!(index.get(lbn), None);
    index.insert(lbn, handle);
    assert_eq!(index.get(lbn), Some(handle));
    assert_eq!(index.remove(lbn), Some(handle));
}
