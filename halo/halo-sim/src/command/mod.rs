//! The commands: what users say, and what they see.

mod bench;
mod disks;
mod options;
mod replay;
mod reproduce;
mod sensitivity;

use clap::{Parser, Subcommand};
use halo_sim::reproduce::files::FileError;
use halo_sim::trace::TraceError;
use std::fmt::Display;
use std::io::ErrorKind;

/// Replays block traces and workloads through HALO's write cache and what it is compared with.
///
/// Exit codes: 0 done; 2 bad input (the message names the value); 3 a file cannot be read or written.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Replay a trace file; `.gz`, `.xz` and `.zst` are unpacked
    Trace(options::TraceOptions),
    /// Replay uniformly random requests
    Random(options::RandomOptions),
    /// Replay requests of which few places have most
    Zipf(options::ZipfOptions),
    /// Replay appends to several files in turn, as a mail server makes them
    Appends(options::AppendsOptions),
    /// Replay a stand-in for one of the paper's seven workloads
    StandIn(options::StandInOptions),
    /// Run the paper's evaluation; print its numbers beside ours
    Reproduce(reproduce::ReproduceOptions),
    /// Change what the paper's evaluation assumes, one thing at a time, and print how its numbers move
    Sensitivity(sensitivity::SensitivityOptions),
    /// Hold the disk model against the validation traces of `DiskSim` in a folder
    Calibrate(disks::CalibrateOptions),
    /// Print what the profiles of the disk model do in simple cases
    Disks(disks::DisksOptions),
    /// Time replays of Zipf writes on this machine
    Bench(bench::BenchOptions),
}

/// Why a command ended, and with which exit code.
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) code: u8,
}

const BAD_INPUT: u8 = 2;
const STATE: u8 = 3;

impl Failure {
    fn bad_input(message: impl Display) -> Self {
        Self { message: message.to_string(), code: BAD_INPUT }
    }

    fn state(message: impl Display) -> Self {
        Self { message: message.to_string(), code: STATE }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        match &error {
            TraceError::Io { source, .. } if source.kind() == ErrorKind::PermissionDenied => Self::state(error),
            _ => Self::bad_input(error),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::state(error)
    }
}

pub(crate) fn run(command: Command) -> Result<(), Failure> {
    match command.task {
        Task::Trace(options) => replay::trace(&options),
        Task::Random(options) => replay::random(&options),
        Task::Zipf(options) => replay::zipf(&options),
        Task::Appends(options) => replay::appends(&options),
        Task::StandIn(options) => replay::stand_in(&options),
        Task::Reproduce(options) => reproduce::reproduce(&options),
        Task::Sensitivity(options) => sensitivity::sensitivity(&options),
        Task::Calibrate(options) => disks::calibrate(&options),
        Task::Disks(options) => {
            disks::disks(&options);
            Ok(())
        }
        Task::Bench(options) => bench::bench(&options),
    }
}
