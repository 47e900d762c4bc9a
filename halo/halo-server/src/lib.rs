//! A cache that is being served.
//!
//! Devices by their names, a thread that destages, a control socket with status and metrics. Not here: the protocol that clients
//! speak, which is the host's (see `halo-nbdkit`), and commands for operators (see `halo-cli`).
//!
//! Start with [`Server`]; [`Parameters`] is what both an operator's command and a plugin are given.

#![forbid(unsafe_code)]

mod client;
mod control;
mod ending;
mod latency;
mod mask;
mod media;
mod metered;
mod opening;
mod parameters;
mod period;
mod server;
mod session;
mod status;
mod waits;

pub use client::{ask_metrics, ask_status, request_drain};
pub use control::remove_dead_socket;
pub use mask::{MaskedDisk, WRITTEN_OUTSIDE};
pub use media::{AnyMedium, CacheName, DirectIo, open_disk};
pub use parameters::{KEYS, Parameters, Period, loopback, mode_name};
pub use server::Server;
pub use session::{now_seconds, session};
pub use status::Status;
