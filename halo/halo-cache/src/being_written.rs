//! Blocks and slots that writes are filling.

use halo_core::Lbn;
use std::ops::Range;

/// Blocks between the beginning and the end of their write. There are as many runs of them as requests under way, seldom more than
/// a few: looking at each is faster than a table.
#[derive(Default)]
pub(crate) struct BeingWritten {
    runs: Vec<Range<Lbn>>,
    slots: u64,
}

impl BeingWritten {
    /// No other write of these blocks begins.
    pub(crate) fn begin(&mut self, run: Range<Lbn>) {
        self.runs.push(run);
    }

    pub(crate) fn end(&mut self, run: &Range<Lbn>) {
        if let Some(number) = self.runs.iter().position(|begun| begun == run) {
            self.runs.swap_remove(number);
        }
    }

    pub(crate) fn has(&self, lbn: Lbn) -> bool {
        self.runs.iter().any(|run| run.contains(&lbn))
    }

    /// Slots are neither free nor in use until they are filled.
    pub(crate) fn begin_slots(&mut self, count: usize) {
        self.slots += count as u64;
    }

    pub(crate) fn end_slots(&mut self, count: usize) {
        self.slots -= count as u64;
    }

    pub(crate) fn slots(&self) -> u64 {
        self.slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_being_written_until_its_own_run_has_ended() {
        let mut written = BeingWritten::default();
        let (one, other) = (Lbn(3)..Lbn(5), Lbn(5)..Lbn(6));
        written.begin(one.clone());
        written.begin(other.clone());
        let has = |written: &BeingWritten| (2..7).map(|block| written.has(Lbn(block))).collect::<Vec<_>>();
        assert_eq!(has(&written), [false, true, true, true, false]);
        written.end(&one);
        assert_eq!(has(&written), [false, false, false, true, false]);
        written.end(&one);
        written.end(&other);
        assert_eq!(has(&written), [false; 5]);
    }
}
