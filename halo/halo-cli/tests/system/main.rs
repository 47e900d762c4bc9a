//! The real command, the real nbdkit, real clients.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

mod ages;
mod bypass;
mod contracts;
mod devices;
mod direct_io;
mod ending;
mod faults;
mod file_system;
mod growth;
mod harness;
mod kills;
mod lost;
mod masked;
mod operators;
mod options;
mod order;
mod outside;
mod packaging;
mod pages;
mod pmem;
mod reconnect;
mod refusals;
mod specification;
mod systemd;
mod versions;
mod without_label;
mod zeros;
