//! The inputs of the fuzzer, and the properties that must hold for all of them.
//!
//! One function per target, each takes any bytes. They are not only asked not to panic: `records`, `recovery` compare with
//! [`reference`], a second reading of `FORMAT.md` that shares no code with the cache. `run` builds the targets and runs
//! them. Start with [`recovery()`].

// A broken promise must end the process: that is what the fuzzer looks for.
#![allow(clippy::expect_used, clippy::missing_panics_doc)]

mod input;
mod nbd;
mod records;
mod recovery;
mod reference;
mod traces;

pub use nbd::nbd;
pub use records::{items, superblock};
pub use recovery::recovery;
pub use traces::traces;
