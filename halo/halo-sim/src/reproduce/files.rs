//! The files of a reproduction: printed numbers, tolerances and causes in; ours and the page out.

use super::{Comparison, Key, Tolerance};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fmt::Write as _;
use std::fs;
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

/// A row of `expected.csv`.
#[derive(Clone, PartialEq, Debug)]
pub struct Expected {
    /// Names the number.
    pub key: Key,
    /// As printed.
    pub printed: String,
    /// Its unit.
    pub unit: String,
}

/// The files in a reproduction's folder, read.
#[derive(Clone, PartialEq, Debug)]
pub struct Inputs {
    /// The printed numbers.
    pub expected: Vec<Expected>,
    /// How near is near enough.
    pub tolerances: BTreeMap<Key, Tolerance>,
    remarks: Vec<Remark>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedLine {
    figure: String,
    case: String,
    metric: String,
    value: String,
    unit: String,
    #[serde(rename = "where")]
    _place: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToleranceGroup {
    relative: Option<f64>,
    absolute: Option<f64>,
    #[serde(rename = "reason")]
    _reason: String,
    rows: Vec<RowName>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowName {
    figure: String,
    case: String,
    metric: String,
}

/// The remark on rows: the first entry that a row's names begin with.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Remark {
    figure: String,
    #[serde(default)]
    case: String,
    #[serde(default)]
    metric: String,
    #[serde(default)]
    cause: String,
    /// A parameter was chosen so that this number comes out.
    #[serde(default)]
    calibrated: bool,
}

impl Inputs {
    /// Reads `expected.csv`, `tolerance.yaml` and `causes.yaml`.
    ///
    /// # Errors
    /// A file is missing or not in its form, or a printed number has no tolerance.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let file = folder.join("expected.csv");
        let expected: Vec<Expected> = csv::Reader::from_path(&file)
            .map_err(|error| wrong(&file, error))?
            .into_deserialize()
            .map(|line: Result<ExpectedLine, _>| {
                let line = line.map_err(|error| wrong(&file, error))?;
                let key = Key::new(&line.figure, &line.case, &line.metric);
                Ok(Expected { key, printed: line.value, unit: line.unit })
            })
            .collect::<Result<_, FileError>>()?;
        let file = folder.join("tolerance.yaml");
        let groups: Vec<ToleranceGroup> = yaml(&file)?;
        let mut tolerances = BTreeMap::new();
        for group in groups {
            let tolerance = match (group.relative, group.absolute) {
                (Some(share), None) => Tolerance::Relative(share),
                (None, Some(distance)) => Tolerance::Absolute(distance),
                _ => return Err(wrong(&file, "a group needs either relative or absolute")),
            };
            let keys = group.rows.iter().map(|row| Key::new(&row.figure, &row.case, &row.metric));
            tolerances.extend(keys.map(|key| (key, tolerance)));
        }
        if let Some(row) = expected.iter().find(|row| !tolerances.contains_key(&row.key)) {
            return Err(wrong(&file, format!("no tolerance for {}", row.key)));
        }
        Ok(Self { expected, tolerances, remarks: yaml(&folder.join("causes.yaml"))? })
    }

    /// Why a row does not reproduce; empty when nothing is known.
    pub fn cause(&self, key: &Key) -> String {
        self.about(key).map_or_else(String::new, |remark| remark.cause.trim().to_owned())
    }

    /// True when a parameter was chosen so that this number comes out.
    pub fn is_calibrated(&self, key: &Key) -> bool {
        self.about(key).is_some_and(|remark| remark.calibrated)
    }

    fn about(&self, key: &Key) -> Option<&Remark> {
        let fits = |remark: &&Remark| {
            remark.figure == key.figure && key.case.starts_with(&remark.case) && key.metric.starts_with(&remark.metric)
        };
        self.remarks.iter().find(fits)
    }
}

fn yaml<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, FileError> {
    let text = fs::read_to_string(file).map_err(|error| wrong(file, error))?;
    serde_saphyr::from_str(&text).map_err(|error| wrong(file, error))
}

/// The numbers of an `ours.csv`.
///
/// # Errors
/// The file cannot be read.
pub fn read_ours(folder: &Path) -> Result<BTreeMap<Key, f64>, FileError> {
    let file = folder.join("ours.csv");
    let mut reader = csv::Reader::from_path(&file).map_err(|error| wrong(&file, error))?;
    let mut ours = BTreeMap::new();
    for line in reader.records() {
        let line = line.map_err(|error| wrong(&file, error))?;
        let [figure, case, metric, value] = [0, 1, 2, 3].map(|index| line.get(index).unwrap_or(""));
        if !value.is_empty() {
            let value = value.parse().map_err(|_| wrong(&file, format!("{value} is no number")))?;
            ours.insert(Key::new(figure, case, metric), value);
        }
    }
    Ok(ours)
}

/// Six digits: what `ours.csv` keeps.
pub fn six_digits(value: f64) -> String {
    let digits = if value == 0.0 { 5.0 } else { 5.0 - value.abs().log10().floor() };
    format!("{value:.*}", digits.clamp(0.0, 12.0) as usize)
}

/// Writes `ours.csv`.
///
/// # Errors
/// The file cannot be written.
pub fn write_ours(folder: &Path, comparisons: &[Comparison]) -> Result<(), FileError> {
    let file = folder.join("ours.csv");
    let mut writer = csv::Writer::from_path(&file).map_err(|error| wrong(&file, error))?;
    let header = ["figure", "case", "metric", "value", "half_width_95", "seeds", "unit", "verdict"];
    let mut write = |cells: [&str; 8]| writer.write_record(cells).map_err(|error| wrong(&file, error));
    write(header)?;
    for each in comparisons {
        let value = each.ours.map(six_digits).unwrap_or_default();
        let Key { figure, case, metric } = &each.key;
        write([figure, case, metric, &value, "", "1", &each.unit, verdict(each)])?;
    }
    writer.flush().map_err(|error| wrong(&file, error))
}

/// The verdict on a number, in a word.
pub fn verdict(comparison: &Comparison) -> &'static str {
    match comparison {
        Comparison { ours: None, .. } => "not run",
        Comparison { calibrated: true, .. } => "calibrated",
        Comparison { reproduces: true, .. } => "reproduces",
        _ => "does not reproduce",
    }
}

