//! The same replay on a virtual clock, with a disk that takes its time.
//!
//! Two ways to let time pass. [`Setup::replay_closed`] is the paper's: whatever the cache passes on goes to the disk back to back, so
//! the disk is always busy and the execution time is the disk's. [`Setup::replay_open`] lets requests arrive when the trace says so:
//! then there are idle moments to destage in, and requests that wait.

use crate::front::{BlockCounts, DiskRequest, Front, Traffic};
use crate::histogram::Histogram;
use crate::pcm::{Pcm, PcmReport, PcmTiming};
use crate::policy::{Simulated, WithCache, with_cache};
use crate::request::Kind;
use crate::simulation::{DiskSink, MOVE_INTERVAL_WRITES, Setup, WATCHED_REQUESTS, traffic_rate};
use halo_core::address::{BLOCK_BYTES, SECTORS_PER_BLOCK};
use halo_disk::{Completion, Disk, Operation, Profile};
use halo_wear::CurveCubes;
use std::collections::{HashMap, VecDeque};

/// The result of a replay with its times.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedReport {
    /// Requests replayed.
    pub requests: u64,
    /// Blocks by what became of them.
    pub blocks: BlockCounts,
    /// The requests to the disk.
    pub traffic: Traffic,
    /// Time until the disk was done with everything that it got.
    pub execution_nanos: u64,
    /// Response times of disk requests.
    pub disk_response: Histogram,
    /// Response times of the requests of the trace; empty in a closed replay.
    pub host_response: Histogram,
    /// The cache device under each wear levelling scheme.
    pub wear: Vec<PcmReport>,
}

impl TimedReport {
    /// See [`crate::Report::traffic_rate`].
    pub fn traffic_rate(&self) -> f64 {
        traffic_rate(&self.blocks)
    }

    /// Bytes per second that the disk moved. Source: Auburn, Fig. 3.12.
    pub fn disk_bytes_per_second(&self) -> f64 {
        (self.traffic.blocks * BLOCK_BYTES as u64) as f64 / (self.execution_nanos.max(1) as f64 / 1e9)
    }
}

fn to_disk(id: u64, request: &DiskRequest) -> halo_disk::Request {
    let operation = match request.kind {
        Kind::Read => Operation::Read,
        Kind::Write => Operation::Write,
    };
    let sectors = SECTORS_PER_BLOCK as u64;
    halo_disk::Request { id, operation, first_sector: request.first.0 * sectors, sectors: request.blocks * sectors }
}

/// A disk that always has `depth` requests.
struct ClosedLoop {
    disk: Disk,
    depth: usize,
    now_nanos: u64,
    issued: Vec<(u64, u64)>,
    next_id: u64,
    completed: Vec<Completion>,
    response: Histogram,
    traffic: Traffic,
}

impl ClosedLoop {
    fn new(profile: Profile, depth: usize) -> Self {
        Self {
            disk: Disk::new(profile),
            depth: depth.max(1),
            now_nanos: 0,
            issued: Vec::new(),
            next_id: 0,
            completed: Vec::new(),
            response: Histogram::default(),
            traffic: Traffic::default(),
        }
    }

    /// Lets the disk work until fewer than `wanted` requests are under way.
    fn wait_until_below(&mut self, wanted: usize) {
        while self.issued.len() >= wanted {
            let Some(at_nanos) = self.disk.next_event_nanos() else { return };
            self.now_nanos = self.now_nanos.max(at_nanos);
            self.disk.advance(self.now_nanos, &mut self.completed);
            for completion in self.completed.drain(..) {
                if let Some(index) = self.issued.iter().position(|(id, _)| *id == completion.id) {
                    let (_, since_nanos) = self.issued.swap_remove(index);
                    self.response.add(completion.at_nanos - since_nanos);
                }
            }
        }
    }

    fn submit(&mut self, request: halo_disk::Request) {
        self.wait_until_below(self.depth);
        self.issued.push((request.id, self.now_nanos));
        self.disk.submit(self.now_nanos, request);
        self.next_id += 1;
    }

    /// The content of the disk's own cache has to reach the platter, too.
    fn finish(mut self) -> (u64, Histogram, Traffic) {
        self.wait_until_below(1);
        let response = std::mem::take(&mut self.response);
        self.submit(halo_disk::Request { id: self.next_id, operation: Operation::Flush, first_sector: 0, sectors: 0 });
        self.wait_until_below(1);
        (self.now_nanos, response, self.traffic)
    }
}

impl DiskSink for ClosedLoop {
    fn take(&mut self, request: &DiskRequest) {
        self.traffic.add(request);
        self.submit(to_disk(self.next_id, request));
    }
}

