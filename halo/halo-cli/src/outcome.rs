//! How a command ends.

use halo_cache::{CacheError, Refusal};
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Why a command was not carried out: one line, and what kind of thing is wrong.
pub(crate) enum Failure {
    /// The operator asked for something that cannot be.
    Input(String),
    /// A device, a server or a permission does not allow it.
    State(String),
}

pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    pub(crate) fn input(text: impl Display) -> Self {
        Self::Input(text.to_string())
    }

    pub(crate) fn state(text: impl Display) -> Self {
        Self::State(text.to_string())
    }
}

impl Failure {
    /// The same with another text.
    pub(crate) fn with(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Input(text) => Self::Input(change(text)),
            Self::State(text) => Self::State(change(text)),
        }
    }
}

impl From<CacheError> for Failure {
    fn from(error: CacheError) -> Self {
        match error {
            CacheError::Refused(Refusal::BadSize { .. }) | CacheError::BadRange { .. } => Self::input(error),
            _ => Self::state(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists => Self::input(error),
            _ => Self::state(error),
        }
    }
}

/// Prints to standard output. Whoever reads it may have seen enough.
pub(crate) fn print(text: &str) -> Outcome {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::state(error)),
        _ => Ok(()),
    }
}

/// Asks, and goes on only after a "yes".
pub(crate) fn confirm(question: &str) -> Outcome {
    note(&format!("{question} Answer yes to go on:"));
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    match answer.trim() {
        "yes" => Ok(()),
        "" => Err(Failure::input("there was no answer, and nothing was changed: answer yes, or give --yes")),
        other => Err(Failure::input(format!("the answer was '{other}', and nothing was changed"))),
    }
}

/// Prints a line of progress, or what the operator should know besides the result.
pub(crate) fn note(text: &str) {
    // Without a standard error there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A text in one line: a name may have signs that begin a line, or move and colour a terminal's cursor.
fn plain(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { '?' } else { sign }).collect()
}

pub(crate) fn exit_code(outcome: Outcome) -> ExitCode {
    let (text, code) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(text)) => (text, 2),
        Err(Failure::State(text)) => (text, 3),
    };
    note(&format!("halo: {}", plain(&text)));
    ExitCode::from(code)
}

/// Lines about how far a command is, one per second at most.
pub(crate) struct Progress {
    told: Instant,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { told: Instant::now() }
    }

    pub(crate) fn tell(&mut self, text: impl FnOnce() -> String) {
        if self.told.elapsed() >= Duration::from_secs(1) {
            self.told = Instant::now();
            note(&text());
        }
    }
}
