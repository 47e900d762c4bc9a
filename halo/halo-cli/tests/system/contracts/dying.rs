//! A disk that dies slowly: its server refuses requests at random, and now and then a flush, while several connections work and the power is cut.
//!
//! What a client is refused may have happened or not, sector by sector. What was acknowledged is there, and what was flushed stays.

use super::client::Client;
use super::history::{sector, states};
use super::power::Machine;
use crate::harness::{Bench, content, wait_for};
use halo_core::SplitMix64;
use halo_lossy::Loss;
use halo_planted::Mistake;
use std::fs;
use std::io;
use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread::scope;

const DISK_BYTES: u64 = 16 << 20;
const WRITERS: u64 = 2;
const SECTORS_EACH: u64 = 8192;
/// Requests of all connections until the power is cut.
const REQUESTS: u64 = 600;
const ROUNDS: u64 = 3;
/// The file by whose presence the disk's server refuses.
const DYING: &str = "dying";

/// The order of things on all connections.
#[derive(Default)]
struct Clock {
    now: AtomicU64,
    /// The last flush that succeeded, by its beginning.
    flushed: Mutex<Option<u64>>,
    requests: AtomicU64,
    refused: AtomicU64,
}

impl Clock {
    fn tick(&self) -> u64 {
        self.now.fetch_add(1, SeqCst)
    }
}

/// A change of a sector.
#[derive(Clone, Debug)]
struct Step {
    version: u64,
    /// When it was acknowledged; never, if it was refused.
    ended: Option<u64>,
    fua: bool,
}

/// A sector with its changes since its version was certain.
#[derive(Clone, Default, Debug)]
struct Sector {
    certain: u64,
    steps: Vec<Step>,
}

impl Sector {
    /// Whether it may be this: what the last change left that `counts`, or any behind that.
    fn may_be(&self, found: u64, counts: impl Fn(&Step) -> bool) -> bool {
        let last = self.steps.iter().rposition(counts);
        let base = last.map_or(self.certain, |index| self.steps[index].version);
        found == base || self.steps[last.map_or(0, |index| index + 1)..].iter().any(|step| step.version == found)
    }
}

/// One connection with sectors of its own.
struct Writer {
    first: u64,
    sectors: Vec<Sector>,
    random: SplitMix64,
    version: u64,
}

impl Writer {
    fn new(number: u64, seed: u64) -> Self {
        let sectors = vec![Sector::default(); SECTORS_EACH as usize];
        Self { first: number * SECTORS_EACH, sectors, random: SplitMix64::new(seed), version: number << 40 }
    }

    fn run(&mut self, mut client: Client, clock: &Clock) {
        loop {
            let outcome = self.request(&mut client, clock);
            clock.requests.fetch_add(1, SeqCst);
            match outcome.map_err(|error| error.kind()) {
                Ok(()) => (),
                Err(BrokenPipe | ConnectionReset | UnexpectedEof) => return,
                Err(_) => drop(clock.refused.fetch_add(1, SeqCst)),
            }
        }
    }

    fn request(&mut self, client: &mut Client, clock: &Clock) -> io::Result<()> {
        let fua = self.random.below(8) == 0;
        match self.random.below(100) {
            0..60 => self.change(client, clock, fua, false),
            60..75 => self.change(client, clock, fua, true),
            75..85 => {
                let began = clock.tick();
                client.flush()?;
                let mut flushed = clock.flushed.lock().unwrap();
                *flushed = (*flushed).max(Some(began));
                Ok(())
            }
            _ => self.read(client),
        }
    }

    /// Some of this writer's sectors, counted from its first.
    fn range(&mut self, most: u64) -> Range<usize> {
        let count = 1 + self.random.below(most);
        let first = self.random.below(SECTORS_EACH - count + 1);
        first as usize..(first + count) as usize
    }

    /// Writes some sectors, or zeroes so many that the disk itself is zeroed.
    fn change(&mut self, client: &mut Client, clock: &Clock, fua: bool, zeroes: bool) -> io::Result<()> {
        let range = self.range(if zeroes { 3000 } else { 64 });
        self.version += 1;
        let version = if zeroes { 0 } else { self.version };
        self.sectors[range.clone()].iter_mut().for_each(|sector| sector.steps.push(Step { version, ended: None, fua }));
        let at = (self.first + range.start as u64) * 512;
        if zeroes {
            client.zero(at, range.len() * 512, fua)?;
        } else {
            client.write(at, &sector(version).repeat(range.len()), fua)?;
        }
        let ended = Some(clock.tick());
        self.sectors[range].iter_mut().for_each(|sector| sector.steps.last_mut().unwrap().ended = ended);
        Ok(())
    }

    fn found(&self, client: &mut Client, range: &Range<usize>) -> io::Result<Vec<u64>> {
        let bytes = client.read((self.first + range.start as u64) * 512, range.len() * 512)?;
        Ok(states(&bytes).concat())
    }

    fn read(&mut self, client: &mut Client) -> io::Result<()> {
        let blocks = self.range(96);
        let range = blocks.start / 8 * 8..blocks.end.next_multiple_of(8);
        for (number, found) in range.clone().zip(self.found(client, &range)?) {
            let sector = &self.sectors[number];
            assert!(sector.may_be(found, |step| step.ended.is_some()), "sector {number} reads as {found}: {sector:?}");
        }
        Ok(())
    }

