//! Promises of every scheme, and what sets them apart.
#![allow(missing_docs)]

use halo_core::SplitMix64;
use halo_wear::{CurveCubes, DEVICE_STRIPES, Regions, RoundRobin, RowBuffers, SmallWrites, Wear, WearLevelling};
use std::collections::HashSet;

fn no_two_stripes_share_a_cell(scheme: &impl WearLevelling, moment: u32) {
    let mut taken = vec![false; halo_wear::Cell::COUNT];
    for stripe in 0..DEVICE_STRIPES {
        let cell = scheme.place(stripe);
        assert!(cell.rank < 8 && cell.bank < 16 && cell.stripe <= 512, "{cell:?}");
        let taken = &mut taken[cell.index()];
        assert!(!*taken, "{}: moment {moment}: {cell:?} is taken twice", scheme.name());
        *taken = true;
    }
}

/// A write moves at most one stripe: the whole map is looked at between moves chosen so that every rotation has wrapped, and
/// the rotation itself at every moment by its own tests.
fn stays_a_bijection(mut scheme: impl WearLevelling) {
    let mut random = SplitMix64::new(3);
    no_two_stripes_share_a_cell(&scheme, 0);
    for moment in 1..=60 {
        // Most writes go to one region, bank or cube, so that it turns fast.
        for _ in 0..7_001 {
            let stripe = if random.below(4) == 0 { random.below(u64::from(DEVICE_STRIPES)) as u32 } else { 0 };
            scheme.written(stripe);
        }
        no_two_stripes_share_a_cell(&scheme, moment);
    }
}

#[test]
fn every_scheme_is_a_bijection_throughout_its_rotation() {
    stays_a_bijection(Regions::new(1));
    stays_a_bijection(RoundRobin::new(1));
    stays_a_bijection(CurveCubes::new(1));
}

/// The cell that a move writes was the gap: no logical stripe was there, and afterwards exactly one is.
#[test]
fn a_move_goes_to_a_cell_that_was_free() {
    fn check(mut scheme: impl WearLevelling) {
        let mut before: HashSet<_> = (0..DEVICE_STRIPES).map(|stripe| scheme.place(stripe)).collect();
        for _ in 0..20 {
            let Some(to) = scheme.written(77) else { panic!("each write moves a stripe") };
            let after: HashSet<_> = (0..DEVICE_STRIPES).map(|stripe| scheme.place(stripe)).collect();
            assert!(!before.contains(&to) && after.contains(&to), "{}: {to:?}", scheme.name());
            assert_eq!(before.difference(&after).count(), 1);
            before = after;
        }
    }
    check(Regions::new(1));
    check(RoundRobin::new(1));
    check(CurveCubes::new(1));
}

/// All 128 banks are used; the printed formula uses 16 of them.
#[test]
fn round_robin_uses_every_bank_and_rank_in_turn() {
    let scheme = RoundRobin::new(100);
    let cells: Vec<_> = (0..128).map(|stripe| scheme.place(stripe)).collect();
    assert_eq!(cells.iter().map(|cell| cell.bank_index()).collect::<HashSet<_>>().len(), 128);
    assert_eq!(cells[..8].iter().map(|cell| cell.rank).collect::<HashSet<_>>().len(), 8);
    assert!(cells[..8].iter().all(|cell| cell.bank == 0));
}

/// Bank life ratio after writes to a hot eighth of the device.
fn life_with_a_hot_eighth(mut scheme: impl WearLevelling) -> f64 {
    let mut wear = Wear::new();
    let mut random = SplitMix64::new(9);
    for _ in 0..4_000_000 {
        let bound = 1 + random.below(u64::from(DEVICE_STRIPES) / 8);
        wear.write(&mut scheme, random.below(bound) as u32);
    }
    wear.bank_life_ratio()
}

/// Neighbouring stripes are what round robin spreads best. On the curve they stay neighbours, so they share a few banks until
/// the rotation has carried them on, which takes 2049 x interval writes to a cube for one place.
#[test]
fn a_hot_area_wears_out_regions_soonest_and_round_robin_last() {
    let regions = life_with_a_hot_eighth(Regions::new(100));
    let round_robin = life_with_a_hot_eighth(RoundRobin::new(100));
    let cubes = life_with_a_hot_eighth(CurveCubes::new(100));
    let figures = format!("SG {regions:.3}, RR {round_robin:.3}, SFC {cubes:.3}");
    assert!(round_robin > 0.9 && regions < 0.05, "{figures}");
    assert!(cubes > 2.0 * regions, "{figures}");
}

/// Bank life ratio after one stripe was written throughout a whole turn of the largest rotation.
fn life_with_one_hammered_stripe(mut scheme: impl WearLevelling) -> f64 {
    let mut wear = Wear::new();
    for _ in 0..2048 * 2049 {
        wear.write(&mut scheme, 4711);
    }
    wear.bank_life_ratio()
}

/// The purpose of the curve: a rotation that stays in one bank cannot save that bank. (The moves alone write as often as the user
/// here, which is why the worst is a bit above 1/128.)
#[test]
fn one_hammered_stripe_is_carried_through_all_banks_by_the_curve_only() {
    let regions = life_with_one_hammered_stripe(Regions::new(1));
    let round_robin = life_with_one_hammered_stripe(RoundRobin::new(1));
    let cubes = life_with_one_hammered_stripe(CurveCubes::new(1));
    let figures = format!("SG {regions:.3}, RR {round_robin:.3}, SFC {cubes:.3}");
    assert!(cubes > 0.9 && round_robin < 0.01 && regions < 0.01, "{figures}");
}

#[test]
fn rewriting_one_stripe_keeps_its_row_open_but_for_the_moves() {
    let mut scheme = CurveCubes::new(100);
    let (mut wear, mut rows) = (Wear::new(), RowBuffers::new());
    for _ in 0..10_000 {
        rows.access(wear.write(&mut scheme, 4711));
    }
    assert_eq!(wear.moves(), 100);
    assert!(rows.hit_ratio() > 0.99, "{}", rows.hit_ratio());
}

#[test]
fn of_small_writes_a_hundred_move_a_stripe_and_a_block_is_many() {
    let mut scheme = SmallWrites::new(RoundRobin::new(100), 64);
    let moves: Vec<_> = (0..8).map(|_| scheme.written(5).is_some()).collect();
    // 64 writes after the first block, 128 after the second, and so on: a move each time a hundred is passed.
    assert_eq!(moves, [false, true, false, true, true, false, true, true]);
}

/// One bank is written, its rotation moves a stripe of eight blocks for each block: the bank has all of the writes both ways.
#[test]
fn what_moves_write_is_told_apart_from_what_was_asked_for() {
    let mut wear = Wear::new();
    let mut scheme = Regions::new(2);
    for _ in 0..10 {
        wear.write(&mut scheme, 7);
    }
    assert_eq!(wear.banks()[0], 10 + 5 * 8);
    assert!((wear.bank_life_ratio() - 1.0 / 128.0).abs() < 1e-12);
    assert!((wear.bank_life_ratio_without_moves() - 1.0 / 128.0).abs() < 1e-12);
    // The second bank is written once, too early for a move there: alone among what was asked for it has an eleventh.
    wear.write(&mut scheme, 512);
    let mean = |sum: f64| sum / 128.0;
    assert!((wear.bank_life_ratio() - mean(51.0) / 50.0).abs() < 1e-12);
    assert!((wear.bank_life_ratio_without_moves() - mean(11.0) / 10.0).abs() < 1e-12);
}
