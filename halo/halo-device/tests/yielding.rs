//! How destaging and readers share a modelled disk of 7200 rpm, on a virtual clock: the same numbers come out on any machine.
// The throttle has no threads: nothing here for made-up schedules.
#![cfg(not(feature = "shuttle"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use halo_core::SplitMix64;
use halo_core::address::BLOCKS_PER_BUCKET;
use halo_device::{Admission, Reading, Throttle};
use halo_disk::{Completion, Disk, Operation, Profile, Request};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

const SECTORS_PER_BLOCK: u64 = 8;
const MILLISECOND_NANOS: u64 = 1_000_000;
const SECOND_NANOS: u64 = 1000 * MILLISECOND_NANOS;
const TARGET_NANOS: u64 = 40 * MILLISECOND_NANOS;
/// The time of the cache device between two batches.
const COMMIT_NANOS: u64 = 5 * MILLISECOND_NANOS;
const BATCH_BUCKETS: u64 = 64;
const SPARSE_BATCH_BLOCKS: u64 = 1024;
const WRITERS: usize = 32;

/// The other users of the disk, and the places of the dirty blocks.
#[derive(Clone, Copy)]
struct Scene {
    profile: Profile,
    target_nanos: Option<u64>,
    readers: u64,
    /// From an answer to the reader's next request.
    think_nanos: u64,
    /// Random dirty blocks in each region of 1 MiB; 0: nothing is destaged.
    dirty_per_bucket: u64,
    /// A writer waits for room all the time.
    full: bool,
    seconds: u64,
}

impl Scene {
    const READER: Self = Self {
        profile: Profile::ENTERPRISE,
        target_nanos: Some(TARGET_NANOS),
        readers: 1,
        think_nanos: 200_000,
        dirty_per_bucket: 5,
        full: false,
        seconds: 120,
    };
}

struct Outcome {
    p99_millis: f64,
    mean_millis: f64,
    reads_per_second: f64,
    blocks_per_second: f64,
}

enum Command {
    Read(Reading, u64),
    Write,
}

struct Run {
    scene: Scene,
    disk: Disk,
    throttle: Throttle,
    random: SplitMix64,
    now_nanos: u64,
    commands: BTreeMap<u64, Command>,
    next_id: u64,
    /// When readers read again.
    due: BinaryHeap<std::cmp::Reverse<u64>>,
    /// Writes of the present batch; a flush ends it.
    batch: VecDeque<(u64, Operation)>,
    in_flight: usize,
    next_batch_nanos: u64,
    next_bucket: u64,
    latencies_nanos: Vec<u64>,
    destaged_blocks: u64,
}

impl Run {
    fn new(scene: Scene) -> Self {
        let mut throttle = Throttle::new(scene.target_nanos);
        if scene.full {
            throttle.begin_waiting();
        }
        Self {
            scene,
            disk: Disk::new(scene.profile),
            throttle,
            random: SplitMix64::new(11),
            now_nanos: 0,
            commands: BTreeMap::new(),
            next_id: 0,
            // Destaging has begun before the first reader comes.
            due: (0..scene.readers).map(|at| std::cmp::Reverse(SECOND_NANOS + at)).collect(),
            batch: VecDeque::new(),
            in_flight: 0,
            next_batch_nanos: 0,
            next_bucket: 200 << 10,
            latencies_nanos: Vec::new(),
            destaged_blocks: 0,
        }
    }

    fn submit(&mut self, operation: Operation, block: u64, command: Command) {
        let sectors = if operation == Operation::Flush { 0 } else { SECTORS_PER_BLOCK };
        let request = Request { id: self.next_id, operation, first_sector: block * SECTORS_PER_BLOCK, sectors };
        self.commands.insert(self.next_id, command);
        self.next_id += 1;
        self.disk.submit(self.now_nanos, request);
    }

    fn read_what_is_due(&mut self) {
        while self.due.peek().is_some_and(|due| due.0 <= self.now_nanos) {
            self.due.pop();
            let block = self.random.below(self.scene.profile.capacity_bytes / 4096);
            let reading = self.throttle.begin_read(self.now_nanos);
            self.submit(Operation::Read, block, Command::Read(reading, self.now_nanos));
        }
    }

