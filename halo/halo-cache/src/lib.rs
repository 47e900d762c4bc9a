//! The durable write cache: data on a fast medium, in front of a slow disk, safe against a power loss at any instant.
//!
//! The bytes on both devices are specified in `FORMAT.md`; the decisions (which bucket to destage) are `halo-core`'s; the
//! devices are `halo-media`'s. Not here: servers, threads, clocks. A host that has threads holds the cache in a lock and
//! runs the long steps outside of it: [`ReadPlan`], [`WritePlan`], [`commit::Commit::make_durable`],
//! [`destage::DestageBatch::transfer`].
//!
//! Start with [`Cache`], then `write_plan`, `commit` (how a write becomes durable), `destage`, `recovery`.
//!
//! The promises, in the words of the tests:
//! 1. After a write (mode strict) or a flush is acknowledged, the data survives a kill and a power loss.
//! 2. Each sector reads as it was before or after a write, never as anything else.
//! 3. Recovery can be interrupted and repeated.
//! 4. Data that does not match its checksum is reported, never returned.
//! 5. Blocks that the disk did not take stay in the cache, dirty and readable.
//! 6. A cache never works with a disk that is not its own, nor with an older copy of it.

#![forbid(unsafe_code)]

mod batch;
mod being_written;
mod bypass;
mod cache;
mod check;
mod clean;
pub mod commit;
mod commits;
mod creation;
pub mod destage;
mod disk_use;
pub mod driver;
mod due;
mod epochs;
mod error;
mod few;
pub mod format;
mod give_up;
mod grow;
mod hashing;
mod health;
mod held;
mod identity;
mod noting;
mod parts;
mod planted;
mod read_plan;
mod recovery;
mod release;
mod repair;
mod roles;
mod settings;
mod slots;
mod staged;
mod status;
mod write_plan;
mod zero;

pub use bypass::{Bypass, Change};
pub use cache::Cache;
pub use check::{CheckReport, Checked};
pub use clean::Keeping;
pub use error::{CacheError, Device, Refusal};
pub use grow::Prefix;
pub use noting::note_lacks;
pub use planted::{Bug, Planted};
pub use read_plan::{ReadEnd, ReadFailure, ReadPlan};
pub use recovery::Recovery;
pub use release::{Bound, Orphan, utc};
pub use repair::{CopyState, RecordCopies};
pub use settings::{DEFAULT_NOTE_EVERY, MOST_BATCH_BLOCKS, Mode, Settings, Statistics};
pub use status::{Room, Status};
pub use write_plan::{WritePlan, Written};
pub use zero::{ZeroStep, Zeroing};
