//! Block traces and workloads, replayed through the write cache and what it is compared with.
//!
//! Counts what reaches the disk, and where; it has no model of the disk's time, so it tells traffic and seek distances, not
//! seconds. The decisions are `halo-core`'s, the same code as in the device. Start with [`simulate`].

#![forbid(unsafe_code)]

mod request;
mod simulation;
pub mod trace;
pub mod workload;

pub use request::{Kind, Request, Span, concatenate};
pub use simulation::{Policy, Report, simulate};
