//! HALO's write cache as data structures and decisions.
//!
//! A fast non-volatile device absorbs random writes; blocks of one 1 MiB region of the disk are gathered in a *bucket* and
//! go to the disk together. This crate knows which blocks are cached, where, and which bucket should go next. It is **not**
//! the cache itself: no input or output, no clock, no threads. Time is the number of requests so far, the disk's load is
//! handed in, so the same code runs in a device and in a simulator.
//!
//! Start reading with [`Directory`] (Algorithm 1 of the paper), then [`destage`].
//!
//! Source of the design: Zhuo Liu, *Efficient Storage Design and Query Scheduling for Improving Big Data Retrieval and
//! Analytics*, Auburn 2015, chapter 3; cited as "Auburn".

#![forbid(unsafe_code)]

pub mod address;
mod allocator;
mod buckets;
pub mod destage;
mod directory;
pub mod index;
mod random;
mod recency;
pub mod replacement;
mod split;
mod streams;

pub use address::{Bucket, Lbn, SectorMask, Slot};
pub use allocator::Allocator;
pub use buckets::BucketTable;
pub use directory::{CachedBlock, Directory};
pub use random::{SplitMix64, mix};
pub use recency::RecencySet;
pub use split::Split;
pub use streams::Streams;
