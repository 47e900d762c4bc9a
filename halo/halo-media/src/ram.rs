//! Memory that loses power: the fake device of the crash tests.

use crate::intact;
use crate::{Medium, check_range};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// The supply that several devices share; it can be set to fail at a chosen moment.
#[derive(Clone, Default)]
pub struct Power(Arc<Mutex<Supply>>);

#[derive(Default)]
struct Supply {
    /// Writes and barriers that were begun.
    events: u64,
    fails_at: Option<u64>,
    off: bool,
}

impl Power {
    /// A supply that does not fail.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes and barriers begun so far on all devices of this supply.
    pub fn events(&self) -> u64 {
        lock(&self.0).events
    }

    /// Fails during event number `event`, counted from 0: a write is then torn, a barrier has done any part of its work.
    pub fn fail_at(&self, event: u64) {
        lock(&self.0).fails_at = Some(event);
    }

    /// Off since the failure, until [`Power::restore`].
    pub fn is_off(&self) -> bool {
        lock(&self.0).off
    }

    /// Back on, and without a planned failure.
    pub fn restore(&self) {
        let mut supply = lock(&self.0);
        supply.off = false;
        supply.fails_at = None;
    }

    /// Counts an event; true when the power fails during it.
    fn fails_now(&self) -> io::Result<bool> {
        let mut supply = lock(&self.0);
        if supply.off {
            return Err(power_lost());
        }
        let fails = supply.fails_at == Some(supply.events);
        supply.events += 1;
        supply.off = fails;
        Ok(fails)
    }
}

/// The writes without a barrier that are still there after a power loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survival {
    /// Nothing: a cache that was lost.
    Nothing,
    /// The newest version of every unit: as after a kill, when the machine goes on running.
    Everything,
    /// Only the newest version of the unit with this index among those that are not durable.
    Only(usize),
    /// All but the unit with this index.
    AllBut(usize),
    /// For each unit any of its versions, drawn from this seed.
    Seeded(u64),
}

/// Memory in which a write is durable only after a barrier.
///
/// Several writes to one unit leave several versions, each of which a power loss may leave behind: a device may write a
/// unit back at any time.
pub struct PowerLossRam {
    state: Mutex<State>,
    power: Power,
    len_bytes: u64,
    unit_bytes: usize,
}

struct State {
    durable: Vec<u8>,
    current: Vec<u8>,
    /// By unit: what writes since the last barrier made of it, oldest first.
    versions: BTreeMap<usize, Vec<Box<[u8]>>>,
}

impl PowerLossRam {
    /// `len_bytes` of zeros on a supply; writes are torn between units of `unit_bytes` (512: sectors; 64: cache lines).
    ///
    /// # Panics
    /// When the size is not a multiple of the unit.
    pub fn new(len_bytes: usize, unit_bytes: usize, power: &Power) -> Self {
        assert!(len_bytes.is_multiple_of(unit_bytes), "{len_bytes} bytes in units of {unit_bytes}");
        Self {
            state: Mutex::new(State {
                durable: vec![0; len_bytes],
                current: vec![0; len_bytes],
                versions: BTreeMap::new(),
            }),
            power: power.clone(),
            len_bytes: len_bytes as u64,
            unit_bytes,
        }
    }

    /// Units that a power loss now could leave in more than one state.
    pub fn undecided_units(&self) -> usize {
        lock(&self.state).versions.len()
    }

    /// The power was lost: `survival` decides about each undecided unit. The rest is durable.
    pub fn lose_power(&self, survival: Survival) {
        let state = &mut *lock(&self.state);
        let mut random = if let Survival::Seeded(seed) = survival { seed } else { 0 };
        for (index, (unit, versions)) in std::mem::take(&mut state.versions).into_iter().enumerate() {
            let newest = versions.len();
            let kept = match survival {
                Survival::Nothing => 0,
                Survival::Everything => newest,
                Survival::Only(only) => {
                    if index == only {
                        newest
                    } else {
                        0
                    }
                }
                Survival::AllBut(lost) => {
                    if index == lost {
                        0
                    } else {
                        newest
                    }
                }
                Survival::Seeded(_) => next_random(&mut random) as usize % (newest + 1),
            };
            let range = unit * self.unit_bytes..(unit + 1) * self.unit_bytes;
            if kept > 0 {
                state.durable[range.clone()].copy_from_slice(&versions[kept - 1]);
            }
            state.current[range.clone()].copy_from_slice(&state.durable[range]);
        }
    }

    /// All bytes as a reader sees them now.
    pub fn snapshot(&self) -> Vec<u8> {
        lock(&self.state).current.clone()
    }

