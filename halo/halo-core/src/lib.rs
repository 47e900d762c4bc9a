//! HALO's write cache as data structures and decisions.
//!
//! A fast non-volatile device absorbs random writes; blocks of one 1 MiB region of the disk are gathered in a *bucket* and
//! go to the disk together. This crate knows which blocks are cached, where, and which bucket should go next. It is **not**
//! the cache itself: no input or output, no clock, no threads. Time is the number of requests so far, the time of day and the disk's load
//! are handed in, so the same code runs in a device and in a simulator.
//!
//! Start reading with [`Directory`] (Algorithm 1 of the paper), then [`destage`] and [`Due`].
//!
//! Source of the design: Zhuo Liu, *Efficient Storage Design and Query Scheduling for Improving Big Data Retrieval and
//! Analytics*, Auburn 2015, chapter 3; cited as "Auburn".

#![forbid(unsafe_code)]

pub mod address;
mod ages;
mod allocator;
mod buckets;
pub mod destage;
mod directory;
mod due;
pub mod index;
mod period;
mod random;
mod recency;
pub mod replacement;
mod split;
mod streams;

pub use address::{Bucket, Lbn, SectorMask, Slot};
pub use ages::Ages;
pub use allocator::Allocator;
pub use buckets::BucketTable;
pub use directory::{CachedBlock, Directory};
pub use due::{Due, DueSettings, Fill};
pub use period::Period;
pub use random::{SplitMix64, mix};
pub use recency::RecencySet;
pub use split::Split;
pub use streams::Streams;
