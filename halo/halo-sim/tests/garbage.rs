//! For any content of a trace file, reading it neither panics nor gives an impossible request.
#![allow(missing_docs)]

use halo_sim::trace::{BadLines, Format, read};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Lines that nearly are in one of the formats.
fn nearly() -> impl Strategy<Value = String> {
    let field = prop_oneof![
        any::<u64>().prop_map(|number| number.to_string()),
        any::<i32>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| number.to_string()),
        "[RWQ+DF]{1,2}",
        Just("Read".to_owned()),
        Just("Write".to_owned()),
        Just("8,0".to_owned()),
        Just("2a".to_owned()),
        ".{0,6}",
    ];
    (prop::collection::vec(field, 0..12), prop_oneof![Just(","), Just(" ")]).prop_map(|(fields, by)| fields.join(by))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_line_makes_a_reader_panic_or_give_an_impossible_request(lines in prop::collection::vec(nearly(), 1..4)) {
        for (_, format) in Format::NAMES {
            if let Ok(trace) = read("garbage", lines.join("\n").as_bytes(), format, BadLines::Skip) {
                for request in trace.requests {
                    prop_assert!(request.bytes > 0);
                    prop_assert!(request.offset_bytes + u64::from(request.bytes) <= 1 << 48);
                }
            }
        }
    }
}
