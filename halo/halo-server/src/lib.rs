//! A cache that is being served.
//!
//! Devices by their names, a thread that destages, a control socket with status and metrics; and what makes of it a plugin of nbdkit, which
//! speaks the protocol of clients. Not here: commands for operators (see `halo-cli`).
//!
//! Start with [`Server`]; [`Parameters`] is what both an operator's command and a plugin are given. [`nbdkit`] is the C interface, and
//! has all unsafe code of the servers; [`HaloPlugin`] translates requests. The shared libraries are in `plugins/`.

mod client;
mod control;
mod destaging;
mod ending;
mod latency;
mod mask;
mod media;
mod metered;
pub mod nbdkit;
mod opening;
mod parameters;
mod plugin;
mod repair;
mod server;
mod session;
mod status;
mod waits;

pub use client::{ask_metrics, ask_status, request_drain};
pub use control::remove_dead_socket;
pub use halo_core::Period;
pub use mask::{Guess, MaskedDisk, WRITTEN_OUTSIDE, reaching_beyond};
pub use media::{AnyMedium, CacheName, DirectIo, open_disk};
pub use parameters::{KEYS, Parameters, loopback, mode_name};
pub use plugin::{HaloExport, HaloPlugin};
pub use repair::{Unrepaired, repair};
pub use server::Server;
pub use session::{now_seconds, session};
pub use status::Status;
