//! The paper's numbers beside ours: runs the experiments, compares, writes `ours.csv`, the page of results and the plots.
//!
//! [`files`] reads and writes; [`experiments`] computes one number for each printed one; [`plots`] draws. A number that does not
//! reproduce is a result: it stays, with its cause. Not here: the models.
//!
//! Source: Auburn §3.3.

pub mod experiments;
pub mod files;
pub mod plots;
pub mod sensitivity;

use std::collections::BTreeMap;

/// Names a printed number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// Figure, table or section.
    pub figure: String,
    /// Names the case.
    pub case: String,
    /// The measured quantity.
    pub metric: String,
}

impl Key {
    /// A key of three texts.
    pub fn new(figure: &str, case: &str, metric: &str) -> Self {
        Self { figure: figure.to_owned(), case: case.to_owned(), metric: metric.to_owned() }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}, {}", self.figure, self.case, self.metric)
    }
}

/// A printed number, ours, and what comes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Names the number.
    pub key: Key,
    /// As printed: a number, or `<= number`.
    pub printed: String,
    /// Its unit.
    pub unit: String,
    /// How near is near enough, as text.
    pub tolerance: String,
    /// Ours; nothing when it was not run.
    pub ours: Option<f64>,
    /// True when ours is within the tolerance.
    pub reproduces: bool,
    /// True when a parameter was chosen so that this number comes out.
    pub calibrated: bool,
    /// Why it does not reproduce.
    pub cause: String,
}

/// How near is near enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// Share of the printed number.
    Relative(f64),
    /// In its unit.
    Absolute(f64),
}

impl Tolerance {
    /// As it stands in a table.
    pub fn text(self) -> String {
        match self {
            Self::Relative(share) => format!("±{}%", share * 100.0),
            Self::Absolute(distance) => format!("±{distance}"),
        }
    }

    /// True when `ours` is near enough to a printed number.
    pub fn accepts(self, printed: &str, ours: f64) -> bool {
        let bound = printed.strip_prefix("<=");
        let Ok(number) = bound.unwrap_or(printed).trim().parse::<f64>() else { return false };
        let distance = match self {
            Self::Relative(share) => number.abs() * share,
            Self::Absolute(distance) => distance,
        };
        if bound.is_some() { ours <= number + distance } else { (ours - number).abs() <= distance }
    }
}

/// Puts numbers beside the printed ones.
pub fn compare(inputs: &files::Inputs, ours: &BTreeMap<Key, f64>) -> Vec<Comparison> {
    inputs
        .expected
        .iter()
        .map(|row| {
            let value = ours.get(&row.key).copied();
            let tolerance = inputs.tolerances.get(&row.key).copied().unwrap_or(Tolerance::Absolute(0.0));
            let reproduces = value.is_some_and(|value| tolerance.accepts(&row.printed, value));
            Comparison {
                key: row.key.clone(),
                printed: row.printed.clone(),
                unit: row.unit.clone(),
                tolerance: tolerance.text(),
                ours: value,
                reproduces,
                calibrated: inputs.is_calibrated(&row.key),
                cause: inputs.cause(&row.key),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_share_or_a_distance_and_bounds_are_one_sided() {
        assert!(Tolerance::Relative(0.1).accepts("50", 54.9) && !Tolerance::Relative(0.1).accepts("50", 55.1));
        assert!(Tolerance::Absolute(2.0).accepts("-2", -3.9) && !Tolerance::Absolute(2.0).accepts("-2", 0.1));
        assert!(Tolerance::Absolute(0.5).accepts("<= 1", -100.0) && !Tolerance::Absolute(0.5).accepts("<= 1", 1.6));
    }
}
