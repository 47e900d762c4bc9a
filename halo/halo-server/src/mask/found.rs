//! What a disk with a record holds, and what of it somebody else put there.

use super::places::{Form, change, make_plain};
use super::record::Stage;
use super::signature::signature;
use std::collections::BTreeSet;

pub(super) struct Found {
    /// What is behind the mask; of foreign units, what is on the disk.
    pub(super) plain: [Vec<u8>; 2],
    /// Numbers of units that are not what the record says.
    foreign: BTreeSet<usize>,
    /// What a masked disk shows all the same.
    pub(super) shown: Option<&'static str>,
}

impl Found {
    /// `bytes` are those of the disk.
    pub(super) fn of(form: &Form, stage: &Stage, mut bytes: [Vec<u8>; 2]) -> Self {
        let shown = match stage {
            Stage::Masked { .. } => signature(&bytes[0]),
            // It may still show what is its own.
            Stage::Changing { .. } => None,
        };
        let units = bytes.iter_mut().flat_map(|bytes| bytes.chunks_mut(form.unit_bytes));
        let places = form.offsets().zip(units).enumerate();
        let foreign = places.filter_map(|(number, (at, unit))| (!is_own(stage, number, at, unit)).then_some(number));
        let foreign = foreign.collect();
        Self { plain: bytes, foreign, shown }
    }

    /// What was put on the disk without regard to the mask.
    pub(super) fn text(&self, form: &Form) -> Option<String> {
        if let Some(name) = self.shown {
            return Some(name.into());
        }
        let first = form.offsets().enumerate().find(|(unit, _)| self.foreign.contains(unit));
        first.map(|(_, at)| format!("data in {} blocks, the first at byte {at}", self.foreign.len()))
    }
}

/// Makes a unit plain; false when it is not what the record says, and stays as it is.
fn is_own(stage: &Stage, number: usize, at: u64, unit: &mut [u8]) -> bool {
    match stage {
        Stage::Changing { checksums, .. } => checksums.get(number).is_some_and(|&sum| make_plain(at, unit, sum)),
        Stage::Masked { checksums, written_to } => {
            change(at, unit);
            // Version 1 has no checksums.
            let says_nothing = written_to.contains(&number) || checksums.is_empty();
            let is_own = says_nothing || checksums.get(number) == Some(&crc32c::crc32c(unit));
            if !is_own {
                change(at, unit);
            }
            is_own
        }
    }
}
