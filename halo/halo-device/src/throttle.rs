//! Whether destaging may write to the disk just now, by what reads of requests are doing there.
//!
//! Own: while requests read, destaging takes *turns*, a few writes at once that are waited for before anything else is sent.
//! Four rules then hold:
//!
//! 1. No turn begins until every read that was under way when the last one ended has been answered. So *a read waits for one turn
//!    at most*, however deep the queue of the readers is.
//! 2. A turn has so many writes that it takes no longer than its *budget*, half of the target at first; how many is learnt from how long
//!    turns take. So a read that waits takes about half of the target longer than on an idle disk.
//! 3. Between turns, reads have the disk for as long as the turn took at least, and until those are answered that were under way
//!    then: the writes of a turn find the disk free, or queues that never end.
//! 4. A read that met destaging is *late* if it took longer than the target, and half more than the 99th percentile of reads that met
//!    none. It makes the budget smaller by half an octave; one that is not late makes it larger by a 99th of that. Where one read in a
//!    hundred is late, the two balance (Robbins, Monro: A Stochastic Approximation Method, 1951): no sample is too small to act on.
//!    Below the time of a single write, the pause becomes longer instead, until destaging has a sixteenth of the time. Batches become
//!    shorter with the budget, for disks where the flush is what reads wait for.
//!
//! When no request has read for 5 ms, a *window* of writes is kept in flight without pauses. A read that comes then waits for these as
//! for a turn, and so many they are. When none has read for a minute, 32 are, as many as a disk can put in order: the next read may
//! wait for all of them.
//!
//! Never: a reader that never pauses stops destaging; destaging makes a read wait twice.
//! A write of a request that waits for room in a full cache is as urgent as a read: turns are then of 32 writes, without a pause.
//! Not here: clocks and threads. A pure calculation, so that tests run it with a modelled disk.

/// Writes in flight on a disk that nobody reads. Measured on a model of a 7200 rpm disk: 32 keep its queue full, and more gain
/// nothing.
pub(crate) const MOST_IN_FLIGHT: usize = 32;
/// Readers that were heard of within this time may come again.
const ATTENTION_NANOS: u64 = 60_000_000_000;
/// A reader that is going to read again at once does so within this time: the way to a client and back.
const ANTICIPATION_NANOS: u64 = 5_000_000;
/// A late read makes the budget smaller by this factor.
const CUT: f64 = std::f64::consts::SQRT_2;
/// Of a hundred reads, one may be late.
const READS_PER_CUT: f64 = 99.0;
/// Where reads alone miss the target, they are late when they take so much longer than without destaging.
const LATE: f64 = 1.5;
/// How fast the percentile of reads that met no destaging is learnt: a step of its logarithm, for a read above it.
const LEARNING: f64 = 0.3;
/// Budget at first, and at most, as a part of the target.
const MOST_BUDGET: f64 = 0.5;
/// Least budget, as a part of the largest.
const LEAST_BUDGET: f64 = 1.0 / 64.0;
/// Longest pause, in turns: destaging gets a sixteenth of the time at least.
const LONGEST_PAUSE_TURNS: f64 = 15.0;
/// Writes in the first turn, and in the first window.
const FIRST_WRITES: f64 = 8.0;
/// Blocks of a batch, which ends with a flush of the disk and frees its slots all at once: when nobody uses the disk, when a writer waits
/// for room, and when somebody reads. The last bounds the flush of a disk with a volatile cache, too.
const BATCH_BLOCKS: usize = 2048;
const BATCH_BLOCKS_IN_A_HURRY: usize = 512;
const BATCH_BLOCKS_WITH_READERS: f64 = 128.0;
/// And when a zeroing waits for the disk. Own: what is in flight on a disk that nobody reads is waited for anyway.
const BATCH_BLOCKS_BEFORE_A_ZEROING: usize = MOST_IN_FLIGHT;

/// A read that is under way on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a read that never ends stops destaging"]
pub struct Reading {
    number: u64,
    began_nanos: u64,
    /// Time until then in which destaging had something in flight.
    destaging_nanos: u64,
}