    fn begin_batch(&mut self) {
        let most = self.throttle.batch_blocks(self.now_nanos) as u64;
        let dirty = self.scene.dirty_per_bucket;
        let buckets = most.div_ceil(dirty).clamp(1, BATCH_BUCKETS.max(SPARSE_BATCH_BLOCKS.div_ceil(dirty)));
        for bucket in self.next_bucket..self.next_bucket + buckets {
            let blocks: std::collections::BTreeSet<_> =
                (0..self.scene.dirty_per_bucket).map(|_| self.random.below(BLOCKS_PER_BUCKET)).collect();
            self.batch.extend(blocks.iter().map(|index| (bucket * BLOCKS_PER_BUCKET + index, Operation::Write)));
        }
        self.batch.truncate(most as usize);
        self.next_bucket += buckets;
        self.batch.push_back((0, Operation::Flush));
    }

    /// Sends what the throttle lets through; gives the time at which to ask it again.
    fn destage(&mut self) -> Option<u64> {
        if self.scene.dirty_per_bucket == 0 {
            return None;
        }
        if self.batch.is_empty() && self.in_flight == 0 {
            if self.now_nanos < self.next_batch_nanos {
                return Some(self.next_batch_nanos);
            }
            self.begin_batch();
        }
        while let Some(&(block, operation)) = self.batch.front() {
            let alone = operation == Operation::Flush && self.in_flight > 0;
            if alone || self.in_flight == WRITERS {
                return None;
            }
            match self.throttle.admit(self.now_nanos) {
                Admission::Go => {
                    self.batch.pop_front();
                    self.in_flight += 1;
                    self.destaged_blocks += u64::from(operation == Operation::Write);
                    self.submit(operation, block, Command::Write);
                }
                Admission::Wait(until_nanos) => return until_nanos,
            }
        }
        None
    }

    fn complete(&mut self, completion: Completion) {
        match self.commands.remove(&completion.id).unwrap() {
            Command::Read(reading, since_nanos) => {
                self.throttle.end_read(self.now_nanos, reading);
                self.latencies_nanos.push(self.now_nanos - since_nanos);
                self.due.push(std::cmp::Reverse(self.now_nanos + self.scene.think_nanos));
            }
            Command::Write => {
                self.throttle.end_write(self.now_nanos);
                self.in_flight -= 1;
                self.next_batch_nanos = self.now_nanos + COMMIT_NANOS;
            }
        }
    }

    fn run(mut self) -> Outcome {
        let end_nanos = self.scene.seconds * SECOND_NANOS;
        let mut completed = Vec::new();
        while self.now_nanos < end_nanos {
            self.read_what_is_due();
            let asked_again_nanos = self.destage();
            let times =
                [self.disk.next_event_nanos(), self.due.peek().map(|due| due.0), asked_again_nanos, Some(end_nanos)];
            self.now_nanos = times.into_iter().flatten().min().unwrap().max(self.now_nanos);
            self.disk.advance(self.now_nanos, &mut completed);
            for completion in completed.drain(..) {
                self.complete(completion);
            }
        }
        self.latencies_nanos.sort_unstable();
        let reads = self.latencies_nanos.len();
        let p99_nanos = self.latencies_nanos.get(reads * 99 / 100).copied().unwrap_or(0);
        let sum_nanos: u64 = self.latencies_nanos.iter().sum();
        Outcome {
            p99_millis: p99_nanos as f64 / 1e6,
            mean_millis: sum_nanos as f64 / reads.max(1) as f64 / 1e6,
            reads_per_second: reads as f64 / self.scene.seconds as f64,
            blocks_per_second: self.destaged_blocks as f64 / self.scene.seconds as f64,
        }
    }
}

/// Mostly the same tables as in docs/results/halo.md: `cargo test -p halo-device --test yielding -- --nocapture`.
fn show(label: &str, alone: &Outcome, shared: &Outcome) {
    println!(
        "{label}: p99 {:.1} -> {:.1} ms ({:.2}), mean {:.1} -> {:.1} ms, {:.1} -> {:.1} reads/s, {:.0} blocks/s",
        alone.p99_millis,
        shared.p99_millis,
        shared.p99_millis / alone.p99_millis,
        alone.mean_millis,
        shared.mean_millis,
        alone.reads_per_second,
        shared.reads_per_second,
        shared.blocks_per_second,
    );
}

