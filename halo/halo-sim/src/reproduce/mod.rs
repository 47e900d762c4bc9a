//! Our numbers for the paper's: runs the experiments, writes `numbers.csv` and the plots.
//!
//! [`experiments`] computes one number for each printed one; [`files`] reads and writes them; [`plots`] draws. Not here: the models, and
//! the comparison, which `tierwise reproduce` makes for all papers.
//!
//! Source: Auburn §3.3.

pub mod experiments;
pub mod files;
pub mod plots;
pub mod sensitivity;

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
