//! The wear of a device, and its expected life.

use crate::{BANKS, Cell, RANKS, WearLevelling};

/// Writes of 4 KiB that wear a stripe as much as writing all of it.
const STRIPE_WRITES: u64 = crate::STRIPE_BYTES / 4096;

/// Blocks of 4 KiB written per stripe of a device: those that were asked for, and those that moves wrote.
pub struct Wear {
    asked: Vec<u64>,
    moved: Vec<u64>,
    moves: u64,
}

impl Default for Wear {
    fn default() -> Self {
        Self { asked: vec![0; Cell::COUNT], moved: vec![0; Cell::COUNT], moves: 0 }
    }
}

impl Wear {
    /// A new device.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes one block of logical stripe `stripe`, and the whole stripe that the rotation moves because of it; gives the cell of
    /// the former.
    pub fn write(&mut self, scheme: &mut impl WearLevelling, stripe: u32) -> Cell {
        let cell = scheme.place(stripe);
        self.asked[cell.index()] += 1;
        if let Some(moved_to) = scheme.written(stripe) {
            self.moved[moved_to.index()] += STRIPE_WRITES;
            self.moves += 1;
        }
        cell
    }

    /// Blocks written to the cell.
    pub fn count(&self, cell: Cell) -> u64 {
        self.asked[cell.index()] + self.moved[cell.index()]
    }

    /// Stripes that the rotations moved: writes that nobody asked for.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Blocks written per bank, all ranks' banks in a row.
    pub fn banks(&self) -> Vec<u64> {
        of_banks(&self.asked).zip(of_banks(&self.moved)).map(|(asked, moved)| asked + moved).collect()
    }

    /// The life ratio of banks: the paper's.
    pub fn bank_life_ratio(&self) -> f64 {
        life_ratio(&self.banks())
    }

    /// The same as if a move wrote nothing. The paper does not say which of the two it counts.
    pub fn bank_life_ratio_without_moves(&self) -> f64 {
        life_ratio(&of_banks(&self.asked).collect::<Vec<_>>())
    }

    /// The life ratio of stripes: the first stripe to wear out ends the device. Own: the paper looks at banks only, which
    /// hides a stripe that is written much more often than the others of its bank.
    pub fn stripe_life_ratio(&self) -> f64 {
        let counts: Vec<_> = self.asked.iter().zip(&self.moved).map(|(asked, moved)| asked + moved).collect();
        life_ratio(&counts)
    }
}

fn of_banks(counts: &[u64]) -> impl Iterator<Item = u64> {
    counts.chunks(Cell::COUNT / (RANKS * BANKS) as usize).map(|bank| bank.iter().sum())
}

/// Achieved life over the greatest possible, 0 to 1: mean count over highest count; 1 without a write.
///
/// r = 1 / (d / m + 1), d: greatest deviation above the mean m. Source: Auburn §3.3.2.
pub fn life_ratio(counts: &[u64]) -> f64 {
    let highest = counts.iter().copied().max().unwrap_or(0);
    if highest == 0 {
        return 1.0;
    }
    let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    1.0 / ((highest as f64 - mean) / mean + 1.0)
}

/// Row buffers: one open stripe per bank. How often an access finds its stripe open tells what a scheme does to locality.
pub struct RowBuffers {
    open: Vec<Option<u32>>,
    hits: u64,
    accesses: u64,
}

impl Default for RowBuffers {
    fn default() -> Self {
        Self { open: vec![None; (RANKS * BANKS) as usize], hits: 0, accesses: 0 }
    }
}

impl RowBuffers {
    /// All closed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads or writes `cell`; true when its stripe was open.
    pub fn access(&mut self, cell: Cell) -> bool {
        let open = &mut self.open[cell.bank_index() as usize];
        let hit = open.replace(cell.stripe) == Some(cell.stripe);
        self.accesses += 1;
        self.hits += u64::from(hit);
        hit
    }

    /// Share of accesses that found their stripe open, 0 to 1; 0 without an access.
    pub fn hit_ratio(&self) -> f64 {
        if self.accesses == 0 { 0.0 } else { self.hits as f64 / self.accesses as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed: Auburn, Table 3.4: greatest deviation, mean count, life ratio, for SFC, RR and SG on each of seven traces. Three
    /// of the printed ratios carry three digits only, hence the tolerance.
    #[test]
    fn the_formula_gives_the_papers_ratios_from_the_papers_counts() {
        let printed: [(f64, f64, f64); 21] = [
            (113_921., 1_799_300., 0.9405),
            (5_094_200., 1_799_300., 0.261),
            (44_559_020., 1_799_300., 0.0388),
            (38_507., 202_822., 0.8404),
            (195_648., 202_822., 0.509),
            (7_510_848., 202_822., 0.0263),
            (90_802., 285_233., 0.7585),
            (1_820_127., 285_233., 0.1355),
            (13_999_887., 285_233., 0.02),
            (193_633., 5_765_866., 0.9675),
            (9_699_420., 5_765_866., 0.3728),
            (1.87e8, 5_765_866., 0.0299),
            (3_148., 1_665_767., 0.9981),
            (56_823., 1_665_767., 0.967),
            (13_154_423., 1_665_767., 0.1124),
            (32_278., 2_678_274., 0.9881),
            (1_320_622., 2_678_274., 0.6698),
            (37_488_462., 2_678_274., 0.0667),
            (12_762., 871_481., 0.9856),
            (23_859., 871_481., 0.9734),
            (6_135_289., 871_481., 0.1244),
        ];
        for (deviation, mean, ratio) in printed {
            // One of a thousand banks has the greatest count, the others share the rest.
            let mut counts = vec![(mean - deviation / 999.0) as u64; 1000];
            counts[0] = (mean + deviation) as u64;
            let ours = life_ratio(&counts);
            assert!((ours - ratio).abs() < 0.002, "{deviation} over {mean}: {ours:.4}, printed {ratio}");
        }
    }

    #[test]
    fn all_writes_to_one_of_a_hundred_leave_a_hundredth_of_the_life() {
        let mut counts = vec![0; 100];
        counts[7] = 5_000;
        assert!((life_ratio(&counts) - 0.01).abs() < 1e-12);
        assert!((life_ratio(&[3; 100]) - 1.0).abs() < 1e-12);
        assert!((life_ratio(&[0; 100]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_open_stripe_is_hit_until_another_of_its_bank_is_opened() {
        let mut rows = RowBuffers::new();
        let cell = |bank, stripe| Cell { rank: 0, bank, stripe };
        let hits =
            [(0, 1), (0, 1), (1, 1), (0, 1), (0, 2), (0, 1)].map(|(bank, stripe)| rows.access(cell(bank, stripe)));
        assert_eq!(hits, [false, true, false, true, false, false]);
        assert!((rows.hit_ratio() - 2.0 / 6.0).abs() < 1e-12);
    }
}