/// How many of the printed numbers reproduce, as a sentence. What was calibrated counts apart.
pub fn summary(comparisons: &[Comparison]) -> String {
    let calibrated = comparisons.iter().filter(|each| each.calibrated).count();
    let reproduce = comparisons.iter().filter(|each| each.reproduces && !each.calibrated).count();
    let others = comparisons.len() - calibrated;
    format!("{reproduce} of {others} printed numbers reproduce, {calibrated} more were used for calibration.")
}

/// The table of all comparisons in Markdown, and the causes of what does not reproduce.
pub fn markdown(comparisons: &[Comparison]) -> String {
    let mut text = format!("\n## halo\n\n{}\n\n", summary(comparisons));
    text += "| figure | case | metric | unit | paper | ours | tolerance | verdict |\n|---|---|---|---|---:|---:|---:|---|\n";
    for each in comparisons {
        let Key { figure, case, metric } = &each.key;
        let ours = each.ours.map_or_else(|| "-".to_owned(), four_digits);
        let verdict = match verdict(each) {
            miss @ "does not reproduce" => format!("**{miss}**"),
            other => other.to_owned(),
        };
        let row = [figure, case, metric, &each.unit, &each.printed, &ours, &each.tolerance, &verdict];
        let _ = writeln!(text, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    let misses = comparisons.iter().filter(|each| verdict(each) == "does not reproduce" && !each.cause.is_empty());
    let mut causes = String::new();
    for each in misses {
        let _ = writeln!(causes, "- {}: {}", each.key, each.cause);
    }
    if causes.is_empty() { text + "\n" } else { text + "\nWhy a number does not reproduce:\n\n" + &causes }
}

/// For a table.
pub fn four_digits(value: f64) -> String {
    let digits = if value == 0.0 { 0.0 } else { 3.0 - value.abs().log10().floor() };
    format!("{value:.*}", digits.clamp(0.0, 4.0) as usize)
}

/// Replaces this paper's part of the page, between its markers; appends it when the page has none.
///
/// # Errors
/// The page cannot be read or written.
pub fn write_page(page: &Path, comparisons: &[Comparison]) -> Result<(), FileError> {
    const BEGIN: &str = "<!-- halo: written by `make reproduce`, do not edit -->";
    const END: &str = "<!-- end of halo -->";
    let text = fs::read_to_string(page).map_err(|error| wrong(page, error))?;
    let part = format!("{BEGIN}\n{}{END}", markdown(comparisons));
    let written = match (text.find(BEGIN), text.find(END)) {
        (Some(from), Some(to)) if from < to => format!("{}{part}{}", &text[..from], &text[to + END.len()..]),
        _ => format!("{text}\n{part}\n"),
    };
    fs::write(page, written).map_err(|error| wrong(page, error))
}
