//! The figures in `reproductions/halo/ours.csv` are those that the code gives.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_sim::reproduce::experiments::{self, Choices, Extent};
use halo_sim::reproduce::files::{Inputs, read_ours, six_digits};
use halo_sim::reproduce::{Key, compare};
use halo_sim::stand_in::StandIn;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../reproductions/halo")
}

/// The cheap ones: tables of Table 3.3, the disk alone, all of Dap (54,000 requests) at the size of Fig. 3.8.
fn quick_numbers() -> BTreeMap<Key, f64> {
    let choices = Choices::default();
    let dap = StandIn::named("Dap").unwrap();
    let mut ours = experiments::numbers(&experiments::run(&choices, &[dap], Extent::Printed, &|_| {}));
    ours.extend(experiments::load_factors());
    ours.extend(experiments::disk_numbers(&choices));
    ours
}

#[test]
fn the_committed_numbers_are_what_the_code_gives() {
    let committed = read_ours(&folder()).unwrap();
    let ours = quick_numbers();
    assert!(ours.len() >= 7 + 2 + 1 + 1 + 4, "{}", ours.len());
    for (key, value) in ours {
        let stands: f64 = committed[&key];
        assert_eq!(six_digits(value), six_digits(stands), "{key}: run the reproduction again");
    }
}

#[test]
fn every_printed_number_has_one_of_ours_and_every_miss_a_cause() {
    let inputs = Inputs::read(&folder()).unwrap();
    let comparisons = compare(&inputs, &read_ours(&folder()).unwrap());
    assert!(comparisons.len() > 60);
    for each in comparisons {
        assert!(each.ours.is_some(), "{} was not run", each.key);
        assert!(each.reproduces || !each.cause.is_empty(), "{} misses without a cause", each.key);
    }
}