/// The work that may happen now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// The write may go; it counts as being in flight.
    Go,
    /// Not before something ends, or this time has come.
    Wait(Option<u64>),
}

/// The status of a throttle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThrottleStatus {
    /// The target, if there is one.
    pub target_nanos: Option<u64>,
    /// The most time of a turn.
    pub budget_nanos: u64,
    /// Writes in a turn.
    pub turn_writes: usize,
    /// Writes in flight while nobody reads, if somebody may.
    pub window_writes: usize,
    /// Turns so far.
    pub turns: u64,
    /// Reads of the disk so far.
    pub reads: u64,
    /// Of those, the ones that were late because of destaging.
    pub late_reads: u64,
    /// Estimate of the 99th percentile of reads that met no destaging.
    pub undisturbed_nanos: u64,
    /// Requests that wait for room in the cache, or for the disk.
    pub waiting_requests: usize,
}

/// Decides when destaging may write, so that the 99th percentile of reads stays at a target. Times never fall.
pub struct Throttle {
    target_nanos: Option<u64>,
    budget_nanos: f64,
    turn_writes: f64,
    window_writes: f64,
    turn: Option<Turn>,
    turns: u64,
    in_flight: usize,
    busy_since_nanos: u64,
    /// Time in which something was in flight, up to `busy_since_nanos`.
    busy_nanos: u64,
    not_before_nanos: u64,
    reads: u64,
    reads_under_way: usize,
    last_read_nanos: Option<u64>,
    /// Reads with a lower number, of which so many are still under way, go before the next turn.
    first: (u64, usize),
    /// Since the last turn, reads have had their time.
    had_pause: bool,
    late_reads: u64,
    last_cut_nanos: u64,
    /// Estimate of the 99th percentile of reads that met no destaging.
    undisturbed_nanos: f64,
    waiting_writers: usize,
    waiting_zeroings: usize,
}

/// Writes that are waited for together.
#[derive(Clone, Copy)]
struct Turn {
    began_nanos: u64,
    writes: usize,
    /// More writes may join it.
    open: bool,
    /// They were in flight when a read came.
    is_window: bool,
    /// Reads that had been answered before.
    answered: u64,
}

impl Throttle {
    /// A throttle that keeps the 99th percentile of reads at `target_nanos`; without a target, destaging never yields.
    pub fn new(target_nanos: Option<u64>) -> Self {
        Self {
            target_nanos,
            budget_nanos: most_budget_nanos(target_nanos),
            turn_writes: FIRST_WRITES,
            window_writes: FIRST_WRITES,
            turn: None,
            turns: 0,
            in_flight: 0,
            busy_since_nanos: 0,
            busy_nanos: 0,
            not_before_nanos: 0,
            reads: 0,
            reads_under_way: 0,
            last_read_nanos: None,
            first: (0, 0),
            had_pause: true,
            late_reads: 0,
            last_cut_nanos: 0,
            undisturbed_nanos: most_budget_nanos(target_nanos),
            waiting_writers: 0,
            waiting_zeroings: 0,
        }
    }

    /// A request reads from the disk.
    pub fn begin_read(&mut self, now_nanos: u64) -> Reading {
        let reading =
            Reading { number: self.reads, began_nanos: now_nanos, destaging_nanos: self.destaging_nanos(now_nanos) };
        self.reads += 1;
        self.reads_under_way += 1;
        if self.turn.is_none() && self.in_flight > 0 {
            // This read waits for the work under way.
            self.turn = Some(Turn {
                began_nanos: now_nanos,
                writes: self.in_flight,
                open: false,
                is_window: true,
                answered: self.answered(),
            });
        }
        reading
    }

