//! A cache in front of a disk: one request in, the disk's requests out.

use crate::request::{Kind, Request};
use halo_core::Lbn;
use halo_core::replacement::Replacement;

/// A request to the disk: blocks in one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiskRequest {
    /// Read or write.
    pub kind: Kind,
    /// Where it begins.
    pub first: Lbn,
    /// Its length.
    pub blocks: u64,
}

impl DiskRequest {
    /// Behind its last block.
    pub fn end(&self) -> u64 {
        self.first.0 + self.blocks
    }
}

/// Blocks counted by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BlockCounts {
    /// Read by requests.
    pub read: u64,
    /// Of those, cached.
    pub read_hits: u64,
    /// Written by requests.
    pub written: u64,
    /// Of those, cached.
    pub write_hits: u64,
    /// Written to the disk.
    pub destaged: u64,
}

/// Passes requests through a cache.
#[derive(Default)]
pub(crate) struct Front {
    pub(crate) counts: BlockCounts,
    destaged: Vec<Lbn>,
}

impl Front {
    /// One request. The disk's requests are appended to `out`: neighbouring blocks that are read or destaged together are one
    /// request. `touched` is called after each block that went into the cache or came out of it.
    pub(crate) fn pass<R: Replacement>(
        &mut self,
        cache: &mut R,
        request: &Request,
        out: &mut Vec<DiskRequest>,
        mut touched: impl FnMut(&R, Kind, Lbn),
    ) {
        cache.begin_request();
        let mut run = Run::new(request.kind);
        for lbn in request.blocks() {
            match request.kind {
                Kind::Read => {
                    self.counts.read += 1;
                    if cache.read(lbn) {
                        self.counts.read_hits += 1;
                        touched(cache, Kind::Read, lbn);
                    } else {
                        run.add(lbn, out);
                    }
                }
                Kind::Write => {
                    self.counts.written += 1;
                    self.counts.write_hits += u64::from(cache.write(lbn, &mut self.destaged));
                    touched(cache, Kind::Write, lbn);
                }
            }
        }
        self.take_destaged(&mut run, out);
        run.finish(out);
    }

    /// Gives an idle disk its blocks; true when there was something. `destage` appends blocks as [`Replacement::write`] does.
    pub(crate) fn pass_in_background(
        &mut self,
        destage: impl FnOnce(&mut Vec<Lbn>) -> bool,
        out: &mut Vec<DiskRequest>,
    ) -> bool {
        let mut run = Run::new(Kind::Write);
        let did = destage(&mut self.destaged);
        self.take_destaged(&mut run, out);
        run.finish(out);
        did
    }

    fn take_destaged(&mut self, run: &mut Run, out: &mut Vec<DiskRequest>) {
        self.counts.destaged += self.destaged.len() as u64;
        for lbn in self.destaged.drain(..) {
            run.add(lbn, out);
        }
    }
}

/// The run of blocks that is being put together.
struct Run {
    kind: Kind,
    current: Option<DiskRequest>,
}

impl Run {
    fn new(kind: Kind) -> Self {
        Self { kind, current: None }
    }

    fn add(&mut self, lbn: Lbn, out: &mut Vec<DiskRequest>) {
        match &mut self.current {
            Some(run) if run.end() == lbn.0 => run.blocks += 1,
            _ => {
                self.finish(out);
                self.current = Some(DiskRequest { kind: self.kind, first: lbn, blocks: 1 });
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<DiskRequest>) {
        out.extend(self.current.take());
    }
}

/// No cache: every block goes to the disk.
pub(crate) struct NoCache;

impl Replacement for NoCache {
    fn name(&self) -> &'static str {
        "none"
    }

    fn capacity(&self) -> u64 {
        0
    }

    fn len(&self) -> u64 {
        0
    }

    fn contains(&self, _lbn: Lbn) -> bool {
        false
    }

    fn read(&mut self, _lbn: Lbn) -> bool {
        false
    }

    fn write(&mut self, lbn: Lbn, destaged: &mut Vec<Lbn>) -> bool {
        destaged.push(lbn);
        false
    }
}

/// Where disk requests begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Requests to the disk.
    pub requests: u64,
    /// Blocks of all of them.
    pub blocks: u64,
    /// Sum of the distances from the end of one request to the start of the next.
    pub distance_blocks: u64,
    /// Behind the last block of the last request.
    end: u64,
}

impl Traffic {
    pub(crate) fn add(&mut self, request: &DiskRequest) {
        self.requests += 1;
        self.blocks += request.blocks;
        self.distance_blocks += request.first.0.abs_diff(self.end);
        self.end = request.end();
    }

    /// Mean distance between disk requests. Source: Auburn, Fig. 3.11.
    pub fn mean_distance_blocks(&self) -> f64 {
        self.distance_blocks as f64 / self.requests.max(1) as f64
    }
}
