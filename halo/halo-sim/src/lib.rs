//! Block traces and workloads, replayed through the write cache and what it is compared with.
//!
//! [`simulate`] counts what reaches the disk, and where. [`timed`] adds time: a model of the disk (`halo-disk`) and one of phase
//! change memory, on a virtual clock. The decisions are `halo-core`'s, the same code as in the device. [`stand_in`] makes the
//! paper's workloads, [`reproduce`] prints its figures beside ours, [`calibrate`] holds the disk model against measured disks.

#![forbid(unsafe_code)]

pub mod calibrate;
mod front;
mod histogram;
mod open;
mod pcm;
mod policy;
pub mod reproduce;
mod request;
mod simulation;
pub mod stand_in;
pub mod timed;
pub mod trace;
pub mod workload;

pub use front::{BlockCounts, DiskRequest, Traffic};
pub use histogram::Histogram;
pub use open::Told;
pub use pcm::{Pcm, PcmReport, PcmTiming};
pub use policy::{Destaging, Policy};
pub use request::{Kind, Request, Span, concatenate};
pub use simulation::{Report, Schemes, Setup, simulate};
pub use timed::TimedReport;
