//! The replay in which requests arrive when the trace says so, and time passes between them.

use crate::front::{DiskRequest, Front, Traffic};
use crate::histogram::Histogram;
use crate::pcm::{Pcm, PcmTiming};
use crate::policy::{Simulated, WithCache, with_cache};
use crate::request::Kind;
use crate::simulation::{MOVE_INTERVAL_WRITES, Setup, WATCHED_REQUESTS};
use crate::timed::{TimedReport, to_disk};
use halo_disk::{Completion, Disk, Profile};
use halo_wear::CurveCubes;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// Told of each request to the disk, and of the nanosecond in which it is made.
pub type Told<'a> = &'a mut dyn FnMut(u64, &DiskRequest);

impl Setup<'_> {
    /// Replays with requests arriving when the trace says so.
    ///
    /// A hit, and a write that finds room, is done when the cache device is; a read that misses, and without a cache every request, when the
    /// disk is. Destaged blocks keep their slots until they are on the disk: when more than a twentieth of the cache is on its way there,
    /// writes wait. HALO destages by the rule of the device ([`halo_core::Due`]): in moments when requests keep the disk busy for less than
    /// a tenth of a second each second, as the cache is well filled or nobody has written for a while, and at any moment what is too old.
    /// Wear is that of the space filling curve, whose accesses are the ones that are timed.
    ///
    /// # Panics
    /// When the cache has no block, or a request leaves the disk.
    pub fn replay_open(&self, profile: Profile) -> TimedReport {
        self.replay_open_telling(profile, &mut |_, _| {})
    }

    /// The same; each request to the disk is told.
    ///
    /// # Panics
    /// As for [`Setup::replay_open`].
    pub fn replay_open_telling(&self, profile: Profile, told: Told<'_>) -> TimedReport {
        let Setup { policy, cache_blocks, disk_blocks, requests, destaging, .. } = *self;
        let replay = OpenReplay { setup: self, profile, told };
        with_cache(policy, cache_blocks, disk_blocks, requests, destaging, replay)
    }
}

struct OpenReplay<'a, 't> {
    setup: &'a Setup<'a>,
    profile: Profile,
    told: Told<'t>,
}

impl WithCache for OpenReplay<'_, '_> {
    type Result = TimedReport;

    fn with<R: Simulated>(self, mut cache: R) -> TimedReport {
        let mut front = Front::default();
        let mut pcm = Pcm::new(PcmTiming::LEE_2009, CurveCubes::new(MOVE_INTERVAL_WRITES));
        let Setup { requests, cache_blocks, watch, .. } = *self.setup;
        let has_cache = cache.capacity() > 0;
        let mut host = OpenDisk::new(self.profile, u64::from(cache_blocks) / 20, self.told);
        let mut disk_requests = Vec::new();
        let start_nanos = requests.iter().map(|request| request.at_nanos).min().unwrap_or(0);
        for (number, request) in requests.iter().enumerate() {
            if number % WATCHED_REQUESTS == 0 {
                watch(number);
            }
            // Traces are sorted by time but for a few that overtook each other.
            let now_nanos = (request.at_nanos - start_nanos).max(host.now_nanos);
            host.let_time_pass(now_nanos, &mut cache, &mut front);
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
            left_blocks: cache.len(),
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

struct OpenDisk<'t> {
    told: Told<'t>,
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

impl<'t> OpenDisk<'t> {
    fn new(profile: Profile, destaging_limit_blocks: u64, told: Told<'t>) -> Self {
        Self {
            told,
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
        (self.told)(self.now_nanos, request);
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

    /// Advances to `until_nanos`; whenever there is reason before, the cache may destage.
    fn let_time_pass<R: Simulated>(&mut self, until_nanos: u64, cache: &mut R, front: &mut Front) {
        loop {
            cache.note_time(Duration::from_nanos(self.now_nanos));
            let is_idle = self.disk.next_event_nanos().is_none();
            let load = self.load.share(self.now_nanos);
            if self.destage(is_idle.then_some(load), cache, front) {
                continue;
            }
            // When the disk was busy a moment ago, and is not now, it is asked again once a second has gone by.
            let next_second_nanos = (is_idle && load > 0.0).then(|| (self.now_nanos / SECOND_NANOS + 1) * SECOND_NANOS);
            let reason_nanos = cache.next_reason().map(|at| at.as_nanos() as u64);
            let next = [self.disk.next_event_nanos(), next_second_nanos, reason_nanos].into_iter().flatten().min();
            match next {
                Some(at_nanos) if at_nanos <= until_nanos => self.advance(at_nanos),
                _ => break,
            }
        }
        self.advance(until_nanos);
        cache.note_time(Duration::from_nanos(until_nanos));
    }

    /// Destages what the load of an idle disk allows. A busy one takes what is too old, one part after the other. True when something goes.
    fn destage<R: Simulated>(&mut self, idle_load: Option<f64>, cache: &mut R, front: &mut Front) -> bool {
        let mut disk_requests = Vec::new();
        let did = match idle_load {
            Some(load) => {
                front.pass_in_background(|blocks| cache.destage_in_background(load, blocks), &mut disk_requests)
            }
            None if self.destaging_blocks == 0 => {
                front.pass_in_background(|blocks| cache.destage_old(blocks), &mut disk_requests)
            }
            None => false,
        };
        disk_requests.drain(..).for_each(|request| self.submit(&request, None));
        did
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