    /// The disk has answered, or failed.
    pub fn end_read(&mut self, now_nanos: u64, reading: Reading) {
        self.reads_under_way -= 1;
        self.last_read_nanos = Some(now_nanos);
        let (before, left) = &mut self.first;
        *left -= usize::from(reading.number < *before);
        let Some(target_nanos) = self.target_nanos else { return };
        let latency_nanos = (now_nanos - reading.began_nanos) as f64;
        if self.destaging_nanos(now_nanos) == reading.destaging_nanos {
            let step = if latency_nanos > self.undisturbed_nanos { READS_PER_CUT } else { -1.0 };
            self.undisturbed_nanos *= (LEARNING * step / READS_PER_CUT).exp();
        } else if latency_nanos > (LATE * self.undisturbed_nanos).max(target_nanos as f64) {
            self.late_reads += 1;
            // Reads that waited for the same turn say the same thing.
            if reading.began_nanos >= self.last_cut_nanos {
                let least = most_budget_nanos(self.target_nanos) * LEAST_BUDGET;
                self.budget_nanos = (self.budget_nanos / CUT).max(least);
                self.last_cut_nanos = now_nanos;
            }
        } else {
            let most = most_budget_nanos(self.target_nanos);
            self.budget_nanos = (self.budget_nanos * CUT.powf(1.0 / READS_PER_CUT)).min(most);
        }
    }

    /// A request waits for room in the cache.
    pub fn begin_waiting(&mut self) {
        self.waiting_writers += 1;
    }

    /// It has found room, or given up.
    pub fn end_waiting(&mut self) {
        self.waiting_writers -= 1;
    }

    /// A request waits for a batch to end, so that it can zero part of the disk.
    pub fn begin_waiting_for_disk(&mut self) {
        self.waiting_zeroings += 1;
    }

    /// It has got the disk, or given up.
    pub fn end_waiting_for_disk(&mut self) {
        self.waiting_zeroings -= 1;
    }

    /// Asks for a write.
    pub fn admit(&mut self, now_nanos: u64) -> Admission {
        let admission = self.may_write(now_nanos);
        if admission == Admission::Go {
            if self.in_flight == 0 {
                self.busy_since_nanos = now_nanos;
            }
            self.in_flight += 1;
        }
        admission
    }

    fn may_write(&mut self, now_nanos: u64) -> Admission {
        let hurried = self.waiting_writers > 0;
        if self.is_idle(now_nanos) {
            self.turn = None;
            let most = if hurried || self.is_alone(now_nanos) { MOST_IN_FLIGHT } else { self.window_writes as usize };
            return if self.in_flight < most { Admission::Go } else { Admission::Wait(None) };
        }
        let most = if hurried { MOST_IN_FLIGHT } else { self.turn_writes as usize };
        if let Some(turn) = &mut self.turn {
            let late = (now_nanos - turn.began_nanos) as f64 > self.budget_nanos / 2.0;
            turn.open &= turn.writes < most && (hurried || !late);
            turn.writes += usize::from(turn.open);
            return if turn.open { Admission::Go } else { Admission::Wait(None) };
        }
        if self.in_flight > 0 || self.first.1 > 0 {
            return Admission::Wait(None);
        }
        let pause_end_nanos = self.pause_end_nanos();
        if pause_end_nanos > now_nanos {
            return Admission::Wait(Some(pause_end_nanos));
        }
        if !self.had_pause && !hurried {
            self.had_pause = true;
            self.first = (self.reads, self.reads_under_way);
            if self.reads_under_way > 0 {
                return Admission::Wait(None);
            }
        }
        self.turn =
            Some(Turn { began_nanos: now_nanos, writes: 1, open: true, is_window: false, answered: self.answered() });
        self.turns += 1;
        Admission::Go
    }