/// Runs a scene with and without destaging; gives the ratio of the 99th percentiles, and the destaged blocks per second.
fn against_idle_disk(label: &str, scene: Scene) -> (f64, f64) {
    let alone = Run::new(Scene { dirty_per_bucket: 0, ..scene }).run();
    let shared = Run::new(scene).run();
    show(label, &alone, &shared);
    (shared.p99_millis / alone.p99_millis, shared.blocks_per_second)
}

const THINK_MILLIS: [u64; 4] = [0, 30, 200, 5000];

#[test]
fn a_reader_waits_at_most_twice_as_long_as_on_an_idle_disk_and_destaging_goes_on() {
    for (dirty_per_bucket, least_blocks_per_second) in [(1, 20.0), (5, 30.0), (64, 200.0)] {
        for millis in THINK_MILLIS {
            let think_nanos = 200_000 + millis * MILLISECOND_NANOS;
            // Enough reads for a percentile.
            let seconds = 60 + millis / 5;
            let scene = Scene { think_nanos, dirty_per_bucket, seconds, ..Scene::READER };
            let (ratio, rate) = against_idle_disk(&format!("{dirty_per_bucket} per MiB, thinking {millis} ms"), scene);
            assert!(ratio <= 2.0, "{ratio} with {dirty_per_bucket} dirty blocks per MiB, thinking {millis} ms");
            assert!(rate >= least_blocks_per_second, "{rate} of {dirty_per_bucket} per MiB, thinking {millis} ms");
        }
    }
}

#[test]
fn readers_with_deep_queues_do_not_stop_destaging_nor_it_them() {
    for readers in [4, 32] {
        let (ratio, rate) = against_idle_disk(&format!("{readers} readers"), Scene { readers, ..Scene::READER });
        assert!(ratio <= 1.5, "{ratio} with {readers} readers");
        assert!(rate >= 5.0, "{rate} with {readers} readers");
    }
}

#[test]
fn a_volatile_disk_cache_keeps_the_promise_for_one_reader() {
    for dirty_per_bucket in [5, 64] {
        for millis in THINK_MILLIS {
            let scene = Scene {
                profile: Profile::CONSUMER,
                dirty_per_bucket,
                think_nanos: 200_000 + millis * MILLISECOND_NANOS,
                seconds: 60,
                ..Scene::READER
            };
            let label = format!("consumer disk, {dirty_per_bucket} per MiB, thinking {millis} ms");
            let (ratio, rate) = against_idle_disk(&label, scene);
            assert!(ratio <= 2.0 && rate >= 10.0, "{label}: {ratio}, {rate} blocks/s");
        }
    }
}

#[test]
fn a_writer_that_waits_for_room_gets_more_and_reads_still_wait_for_one_turn_only() {
    let (_, polite) = against_idle_disk("room in the cache", Scene::READER);
    let (ratio, hurried) = against_idle_disk("no room in the cache", Scene { full: true, ..Scene::READER });
    assert!(hurried >= 4.0 * polite, "{hurried} instead of {polite}");
    assert!(ratio <= 5.0, "{ratio}");
}

#[test]
fn a_disk_that_nobody_reads_is_taken_as_a_whole() {
    let nobody = Scene { readers: 0, seconds: 60, ..Scene::READER };
    for dirty_per_bucket in [1, 5, 64] {
        let [yielding, not] = [nobody.target_nanos, None]
            .map(|target_nanos| Run::new(Scene { target_nanos, dirty_per_bucket, ..nobody }).run().blocks_per_second);
        assert_eq!(yielding.to_bits(), not.to_bits(), "{yielding} and {not}");
    }
}

/// The test above would notice: this is what happens without a throttle.
#[test]
fn without_a_target_a_reader_waits_many_times_as_long() {
    let (ratio, _) = against_idle_disk("no target", Scene { target_nanos: None, ..Scene::READER });
    assert!(ratio > 10.0, "{ratio}");
}
