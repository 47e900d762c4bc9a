//! The cache against its model, with histories that are generated and, when one breaks a promise, shrunk.
#![allow(missing_docs, dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod suite;

use halo_cache::{Mode, Planted, Settings};
use halo_media::Survival;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use suite::bypass::bypassing;
use suite::machine::{BLOCKS, Machine, Model, TestCache, Verdict, with};
use suite::operations::{Op, run};

#[derive(Clone, Debug)]
enum Step {
    Run(Op),
    /// The power fails this many writes or barriers from now.
    PlanFailure(u64),
    /// The process is killed; the machine goes on.
    Kill,
    /// With a seed for what survives.
    LosePower(u64),
}

fn ranges() -> impl Strategy<Value = (u64, u64)> + Clone {
    (0..BLOCKS.len(), 0..8_u64, 1..=8_u64)
        .prop_map(|(block, first, count)| (BLOCKS[block] * 8 + first, count.min(8 - first)))
}

/// Only steps are generated; what must hold is known to the model beside the machine.
struct Steps;

impl ReferenceStateMachine for Steps {
    /// The mode, whether clean blocks are kept, and whether streams go past the cache.
    type State = (Mode, bool, bool);
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Self::State> {
        let mode = prop_oneof![Just(Mode::Strict), Just(Mode::Flush), Just(Mode::Ordered)];
        (mode, any::<bool>(), any::<bool>()).boxed()
    }

    fn transitions(_: &Self::State) -> BoxedStrategy<Step> {
        let writes = || prop::collection::vec(ranges(), 1..4);
        prop_oneof![
            6 => ranges().prop_map(|(sector, count)| Step::Run(Op::Write(sector, count))),
            1 => ranges().prop_map(|(sector, count)| Step::Run(Op::WriteDurably(sector, count))),
            3 => Just(Step::Run(Op::Flush)),
            3 => Just(Step::Run(Op::Destage)),
            1 => Just(Step::Run(Op::Drain)),
            1 => ranges().prop_map(|(sector, count)| Step::Run(Op::Zero(sector, count))),
            1 => ranges().prop_map(|(sector, count)| Step::Run(Op::Trim(sector, count))),
            1 => writes().prop_map(|writes| Step::Run(Op::CommitDuring(writes))),
            1 => ranges().prop_map(|(sector, count)| Step::Run(Op::Read(sector, count))),
            1 => (ranges(), ranges()).prop_map(|(read, (sector, count))| Step::Run(Op::ReadDuring {
                read,
                during: vec![Op::Write(sector, count), Op::Flush, Op::Destage],
            })),
            1 => (ranges(), ranges()).prop_map(|((sector, _), read)| Step::Run(Op::ZeroAround {
                zeroed: (sector / 8 * 8, 8),
                read,
            })),
            1 => (writes(), any::<bool>())
                .prop_map(|(writes, before_transfer)| Step::Run(Op::DestageDuring { writes, before_transfer })),
            1 => (0..12_u64).prop_map(Step::PlanFailure),
            1 => Just(Step::Kill),
            2 => any::<u64>().prop_map(Step::LosePower),
        ]
        .boxed()
    }

    fn apply(state: Self::State, _: &Step) -> Self::State {
        state
    }
}

struct Host {
    machine: Machine,
    model: Model,
    cache: TestCache,
}

impl Host {
    fn restart(&mut self) -> Verdict {
        self.cache = self.machine.open().map_err(|error| format!("recovery: {error}"))?.0;
        self.model.check_restarted(&mut self.cache)
    }

    fn step(&mut self, mode: Mode, step: &Step) -> Verdict {
        match step {
            // Nothing runs without power.
            Step::Run(_) if self.machine.power.is_off() => Ok(()),
            Step::Run(op) => {
                let outcome = run(op, &mut self.cache, &mut self.model, mode);
                if self.machine.power.is_off() {
                    return Ok(());
                }
                outcome.map_err(|error| error.to_string())?;
                let running = self.model.check_running(&mut self.cache);
                // Reads may write clean copies.
                if self.machine.power.is_off() { Ok(()) } else { running }
            }
            Step::PlanFailure(events) => {
                self.machine.fail_in(*events);
                Ok(())
            }
            Step::Kill => {
                self.machine.power.restore();
                self.restart()
            }
            Step::LosePower(seed) => {
                self.machine.lose_power(Survival::Seeded(*seed), Survival::Seeded(seed ^ 1));
                self.restart()
            }
        }
    }
}

struct CacheTest;

impl StateMachineTest for CacheTest {
    type SystemUnderTest = Host;
    type Reference = Steps;

    fn init_test((mode, clean_blocks, bypasses): &(Mode, bool, bool)) -> Host {
        let settings = Settings { clean_blocks: *clean_blocks, ..Settings::new(*mode) };
        let settings = if *bypasses { bypassing(settings) } else { settings };
        let machine = Machine::new(9, 64, with(Planted::NONE, settings));
        let (cache, _) = machine.open().unwrap();
        Host { machine, model: Model::default(), cache }
    }

    fn apply(mut host: Host, (mode, _, _): &(Mode, bool, bool), step: Step) -> Host {
        if let Err(broken) = host.step(*mode, &step) {
            panic!("{step:?}: {broken}");
        }
        host
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_cache_keeps_its_promises_whatever_happens(sequential 1..60 => CacheTest);
}
