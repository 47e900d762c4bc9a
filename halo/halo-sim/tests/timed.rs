//! The times of a replay.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_core::DueSettings;
use halo_disk::Profile;
use halo_sim::workload::{self, Shape};
use halo_sim::{Destaging, Kind, Policy, Request, Schemes, Setup, TimedReport, concatenate};
use std::time::Duration;

const CACHE_BLOCKS: u32 = 2048;

fn setup(policy: Policy, disk_blocks: u64, requests: &[Request]) -> Setup<'_> {
    Setup {
        policy,
        cache_blocks: CACHE_BLOCKS,
        disk_blocks,
        requests,
        wear: Schemes::None,
        destaging: Destaging::default(),
        watch: &|_| {},
    }
}

fn random_writes(count: usize) -> (u64, Vec<Request>) {
    let shape = Shape { requests: count, blocks: 20_000, write_share: 0.8, blocks_per_request: 1, seed: 5 };
    let mut requests: Vec<Request> = workload::random(shape).collect();
    (concatenate(&mut requests).blocks, requests)
}

/// The same decisions, whether or not time passes.
#[test]
fn a_closed_replay_counts_what_a_replay_without_time_counts() {
    let (disk_blocks, requests) = random_writes(8000);
    for (name, policy) in Policy::NAMES {
        let setup = setup(policy, disk_blocks, &requests);
        let (counted, timed) = (setup.count(), setup.replay_closed(Profile::ENTERPRISE, 1));
        assert_eq!((counted.blocks, counted.traffic), (timed.blocks, timed.traffic), "{name}");
        assert_eq!(timed.disk_response.count(), timed.traffic.requests, "{name}");
    }
}

/// With one request at a time and no cache in the disk, response times add up to the execution time.
#[test]
fn a_disk_with_one_request_at_a_time_is_busy_all_the_time() {
    let (disk_blocks, requests) = random_writes(500);
    let timed = setup(Policy::None, disk_blocks, &requests).replay_closed(Profile::ENTERPRISE, 1);
    let sum_nanos = timed.disk_response.mean_nanos() * timed.disk_response.count() as f64;
    // The flush at the end takes its command time.
    let rest_nanos = timed.execution_nanos as f64 - sum_nanos;
    assert!((0.0..1e6).contains(&rest_nanos), "{rest_nanos}");
}

#[test]
fn halo_gets_random_writes_to_the_disk_in_less_time_than_lru() {
    let (disk_blocks, requests) = random_writes(20_000);
    for profile in Profile::ALL {
        let nanos = |policy| setup(policy, disk_blocks, &requests).replay_closed(profile, 1).execution_nanos;
        let (halo, lru) = (nanos(Policy::Halo), nanos(Policy::Lru));
        assert!(halo < lru, "{}: HALO {halo}, LRU {lru}", profile.name);
    }
}

fn writes_every(nanos: u64, count: u64) -> Vec<Request> {
    // Regions far apart, so that each is a bucket of its own.
    let at = |number: u64| (number * 37 % 4000) * (1 << 20) + number % 256 * 4096;
    (0..count)
        .map(|number| Request {
            at_nanos: number * nanos,
            device: 0,
            kind: Kind::Write,
            offset_bytes: at(number),
            bytes: 4096,
        })
        .collect()
}

fn open(policy: Policy, requests: &[Request]) -> TimedReport {
    let mut requests = requests.to_vec();
    let blocks = concatenate(&mut requests).blocks;
    setup(policy, blocks, &requests).replay_open(Profile::ENTERPRISE)
}

#[test]
fn every_request_of_an_open_replay_is_answered_once() {
    let (_, requests) = random_writes(6000);
    for (name, policy) in Policy::NAMES {
        assert_eq!(open(policy, &requests).host_response.count(), 6000, "{name}");
    }
}

/// 80% of 2048 slots are 1638: beyond that, an idle disk takes blocks, long before the cache is full at 95%.
#[test]
fn an_idle_disk_is_used_for_destaging_before_the_cache_is_full() {
    let writes = writes_every(50_000_000, 1900);
    assert_eq!(open(Policy::Lru, &writes).blocks.destaged, 0);
    let halo = open(Policy::Halo, &writes).blocks.destaged;
    assert!((1900 - 1639..1900).contains(&halo), "{halo}");
    // The same writes at once: the disk is idle once only, and takes one bucket of one block.
    assert_eq!(open(Policy::Halo, &writes_every(0, 1900)).blocks.destaged, 1);
}

