//! Wear levelling for a phase change memory: where a stripe of 32 KiB is written, so that no part wears out early.
//!
//! Three schemes behind [`WearLevelling`]: [`Regions`] (start-gap in contiguous regions), [`RoundRobin`] (over ranks, then
//! banks), [`CurveCubes`] (over cubes, in each along a Hilbert curve). [`Wear`] counts writes and computes the life ratio.
//! Not here: what is written (the simulator hands in stripe numbers). Start with [`StartGap`], the rotation all three share.
//!
//! Source: Auburn §3.2; start-gap: Qureshi et al., *Enhancing Lifetime and Security of PCM-Based Main Memory with Start-Gap
//! Wear Leveling*, MICRO 2009.

#![forbid(unsafe_code)]

mod curve;
mod schemes;
mod start_gap;
mod wear;

pub use curve::{Point, curve_point};
pub use schemes::{CurveCubes, Regions, RoundRobin, SmallWrites, WearLevelling};
pub use start_gap::{StartGap, Step};
pub use wear::{RowBuffers, Wear, life_ratio};

/// Ranks of the device. Source of this and the following: Auburn, Table 3.1 and §3.2.2.
pub const RANKS: u32 = 8;
/// Banks of a rank.
pub const BANKS: u32 = 16;
/// Stripes of a bank.
pub const STRIPES: u32 = 512;
/// Cubes into which the stripes of all banks are split.
pub const CUBES: u32 = 32;
/// Bytes of a stripe.
pub const STRIPE_BYTES: u64 = 32 * 1024;
/// Stripes of the device that hold data: 2 GiB. Each rotation has one spare stripe besides.
pub const DEVICE_STRIPES: u32 = RANKS * BANKS * STRIPES;

/// A stripe of the device by its place. Stripe [`STRIPES`] of a bank is a spare one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// 0 to 7.
    pub rank: u32,
    /// 0 to 15, in its rank.
    pub bank: u32,
    /// 0 to 512, in its bank.
    pub stripe: u32,
}

impl Cell {
    /// Places for counters: all stripes and a spare one for each bank.
    pub const COUNT: usize = (RANKS * BANKS * (STRIPES + 1)) as usize;

    /// A number below [`Cell::COUNT`], different for each cell.
    pub const fn index(self) -> usize {
        (self.bank_index() * (STRIPES + 1) + self.stripe) as usize
    }

    /// The bank's number among those of all ranks.
    pub const fn bank_index(self) -> u32 {
        self.rank * BANKS + self.bank
    }
}
