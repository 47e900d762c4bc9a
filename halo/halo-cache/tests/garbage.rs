//! For any bytes on the devices, opening them neither panics nor invents data.
#![allow(missing_docs, dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod suite;

use halo_cache::format::{Id, Item, ItemState, Note, Record, RecordState, Stage};
use halo_cache::{Device, Mode, Planted, Settings};
use halo_core::{Lbn, SectorMask, Slot};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use suite::machine::{DISK_BYTES, Machine, Model, TestCache, with};

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
        garbage in prop::collection::vec((0..4096_usize + 9 * 32, any::<u8>()), 1..40),
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

/// The numbers that a field may have: right ones, edges, and anything.
fn number(right: u64) -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(right), 1 => 0..4_u64, 1 => (u64::MAX - 3)..=u64::MAX, 1 => any::<u64>()]
}

fn record() -> impl Strategy<Value = Record> {
    let stages = [Stage::Creating, Stage::Active, Stage::Detaching, Stage::Detached, Stage::Growing, Stage::Released];
    let sizes = || (number(12 * 4096), number(DISK_BYTES as u64));
    let ids = prop_oneof![4 => Just((Id([1; 16]), Id([2; 16]))), 1 => Just((Id::NONE, Id::NONE))];
    (ids, prop::sample::select(stages.to_vec()), (number(3), number(1)), sizes(), sizes(), any::<bool>()).prop_map(
        |((cache, disk), stage, (generation, session), (medium_bytes, disk_bytes), next, ordered)| Record {
            generation,
            cache,
            disk,
            stage,
            session,
            medium_bytes,
            disk_bytes,
            next_medium_bytes: next.0,
            next_disk_bytes: next.1,
            ordered,
            label_written: ordered,
            note: Note { lost: if ordered { cache } else { Id::NONE }, ..Note::default() },
        },
    )
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Records and items with right checksums and any fields, as a faulty or hostile writer would leave them: opening,
    /// growing, checking, using and draining end with an answer.
    #[test]
    fn well_formed_nonsense_is_refused_or_used_without_a_panic(
        superblocks in prop::array::uniform2(record()),
        labels in prop::array::uniform2(record()),
        items in prop::collection::vec(
            (0..9_u32, number(5), number(1), any::<u8>(), any::<bool>(), any::<bool>()), 0..9),
        ordered in any::<bool>(),
    ) {
        let mode = if ordered { Mode::Ordered } else { Mode::Flush };
        let machine = Machine::new(9, 512, with(Planted::NONE, Settings::new(mode)));
        let layout = *machine.open().unwrap().0.layout();
        for (medium, device, records) in
            [(&machine.medium, Device::Cache, superblocks), (&machine.disk, Device::Disk, labels)]
        {
            let mut bytes = medium.snapshot();
            for (at, record) in layout.record_offsets_bytes(device).into_iter().zip(records) {
                bytes[at as usize..at as usize + 512].copy_from_slice(&record.encode(device));
            }
            for &(slot, lbn, sequence, mask, zeros, whole) in items.iter().filter(|_| device == Device::Cache) {
                let mask = SectorMask(if whole { 0xff } else { mask });
                let data_checksum = if zeros { halo_cache::format::ZEROS_CHECKSUM } else { 1 };
                let item = Item { lbn: Lbn(lbn), sequence, mask, data_checksum, zeros };
                let at = layout.item_offset_bytes(Slot(slot)) as usize;
                bytes[at..at + 32].copy_from_slice(&item.encode(Slot(slot), u32::from_le_bytes([1; 4])));
            }
            medium.load(&bytes);
        }
        let _ = TestCache::check(&machine.medium, &machine.disk, true, |_| ());
        let _ = TestCache::repair(&machine.medium, &machine.disk, ordered, Planted::NONE);
        let _ = TestCache::grow(&machine.medium, &machine.disk, machine.settings);
        if let Ok((mut cache, _)) = machine.open() {
            let mut bytes = [0; 4096];
            let _ = (cache.write_durably(512, &[1; 512]), cache.read(0, &mut bytes), cache.drain());
        }
        let _ = TestCache::release(&machine.disk, 7, Planted::NONE);
    }
}