/// A disk that writes through takes milliseconds for a write, whatever the size of a cache that is not there.
#[test]
fn without_a_cache_a_write_waits_for_the_disk() {
    let mut writes = writes_every(50_000_000, 200);
    let blocks = concatenate(&mut writes).blocks;
    for cache_blocks in [CACHE_BLOCKS, 64 * CACHE_BLOCKS] {
        let timed = Setup { cache_blocks, ..setup(Policy::None, blocks, &writes) }.replay_open(Profile::ENTERPRISE);
        let (host, disk) = (&timed.host_response, &timed.disk_response);
        assert!(host.mean_nanos() > 5e6, "{} ns", host.mean_nanos());
        assert_eq!((host.count(), host.mean_nanos()), (disk.count(), disk.mean_nanos()));
    }
}

/// Reads keep the disk busy for four seconds, in the middle of which the cache fills up. The disk takes blocks in the pause after that, not
/// when the next read has come.
#[test]
fn idle_time_after_a_busy_second_is_used() {
    let read = |at_nanos: u64, number: u64| Request {
        at_nanos,
        device: 0,
        kind: Kind::Read,
        offset_bytes: (number * 61 % 3000) * (1 << 20) + (1 << 19),
        bytes: 4096,
    };
    let mut requests: Vec<_> = (0..320).map(|number| read(number * 12_500_000, number)).collect();
    requests.extend(writes_every(0, 1740).into_iter().map(|write| Request { at_nanos: 2_000_000_000, ..write }));
    requests.sort_by_key(|request| request.at_nanos);
    let busy = open(Policy::Halo, &requests).blocks.destaged;
    requests.push(read(104_000_000_000, 1000));
    let paused = open(Policy::Halo, &requests).blocks.destaged;
    // 80% of 2048 slots are 1638.
    assert!(busy < 10 && paused >= 1740 - 1639, "{busy} blocks at the burst's end, {paused} after the pause");
}

#[test]
fn writes_wait_once_more_blocks_are_on_their_way_than_the_cache_keeps_free() {
    let calm = open(Policy::Lru, &writes_every(50_000_000, 4000));
    let burst = open(Policy::Lru, &writes_every(1000, 4000));
    assert!(calm.host_response.max_nanos() < 100_000, "{}", calm.host_response.max_nanos());
    assert!(burst.host_response.max_nanos() > 1_000_000_000, "{}", burst.host_response.max_nanos());
}

/// Nobody writes, and the disk has nothing to do: five seconds later it has everything, unless that is switched off.
#[test]
fn what_is_dirty_goes_once_nobody_writes() {
    let mut requests = writes_every(1_000_000_000, 40);
    requests.push(Request { at_nanos: 60_000_000_000, kind: Kind::Read, ..requests[0] });
    let blocks = concatenate(&mut requests).blocks;
    let replay = |idle_after: Option<u64>| {
        let due = DueSettings { idle_after: idle_after.map(Duration::from_secs), max_dirty_age: None };
        let destaging = Destaging { due, ..Destaging::default() };
        let mut told = Vec::new();
        let report = Setup { destaging, ..setup(Policy::Halo, blocks, &requests) }
            .replay_open_telling(Profile::ENTERPRISE, &mut |at_nanos, request| told.push((at_nanos, request.kind)));
        let first_nanos = told.iter().find(|(_, kind)| *kind == Kind::Write).map(|(at_nanos, _)| *at_nanos);
        (report.blocks.destaged, report.left_blocks, first_nanos)
    };
    assert_eq!(replay(Some(5)), (40, 0, Some(44_000_000_000)));
    assert_eq!(replay(None), (0, 40, None));
    assert_eq!(replay(Some(30)), (0, 40, None));
}

/// Readers keep the disk busy all the time, and somebody writes all the time: what is too old goes beside them, and what is young stays.
#[test]
fn what_is_too_old_goes_from_a_busy_disk_too() {
    let mut requests = writes_every(200_000_000, 1000);
    let reads = (0..20_000_u64).map(|number| Request {
        at_nanos: number * 10_000_000,
        device: 0,
        kind: Kind::Read,
        offset_bytes: (number * 61 % 3000) * (1 << 20) + (1 << 19),
        bytes: 4096,
    });
    requests.extend(reads);
    requests.sort_by_key(|request| request.at_nanos);
    let blocks = concatenate(&mut requests).blocks;
    let replay = |max_dirty_age: Option<u64>| {
        let due = DueSettings { idle_after: None, max_dirty_age: max_dirty_age.map(Duration::from_secs) };
        let destaging = Destaging { due, ..Destaging::default() };
        Setup { destaging, ..setup(Policy::Halo, blocks, &requests) }.replay_open(Profile::ENTERPRISE).blocks.destaged
    };
    assert_eq!(replay(None), 0);
    // Written in 200 s, five a second: those of the first 140 s are at least 60 s old at the end, and those of the last 30 s below 30 s. Ages are
    // told to half a second.
    let aged = replay(Some(60));
    assert!((5 * 140..5 * 171).contains(&aged), "{aged}");
}