    /// After a power loss: no promise is broken, and what is there now is certain.
    fn verify(&mut self, client: &mut Client, flushed: Option<u64>) {
        for (number, found) in self.found(client, &(0..SECTORS_EACH as usize)).unwrap().into_iter().enumerate() {
            let sector = &mut self.sectors[number];
            let covered = |ended: u64| flushed.is_some_and(|flushed| ended < flushed);
            let is_durable = |step: &Step| step.ended.is_some_and(|ended| step.fua || covered(ended));
            assert!(
                sector.may_be(found, is_durable),
                "sector {number} of {}, last flush {flushed:?}: found {found} in {sector:?}",
                self.first
            );
            *sector = Sector { certain: found, steps: Vec::new() };
        }
    }
}

fn dies(machine: &mut Machine, seed: u64) {
    let mut writers: Vec<_> = (0..WRITERS).map(|number| Writer::new(number, seed * 10 + number)).collect();
    let dying = machine.bench.path(DYING);
    for round in 0..ROUNDS {
        let clock = Clock::default();
        scope(|scope| {
            let running: Vec<_> = writers
                .iter_mut()
                .map(|writer| {
                    let (client, clock) = (machine.client(), &clock);
                    scope.spawn(move || writer.run(client, clock))
                })
                .collect();
            // A writer that found something wrong ends early.
            let until = |requests: u64| {
                wait_for("requests", || {
                    let done = clock.requests.load(SeqCst) >= requests;
                    (done || running.iter().any(std::thread::ScopedJoinHandle::is_finished)).then_some(())
                });
            };
            until(REQUESTS / 3);
            fs::write(&dying, "").unwrap();
            until(REQUESTS / 2);
            machine.ill("disk", ".fail-sync");
            until(REQUESTS * 2 / 3);
            machine.well("disk", ".fail-sync");
            until(REQUESTS);
            machine.power_off(if round == 0 { Loss::All } else { Loss::Some(seed * ROUNDS + round) });
        });
        assert!(clock.refused.load(SeqCst) > 0, "nothing was refused");
        fs::remove_file(&dying).unwrap();
        machine.power_on();
        let flushed = *clock.flushed.lock().unwrap();
        let mut client = machine.client();
        for writer in &mut writers {
            writer.verify(&mut client, flushed);
        }
    }
    machine.drain();
    machine.cut(Loss::All);
    let mut client = machine.client();
    for writer in &mut writers {
        writer.verify(&mut client, None);
    }
}

pub(crate) fn histories_over_a_disk_that_dies(mistake: Option<Mistake>) {
    let refuses = |bench: &Bench| {
        let rates = ["error-pread-rate=5%", "error-pwrite-rate=20%", "error-zero-rate=20%", "error-trim-rate=20%"];
        let while_there = format!("error-file={}", bench.path(DYING).display());
        rates.map(String::from).into_iter().chain([while_there]).collect()
    };
    for seed in [1, 2] {
        // Smaller than what is written, so that destaging is under way.
        let mut machine = Machine::over_odd_nbd("2M", DISK_BYTES, ("--filter=error", &refuses), &[], mistake);
        dies(&mut machine, seed);
    }
}

/// A disk that trims, and writes no zeros, loses its power: what went past the cache and was trimmed then stays away.
pub(crate) fn what_was_trimmed_stays_so_when_the_disks_server_comes_back(mistake: Option<Mistake>) {
    const STREAM_BYTES: usize = 2 << 20;
    let options = ["--bypass-sequential", "64K"];
    let no_zeroes = |_: &Bench| vec!["zeromode=none".to_owned()];
    let mut machine = Machine::over_odd_nbd("2M", DISK_BYTES, ("--filter=nozero", &no_zeroes), &options, mistake);
    let mut client = machine.client();
    let part = content(7).repeat(64);
    for at in (0..STREAM_BYTES).step_by(part.len()) {
        client.write((4 << 20) + at as u64, &part, false).unwrap();
    }
    let past_the_cache = machine.bench.status()["bypassed_bytes"].as_u64().unwrap();
    assert!(past_the_cache >= STREAM_BYTES as u64 / 2, "{past_the_cache} bytes went past the cache");
    client.trim(4 << 20, STREAM_BYTES, false).unwrap();
    let left = client.read(4 << 20, STREAM_BYTES).unwrap();
    assert!(left == vec![0; STREAM_BYTES], "this disk's trim leaves what is there");
    machine.cut_disk();
    assert!(client.read(4 << 20, STREAM_BYTES).unwrap() == left, "what was trimmed came back");
    client.flush().unwrap();
    machine.cut(Loss::All);
    assert!(machine.client().read(4 << 20, STREAM_BYTES).unwrap() == left, "after a flush and a power loss");
}

pub(crate) fn zeroing_that_the_disk_refuses_is_an_error(mistake: Option<Mistake>) {
    const MIB: usize = 1 << 20;
    let refuses = |bench: &Bench| {
        vec!["error-zero-rate=100%".to_owned(), format!("error-zero-file={}", bench.path(DYING).display())]
    };
    let machine = Machine::over_odd_nbd("3M", DISK_BYTES, ("--filter=error", &refuses), &[], mistake);
    let mut client = machine.client();
    let bytes = content(7).repeat(MIB / 4096);
    client.write(MIB as u64, &bytes, true).unwrap();
    machine.drain();
    fs::write(machine.bench.path(DYING), "").unwrap();
    assert!(client.zero(MIB as u64, MIB, false).is_err(), "zeroing that the disk refused counts as done");
    assert!(client.read(MIB as u64, MIB).unwrap() == bytes, "a refused zeroing that nothing was done of");
    fs::remove_file(machine.bench.path(DYING)).unwrap();
    client.zero(MIB as u64, MIB, true).unwrap();
    assert!(client.read(MIB as u64, MIB).unwrap() == vec![0; MIB]);
}