impl Setup<'_> {
    /// Counts as [`Setup::count`] does, and hands what the cache passes on to a disk that always has `depth` requests.
    ///
    /// Source: Auburn §3.3: traces behind the cache are replayed in a closed loop, and the disk dominates. Time in the cache device
    /// is reported beside (`wear`, `busy_nanos`) and not added.
    ///
    /// # Panics
    /// When the cache has no block, or a request leaves the disk.
    pub fn replay_closed(&self, profile: Profile, depth: usize) -> TimedReport {
        let mut disk = ClosedLoop::new(profile, depth);
        let report = self.replay_into(&mut disk);
        let (execution_nanos, disk_response, traffic) = disk.finish();
        TimedReport {
            requests: report.requests,
            blocks: report.blocks,
            traffic,
            execution_nanos,
            disk_response,
            host_response: Histogram::default(),
            wear: report.wear,
        }
    }

    /// Replays with requests arriving when the trace says so.
    ///
    /// A hit, and a write that finds room, is done when the cache device is; a read that misses, and without a cache every request, when the
    /// disk is. Destaged blocks keep their slots until they are on the disk: when more than a twentieth of the cache is on its way there,
    /// writes wait. In moments when requests keep the disk busy for less than a tenth of a second each second, HALO destages in the
    /// background.
    /// Wear is that of the space filling curve, whose accesses are the ones that are timed.
    ///
    /// # Panics
    /// When the cache has no block, or a request leaves the disk.
    pub fn replay_open(&self, profile: Profile) -> TimedReport {
        let Setup { policy, cache_blocks, disk_blocks, requests, destaging, .. } = *self;
        with_cache(policy, cache_blocks, disk_blocks, requests, destaging, OpenReplay { setup: self, profile })
    }
}

struct OpenReplay<'a> {
    setup: &'a Setup<'a>,
    profile: Profile,
}

impl WithCache for OpenReplay<'_> {
    type Result = TimedReport;

    fn with<R: Simulated>(self, mut cache: R) -> TimedReport {
        let mut front = Front::default();
        let mut pcm = Pcm::new(PcmTiming::LEE_2009, CurveCubes::new(MOVE_INTERVAL_WRITES));
        let Setup { requests, cache_blocks, watch, .. } = *self.setup;
        let has_cache = cache.capacity() > 0;
        let mut host = OpenDisk::new(self.profile, u64::from(cache_blocks) / 20);
        let mut disk_requests = Vec::new();
        let start_nanos = requests.iter().map(|request| request.at_nanos).min().unwrap_or(0);
        for (number, request) in requests.iter().enumerate() {
            if number % WATCHED_REQUESTS == 0 {
                watch(number);
            }
            // Traces are sorted by time but for a few that overtook each other.
            let now_nanos = (request.at_nanos - start_nanos).max(host.now_nanos);
            host.use_idle_time(now_nanos, &mut cache, &mut front);
            let mut done_nanos = now_nanos;
            front.pass(&mut cache, request, &mut disk_requests, |cache, kind, lbn| {
                if has_cache {
                    done_nanos = done_nanos.max(pcm.access(now_nanos, cache.slot_of(lbn), kind));
                }
            });
            let waits_for_disk = request.kind == Kind::Read || !has_cache;
            host.pass(waits_for_disk, done_nanos, &mut disk_requests);
        }
        host.finish();
        TimedReport {
            requests: requests.len() as u64,
            blocks: front.counts,
            traffic: host.traffic,
            execution_nanos: host.now_nanos,
            disk_response: host.disk_response,
            host_response: host.host_response,
            wear: if has_cache { vec![pcm.report()] } else { Vec::new() },
        }
    }
}

/// A request of the trace that is not done.
struct Pending {
    since_nanos: u64,
    done_nanos: u64,
    /// Disk requests that it waits for.
    disk_requests: usize,
}

/// The purpose of a disk request.
struct Issued {
    since_nanos: u64,
    /// The request of the trace that waits for it; nothing for destaged blocks.
    pending: Option<u64>,
    destaged_blocks: u64,
}

struct OpenDisk {
    disk: Disk,
    now_nanos: u64,
    next_id: u64,
    issued: HashMap<u64, Issued>,
    pending: HashMap<u64, Pending>,
    /// Writes that wait until fewer blocks are on their way.
    waiting: VecDeque<(u64, u64)>,
    destaging_blocks: u64,
    destaging_limit_blocks: u64,
    load: Load,
    completed: Vec<Completion>,
    disk_response: Histogram,
    host_response: Histogram,
    traffic: Traffic,
}

impl OpenDisk {
    fn new(profile: Profile, destaging_limit_blocks: u64) -> Self {
        Self {
            disk: Disk::new(profile),
            now_nanos: 0,
            next_id: 0,
            issued: HashMap::new(),
            pending: HashMap::new(),
            waiting: VecDeque::new(),
            destaging_blocks: 0,
            destaging_limit_blocks: destaging_limit_blocks.max(1),
            load: Load::default(),
            completed: Vec::new(),
            disk_response: Histogram::default(),
            host_response: Histogram::default(),
            traffic: Traffic::default(),
        }
    }

