//! Three ways to spread stripes over ranks, banks and stripes of a bank.

use crate::{BANKS, CUBES, Cell, DEVICE_STRIPES, RANKS, STRIPES, StartGap, Step, curve_point};

/// Maps logical stripes to cells, and changes the map as they are written.
///
/// At every moment two different logical stripes are in two different cells.
pub trait WearLevelling {
    /// The published name.
    fn name(&self) -> &'static str;

    /// Where logical stripe `stripe` (below [`DEVICE_STRIPES`]) is now.
    fn place(&self, stripe: u32) -> Cell;

    /// Counts a write to logical stripe `stripe`. When the rotation moves a stripe, gives the cell that is written by that.
    fn written(&mut self, stripe: u32) -> Option<Cell>;
}

/// A scheme that counts several writes for each block: what it calls a write is smaller than a block.
pub struct SmallWrites<W> {
    scheme: W,
    per_block: u32,
}

impl<W> SmallWrites<W> {
    /// `scheme`, told of `per_block` writes for each block; at most one of them may be due for a move.
    pub const fn new(scheme: W, per_block: u32) -> Self {
        Self { scheme, per_block }
    }
}

impl<W: WearLevelling> WearLevelling for SmallWrites<W> {
    fn name(&self) -> &'static str {
        self.scheme.name()
    }

    fn place(&self, stripe: u32) -> Cell {
        self.scheme.place(stripe)
    }

    fn written(&mut self, stripe: u32) -> Option<Cell> {
        let mut moved_to = None;
        for _ in 0..self.per_block {
            let moved = self.scheme.written(stripe);
            debug_assert!(moved.is_none() || moved_to.is_none(), "two moves for one block");
            moved_to = moved.or(moved_to);
        }
        moved_to
    }
}

/// SG: contiguous regions of 512 stripes, one bank each, with a rotation in each.
///
/// Source: Auburn §3.3.2 ("non-randomized region-based start-gap").
pub struct Regions {
    rotations: Vec<StartGap>,
}

impl Regions {
    /// A device that moves a stripe of a region every `interval` writes to it.
    pub fn new(interval: u32) -> Self {
        Self { rotations: vec![StartGap::new(STRIPES, interval); (RANKS * BANKS) as usize] }
    }
}

/// The cell of line `line` of the rotation of bank number `bank`.
fn in_bank(bank: u32, line: u32) -> Cell {
    Cell { rank: bank / BANKS, bank: bank % BANKS, stripe: line }
}

impl WearLevelling for Regions {
    fn name(&self) -> &'static str {
        "SG"
    }

    fn place(&self, stripe: u32) -> Cell {
        let bank = stripe / STRIPES;
        in_bank(bank, self.rotations[bank as usize].place(stripe % STRIPES))
    }

    fn written(&mut self, stripe: u32) -> Option<Cell> {
        let bank = stripe / STRIPES;
        self.rotations[bank as usize].written().map(|Step { to, .. }| in_bank(bank, to))
    }
}

/// RR: neighbouring stripes go to different ranks, then to different banks; a rotation in each bank.
///
/// rank = l mod `N_ranks`, bank = floor(l / `N_ranks`) mod `N_banks`, offset = floor(l / (`N_ranks` `N_banks`)); l: logical stripe.
/// Source: Auburn, Eq. 3.1. Deviation: the printed `Bank = LSN mod N_banks` with `Rank = LSN mod N_ranks` uses only 16 of the 128
/// banks, and the printed offset leaves the bank; the prose (first over ranks, then over the banks of a rank) means this.
pub struct RoundRobin {
    rotations: Vec<StartGap>,
}

impl RoundRobin {
    /// A device that moves a stripe of a bank every `interval` writes to it.
    pub fn new(interval: u32) -> Self {
        Self { rotations: vec![StartGap::new(STRIPES, interval); (RANKS * BANKS) as usize] }
    }

    fn bank_of(stripe: u32) -> u32 {
        let (rank, bank) = (stripe % RANKS, stripe / RANKS % BANKS);
        rank * BANKS + bank
    }
}

impl WearLevelling for RoundRobin {
    fn name(&self) -> &'static str {
        "RR"
    }

    fn place(&self, stripe: u32) -> Cell {
        let bank = Self::bank_of(stripe);
        in_bank(bank, self.rotations[bank as usize].place(stripe / (RANKS * BANKS)))
    }

    fn written(&mut self, stripe: u32) -> Option<Cell> {
        let bank = Self::bank_of(stripe);
        self.rotations[bank as usize].written().map(|Step { to, .. }| in_bank(bank, to))
    }
}

/// SFC: neighbouring stripes go to different cubes; in each cube a rotation moves them along a space filling curve through all
/// ranks and banks.
///
/// cube = l mod `N_cubes`, offset = floor(l / `N_cubes`), (rank, bank, stripe) = curve(rotation(offset)).
/// How it does depends on what is hot. One stripe is carried through all banks in time, which neither of the others can do; a hot
/// area of neighbouring stripes fares worse than with [`RoundRobin`], because neighbours on the curve share banks.
/// Source: Auburn, Eq. 3.2. Own: each cube's spare stripe is an additional one, in a bank of its own.
pub struct CurveCubes {
    rotations: Vec<StartGap>,
    curve: Vec<crate::Point>,
}

/// Stripes of a cube.
const CUBE_STRIPES: u32 = DEVICE_STRIPES / CUBES;

impl CurveCubes {
    /// A device that moves a stripe of a cube every `interval` writes to it.
    pub fn new(interval: u32) -> Self {
        Self {
            rotations: vec![StartGap::new(CUBE_STRIPES, interval); CUBES as usize],
            curve: (0..CUBE_STRIPES).map(curve_point).collect(),
        }
    }

    fn in_cube(&self, cube: u32, line: u32) -> Cell {
        match self.curve.get(line as usize) {
            Some(point) => Cell { rank: point.rank, bank: point.bank, stripe: cube * (STRIPES / CUBES) + point.stripe },
            None => Cell { rank: cube % RANKS, bank: cube / RANKS, stripe: STRIPES },
        }
    }
}

impl WearLevelling for CurveCubes {
    fn name(&self) -> &'static str {
        "SFC"
    }

    fn place(&self, stripe: u32) -> Cell {
        let cube = stripe % CUBES;
        self.in_cube(cube, self.rotations[cube as usize].place(stripe / CUBES))
    }

    fn written(&mut self, stripe: u32) -> Option<Cell> {
        let cube = stripe % CUBES;
        let step = self.rotations[cube as usize].written()?;
        Some(self.in_cube(cube, step.to))
    }
}
