//! Several connections that do everything at once, and power losses in between.
//!
//! Each writer has blocks of its own, so that their order is known; a flush covers what had returned on any connection.

use super::client::Client;
use super::history::{Block, Step, sector, states};
use super::power::Machine;
use crate::harness::{has_direct_io, skipped, wait_for};
use halo_core::SplitMix64;
use halo_lossy::Loss;
use halo_planted::Mistake;
use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::{env, io, thread};

const WRITERS: u64 = 3;
const SECTORS_EACH: u64 = 6144;
const BLOCK_BYTES: u64 = 4096;
/// Sectors of a write that is long enough to go past the cache, where that is allowed; others are too short.
const LONG: u64 = 64;
const DISK_BYTES: u64 = 16 << 20;
/// A longer run tells how many seeds: the first ones are those of the short run.
const SEEDS: &str = "HALO_CONTRACT_SEEDS";

/// The clock of all connections: the order of things, and the last flush that succeeded by its beginning.
#[derive(Default)]
struct Clock {
    now: AtomicU64,
    flushed: Mutex<Option<u64>>,
    requests: AtomicUsize,
}

impl Clock {
    fn tick(&self) -> u64 {
        self.now.fetch_add(1, SeqCst)
    }

    fn flush(&self, client: &mut Client) -> io::Result<()> {
        let began = self.tick();
        client.flush()?;
        let mut flushed = self.flushed.lock().unwrap();
        *flushed = (*flushed).max(Some(began));
        Ok(())
    }
}

struct Writer {
    first_sector: u64,
    blocks: Vec<Block>,
    random: SplitMix64,
    version: u64,
    strict: bool,
    past_cache: bool,
}

impl Writer {
    fn new(number: u64) -> Self {
        let blocks = vec![Block::new([0; 8]); SECTORS_EACH as usize / 8];
        let random = SplitMix64::new(0);
        Self {
            first_sector: number * SECTORS_EACH,
            blocks,
            random,
            version: number << 40,
            strict: false,
            past_cache: false,
        }
    }

    /// Works until the server is gone.
    fn run(&mut self, mut client: Client, clock: &Clock) {
        let error = loop {
            match self.request(&mut client, clock) {
                Ok(()) => clock.requests.fetch_add(1, SeqCst),
                Err(error) => break error,
            };
        };
        assert!(matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof), "refused: {error}");
    }

    fn request(&mut self, client: &mut Client, clock: &Clock) -> io::Result<()> {
        let fua = self.random.below(6) == 0;
        match self.random.below(100) {
            0..35 => self.write(client, clock, fua, 8),
            35..58 => self.write(client, clock, fua, 1),
            58..60 => self.write(client, clock, fua, LONG),
            60..70 => self.zero(client, clock, fua, 40),
            70..73 => self.zero(client, clock, fua, 3000),
            73..80 => self.trim(client, clock, fua, 60),
            80..82 => self.trim(client, clock, fua, 3000),
            82..90 => clock.flush(client),
            _ => self.read(client),
        }
    }

    /// Some of this writer's sectors: the first, counted from its own, and how many.
    fn range(&mut self, unit: u64, most: u64) -> (u64, u64) {
        let count = (1 + self.random.below(most / unit)) * unit;
        (self.random.below((SECTORS_EACH - count) / unit + 1) * unit, count)
    }

    /// Enters a change before it is asked for: it may happen even if nobody hears of it. Gives its blocks.
    fn enter(&mut self, (first, count): (u64, u64), version: u64, fua: bool, torn: bool) -> std::ops::Range<usize> {
        let touched = first as usize / 8..(first + count).div_ceil(8) as usize;
        for number in touched.clone() {
            let mut state = self.blocks[number].newest();
            for (at, place) in state.iter_mut().enumerate() {
                if (first..first + count).contains(&(number as u64 * 8 + at as u64)) {
                    *place = version;
                }
            }
            let durable = fua || self.strict;
            self.blocks[number].steps.push(Step { state, ended: None, durable, torn });
        }
        touched
    }

    fn note_end(&mut self, touched: std::ops::Range<usize>, clock: &Clock) {
        let ended = clock.tick();
        self.blocks[touched].iter_mut().for_each(|block| block.steps.last_mut().unwrap().ended = Some(ended));
    }

    fn offset_bytes(&self, sector: u64) -> u64 {
        (self.first_sector + sector) * 512
    }

    fn write(&mut self, client: &mut Client, clock: &Clock, fua: bool, unit: u64) -> io::Result<()> {
        let range = self.range(unit, unit * 12);
        self.version += 1;
        let version = self.version;
        // A disk writes by sectors, the cache by blocks.
        let torn = self.past_cache && unit == LONG;
        let touched = self.enter(range, version, fua, torn);
        let bytes = sector(version).repeat(range.1 as usize);
        client.write(self.offset_bytes(range.0), &bytes, fua)?;
        self.note_end(touched, clock);
        Ok(())
    }

    fn zero(&mut self, client: &mut Client, clock: &Clock, fua: bool, most: u64) -> io::Result<()> {
        let range = self.range(1, most);
        let touched = self.enter(range, 0, fua, true);
        client.zero(self.offset_bytes(range.0), range.1 as usize * 512, fua)?;
        self.note_end(touched, clock);
        Ok(())
    }

    /// A read tells what a trim left, and that must stay.
    fn trim(&mut self, client: &mut Client, clock: &Clock, fua: bool, most: u64) -> io::Result<()> {
        let range = self.range(1, most);
        let before: Vec<_> = self.blocks.iter().map(Block::newest).collect();
        let touched = self.enter(range, 0, fua, true);
        client.trim(self.offset_bytes(range.0), range.1 as usize * 512, fua)?;
        let count = touched.len() * BLOCK_BYTES as usize;
        let found = states(&client.read(self.offset_bytes(touched.start as u64 * 8), count)?);
        for (number, found) in touched.clone().zip(found) {
            let step = self.blocks[number].steps.last_mut().unwrap();
            let allowed = (0..8).all(|at| found[at] == step.state[at] || found[at] == before[number][at]);
            assert!(allowed, "a trim made {found:?} of {:?}", before[number]);
            step.state = found;
        }
        self.note_end(touched, clock);
        Ok(())
    }

    fn read(&mut self, client: &mut Client) -> io::Result<()> {
        let (first, count) = self.range(8, 96);
        let found = states(&client.read(self.offset_bytes(first), count as usize * 512)?);
        for (number, found) in (first as usize / 8..).zip(found) {
            let newest = self.blocks[number].newest();
            assert!(found == newest, "block {number} reads as {found:?} instead of {newest:?}");
        }
        Ok(())
    }

    /// After a power loss: no promise is broken, and what is there now is certain.
    fn verify(&mut self, client: &mut Client, flushed: Option<u64>) {
        let count = self.blocks.len() * BLOCK_BYTES as usize;
        let found = states(&client.read(self.offset_bytes(0), count).unwrap());
        for (number, (block, found)) in self.blocks.iter_mut().zip(found).enumerate() {
            if let Err(broken) = block.check(found, flushed) {
                panic!("block {number} from sector {}: {broken}", self.first_sector);
            }
            *block = Block::new(found);
        }
    }
}