    fn submit(&mut self, request: &DiskRequest, pending: Option<u64>) {
        self.traffic.add(request);
        let id = self.next_id;
        self.next_id += 1;
        let destaged_blocks = if request.kind == Kind::Write && pending.is_none() { request.blocks } else { 0 };
        self.destaging_blocks += destaged_blocks;
        self.issued.insert(id, Issued { since_nanos: self.now_nanos, pending, destaged_blocks });
        self.disk.submit(self.now_nanos, to_disk(id, request));
    }

    /// A request of the trace, of which the cache device is done at `cache_done_nanos`. Disk requests that it does not wait for are destaged
    /// blocks.
    fn pass(&mut self, waits_for_disk: bool, cache_done_nanos: u64, disk_requests: &mut Vec<DiskRequest>) {
        let id = self.next_id;
        self.next_id += 1;
        let since_nanos = self.now_nanos;
        let waits_for = waits_for_disk.then_some(id);
        for request in disk_requests.iter() {
            self.submit(request, waits_for);
        }
        if waits_for_disk && !disk_requests.is_empty() {
            let pending = Pending { since_nanos, done_nanos: cache_done_nanos, disk_requests: disk_requests.len() };
            self.pending.insert(id, pending);
        } else if !waits_for_disk && self.destaging_blocks > self.destaging_limit_blocks {
            self.waiting.push_back((since_nanos, cache_done_nanos));
        } else {
            self.host_response.add(cache_done_nanos - since_nanos);
        }
        disk_requests.clear();
    }

    /// Advances to `until_nanos`; whenever the disk has nothing to do before, the cache may destage. Should it not, because the disk was
    /// busy, it may when a second has gone by.
    fn use_idle_time<R: Simulated>(&mut self, until_nanos: u64, cache: &mut R, front: &mut Front) {
        let mut disk_requests = Vec::new();
        loop {
            match self.disk.next_event_nanos() {
                Some(at_nanos) if at_nanos <= until_nanos => self.advance(at_nanos),
                Some(_) => break,
                None => {
                    let load = self.load.share(self.now_nanos);
                    let did = front
                        .pass_in_background(|destaged| cache.destage_in_background(load, destaged), &mut disk_requests);
                    disk_requests.drain(..).for_each(|request| self.submit(&request, None));
                    if !did {
                        let next_second_nanos = (self.now_nanos / SECOND_NANOS + 1) * SECOND_NANOS;
                        if load == 0.0 || next_second_nanos > until_nanos {
                            break;
                        }
                        self.advance(next_second_nanos);
                    }
                }
            }
        }
        self.advance(until_nanos);
    }

    fn advance(&mut self, now_nanos: u64) {
        self.now_nanos = now_nanos;
        let mut completed = std::mem::take(&mut self.completed);
        self.disk.advance(now_nanos, &mut completed);
        for Completion { id, at_nanos } in completed.drain(..) {
            let Some(issued) = self.issued.remove(&id) else { continue };
            self.disk_response.add(at_nanos - issued.since_nanos);
            self.destaging_blocks -= issued.destaged_blocks;
            if let Some(pending) = issued.pending {
                self.load.add(issued.since_nanos, at_nanos);
                self.part_done(pending, at_nanos);
            }
            while self.destaging_blocks <= self.destaging_limit_blocks
                && let Some((since_nanos, done_nanos)) = self.waiting.pop_front()
            {
                self.host_response.add(done_nanos.max(at_nanos) - since_nanos);
            }
        }
        self.completed = completed;
    }

    fn part_done(&mut self, id: u64, at_nanos: u64) {
        let Some(pending) = self.pending.get_mut(&id) else { return };
        pending.disk_requests -= 1;
        pending.done_nanos = pending.done_nanos.max(at_nanos);
        if pending.disk_requests == 0 {
            self.host_response.add(pending.done_nanos - pending.since_nanos);
            self.pending.remove(&id);
        }
    }

    fn finish(&mut self) {
        while let Some(at_nanos) = self.disk.next_event_nanos() {
            self.advance(at_nanos);
        }
    }
}

/// Share of the last second in which requests of the trace kept the disk busy.
#[derive(Default)]
struct Load {
    second: u64,
    busy_nanos: u64,
    busy_nanos_of_last_second: u64,
    counted_until_nanos: u64,
}

const SECOND_NANOS: u64 = 1_000_000_000;

impl Load {
    fn turn(&mut self, now_nanos: u64) {
        let second = now_nanos / SECOND_NANOS;
        if second > self.second {
            self.busy_nanos_of_last_second = if second == self.second + 1 { self.busy_nanos } else { 0 };
            (self.second, self.busy_nanos) = (second, 0);
        }
    }

    /// Requests that overlap count once.
    fn add(&mut self, from_nanos: u64, until_nanos: u64) {
        self.turn(until_nanos);
        self.busy_nanos += until_nanos.saturating_sub(from_nanos.max(self.counted_until_nanos));
        self.counted_until_nanos = self.counted_until_nanos.max(until_nanos);
    }

    fn share(&mut self, now_nanos: u64) -> f64 {
        self.turn(now_nanos);
        self.busy_nanos.max(self.busy_nanos_of_last_second) as f64 / SECOND_NANOS as f64
    }
}
