//! Trace files: five formats, plain, gzip, xz or Zstandard.
//!
//! A line that cannot be understood is an error with its number, or skipped and counted when asked for. Not here: what is
//! done with the requests.

mod line;

pub use line::Format;

use crate::request::Request;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use thiserror::Error;

/// What to do with a line that cannot be understood.
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
    #[error("{name}, line {line}: {reason}: {text:?}: choose another format, or skip bad lines")]
    BadLine {
        /// The file.
        name: String,
        /// Its number, from 1.
        line: u64,
        /// What is wrong.
        reason: &'static str,
        /// The line's beginning.
        text: String,
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

/// Reads a file; `.gz`, `.xz` and `.zst` are unpacked.
///
/// # Errors
/// See [`TraceError`].
pub fn read_file(path: &Path, format: Format, bad_lines: BadLines) -> Result<Trace, TraceError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| TraceError::Io { name: name.clone(), source })?;
    let file = BufReader::with_capacity(1 << 16, file);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => read(&name, BufReader::new(MultiGzDecoder::new(file)), format, bad_lines),
        Some("xz") => read(&name, BufReader::new(XzReader::new(file, true)), format, bad_lines),
        Some("zst") => match StreamingDecoder::new(file) {
            Ok(unpacked) => read(&name, BufReader::new(unpacked), format, bad_lines),
            Err(error) => Err(TraceError::Io { name, source: io::Error::new(io::ErrorKind::InvalidData, error) }),
        },
        _ => read(&name, file, format, bad_lines),
    }
}

/// Reads a trace that is called `name` in errors.
///
/// # Errors
/// See [`TraceError`].
pub fn read(name: &str, input: impl BufRead, format: Format, bad_lines: BadLines) -> Result<Trace, TraceError> {
    let mut trace = Trace { requests: Vec::new(), skipped_lines: 0 };
    for (line, text) in (1..).zip(input.split(b'\n')) {
        let text = text.map_err(|source| TraceError::Io { name: name.to_owned(), source })?;
        let text = String::from_utf8_lossy(&text);
        match format.parse(text.trim_end(), line) {
            Ok(Some(request)) => trace.requests.push(request),
            Ok(None) => {}
            Err(_) if bad_lines == BadLines::Skip => trace.skipped_lines += 1,
            Err(reason) => {
                let text = text.trim_end().chars().take(80).collect();
                return Err(TraceError::BadLine { name: name.to_owned(), line, reason, text });
            }
        }
    }
    if trace.requests.is_empty() { Err(TraceError::Empty { name: name.to_owned() }) } else { Ok(trace) }
}
