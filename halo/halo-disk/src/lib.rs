//! How long a hard disk takes: one actuator, a spinning stack of zoned tracks, a command queue, a read-ahead, volatile
//! write cache.
//!
//! Time is an argument, in nanoseconds since the disk was switched on. A simulator hands in its virtual clock, an emulated disk
//! the real one, and both get the same answers. Not here: data, threads, clocks.
//!
//! Start with [`Disk`]; [`Profile`] says which disk it is; [`Geometry`] is where sectors lie, [`Arm`] what it takes to get there.

#![forbid(unsafe_code)]

mod arm;
mod disk;
mod geometry;
mod profile;
mod read_buffer;
mod write_cache;

pub use arm::{Arm, Positioning};
pub use disk::{Completion, Disk, Operation, Request};
pub use geometry::{Geometry, Place};
pub use profile::{Profile, ReadBufferProfile, WriteCacheProfile};

/// The smallest unit that a disk addresses.
pub const SECTOR_BYTES: u64 = 512;