    /// Replaces all bytes, durably: a medium made to order, such as a damaged or an old one.
    ///
    /// # Panics
    /// When the size differs.
    pub fn load(&self, bytes: &[u8]) {
        let mut state = lock(&self.state);
        state.durable.copy_from_slice(bytes);
        state.current.copy_from_slice(bytes);
        state.versions.clear();
    }

    fn fail_if_off(&self) -> io::Result<()> {
        if self.power.is_off() { Err(power_lost()) } else { Ok(()) }
    }
}

impl Medium for PowerLossRam {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn atomic_write_bytes(&self) -> usize {
        self.unit_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.fail_if_off()?;
        check_range(self.len_bytes, offset_bytes, buffer.len())?;
        let start = offset_bytes as usize;
        buffer.copy_from_slice(&lock(&self.state).current[start..start + buffer.len()]);
        Ok(())
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        check_range(self.len_bytes, offset_bytes, bytes.len())?;
        let fails = self.power.fails_now()?;
        let mut state = lock(&self.state);
        let start = offset_bytes as usize;
        state.current[start..start + bytes.len()].copy_from_slice(bytes);
        for unit in start / self.unit_bytes..(start + bytes.len()).div_ceil(self.unit_bytes) {
            let from = unit * self.unit_bytes;
            let version = state.current[from..from + self.unit_bytes].into();
            state.versions.entry(unit).or_default().push(version);
        }
        if fails { Err(power_lost()) } else { Ok(()) }
    }

    /// As a file with holes: one event, torn like any write.
    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        self.write_at(offset_bytes, &vec![0; count_bytes as usize]).map(|()| true)
    }

    fn barrier(&self) -> io::Result<()> {
        if self.power.fails_now()? {
            return Err(power_lost());
        }
        let state = &mut *lock(&self.state);
        for unit in std::mem::take(&mut state.versions).into_keys() {
            let range = unit * self.unit_bytes..(unit + 1) * self.unit_bytes;
            state.durable[range.clone()].copy_from_slice(&state.current[range]);
        }
        Ok(())
    }
}

/// A panicking test must not hide behind a second panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    intact(mutex.lock())
}

fn power_lost() -> io::Error {
    io::Error::other("the power is off")
}

/// `SplitMix64`, so that this crate needs no other.
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (word ^ (word >> 31)) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn byte(ram: &PowerLossRam, unit: usize) -> u8 {
        ram.snapshot()[unit * 64]
    }

    #[test]
    fn what_a_barrier_covered_survives_and_the_rest_may_be_lost() {
        let power = Power::new();
        let ram = PowerLossRam::new(256, 64, &power);
        ram.write_at(0, &[1; 64]).unwrap();
        ram.barrier().unwrap();
        ram.write_at(64, &[2; 64]).unwrap();
        ram.lose_power(Survival::Nothing);
        assert_eq!((byte(&ram, 0), byte(&ram, 1)), (1, 0));
    }

    #[test]
    fn every_version_since_the_barrier_can_be_what_is_left_and_units_are_independent() {
        let mut outcomes = BTreeSet::new();
        for seed in 0..200 {
            let ram = PowerLossRam::new(128, 64, &Power::new());
            ram.write_at(0, &[1; 64]).unwrap();
            ram.write_at(0, &[2; 128]).unwrap();
            ram.lose_power(Survival::Seeded(seed));
            outcomes.insert((byte(&ram, 0), byte(&ram, 1)));
        }
        let all = [(0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)];
        assert_eq!(outcomes, BTreeSet::from(all));
    }

    #[test]
    fn a_write_during_the_failure_is_torn_and_everything_after_it_fails() {
        let power = Power::new();
        let ram = PowerLossRam::new(128, 64, &power);
        power.fail_at(1);
        ram.write_at(0, &[1; 64]).unwrap();
        assert!(ram.write_at(0, &[2; 128]).is_err());
        assert!(ram.barrier().is_err() && ram.read_at(0, &mut [0]).is_err());
        ram.lose_power(Survival::Only(1));
        power.restore();
        assert_eq!((byte(&ram, 0), byte(&ram, 1)), (0, 2));
        ram.barrier().unwrap();
    }

    #[test]
    fn only_and_all_but_single_out_one_unit() {
        for (survival, left) in [(Survival::Only(2), [0, 0, 9]), (Survival::AllBut(2), [9, 9, 0])] {
            let ram = PowerLossRam::new(192, 64, &Power::new());
            ram.write_at(0, &[9; 192]).unwrap();
            assert_eq!(ram.undecided_units(), 3);
            ram.lose_power(survival);
            assert_eq!([0, 1, 2].map(|unit| byte(&ram, unit)), left);
        }
    }
}
