//! Trace files: five formats, plain, gzip, xz or Zstandard.
//!
//! A line that cannot be understood is an error with its number, or skipped and counted when asked for. Not here: what is
//! done with the requests.

mod line;
mod zstandard;

pub use line::Format;

use crate::request::Request;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use thiserror::Error;

/// The treatment of a line that cannot be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadLines {
    /// Stop there.
    Refuse,
    /// Leave it out and count it.
    Skip,
}

/// A trace was not read.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The file cannot be read, or is not compressed as its name says.
    #[error("{name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A line is not in the format.
    #[error("{name}, line {line}: {reason}: {text:?}: {advice}")]
    BadLine {
        /// The file.
        name: String,
        /// Its number, from 1.
        line: u64,
        /// The fault.
        reason: &'static str,
        /// The line's beginning.
        text: String,
        /// The way out.
        advice: &'static str,
    },
    /// Not one request.
    #[error("{name}: no request in it")]
    Empty {
        /// The file.
        name: String,
    },
}

/// All requests of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// In the order of the file.
    pub requests: Vec<Request>,
    /// Lines left out because they could not be understood.
    pub skipped_lines: u64,
}

/// How a file is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// `.gz`
    Gzip,
    /// `.xz`
    Xz,
    /// `.zst`
    Zstandard,
}

impl Packing {
    /// As the file's name says.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gzip,
            Some("xz") => Self::Xz,
            Some("zst") => Self::Zstandard,
            _ => Self::Plain,
        }
    }

    /// The text in `packed`. Damage shows as an error of a read.
    pub fn unpack<'a>(self, packed: impl BufRead + 'a) -> Box<dyn BufRead + 'a> {
        match self {
            Self::Plain => Box::new(packed),
            Self::Gzip => Box::new(BufReader::new(MultiGzDecoder::new(packed))),
            Self::Xz => Box::new(BufReader::new(XzReader::new_mem_limit(packed, true, MOST_UNPACKING_KIB))),
            Self::Zstandard => Box::new(BufReader::new(zstandard::Unpacked::new(packed))),
        }
    }
}

/// A longer line ends the reading of any file: it is no text, and a packed file of a few kilobytes may unpack to gigabytes without
/// an end of line.
const MOST_LINE_BYTES: u64 = 64 << 10;

/// `xz -9` needs 65 MiB. A file that asks for more is damaged, or made to use up memory.
const MOST_UNPACKING_KIB: u32 = 192 << 10;

/// Reads a file; `.gz`, `.xz` and `.zst` are unpacked.
///
/// # Errors
/// See [`TraceError`].
pub fn read_file(path: &Path, format: Format, bad_lines: BadLines) -> Result<Trace, TraceError> {
    read(&path.display().to_string(), open(path)?, format, bad_lines)
}

/// Opens a file and unpacks it as its name says.
fn open(path: &Path) -> Result<Box<dyn BufRead>, TraceError> {
    let failed = |source| TraceError::Io { name: path.display().to_string(), source };
    let file = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
    Ok(Packing::of(path).unpack(file))
}

/// Reads a trace that is called `name` in errors.
///
/// # Errors
/// See [`TraceError`].
pub fn read(name: &str, input: impl BufRead, format: Format, bad_lines: BadLines) -> Result<Trace, TraceError> {
    let mut trace = Trace { requests: Vec::new(), skipped_lines: 0 };
    for_each_line(name, input, "choose another format, or skip bad lines", |text, line| {
        match (format.parse(text, line), bad_lines) {
            (Ok(request), _) => trace.requests.extend(request),
            (Err(_), BadLines::Skip) => trace.skipped_lines += 1,
            (Err(reason), BadLines::Refuse) => return Err(reason),
        }
        Ok(())
    })?;
    if trace.requests.is_empty() { Err(TraceError::Empty { name: name.to_owned() }) } else { Ok(trace) }
}

/// Calls `take` with each line of a file that is unpacked as its name says, and the line's number.
///
/// # Errors
/// See [`TraceError`]; what `take` finds wrong is a [`TraceError::BadLine`] with that advice.
pub(crate) fn read_lines(
    path: &Path,
    advice: &'static str,
    take: impl FnMut(&str, u64) -> Result<(), &'static str>,
) -> Result<(), TraceError> {
    for_each_line(&path.display().to_string(), open(path)?, advice, take)
}

fn for_each_line(
    name: &str,
    mut input: impl BufRead,
    advice: &'static str,
    mut take: impl FnMut(&str, u64) -> Result<(), &'static str>,
) -> Result<(), TraceError> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = input.by_ref().take(MOST_LINE_BYTES + 1).read_until(b'\n', &mut bytes);
        let count = read.map_err(|source| TraceError::Io { name: name.to_owned(), source })?;
        if count == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end();
        let taken = if count as u64 > MOST_LINE_BYTES { Err("no end within 64 KiB") } else { take(text, line) };
        taken.map_err(|reason| TraceError::BadLine {
            name: name.to_owned(),
            line,
            reason,
            text: text.chars().take(80).collect(),
            advice,
        })?;
    }
    Ok(())
}
