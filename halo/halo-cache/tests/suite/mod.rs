//! The promises of the cache as scenarios that either hold or say what is broken.
//!
//! `promises.rs` runs them on the cache as it is; `planted_bugs.rs` on caches with a known mistake, each of which must
//! break at least one.

pub(crate) mod histories;
pub(crate) mod machine;

use halo_cache::Planted;
use machine::Verdict;

pub(crate) type Scenario = (&'static str, fn(Planted) -> Verdict);

/// All scenarios, quick ones first.
pub(crate) const SCENARIOS: &[Scenario] = &[
    ("recovery survives its own crash", histories::recovery_survives_its_own_crash),
    ("long histories survive kills and power losses", histories::long_histories_survive_kills_and_power_losses),
    ("short histories survive power loss at every event", histories::short_histories_survive_power_loss_at_every_event),
];