fn storm(machine: &mut Machine, options: &[&str], seed: u64) {
    let mut writers: Vec<_> = (0..WRITERS).map(Writer::new).collect();
    let mut random = SplitMix64::new(seed);
    for round in 0..3 {
        let clock = Clock::default();
        let requests = 100 + random.below(400) as usize;
        for writer in &mut writers {
            writer.random = SplitMix64::new(random.next_u64());
            writer.strict = options.contains(&"strict");
            writer.past_cache = options.contains(&"--bypass-sequential");
        }
        thread::scope(|scope| {
            let running: Vec<_> = writers
                .iter_mut()
                .map(|writer| {
                    let (client, clock) = (machine.client(), &clock);
                    scope.spawn(move || writer.run(client, clock))
                })
                .collect();
            wait_for("requests", || {
                let done = clock.requests.load(SeqCst);
                // A writer that found something wrong ends early.
                (done >= requests || running.iter().any(thread::ScopedJoinHandle::is_finished)).then_some(())
            });
            if round == 1 {
                // Asked for only: it goes on during the requests that follow, and the power is cut in it.
                let control = machine.bench.path("socket.control");
                halo_server::request_drain(&control).unwrap();
                wait_for("more requests", || {
                    let done = clock.requests.load(SeqCst);
                    (done >= requests + 60 || running.iter().any(thread::ScopedJoinHandle::is_finished)).then_some(())
                });
            }
            machine.power_off(if round == 2 { Loss::All } else { Loss::Some(random.next_u64() >> 1) });
        });
        machine.power_on();
        let mut client = machine.client();
        let flushed = *clock.flushed.lock().unwrap();
        for writer in &mut writers {
            writer.verify(&mut client, flushed);
        }
    }
}

fn storms(options: &[&'static str], over_nbd: bool, mistake: Option<Mistake>) {
    let start = if over_nbd { Machine::over_nbd } else { Machine::new };
    let seeds = env::var(SEEDS).ok().map_or(2, |count| count.parse().unwrap());
    for seed in 1..=seeds {
        // Smaller than what is written, so that destaging is under way.
        let mut machine = start("2M", DISK_BYTES, options, mistake);
        storm(&mut machine, options, seed);
    }
}

pub(crate) fn histories_over_power_losses(mistake: Option<Mistake>) {
    storms(&["--clean-blocks"], false, mistake);
}

pub(crate) fn histories_past_the_cache(mistake: Option<Mistake>) {
    storms(&["--bypass-sequential", "64K"], false, mistake);
    storms(&["--bypass-sequential", "64K", "--mode", "strict"], false, mistake);
}

pub(crate) fn histories_in_mode_strict(mistake: Option<Mistake>) {
    storms(&["--mode", "strict"], false, mistake);
}

pub(crate) fn histories_in_mode_ordered(mistake: Option<Mistake>) {
    storms(&["--mode", "ordered"], false, mistake);
}

pub(crate) fn histories_past_the_page_cache(mistake: Option<Mistake>) {
    // Each write is one of the machine's own disk.
    if env::var_os(SEEDS).is_none() {
        skipped("histories past the page cache take a minute: halo/check --contracts 1");
    } else if has_direct_io() {
        storms(&["--direct-io", "both"], false, mistake);
        storms(&["--direct-io", "both", "--mode", "strict"], false, mistake);
    }
}

pub(crate) fn histories_with_an_nbd_disk(mistake: Option<Mistake>) {
    storms(&[], true, mistake);
}
