//! Whatever bytes are on the devices, opening them neither panics nor invents data.
#![allow(missing_docs, dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod suite;

use halo_cache::format::{Item, ItemState, Record, RecordState};
use halo_cache::{Device, Mode, Planted, Settings};
use halo_core::Slot;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use suite::machine::{Machine, Model, with};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() }
}

fn machine() -> Machine {
    Machine::new(9, 512, with(Planted::NONE, Settings::new(Mode::Strict)))
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn random_bytes_are_never_an_item_or_a_record(
        item in prop::array::uniform32(any::<u8>()),
        slot in 0..100_u32,
        seed in any::<u64>(),
        with_magic in any::<bool>(),
    ) {
        prop_assert!(!matches!(Item::decode(&item, Slot(slot), 1, u64::MAX), ItemState::Valid(_)));
        let mut random = halo_core::SplitMix64::new(seed);
        let mut record = [0; 512];
        record.fill_with(|| random.next_u64() as u8);
        if with_magic {
            record[..8].copy_from_slice(b"HALOCACH");
        }
        prop_assert!(!matches!(Record::decode(&record, Device::Cache), RecordState::Valid(_)));
    }
}

proptest! {
    #![proptest_config(config(500))]

    /// Bytes of the metadata of a cache in use are overwritten at random: it is refused, or works as before.
    #[test]
    fn a_cache_with_garbage_in_its_metadata_is_refused_or_unharmed(
        garbage in prop::collection::vec((0..8192_usize + 9 * 32, any::<u8>()), 1..40),
    ) {
        let machine = machine();
        let mut model = Model::default();
        let (mut cache, _) = machine.open().unwrap();
        for (sector, count) in [(0, 8), (10, 3), (2048, 8)] {
            let bytes = model.write(sector, count);
            cache.write(sector * 512, &bytes).unwrap();
            model.flushed();
        }
        drop(cache);
        let mut bytes = machine.medium.snapshot();
        for (at, byte) in garbage {
            bytes[at] = byte;
        }
        machine.medium.load(&bytes);
        if let Ok((mut cache, _)) = machine.open() {
            prop_assert_eq!(model.check_running(&mut cache), Ok(()));
        }
    }
}