    /// A write that was admitted has ended.
    pub fn end_write(&mut self, now_nanos: u64) {
        self.in_flight -= 1;
        if self.in_flight > 0 {
            return;
        }
        self.busy_nanos += now_nanos - self.busy_since_nanos;
        self.busy_since_nanos = now_nanos;
        self.first = (self.reads, self.reads_under_way);
        self.had_pause = false;
        if let Some(turn) = self.turn.take() {
            // Own: the disk did reads in between, if they were near; each counts as a write.
            let answered = self.answered() - turn.answered;
            let share = turn.writes as f64 / (turn.writes as u64 + answered) as f64;
            let took_nanos = (now_nanos - turn.began_nanos).max(1) as f64 * share;
            let writes = if turn.is_window { &mut self.window_writes } else { &mut self.turn_writes };
            learn(writes, turn.writes, self.budget_nanos / took_nanos);
            let turns = (2.0 * took_nanos / self.budget_nanos.max(1.0) - 1.0).clamp(1.0, LONGEST_PAUSE_TURNS);
            self.not_before_nanos = now_nanos + (took_nanos * turns) as u64;
        }
    }

    fn answered(&self) -> u64 {
        self.reads - self.reads_under_way as u64
    }

    /// Blocks that the next batch may have, or that the batch under way ends with.
    pub fn batch_blocks(&self, now_nanos: u64) -> usize {
        let most = if self.waiting_zeroings > 0 { BATCH_BLOCKS_BEFORE_A_ZEROING } else { usize::MAX };
        self.batch_blocks_for_reads(now_nanos).min(most)
    }

    fn batch_blocks_for_reads(&self, now_nanos: u64) -> usize {
        let hurried = self.waiting_writers > 0;
        if self.is_idle(now_nanos) {
            return if hurried { BATCH_BLOCKS_IN_A_HURRY } else { BATCH_BLOCKS };
        }
        let share = if hurried { 1.0 } else { self.budget_nanos / most_budget_nanos(self.target_nanos) };
        (BATCH_BLOCKS_WITH_READERS * share).ceil() as usize
    }

    /// For showing it.
    pub fn status(&self) -> ThrottleStatus {
        ThrottleStatus {
            target_nanos: self.target_nanos,
            budget_nanos: self.budget_nanos as u64,
            turn_writes: self.turn_writes as usize,
            window_writes: self.window_writes as usize,
            turns: self.turns,
            reads: self.reads,
            late_reads: self.late_reads,
            undisturbed_nanos: self.undisturbed_nanos as u64,
            waiting_requests: self.waiting_writers + self.waiting_zeroings,
        }
    }

    /// Nobody reads.
    fn is_idle(&self, now_nanos: u64) -> bool {
        let recent = self.last_read_nanos.is_some_and(|last_nanos| now_nanos < last_nanos + ANTICIPATION_NANOS);
        self.target_nanos.is_none() || (self.reads_under_way == 0 && !recent)
    }

    /// Nobody is expected to read, either.
    fn is_alone(&self, now_nanos: u64) -> bool {
        let recent = self.last_read_nanos.is_some_and(|last_nanos| now_nanos < last_nanos + ATTENTION_NANOS);
        self.target_nanos.is_none() || !recent
    }

    fn pause_end_nanos(&self) -> u64 {
        match self.last_read_nanos {
            _ if self.waiting_writers > 0 => 0,
            Some(last_nanos) if self.reads_under_way == 0 => self.not_before_nanos.min(last_nanos + ANTICIPATION_NANOS),
            _ => self.not_before_nanos,
        }
    }

    fn destaging_nanos(&self, now_nanos: u64) -> u64 {
        let since = if self.in_flight > 0 { now_nanos - self.busy_since_nanos } else { 0 };
        self.busy_nanos + since
    }
}

fn most_budget_nanos(target_nanos: Option<u64>) -> f64 {
    target_nanos.unwrap_or(0).max(1) as f64 * MOST_BUDGET
}

/// Learns the number of `writes` to wait for together, which should take the budget in the mean. The last `waited_for` took so long
/// that they would fit into the budget `fits` times.
fn learn(writes: &mut f64, waited_for: usize, fits: f64) {
    if fits < 1.0 || waited_for >= *writes as usize {
        *writes = (*writes * fits.clamp(0.7, 1.2)).clamp(1.0, MOST_IN_FLIGHT as f64);
    }
}

#[cfg(test)]
mod tests;
