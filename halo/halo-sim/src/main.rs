//! `halo-sim`: replays traces and workloads through the write cache, and prints tables.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

mod command;

use command::{Command, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = Command::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    match command::run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            // A name or a trace's line may have signs that begin a line, or move a terminal's cursor.
            let line: String = message.chars().map(|sign| if sign.is_control() { '?' } else { sign }).collect();
            eprintln!("halo-sim: {line}");
            ExitCode::from(code)
        }
    }
}
