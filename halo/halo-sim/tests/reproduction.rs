//! The numbers in `reproductions/halo/numbers.csv` are those that the code gives.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_sim::reproduce::Key;
use halo_sim::reproduce::experiments::{self, Choices, Extent};
use halo_sim::reproduce::files::{read_numbers, six_digits, write_numbers};
use halo_sim::stand_in::StandIn;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn committed() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../reproductions/halo/numbers.csv")
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
    let committed = read_numbers(&committed()).unwrap();
    let ours = quick_numbers();
    assert!(ours.len() >= 7 + 2 + 1 + 1 + 4, "{}", ours.len());
    for (key, value) in ours {
        let stands: f64 = committed[&key];
        assert_eq!(six_digits(value), six_digits(stands), "{key}: run the reproduction again");
    }
}

#[test]
fn what_is_written_is_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numbers.csv");
    let numbers = BTreeMap::from([
        (Key::new("Fig. 3.9", "Fin1, 1 GiB", "a \"rate\""), -0.25),
        (Key::new("Fig. 3.13", "Fin1", "requests"), 5_034_096.0),
    ]);
    write_numbers(&file, &numbers).unwrap();
    assert_eq!(read_numbers(&file).unwrap(), numbers);
}

/// Its numbers would be missing in a file that looks whole.
#[test]
fn an_experiment_that_panics_takes_all_with_it() {
    let dap = StandIn { bank_writes: 1000, ..StandIn::named("Dap").unwrap() };
    let broken = StandIn { cache_mib: 0, ..dap };
    let run = |workloads: [StandIn; 2]| {
        std::panic::catch_unwind(|| experiments::run(&Choices::default(), &workloads, Extent::Printed, &|_| {}))
    };
    assert!(run([dap, dap]).is_ok() && run([dap, broken]).is_err());
}
