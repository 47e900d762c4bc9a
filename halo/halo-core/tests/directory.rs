//! The directory against a plain map, by generated histories.

use halo_core::{Bucket, CachedBlock, Directory, Lbn, SectorMask, Slot};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeMap;

const BUCKETS: u32 = 4;
const SLOTS: u32 = 64;

#[derive(Clone, Debug)]
enum Step {
    Put { lbn: Lbn, slot: Slot, mask: SectorMask },
    PutUnlessFound { lbn: Lbn, slot: Slot, mask: SectorMask },
    Access(Lbn),
    RemoveEvenSlots(Bucket),
    RemoveAll(Bucket),
}

/// Block to (slot, mask).
type Model = BTreeMap<Lbn, (Slot, SectorMask)>;

struct PlainMap;

impl ReferenceStateMachine for PlainMap {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::new()).boxed()
    }

    fn transitions(_: &Model) -> BoxedStrategy<Step> {
        // Few blocks per bucket, so that overwrites are common.
        let lbn =
            (0..BUCKETS, prop_oneof![0..6_u8, 250..=255_u8]).prop_map(|(bucket, index)| Bucket(bucket).block(index));
        prop_oneof![
            6 => (lbn.clone(), 0..SLOTS, 1..=255_u8)
                .prop_map(|(lbn, slot, mask)| Step::Put { lbn, slot: Slot(slot), mask: SectorMask(mask) }),
            2 => (lbn.clone(), 0..SLOTS, 1..=255_u8)
                .prop_map(|(lbn, slot, mask)| Step::PutUnlessFound { lbn, slot: Slot(slot), mask: SectorMask(mask) }),
            2 => lbn.prop_map(Step::Access),
            1 => (0..BUCKETS).prop_map(|bucket| Step::RemoveEvenSlots(Bucket(bucket))),
            1 => (0..BUCKETS).prop_map(|bucket| Step::RemoveAll(Bucket(bucket))),
        ]
        .boxed()
    }

    fn apply(mut state: Model, step: &Step) -> Model {
        match *step {
            Step::Put { lbn, slot, mask } => {
                state.insert(lbn, (slot, mask));
            }
            Step::PutUnlessFound { lbn, slot, mask } => {
                state.entry(lbn).or_insert((slot, mask));
            }
            Step::Access(_) => {}
            Step::RemoveEvenSlots(bucket) => state.retain(|lbn, (slot, _)| lbn.bucket() != bucket || slot.0 % 2 == 1),
            Step::RemoveAll(bucket) => state.retain(|lbn, _| lbn.bucket() != bucket),
        }
        state
    }
}

struct DirectoryTest;

impl StateMachineTest for DirectoryTest {
    type SystemUnderTest = Directory;
    type Reference = PlainMap;

    fn init_test(_: &Model) -> Directory {
        Directory::new(u64::from(BUCKETS) * 256, SLOTS, 9)
    }

    fn apply(mut directory: Directory, model: &Model, step: Step) -> Directory {
        directory.tick();
        match step {
            Step::Put { lbn, slot, mask } => {
                directory.put(lbn, slot, mask);
                assert_eq!(directory.buckets().age_requests(lbn.bucket(), directory.now_requests()), 0);
            }
            // The model is already as it is to be.
            Step::PutUnlessFound { lbn, slot, mask } => {
                let found = directory.put_unless_found(lbn, slot, mask);
                let (slot, mask) = found.map_or((slot, mask), |block| (block.slot, block.mask));
                assert_eq!(model[&lbn], (slot, mask));
            }
            Step::Access(lbn) => {
                assert_eq!(directory.access(lbn).is_some(), model.contains_key(&lbn));
            }
            Step::RemoveEvenSlots(bucket) => directory.remove_if(bucket, |block| block.slot.0 % 2 == 0),
            Step::RemoveAll(bucket) => directory.remove_if(bucket, |_| true),
        }
        directory
    }

    fn check_invariants(directory: &Directory, model: &Model) {
        assert_eq!(directory.len(), model.len() as u64);
        let mut activated = 0;
        for bucket in (0..BUCKETS).map(Bucket) {
            let mut listed = Vec::new();
            directory.list(bucket, &mut listed);
            listed.sort_unstable_by_key(|block| block.lbn);
            let expected: Vec<_> = model
                .range(bucket.block(0)..=bucket.block(255))
                .map(|(&lbn, &(slot, mask))| CachedBlock { lbn, slot, mask })
                .collect();
            assert_eq!(listed, expected);
            assert_eq!(directory.buckets().count(bucket) as usize, expected.len());
            activated += u32::from(!expected.is_empty());
            for block in expected {
                assert_eq!(directory.find(block.lbn), Some(block));
            }
        }
        assert_eq!(directory.buckets().activated(), activated);
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_directory_agrees_with_a_plain_map(sequential 1..200 => DirectoryTest);
}

/// "Less than 20 MB DRAM ... for 2 GB PCM and 1 TB hard disk". Source: Auburn §3.1.1.
#[test]
fn two_gigabytes_in_front_of_a_terabyte_need_less_than_twenty_megabytes() {
    let slots = 2_000_000_000_u64 / 4096;
    let directory: Directory = Directory::new(1_000_000_000_000 / 4096, slots as u32, 0);
    let bytes = directory.memory_bytes();
    assert!(bytes < 18_000_000, "{bytes} bytes, without two megabytes for checksums");
}
