//! The file of our numbers: what `tierwise reproduce` puts beside the printed ones.

use super::Key;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use thiserror::Error;

/// A file of the reproduction cannot be read or written.
#[derive(Debug, Error)]
#[error("{file}: {reason}")]
pub struct FileError {
    /// The file.
    pub file: String,
    /// The fault.
    pub reason: String,
}

fn wrong(file: &Path, reason: impl Display) -> FileError {
    FileError { file: file.display().to_string(), reason: reason.to_string() }
}

/// The numbers of a file.
///
/// # Errors
/// It cannot be read, or holds something else.
pub fn read_numbers(file: &Path) -> Result<BTreeMap<Key, f64>, FileError> {
    let mut reader = csv::Reader::from_path(file).map_err(|error| wrong(file, error))?;
    let mut numbers = BTreeMap::new();
    for line in reader.records() {
        let line = line.map_err(|error| wrong(file, error))?;
        let [figure, case, metric, value] = [0, 1, 2, 3].map(|index| line.get(index).unwrap_or(""));
        let value = value.parse().map_err(|_| wrong(file, format!("{value} is no number")))?;
        numbers.insert(Key::new(figure, case, metric), value);
    }
    Ok(numbers)
}

/// Writes numbers, in the order of their names.
///
/// # Errors
/// The file cannot be written.
pub fn write_numbers(file: &Path, numbers: &BTreeMap<Key, f64>) -> Result<(), FileError> {
    let mut writer = csv::Writer::from_path(file).map_err(|error| wrong(file, error))?;
    let mut write = |cells: [&str; 4]| writer.write_record(cells).map_err(|error| wrong(file, error));
    write(["figure", "case", "metric", "value"])?;
    for (Key { figure, case, metric }, value) in numbers {
        write([figure, case, metric, &six_digits(*value)])?;
    }
    writer.flush().map_err(|error| wrong(file, error))
}

/// Six digits: what committed files keep.
pub fn six_digits(value: f64) -> String {
    let digits = if value == 0.0 { 5.0 } else { 5.0 - value.abs().log10().floor() };
    format!("{value:.*}", digits.clamp(0.0, 12.0) as usize)
}

/// For a table.
pub fn four_digits(value: f64) -> String {
    let digits = if value == 0.0 { 0.0 } else { 3.0 - value.abs().log10().floor() };
    format!("{value:.*}", digits.clamp(0.0, 4.0) as usize)
}
