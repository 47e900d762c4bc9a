//! Every promise of the cache, each as one test.
#![allow(missing_docs, clippy::expect_used, clippy::unwrap_used, clippy::cast_possible_truncation)]

mod suite;

use halo_cache::Planted;

macro_rules! scenario {
    ($name:ident in $module:ident) => {
        #[test]
        fn $name() {
            if let Err(broken) = suite::$module::$name(Planted::NONE) {
                panic!("{broken}");
            }
        }
    };
}

scenario!(short_histories_survive_power_loss_at_every_event in histories);
scenario!(recovery_survives_its_own_crash in histories);
scenario!(long_histories_survive_kills_and_power_losses in histories);
