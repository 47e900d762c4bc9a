//! HALO and what it is compared with, as models of a write cache: which writes reach the disk, and in which order.
//!
//! Every model follows the paper's caching rule (reads that miss do not enter the cache; every cached block is dirty) and
//! differs only in what it writes back when it is full. Not here: data, durability, the disk.
//! Start with [`Replacement`].

mod cscan;
mod halo;
mod list;
mod optimum;

pub use cscan::CscanLrw;
pub use halo::Halo;
pub use list::RecencyList;
pub use optimum::Optimum;

use crate::address::Lbn;

/// A write cache of a fixed number of blocks.
///
/// Promises of every implementation: never more than [`Replacement::capacity`] blocks; a block is in `destaged` exactly
/// when it was cached and now is not; the same requests give the same answers.
pub trait Replacement {
    /// The published name.
    fn name(&self) -> &'static str;

    /// Blocks it can hold.
    fn capacity(&self) -> u64;

    /// Blocks it holds.
    fn len(&self) -> u64;

    /// True when it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True when `lbn` is cached. Changes nothing.
    fn contains(&self, lbn: Lbn) -> bool;

    /// A new request begins; its blocks follow.
    fn begin_request(&mut self) {}

    /// Reads a block; true when it was cached.
    fn read(&mut self, lbn: Lbn) -> bool;

    /// Writes a block; true when it was cached. Blocks that go to the disk to make room are appended to `destaged` in the
    /// order in which they are written.
    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool;
}
