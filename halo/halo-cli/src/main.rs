//! `halo`: makes, serves and looks after write caches.
//!
//! One file per command; what a command needs of a cache that is not being served is in `pair.rs`, what goes wrong and the exit
//! codes in `outcome.rs`.
#![forbid(unsafe_code)]

mod arguments;
mod bytes;
mod check;
mod create;
mod doctor;
mod drain;
mod grow;
mod nodes;
mod outcome;
mod pair;
mod release;
mod repair;
mod serve;
mod status;

use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser};
use outcome::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Create(options) => create::run(&options),
        Command::Serve(options) => serve::run(&options),
        Command::Status(options) => status::run(&options),
        Command::Metrics(options) => status::metrics(&options),
        Command::Drain(options) => drain::run(&options),
        Command::Detach(options) => drain::detach(&options),
        Command::Release(options) => release::run(&options),
        Command::Grow(options) => grow::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Completions { shell } => completions(shell),
    };
    outcome::exit_code(outcome)
}

fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "halo", &mut script);
    outcome::print(&String::from_utf8_lossy(&script))
}
