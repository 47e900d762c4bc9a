//! Power losses for the files of a real server.
//!
//! The library of `examples/lossy.rs`, loaded into a server before the C library, writes down what each write to a file overwrites, and when
//! the file is synced: [`journal`]. After the server was killed, [`lose`] undoes what no sync covered, or some of it: sector by
//! sector, as a power loss would. Not here: block devices, mapped memory, and changes by other calls than those.

#![deny(unsafe_code)]

pub mod journal;
mod loss;

pub use loss::{Loss, lose};

/// The variable of the environment that tells the library its files and their journals: `FILE=JOURNAL`, several with commas between.
///
/// While a file stands beside a journal whose name has one of these endings more, `.hold`: syncs do not end; `.fail-sync`: they fail;
/// `.fail-write`: writes fail;
/// `.fail-read`: reads fail; `.slow`: each write takes a millisecond; `.full-at`: writes wait while the journal has as many bytes as the file says.
pub const VARIABLE: &str = "HALO_LOSSY";

/// Units that a power loss leaves whole.
pub const SECTOR_BYTES: usize = 512;
