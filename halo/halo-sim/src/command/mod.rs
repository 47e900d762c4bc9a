//! The commands: what users say, and what they see.

mod bench;
mod disks;
mod options;
mod replay;
mod reproduce;
mod sensitivity;

use clap::{CommandFactory, Error, FromArgMatches, Parser, Subcommand};
use halo_sim::reproduce::files::FileError;
use halo_sim::trace::TraceError;
use std::ffi::OsString;
use std::fmt::Display;

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

impl Command {
    /// Reads a command line, the program's name first. A negative number is a value, which its option refuses, and no option that
    /// nobody knows.
    pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, Error> {
        let command = Self::command().mut_subcommands(|task| {
            task.mut_args(|option| {
                let is_value = option.get_action().takes_values();
                option.allow_negative_numbers(is_value)
            })
        });
        Self::from_arg_matches(&command.try_get_matches_from(words)?)
    }
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
            // A packed file that is damaged gives no error number of the system.
            TraceError::Io { source, .. } if source.raw_os_error().is_some() => Self::state(error),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(words: &[&str]) -> String {
        let words = [&["halo-sim"], words].concat();
        Command::read(words.into_iter().map(OsString::from)).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn each_option_that_takes_no_text_says_of_a_negative_number_what_to_give() {
        let mut count = 0;
        for task in Command::command().get_subcommands() {
            let name = task.get_name();
            let before: &[_] = match name {
                "trace" => &["FILE"],
                "stand-in" => &["Fin1"],
                _ => &[],
            };
            let path = clap::value_parser!(std::path::PathBuf).type_id();
            let options = task.get_opts().filter(|option| option.get_value_parser().type_id() != path);
            for option in options.filter(|option| option.get_action().takes_values()) {
                let option = format!("--{}", option.get_long().unwrap());
                let said = refusal(&[&[name], before, &[&option, "-1"]].concat());
                let line = said.lines().next().unwrap_or_default();
                assert!(line.starts_with(&format!("error: invalid value '-1' for '{option}")), "{name}: {said}");
                assert!(line.contains(": use ") || said.contains("possible values"), "{name}: {said}");
                count += 1;
            }
        }
        assert!(count > 40, "{count} options");
    }

    fn failure(words: &[&str]) -> (u8, String) {
        let words = [&["halo-sim"], words].concat();
        let command = Command::read(words.into_iter().map(OsString::from)).unwrap();
        run(command).err().map(|failure| (failure.code, failure.message)).unwrap_or_default()
    }

    /// Of an option whose parser gives another type than its field has, clap says so when the option is read, with a panic.
    #[test]
    fn each_command_reads_each_of_its_numbers() {
        let mut count = 0;
        for task in Command::command().get_subcommands() {
            let before: &[_] = match task.get_name() {
                "trace" => &["FILE", "--format", "spc"],
                "stand-in" => &["Fin1"],
                "calibrate" => &["FOLDER"],
                _ => &[],
            };
            let words = [&["halo-sim", task.get_name()][..], before].concat();
            let read = |words: &[&str]| Command::read(words.iter().map(OsString::from));
            assert!(read(&words).is_ok(), "{words:?}: {:?}", read(&words).err());
            for option in task.get_opts().filter(|option| option.get_action().takes_values()) {
                let long = format!("--{}", option.get_long().unwrap());
                // A number that is in all ranges; what takes names, or no number, refuses it without a panic.
                count += usize::from(read(&[&words[..], &[&long, "4"]].concat()).is_ok());
            }
        }
        assert!(count > 30, "{count} options");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_bad_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("trace.gz"), "not packed").unwrap();
        std::fs::write(path("trace"), "no format\n").unwrap();
        for (file, code) in [("missing", 3), ("", 3), ("trace.gz", 2), ("trace", 2)] {
            let (found, text) = failure(&["trace", &path(file), "--format", "spc"]);
            assert!(found == code && text.contains(&path(file)), "'{file}': {found}, {text}");
        }
        assert_eq!(failure(&["calibrate", &path("missing")]).0, 3);
        std::fs::create_dir(path("traces")).unwrap();
        std::fs::write(path("traces/barracuda.trace"), "").unwrap();
        let (code, text) = failure(&["calibrate", &path("traces")]);
        assert!(code == 2 && text.ends_with("barracuda.trace: no request in it"), "{code}, {text}");
    }

    #[test]
    fn requests_that_are_made_arrive_at_a_rate_or_without_time() {
        for made in [&["random"][..], &["zipf"], &["appends"], &["stand-in", "Fin1"]] {
            let (code, text) = failure(&[made, &["--time", "open"]].concat());
            assert!(code == 2 && text.contains("--rate"), "{made:?}: {code}, {text}");
            for time in ["none", "closed"] {
                let (code, text) = failure(&[made, &["--time", time, "--rate", "20"]].concat());
                assert!(code == 2 && text.contains("--time open"), "{made:?}: {code}, {text}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_told_with_the_numbers_that_are() {
        for (option, value, given) in [
            ("--seed", "one", "use a whole number from 0 to 18446744073709551615"),
            ("--requests", "1.5", "use a whole number from 1 to 1000000000"),
            ("--data-mib", "0", "use a whole number from 1 to 4294967295"),
            ("--cache-mib", "1048576", "use a whole number from 1 to 1048575"),
            ("--writes", "-5%", "use a number from 0 to 1, or a percentage from 0% to 100%"),
        ] {
            let said = refusal(&["random", option, value]);
            assert!(said.contains(&format!("'{value}' for '{option}")) && said.contains(given), "{said}");
        }
    }
}
