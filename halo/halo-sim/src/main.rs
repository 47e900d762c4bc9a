//! `halo-sim`: replays traces and workloads through the write cache, and prints tables.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

mod command;

use clap::Parser;
use command::{Command, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    match command::run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            eprintln!("halo-sim: {message}");
            ExitCode::from(code)
        }
    }
}
