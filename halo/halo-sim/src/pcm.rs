//! The cache device: phase change memory in ranks and banks, each bank with a row buffer.

use crate::request::Kind;
use halo_core::Slot;
use halo_core::address::BLOCK_BYTES;
use halo_wear::{BANKS, DEVICE_STRIPES, RANKS, RowBuffers, STRIPE_BYTES, Wear, WearLevelling};

/// Time of one access.
///
/// An access that finds its row open takes the column and the bursts; one that does not reads the row from the array first, and
/// before that writes the open row back when it was written. Own: a row is one stripe, 4 KiB in each of the 8 devices of a rank.
/// Source: Lee, Ipek, Mutlu, Burger: *Architecting Phase Change Memory as a Scalable DRAM Alternative*, ISCA 2009 (400 MHz bus:
/// tRCD 22, tRP 60, tCL 5, tCCD 4 cycles). Deviation: Auburn prints no latencies at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PcmTiming {
    /// Array to row buffer (tRCD).
    pub row_read_nanos: u64,
    /// Row buffer to array (tRP): writing cells is the slow part.
    pub row_write_nanos: u64,
    /// Column to bus (tCL), rounded up.
    pub column_nanos: u64,
    /// 64 bytes on the bus (tCCD).
    pub burst_nanos: u64,
}

const BURST_BYTES: u64 = 64;
/// Blocks of a stripe.
pub(crate) const STRIPE_BLOCKS: u64 = STRIPE_BYTES / BLOCK_BYTES as u64;

impl PcmTiming {
    /// The published one.
    pub const LEE_2009: Self = Self { row_read_nanos: 55, row_write_nanos: 150, column_nanos: 13, burst_nanos: 10 };

    /// Time for `bytes` of one row. `row_dirty`: what is open has to go back first.
    pub const fn access_nanos(self, bytes: u64, row_hit: bool, row_dirty: bool) -> u64 {
        let bursts = bytes.div_ceil(BURST_BYTES) * self.burst_nanos;
        let back = if !row_hit && row_dirty { self.row_write_nanos } else { 0 };
        let open = if row_hit { 0 } else { self.row_read_nanos };
        back + open + self.column_nanos + bursts
    }

    /// Time for moving a stripe to another row, by reading and writing all of it.
    pub const fn move_nanos(self) -> u64 {
        self.access_nanos(STRIPE_BYTES, false, true)
            + self.access_nanos(STRIPE_BYTES, false, false)
            + self.row_write_nanos
    }
}

/// Further counts of a bank.
#[derive(Clone, Copy, Default)]
struct Bank {
    /// Its open row was written.
    dirty: bool,
    free_nanos: u64,
}

/// A device of 2 GiB under one wear levelling scheme.
pub struct Pcm<W> {
    timing: PcmTiming,
    scheme: W,
    wear: Wear,
    rows: RowBuffers,
    banks: Vec<Bank>,
    busy_nanos: u64,
}

impl<W: WearLevelling> Pcm<W> {
    /// A new device: no row open, nothing worn.
    pub fn new(timing: PcmTiming, scheme: W) -> Self {
        Self {
            timing,
            scheme,
            wear: Wear::new(),
            rows: RowBuffers::new(),
            banks: vec![Bank::default(); (RANKS * BANKS) as usize],
            busy_nanos: 0,
        }
    }

    /// Reads or writes the block in `slot`, not before `now_nanos`; gives the time at which that is done. A bank does one
    /// thing at a time, and moves a stripe when its rotation is due. Slots beyond 2 GiB begin again at the first.
    pub fn access(&mut self, now_nanos: u64, slot: Slot, kind: Kind) -> u64 {
        let stripe = (u64::from(slot.0) / STRIPE_BLOCKS) as u32 % DEVICE_STRIPES;
        let moves_before = self.wear.moves();
        let cell = match kind {
            Kind::Read => self.scheme.place(stripe),
            Kind::Write => self.wear.write(&mut self.scheme, stripe),
        };
        let bank = &mut self.banks[cell.bank_index() as usize];
        let row_hit = self.rows.access(cell);
        let access_nanos = self.timing.access_nanos(BLOCK_BYTES as u64, row_hit, bank.dirty);
        bank.dirty = kind == Kind::Write || (row_hit && bank.dirty);
        let moving_nanos = if self.wear.moves() > moves_before { self.timing.move_nanos() } else { 0 };
        let done_nanos = now_nanos.max(bank.free_nanos) + access_nanos;
        bank.free_nanos = done_nanos + moving_nanos;
        self.busy_nanos += access_nanos + moving_nanos;
        done_nanos
    }

    /// The device's report.
    pub fn report(&self) -> PcmReport {
        PcmReport {
            scheme: self.scheme.name(),
            bank_life_ratio: self.wear.bank_life_ratio(),
            bank_life_ratio_without_moves: self.wear.bank_life_ratio_without_moves(),
            stripe_life_ratio: self.wear.stripe_life_ratio(),
            row_hit_ratio: self.rows.hit_ratio(),
            moved_stripes: self.wear.moves(),
            busy_nanos: self.busy_nanos,
            bank_writes: self.wear.banks(),
        }
    }
}

/// The result of a wear levelling scheme for the accesses to the cache device.
#[derive(Clone, PartialEq, Debug)]
pub struct PcmReport {
    /// The scheme's name.
    pub scheme: &'static str,
    /// Life ratio over banks: the paper's.
    pub bank_life_ratio: f64,
    /// The same as if a move wrote nothing.
    pub bank_life_ratio_without_moves: f64,
    /// Life ratio over stripes.
    pub stripe_life_ratio: f64,
    /// Share of accesses that found their row open.
    pub row_hit_ratio: f64,
    /// Stripes that the rotation moved.
    pub moved_stripes: u64,
    /// Time of all accesses and moves, one after the other.
    pub busy_nanos: u64,
    /// Blocks written per bank, moves included.
    pub bank_writes: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_wear::RoundRobin;

    #[test]
    fn a_stripe_is_moved_in_less_than_a_tenth_of_a_millisecond_as_the_paper_says() {
        assert!(PcmTiming::LEE_2009.move_nanos() < 100_000, "{}", PcmTiming::LEE_2009.move_nanos());
    }

    #[test]
    fn an_open_row_is_faster_and_a_written_one_has_to_go_back_first() {
        let mut pcm = Pcm::new(PcmTiming::LEE_2009, RoundRobin::new(1_000_000));
        let nanos = |pcm: &mut Pcm<_>, slot, kind| pcm.access(u64::MAX / 2, Slot(slot), kind) - u64::MAX / 2;
        let bursts = 64 * 10 + 13;
        assert_eq!(nanos(&mut pcm, 0, Kind::Write), 55 + bursts);
        // Time stands still, so the bank is busy with the former access first.
        assert_eq!(nanos(&mut pcm, 1, Kind::Read), 55 + 2 * bursts);
        // Round robin: stripe 128 is in the same bank as stripe 0.
        assert_eq!(nanos(&mut pcm, 128 * 8, Kind::Read), 55 + 2 * bursts + 150 + 55 + bursts);
        // Another bank is free.
        assert_eq!(nanos(&mut pcm, 8, Kind::Read), 55 + bursts);
    }
}
