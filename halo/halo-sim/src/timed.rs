//! The same replay on a virtual clock, with a disk that takes its time.
//!
//! Two ways to let time pass. [`Setup::replay_closed`] is the paper's: whatever the cache passes on goes to the disk back to back, so
//! the disk is always busy and the execution time is the disk's. [`Setup::replay_open`], in `open.rs`, lets requests arrive when the trace
//! says so: then there are idle moments to destage in, and requests that wait.

use crate::front::{BlockCounts, DiskRequest, Traffic};
use crate::histogram::Histogram;
use crate::pcm::PcmReport;
use crate::request::Kind;
use crate::simulation::{DiskSink, Setup, traffic_rate};
use halo_core::address::{BLOCK_BYTES, SECTORS_PER_BLOCK};
use halo_disk::{Completion, Disk, Operation, Profile};

/// The result of a replay with its times.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedReport {
    /// Requests replayed.
    pub requests: u64,
    /// Blocks by what became of them.
    pub blocks: BlockCounts,
    /// Blocks still in the cache at the end.
    pub left_blocks: u64,
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

pub(crate) fn to_disk(id: u64, request: &DiskRequest) -> halo_disk::Request {
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
            left_blocks: report.left_blocks,
            traffic,
            execution_nanos,
            disk_response,
            host_response: Histogram::default(),
            wear: report.wear,
        }
    }
}
